import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'

const PRIVATE = new BlockList()
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
  '::/127',
  '64:ff9b::/96',
  '100::/64',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]) {
  const [address = '', bits] = network.split('/')
  PRIVATE.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Whether an address is one of the public network; the written-out forms of version 4 in version 6 are nobody's. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && !/^::ffff:/i.test(address) && !PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** As `dns.lookup`, for connections to addresses that others name: every address found has to be one that may be reached. */
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

/** Who leads into our own network finds nothing there. */
export const lookupPublic = lookupWhere(isPublicAddress)
