import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { findAvailablePort, listen } from './listen.ts'
import { securityHeaders } from './security-headers.ts'

const answerOf = async (isSecure: boolean) => {
  const app = new Hono()
  app.use('*', securityHeaders(isSecure))
  app.get('/', c => c.text('page'))
  app.get('/document', c => c.text('document', 200, { 'Content-Security-Policy': "default-src 'none'; sandbox" }))
  return app
}

test('scripts, connections and forms are restricted to the portal’s origin, and it cannot be framed', async () => {
  const { headers } = await (await answerOf(false)).request('/')
  const policy = headers.get('Content-Security-Policy') ?? ''
  for (const part of [
    "default-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "style-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types default dompurify',
  ]) {
    expect(policy.split('; ')).toContain(part)
  }
  expect(policy).not.toMatch(/script-src[^;]*(?:unsafe|\*|https?:)/)
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin')
  expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
  expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
  expect(headers.get('Permissions-Policy')).toContain('camera=()')
})

test('HSTS is sent only if clients reach the portal over HTTPS', async () => {
  const plain = await (await answerOf(false)).request('/')
  expect(plain.headers.get('Strict-Transport-Security')).toBeNull()
  const secure = await (await answerOf(true)).request('/')
  expect(secure.headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
})

test('a stricter policy of a response is retained', async () => {
  const { headers } = await (await answerOf(false)).request('/document')
  expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox")
})

test('files of the app have only headers that apply to files, and a worker has its own policy', async () => {
  const app = new Hono()
  app.use('*', securityHeaders(true))
  app.get('*', c => c.text('file'))
  const asset = (await app.request('/assets/app-CcJqDQQL.js')).headers
  expect(asset.get('X-Content-Type-Options')).toBe('nosniff')
  expect(asset.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
  expect(asset.get('Strict-Transport-Security')).toBe('max-age=31536000')
  expect(JSON.stringify([...asset]).length).toBeLessThan(250)
  for (const path of ['/sw.js', '/boot.js', '/assets/password-strength-worker-DyF7ynZz.js']) {
    expect((await app.request(path)).headers.get('Content-Security-Policy'), path).toContain("default-src 'self'")
  }
})

test('an API response opened as a document executes nothing and sends no referrer', async () => {
  const app = new Hono()
  app.use('*', securityHeaders(true))
  app.get('*', c => c.json({}))
  const { headers } = await app.request('/api/course')
  expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
  expect(headers.get('Referrer-Policy')).toBe('no-referrer')
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
  expect((await app.request('/apis')).headers.get('Content-Security-Policy')).toContain("default-src 'self'")
})

test('responses on a socket have the same headers as without one', async () => {
  const app = await answerOf(true)
  app.get('/api/call', c => c.json({}))
  app.get('/assets/app.js', c => c.text('script'))
  const port = await findAvailablePort('127.0.0.1', 0)
  const server = await listen(app, '127.0.0.1', port)
  const paths = ['/', '/document', '/api/call', '/assets/app.js', '/missing']
  // Headers of the connection rather than of the portal.
  const ofTheConnection = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']
  const kept = ({ headers }: Response) => [...headers].filter(([name]) => !ofTheConnection.includes(name))
  for (const path of paths)
    expect(kept(await fetch(`http://127.0.0.1:${port}${path}`))).toEqual(kept(await app.request(path)))
  await server.close(1_000)
})
