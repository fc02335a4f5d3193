import { type BlockList, isIP, isIPv6 } from 'node:net'
import type { Context } from 'hono'
import type { Logger } from 'pino'

type NodeBindings = { incoming?: { socket?: { remoteAddress?: string } } }

/** Minimum interval in ms between two warnings about untrusted proxies. */
const WARNING_PAUSE_MS = 60_000

/**
 * Determines the client's IP address. Reads the forwarding header from its end, that is, from the nearest proxy: each
 * trusted proxy vouches for the entry before its own, and the first address that is not a trusted proxy is the
 * client's. The client controls all entries before that one, so they are ignored. See docs/decisions/0008.
 */
export function createClientIpResolver(trustedProxies: BlockList, log: Logger): (c: Context) => string {
  const isTrusted = (address: string) => trustedProxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  let warnedAt = Number.NEGATIVE_INFINITY

  return c => {
    const env: NodeBindings | undefined = c.env
    const peer = env?.incoming?.socket?.remoteAddress ?? '127.0.0.1'
    // If both headers are present, X-Forwarded-For is used, because Forwarded may have been passed through from the
    // client.
    const forwardedFor = c.req.header('X-Forwarded-For')
    const forwarded = c.req.header('Forwarded')
    if (forwardedFor === undefined && forwarded === undefined) return peer
    if (!isTrusted(peer) && performance.now() - warnedAt > WARNING_PAUSE_MS) {
      warnedAt = performance.now()
      log.warn({ peer }, 'sends forwarding headers but is not in TRUSTED_PROXIES: treated as the client')
    }
    const hops = forwardedFor === undefined ? hopsOf(forwarded ?? '') : forwardedFor.split(',')
    let caller = peer
    while (isTrusted(caller)) {
      const named = addressIn(hops.pop() ?? '')
      if (named === null) break
      caller = named
    }
    return caller
  }
}

/** The `for` values of a Forwarded header (RFC 7239), one per proxy; '' where it is missing. */
const hopsOf = (header: string): string[] =>
  (header.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map(element => {
    const pairs = (element.match(/(?:"[^"]*"|[^;"])+/g) ?? []).map(pair => pair.trim().split(/=(.*)/s))
    return pairs.find(([name]) => name?.toLowerCase() === 'for')?.[1] ?? ''
  })

/** IP address of a hop without quotes and port; null if the hop is an obfuscated identifier. */
function addressIn(hop: string): string | null {
  const text = hop.trim().replace(/^"(.*)"$/, '$1')
  const address = /^\[([^\]]+)\](?::\w+)?$/.exec(text)?.[1] ?? (isIP(text) === 0 ? text.replace(/:\w+$/, '') : text)
  return isIP(address) === 0 ? null : address
}

/** Number of groups of an IPv6 address that form its 64-bit network. */
const NETWORK_GROUPS = 4

/** The /48 prefix of a network returned by `networkOf`; null for IPv4. */
export const ipv6Prefix48Of = (network: string): string | null => {
  const groups = network.split(':')
  return network.endsWith('::/64') ? `${groups.slice(0, 3).join(':')}::/48` : null
}

/**
 * Network of an IP address, used as the key for rate limits: the IPv4 address itself, or the /64 network of an IPv6
 * address, because a /64 network belongs to a single customer. See docs/decisions/0008.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*/, '')
  if (!isIPv6(plain)) return address
  // The URL parser returns the canonical compressed form in hexadecimal groups.
  const [before = '', after] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const partsOf = (part: string) => part.split(':').filter(Boolean)
  const [head, tail] = [partsOf(before), partsOf(after ?? '')]
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  if (groups.slice(0, 6).join() !== '0,0,0,0,0,ffff') return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
  const bytes = groups.slice(6).flatMap(group => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
  return bytes.join('.')
}
