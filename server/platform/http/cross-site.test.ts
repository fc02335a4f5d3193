import { once } from 'node:events'
import { connect } from 'node:net'
import { Hono } from 'hono'
import pino from 'pino'
import { expect, test } from 'vitest'
import { rejectMultipleHosts } from './cross-site.ts'
import { findAvailablePort, listen } from './listen.ts'
import { createErrorHandler } from './problems.ts'

async function statusOf(head: string): Promise<string> {
  const app = new Hono()
  app.onError(createErrorHandler(pino({ level: 'silent' })))
  app.use('*', rejectMultipleHosts)
  app.get('/', c => c.text('page'))
  const port = await findAvailablePort('127.0.0.1', 0)
  const server = await listen(app, '127.0.0.1', port)
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET / HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  await server.close(1000)
  return String(answer).slice(9, 12)
}

test('several Host headers are rejected', async () => {
  expect(await statusOf('Host: sport.example.com\r\n')).toBe('200')
  expect(await statusOf('Host: sport.example.com\r\nhOST: other.example.com\r\n')).toBe('400')
})
