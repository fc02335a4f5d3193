import { Writable } from 'node:stream'
import { Hono } from 'hono'
import pino from 'pino'
import { expect, test } from 'vitest'
import { createErrorHandler } from './problems.ts'
import { assignRequestId, requestLog } from './request-log.ts'

const lines: Record<string, unknown>[] = []
const log = pino(
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  }),
)
const app = new Hono()
app.onError(createErrorHandler(log))
app.use('*', assignRequestId, requestLog(log))
app.get('/api/course/:id', c => c.text('course'))
app.get('/api/webuser/resendemail/:userName', c => c.text('mail'))
app.get('/api/broken/:userName', () => {
  throw new Error('broken')
})
app.get('*', c => c.text('page'))

test.each([
  ['/api/course/17?secret=1', '/api/course/17'],
  ['/api/webuser/resendemail/erika@example.com', '/api/webuser/resendemail/:userName'],
  ['/api/broken/erika@example.com', '/api/broken/:userName'],
  [`/activate/${'t'.repeat(43)}`, '/activate/…'],
  ['/assets/course-participation-screen-m8ruoA6k.js', '/assets/course-participation-screen-m8ruoA6k.js'],
  ['/activate/zvbzxcvbnmasdfghjklqwert', '/activate/…'],
  ['/Sommer-Wind/A123456789', '/…/…'],
  ['/course-details/17', '/course-details/17'],
  ['/', '/'],
])('%s is logged as %s', async (url, path) => {
  lines.length = 0
  await app.request(url, { headers: { SessionToken: 'the-token', 'X-Forwarded-For': '192.0.2.7' } })
  expect(lines.at(-1)).toMatchObject({ method: 'GET', path, status: url.includes('broken') ? 500 : 200 })
  expect(Number(lines.at(-1)?.ms)).toBeGreaterThanOrEqual(0)
  expect(JSON.stringify(lines)).not.toMatch(/secret|erika|the-token|192\.0\.2|tttt|zxcv|Sommer|A1234/)
})

test('a proxy’s request id is used in the log and in the error message', async () => {
  lines.length = 0
  const fault = await app.request('/api/broken/erika', { headers: { 'X-Request-Id': 'a1-B2' } })
  expect(fault.headers.get('X-Request-Id')).toBe('a1-B2')
  expect(JSON.stringify(await fault.json())).toContain('a1-B2')
  expect(lines.map(({ id, msg }) => [id, msg])).toEqual([
    ['a1-B2', 'request failed'],
    ['a1-B2', 'request'],
  ])
  // The format of HAProxy's manual, and that of AWS.
  for (const id of ['7F000001:C0DE_7F000001:0050_5E0F6B3C_0001:1A2B', 'Root=1-67891233-abcdef012345678912345678']) {
    expect((await app.request('/', { headers: { 'X-Request-Id': id } })).headers.get('X-Request-Id')).toBe(id)
    expect(lines.at(-1)?.id).toBe(id)
  }
  // Invalid request ids are not logged.
  const answer = await app.request('/', { headers: { 'X-Request-Id': 'erika@example.com' } })
  expect(answer.headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/)
  expect(lines.at(-1)?.id).toBe(answer.headers.get('X-Request-Id'))
})
