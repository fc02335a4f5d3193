import { isIPv6 } from 'node:net'
import type { Context } from 'hono'

type NodeBindings = { incoming?: { socket?: { remoteAddress?: string } } }

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * The caller's network address. Behind a proxy, one on the same machine is believed when it names the caller in
 * X-Forwarded-For (its last entry: the earlier ones come from the caller); nobody else ever is.
 */
export function addressOf(c: Context, isBehindProxy: boolean): string {
  const peer = (c.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress ?? '127.0.0.1'
  const forwarded = c.req.header('X-Forwarded-For')?.split(',').at(-1)?.trim()
  return isBehindProxy && LOOPBACK.test(peer) && forwarded ? forwarded.slice(0, 64) : peer
}

/** Four groups of an IPv6 address: its network of 64 bits. */
const NETWORK_GROUPS = 4

/**
 * What limits count per: an IPv4 address, or the /64 network of an IPv6 one, of which every customer of a provider has all
 * addresses. An IPv4 address written as IPv6 is itself.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*/, '')
  if (!isIPv6(plain)) return address
  // The URL parser writes an address in its one shortest form, in hexadecimal groups.
  const [before = '', after] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [head, tail] = [before, after ?? ''].map(part => part.split(':').filter(Boolean)) as [string[], string[]]
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  if (groups.slice(0, 6).join() !== '0,0,0,0,0,ffff') return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
  const bytes = groups.slice(6).flatMap(group => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
  return bytes.join('.')
}
