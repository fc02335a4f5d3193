import { Writable } from 'node:stream'
import { Hono } from 'hono'
import pino from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { createClientIpResolver, networkOf } from './address.ts'

/**
 * Creates a portal behind these proxies. `seen` returns the client address that the portal determines for a request
 * from `peer` with these headers.
 */
function portalBehind(proxies: string) {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const { trustedProxies } = readConfig(proxies ? { TRUSTED_PROXIES: proxies } : {})
  const addressOf = createClientIpResolver(trustedProxies, pino(stream))
  const app = new Hono().get('/', c => c.text(addressOf(c)))
  const seen = async (peer: string, headers: Record<string, string> = {}) =>
    (await app.request('/', { headers }, { incoming: { socket: { remoteAddress: peer } } })).text()
  return { seen, lines }
}

const named = (...hops: string[]) => ({ 'X-Forwarded-For': hops.join(', ') })

test('without a trusted proxy forwarded headers are ignored', async () => {
  const { seen } = portalBehind('')
  for (const peer of ['127.0.0.1', '::1', '192.0.2.1']) {
    expect(await seen(peer, named('203.0.113.9'))).toBe(peer)
    expect(await seen(peer, { Forwarded: 'for=203.0.113.9' })).toBe(peer)
  }
})

test('the client is the first untrusted hop from the right', async () => {
  const { seen } = portalBehind('172.18.0.0/16, 127.0.0.0/8, fd00::/8')
  expect(await seen('172.18.0.2')).toBe('172.18.0.2')
  expect(await seen('172.18.0.2', named('198.51.100.7'))).toBe('198.51.100.7')
  expect(await seen('::ffff:172.18.0.2', named('198.51.100.7'))).toBe('198.51.100.7')
  expect(await seen('fd00::2', named('2001:db8::7'))).toBe('2001:db8::7')
  expect(await seen('172.18.0.2', named('203.0.113.9', '198.51.100.7'))).toBe('198.51.100.7')
  expect(await seen('127.0.0.1', named('203.0.113.9', '198.51.100.7', '172.18.0.2'))).toBe('198.51.100.7')
  expect(await seen('127.0.0.1', named('172.18.0.3', '172.18.0.2'))).toBe('172.18.0.3')
  expect(await seen('192.0.2.1', named('203.0.113.9'))).toBe('192.0.2.1')
})

test('an invalid address ends the search', async () => {
  const { seen } = portalBehind('10.0.0.0/8')
  for (const word of ['unknown', '', 'x'.repeat(5000), '999.1.1.1', '203.0.113.9, '])
    expect(await seen('10.0.0.1', named('203.0.113.9', word)), word.slice(0, 20)).toBe('10.0.0.1')
})

test.each([
  ['for=198.51.100.7', '198.51.100.7'],
  ['FOR="198.51.100.7:4711";proto=https', '198.51.100.7'],
  ['for=192.0.2.43, for=198.51.100.7;by=10.0.0.1;host="a,b;c"', '198.51.100.7'],
  ['for="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
  ['for="[2001:db8:cafe::17]"', '2001:db8:cafe::17'],
  ['for=198.51.100.7, for=10.0.0.9', '198.51.100.7'],
  ['for=unknown', '10.0.0.1'],
  ['for=_hidden', '10.0.0.1'],
  ['proto=https', '10.0.0.1'],
  ['for="198.51.100.7', '10.0.0.1'],
])('Forwarded: %s comes from %s', async (header, caller) => {
  expect(await portalBehind('10.0.0.0/8').seen('10.0.0.1', { Forwarded: header })).toBe(caller)
})

test('only the header set by the proxy is read', async () => {
  const headers = { ...named('198.51.100.7'), Forwarded: 'for=203.0.113.9' }
  expect(await portalBehind('10.0.0.0/8').seen('10.0.0.1', headers)).toBe('198.51.100.7')
})

test('an untrusted proxy is logged once a minute', async () => {
  const { seen, lines } = portalBehind('10.0.0.0/8')
  await seen('10.0.0.1', named('198.51.100.7'))
  await seen('172.18.0.2')
  expect(lines).toEqual([])
  for (let call = 0; call < 3; call += 1) await seen('172.18.0.2', { Forwarded: 'for=203.0.113.9' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('"peer":"172.18.0.2"')
  expect(lines[0]).toContain('TRUSTED_PROXIES')
  expect(lines[0]).not.toContain('203.0.113.9')
})

test('rate limits count per IPv4 address or IPv6 /64 network', () => {
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
