import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodeJson, privateJsonResponse, privateJsonResponseWithEtag } from './encoded-json.ts'
import { negotiateEncoding } from './headers.ts'

const json = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: `Kurs für alle ${id}` })))
const privateAnswer = (request: Request) => privateJsonResponseWithEtag(request, JSON.parse(json))
const requestWith = (headers: Record<string, string>) => new Request('http://portal/api/course', { headers })

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br;q=0.0', 'identity'],
  ['', 'identity'],
  [null, 'identity'],
])('responds to Accept-Encoding %s with %s', (header, expected) => {
  expect(negotiateEncoding(header)).toBe(expected)
})

test('every encoding decodes to the same content', async () => {
  const answer = encodeJson(json)
  const bytesFor = async (encoding: string) =>
    Buffer.from(await (await answer.answer(requestWith({ 'Accept-Encoding': encoding }))).arrayBuffer())
  expect(brotliDecompressSync(await bytesFor('br')).toString()).toBe(json)
  expect(gunzipSync(await bytesFor('gzip')).toString()).toBe(json)
  expect((await bytesFor('identity')).toString()).toBe(json)
})

test('a known ETag gets 304 until the content changes', async () => {
  const first = await encodeJson(json).answer(requestWith({}))
  const known = requestWith({ 'If-None-Match': `"other", ${first.headers.get('ETag')}` })
  expect((await encodeJson(json).answer(known)).status).toBe(304)
  expect((await encodeJson(json.replace('alle', 'viele')).answer(known)).status).toBe(200)
})

test.each([
  ['mod_deflate', /"$/, '-gzip"'],
  ['mod_brotli', /"$/, '-br"'],
  ['nginx', /^W\//, ''],
])('a known ETag gets 304 as well when it comes back as %s has changed it', async (_, part, changed) => {
  for (const answer of [(request: Request) => encodeJson(json).answer(request), privateAnswer]) {
    const tag = (await answer(requestWith({}))).headers.get('ETag') ?? ''
    expect(tag).toMatch(/^W\/"/)
    expect((await answer(requestWith({ 'If-None-Match': tag.replace(part, changed) }))).status).toBe(304)
    expect((await answer(requestWith({ 'If-None-Match': tag.replace(/"$/, '-other"') }))).status).toBe(200)
  }
})

test('a private response is not cacheable', async () => {
  const { headers } = await privateJsonResponse(requestWith({}), json)
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(headers.get('ETag')).toBeNull()
})
