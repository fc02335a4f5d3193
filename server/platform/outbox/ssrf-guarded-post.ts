import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { Agent, request as requestSecure } from 'node:https'
import { BlockList, isIP } from 'node:net'
import type { Config } from '#server/platform/config/config.ts'
import { isProxied } from '#server/platform/http/outgoing-proxy.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'

// Private networks, with a separate list for each address family. In a shared list, an IPv4 address would match an IPv6
// network of mapped addresses.
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
  '192.88.99.0/24',
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
  // IETF protocol assignments, among them Teredo, which embeds IPv4 addresses, and documentation.
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]) {
  const [address = '', bits] = network.split('/')
  if (isIP(address) === 6) PRIVATE[6].addSubnet(address, Number(bits), 'ipv6')
  else PRIVATE[4].addSubnet(address, Number(bits), 'ipv4')
}

/**
 * Whether an IP address belongs to the public internet. IPv6 addresses that embed an IPv4 address are never considered
 * public.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  return (family === 4 && !PRIVATE[4].check(address)) || (family === 6 && !PRIVATE[6].check(address, 'ipv6'))
}

/** Host name or IP address in a URL, without the brackets around IPv6 addresses; null if the URL is malformed. */
export const hostOf = (url: string): string | null => URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? null

const notAllowed = () => new Error('not an address to call')

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** Creates a variant of `dns.lookup` that prevents SSRF, because all resolved addresses must be allowed. */
const lookupWhere =
  (mayReach: (address: string) => boolean) =>
  (host: string, options: LookupOptions, found: Found): void => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return found(error, [])
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => mayReach(address))) return found(notAllowed(), [])
      if (options.all) found(null, addresses)
      else found(null, first.address, first.family)
    })
  }

/** Resolves a host to an address that may be called. */
const resolveWhere = (mayReach: (address: string) => boolean, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    if (isIP(host) !== 0) return mayReach(host) ? resolve(host) : reject(notAllowed())
    lookupWhere(mayReach)(host, {}, (error, address) => (error ? reject(error) : resolve(String(address))))
  })

/**
 * Creates an HTTPS agent that connects only to public addresses. They are checked as part of the DNS lookup, which
 * prevents DNS rebinding.
 */
export const createPublicAgent = (): Agent =>
  new Agent({ keepAlive: true, maxSockets: 16, lookup: lookupWhere(isPublicAddress) as never })

export type GuardedProxy = { agent: Agent; isUsedFor: (host: string) => boolean }

/** Opens connections through the outgoing proxy; null if there is none. */
export const openGuardedProxy = ({ outgoingProxy }: Pick<Config, 'outgoingProxy'>): GuardedProxy | null =>
  outgoingProxy && {
    agent: new Agent({ keepAlive: true, maxSockets: 16, proxyEnv: { HTTPS_PROXY: outgoingProxy.HTTPS_PROXY } }),
    isUsedFor: host => isProxied(outgoingProxy, host),
  }

type Post = {
  headers: Record<string, string | number>
  body: string | Buffer
  signal: AbortSignal
  agent?: Agent
  /** checks whether an IP address may be called, for requests without an agent from `createPublicAgent` */
  mayReach?: (address: string) => boolean
  proxy?: GuardedProxy | null
  /** addresses that are called without the proxy */
  isDirect?: (address: string) => boolean
}

/**
 * The address to which the proxy shall connect; null if the request does not use the proxy. The proxy gets an address
 * and not the name: it would resolve the name once more, perhaps to an address within its own network.
 */
async function findProxiedAddress(url: URL, { proxy, mayReach = isPublicAddress, isDirect }: Post) {
  const host = hostOf(url.href) ?? ''
  if (!proxy || url.protocol !== 'https:' || !proxy.isUsedFor(host)) return null
  const address = await resolveWhere(mayReach, host)
  return isDirect?.(address) ? null : address
}

/** Explains that a request failed at the proxy and did not reach its receiver. */
function atProxy(error: unknown): Error {
  const { code, message } = errorFactsOf(error)
  const status = Object(error).statusCode
  if (code === 'ERR_PROXY_TUNNEL') return new Error(`HTTPS_PROXY refuses the connection: ${status ?? message}`)
  const isUnreachable = /^(?:connect|getaddrinfo)$/.test(Object(error).syscall ?? '')
  return isUnreachable ? new Error(`HTTPS_PROXY does not answer: ${code}`) : (error as Error)
}

/**
 * Sends a POST request. Redirects are not followed, and the response body, which may be endless, is discarded.
 * @returns the HTTP status
 */
export async function postGuarded(address: string, post: Post): Promise<number> {
  const { headers, body, signal, mayReach, proxy } = post
  const url = new URL(address)
  const host = hostOf(address) ?? ''
  // The DNS lookup checks host names; literal IP addresses are checked here.
  if (mayReach && isIP(host) !== 0 && !mayReach(host)) throw notAllowed()
  const proxied = await findProxiedAddress(url, post)
  const agent = proxied === null ? post.agent : proxy?.agent
  const options = {
    method: 'POST',
    headers: { ...headers, Host: url.host },
    signal,
    // Without an agent of its own, a request would use the global one, which may lead through a proxy.
    agent: agent ?? false,
    ...(proxied !== null ? { hostname: proxied, servername: isIP(host) === 0 ? host : '' } : {}),
    ...(proxied === null && mayReach && { lookup: lookupWhere(mayReach) as never }),
  }
  return new Promise((resolve, reject) => {
    const sending = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, options)
    sending.on('response', response => {
      response.on('error', () => undefined)
      // A short response body is read to its end, because only then can the connection be reused.
      if (agent && Number(response.headers['content-length'] ?? 0) <= 10_000) response.resume()
      else response.destroy()
      resolve(response.statusCode ?? 0)
    })
    sending.on('error', error => reject(proxied === null ? error : atProxy(error)))
    sending.end(body)
  })
}
