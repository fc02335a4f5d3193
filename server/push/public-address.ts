import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'

// One list per family: in a shared list an IPv4 address would match an IPv6 network of mapped addresses.
const PRIVATE = { 4: new BlockList(), 6: new BlockList() }
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // IPv6 ranges that embed IPv4 addresses: compatible (RFC 4291), mapped, translated (RFC 2765), NAT64, 6to4 (2002).
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]) {
  const [address = '', bits] = network.split('/')
  if (isIP(address) === 6) PRIVATE[6].addSubnet(address, Number(bits), 'ipv6')
  else PRIVATE[4].addSubnet(address, Number(bits), 'ipv4')
}

/** Whether an address belongs to the public internet; IPv6 forms of IPv4 addresses never count as public. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  return (family === 4 && !PRIVATE[4].check(address)) || (family === 6 && !PRIVATE[6].check(address, 'ipv6'))
}

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** `dns.lookup` variant against SSRF: all resolved addresses must be allowed. */
export const lookupWhere =
  (mayReach: (address: string) => boolean) =>
  (host: string, options: LookupOptions, found: Found): void => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return found(error, [])
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => mayReach(address)))
        return found(new Error('not an address to call'), [])
      if (options.all) found(null, addresses)
      else found(null, first.address, first.family)
    })
  }

/** `dns.lookup` that rejects host names resolving to private addresses. */
export const lookupPublic = lookupWhere(isPublicAddress)
