import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { addressOf } from './address.ts'

/** The address the portal sees when `peer` calls, naming somebody in X-Forwarded-For. */
async function seen(peer: string, { isBehindProxy, forwarded }: { isBehindProxy: boolean; forwarded?: string }) {
  const app = new Hono().get('/', c => c.text(addressOf(c, isBehindProxy)))
  const headers = forwarded ? { 'X-Forwarded-For': forwarded } : undefined
  return (await app.request('/', { headers }, { incoming: { socket: { remoteAddress: peer } } })).text()
}

test('without a proxy nobody chooses the own address', async () => {
  for (const peer of ['127.0.0.1', '::1', '192.0.2.1']) {
    expect(await seen(peer, { isBehindProxy: false, forwarded: '203.0.113.9' })).toBe(peer)
  }
})

test('a proxy on the same machine names the caller in its last entry; others are not believed', async () => {
  const named = { isBehindProxy: true, forwarded: '203.0.113.9, 198.51.100.7' }
  expect(await seen('127.0.0.1', named)).toBe('198.51.100.7')
  expect(await seen('::ffff:127.0.0.1', named)).toBe('198.51.100.7')
  expect(await seen('192.0.2.1', named)).toBe('192.0.2.1')
  expect(await seen('127.0.0.1', { isBehindProxy: true })).toBe('127.0.0.1')
})
