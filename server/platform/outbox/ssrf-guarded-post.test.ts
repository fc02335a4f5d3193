import { expect, test } from 'vitest'
import { isPublicAddress } from './ssrf-guarded-post.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '0.0.0.0',
  '169.254.169.254',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  // The same private addresses in the IPv6 forms of IPv4 addresses.
  '::127.0.0.1',
  '::7f00:1',
  '::a01:203',
  '::ffff:127.0.0.1',
  '0:0:0:0:0:ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '0:0:0:0:ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.1.2.3',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::1',
  '2002:a01:203::',
  '2001:0:a01:203::1',
  // Reserved or withdrawn.
  '192.88.99.1',
  '2001:2::1',
  '3fff::1',
  '5f00::1',
  'fec0::1',
  '',
  'nonsense',
  '::ffff:10.0.0.1',
  'localhost',
  '127.1',
  '0x7f.1',
])('%s is not a public address', address => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['9.9.9.9', '142.250.1.1', '2620:fe::fe', '2a00:1450:4001::1', '2003::1'])(
  '%s is a public address',
  address => {
    expect(isPublicAddress(address)).toBe(true)
  },
)
