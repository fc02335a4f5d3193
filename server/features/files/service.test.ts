import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { insertContentFile } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

const PDF = Buffer.from('%PDF-1.7 flyer')

const server = await openTestServer()
beforeAll(async () => {
  await insertContent('Flyer Übung & 50 %.pdf', 'application/pdf', PDF)
  await insertContent('portrait.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await insertContent('termin.ics', 'text/calendar', Buffer.from('BEGIN:VCALENDAR'))
  await insertContent('page.html', 'text/html', Buffer.from('<script>alert(1)</script>'))
})

const insertContent = (name: string, mediaType: string, content: Buffer) =>
  insertContentFile(server.db, name, mediaType, content)

const fetchContent = (name: string, init?: RequestInit) =>
  server.app.request(`/content/${encodeURIComponent(name)}`, init)

test('a document is displayed inline under its own name', async () => {
  const answer = await fetchContent('Flyer Übung & 50 %.pdf')
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(PDF)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(PDF.byteLength),
    'content-disposition': `inline; filename="Flyer Ubung & 50 _.pdf"; filename*=UTF-8''Flyer%20%C3%9Cbung%20%26%2050%20%25.pdf`,
    'cache-control': expect.stringMatching(/^private, max-age=\d+, stale-while-revalidate=\d+$/),
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.not.stringContaining('sandbox'),
  })
})

test('only responses that set no cookie may be stored in shared caches', async () => {
  const first = await fetchContent('portrait.svg')
  expect([first.headers.get('Set-Cookie'), first.headers.get('Cache-Control')]).toEqual([
    expect.stringContaining('XSRF-TOKEN'),
    expect.stringMatching(/^private, max-age/),
  ])
  const again = await fetchContent('portrait.svg', { headers: { Cookie: 'XSRF-TOKEN=a' } })
  expect([again.headers.get('Set-Cookie'), again.headers.get('Cache-Control')]).toEqual([
    null,
    expect.stringMatching(/^public, max-age/),
  ])
})

test('an unchanged file is 304, a changed one is sent', async () => {
  const etag = (await fetchContent('portrait.svg')).headers.get('ETag') ?? ''
  expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
  const ask = (tag: string) => fetchContent('portrait.svg', { headers: { 'If-None-Match': tag } })
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const answer = await ask(tag)
    expect(answer.status).toBe(304)
    expect(answer.headers.get('ETag')).toBe(etag)
    expect(await answer.text()).toBe('')
  }
  expect((await ask('"other"')).status).toBe(200)
  await insertContent(
    'portrait.svg',
    'image/svg+xml',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>'),
  )
  expect((await ask(etag)).status).toBe(200)
})

test('HEAD returns only the headers', async () => {
  const answer = await fetchContent('portrait.svg', { method: 'HEAD' })
  expect(answer.status).toBe(200)
  expect(Number(answer.headers.get('Content-Length'))).toBeGreaterThan(0)
  expect(await answer.text()).toBe('')
})

test('an SVG executes nothing, HTML is only downloaded, and an iCalendar file keeps its type', async () => {
  const drawing = await fetchContent('portrait.svg')
  expect(drawing.headers.get('Content-Security-Policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
  const page = await fetchContent('page.html')
  expect(page.headers.get('Content-Type')).toBe('application/octet-stream')
  expect(page.headers.get('Content-Disposition')).toMatch(/^attachment/)
  const appointment = await fetchContent('termin.ics')
  expect(appointment.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
  expect(appointment.headers.get('Content-Disposition')).toMatch(/^attachment/)
})

test('a picture is returned in the offered widths and cached like any other file', async () => {
  const picture = await sharp({ create: { width: 1600, height: 800, channels: 3, background: '#0d4f55' } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  await insertContent('halle.png', 'image/png', picture)
  const answer = await fetchContent('halle.png', { method: 'GET' })
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(picture)
  const ask = (width: string, init?: RequestInit) => server.app.request(`/content/halle.png?w=${width}`, init)
  const small = await ask('640')
  expect(small.headers.get('Content-Type')).toBe('image/webp')
  expect(small.headers.get('ETag')).not.toBe(answer.headers.get('ETag'))
  expect((await sharp(Buffer.from(await small.arrayBuffer())).metadata()).width).toBe(640)
  const known = { headers: { 'If-None-Match': small.headers.get('ETag') ?? '' } }
  expect((await ask('640', known)).status).toBe(304)
  for (const width of ['641', '0', '-640', '1e9', '640px', '']) expect((await ask(width)).status, width).toBe(404)
})

test.each([
  '/content/none.pdf',
  '/content/none.png?w=640',
  '/content/',
  '/content/a/b',
  '/content/..%2F..%2Fetc%2Fpasswd',
  '/content/%00',
  '/content/%ff',
])('%s is not found, in JSON', async path => {
  const answer = await server.app.request(path)
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ status: 'Failed' })
})
