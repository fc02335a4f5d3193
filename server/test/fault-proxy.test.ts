import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, openTestDatabase } from './database.ts'
import { type FaultProxy, noConnectionLeft, startFaultProxy, targetOf, throughProxy } from './fault-proxy.ts'
import { startTestMailServer } from './mail-server.ts'

let proxy: FaultProxy
const database = await openTestDatabase()
beforeAll(async () => {
  proxy = await startFaultProxy(targetOf(database.url))
})
afterEach(() => proxy.be('pass'))
afterAll(() => proxy.close())

async function open() {
  const client = new pg.Client({ connectionString: throughProxy(database.url, proxy), connectionTimeoutMillis: 500 })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'fine',
    ({ code, message }) => code ?? message,
  )

test('forwards data, with a delay if slow', async () => {
  const client = await open()
  await client.query('select 1')
  await proxy.be('slow', { delayMs: 60 })
  const startedAt = performance.now()
  await client.query('select 1')
  expect(performance.now() - startedAt).toBeGreaterThan(110)
  await client.end()
})

test('resets open connections, and refuses or resets new ones', async () => {
  const client = await open()
  await proxy.be('refuse')
  expect(await codeOf(client.query('select 1'))).toMatch(/ECONNRESET|EPIPE|terminated|not queryable/)
  expect(await codeOf(open())).toBe('ECONNREFUSED')
  await proxy.be('reset')
  expect(await codeOf(open())).toMatch(/ECONNRESET|EPIPE|terminated/)
})

test('reports that no connection is free, in the protocol of each server', async () => {
  const client = await open()
  await proxy.be('full')
  expect(await codeOf(open())).toBe('53300')
  expect(await codeOf(client.query('select 1'))).toBe('fine')
  await client.end()

  const mailServer = await startTestMailServer()
  const mailProxy = await startFaultProxy({ host: '127.0.0.1', port: mailServer.port }, noConnectionLeft.smtp)
  const caller = connect(mailProxy.port, mailProxy.host)
  expect(String((await once(caller, 'data'))[0])).toMatch(/^220 /)
  caller.destroy()
  await mailProxy.be('full')
  expect(await text(connect(mailProxy.port, mailProxy.host))).toMatch(/^421 /)
  await mailProxy.close()
  await mailServer.close()
})

test('drops data silently; only new connections work again', async () => {
  const client = await open()
  await proxy.be('swallow')
  const lost = codeOf(client.query('select 1'))
  expect(await Promise.race([lost, sleep(300, 'silence')])).toBe('silence')
  expect(await codeOf(open())).toMatch(/timeout/)
  await proxy.be('pass')
  expect(await Promise.race([lost, sleep(300, 'silence')])).toBe('silence')
  const next = await open()
  expect(await codeOf(next.query('select 1'))).toBe('fine')
  await next.end()
  proxy.cut()
  expect(await lost).toMatch(/ECONNRESET|terminated/)
})

test('forwards to another target on request', async () => {
  const other = await createTestDatabase()
  proxy.leadTo({ host: '127.0.0.1', port: 1 })
  expect(await codeOf(open())).not.toBe('fine')
  proxy.leadTo(targetOf(other.url))
  expect(await codeOf(open().then(client => client.end()))).toBe('fine')
  proxy.leadTo(targetOf(database.url))
  await other.close()
})
