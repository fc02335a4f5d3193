import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { addressOf, networkOf } from './address.ts'

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

test('what limits count per is an IPv4 address, or the /64 network of an IPv6 one', () => {
  const networks = {
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '0:0:0:0:0:FFFF:c000:201': '192.0.2.1',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:DB8:1:2::9': '2001:db8:1:2::/64',
    '2001:0db8:0001:0002:ffff::': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '::1': '0:0:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    unknown: 'unknown',
  }
  for (const [address, network] of Object.entries(networks))
    expect([address, networkOf(address)]).toEqual([address, network])
})
