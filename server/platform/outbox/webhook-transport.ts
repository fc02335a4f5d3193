import { createHmac } from 'node:crypto'
import { type BlockList, isIP } from 'node:net'
import type { Config } from '#server/platform/config/config.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import type { Transport } from './sender.ts'
import { hostOf, isPublicAddress, openGuardedProxy, postGuarded } from './ssrf-guarded-post.ts'

const SEND_MS = 10_000

type Networks = Pick<Config, 'webhookNetworks'>
type Outgoing = Pick<Config, 'webhookNetworks' | 'outgoingProxy'>

const isWithin = (networks: BlockList, address: string) =>
  isIP(address) !== 0 && networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Creates the rule for which IP addresses a URL may resolve to: those in `webhookNetworks`, and public ones over HTTPS.
 */
const addressRuleOf = (url: string, { webhookNetworks }: Networks) => {
  const isSecure = URL.parse(url)?.protocol === 'https:'
  return (address: string) => isWithin(webhookNetworks, address) || (isSecure && isPublicAddress(address))
}

/**
 * Whether a URL may be called. Host names are checked only when they are resolved, because their addresses may change
 * until then. Plain HTTP is allowed only for `webhookNetworks`.
 */
export function isWebhookUrlAllowed(url: string, networks: Networks): boolean {
  const host = hostOf(url)
  if (host === null) return false
  if (isIP(host) !== 0) return addressRuleOf(url, networks)(host)
  return URL.parse(url)?.protocol === 'https:' || networks.webhookNetworks.rules.length > 0
}

/**
 * Signs a webhook as specified by Standard Webhooks (standardwebhooks.com). The signature covers id, timestamp and
 * body. Secrets from version 1 are base64url without a prefix, which Node's base64 decoder also accepts.
 */
export const signWebhook = (secret: string, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`

/**
 * Opens the webhook transport. It sends requests to public addresses and to `config.webhookNetworks`; plain HTTP is
 * allowed only for the latter, and they are called without the proxy. See docs/decisions/0096.
 */
export function openWebhookTransport(config: Outgoing): Transport<'webhook'> {
  const proxy = openGuardedProxy(config)
  const isDirect = (address: string) => isWithin(config.webhookNetworks, address)
  return {
    channel: 'webhook',
    concurrency: 16,
    // The limit prevents a receiver that does not respond from delaying the others.
    perDestination: 4,
    hasUrgentLane: false,
    async deliver({ url, secret, eventId, kind, createdAt, payload }, signal) {
      const mayReach = addressRuleOf(url, config)
      const body = JSON.stringify({ type: kind, timestamp: createdAt.toISOString(), data: payload })
      const timestamp = Math.floor(Date.now() / 1000)
      const headers = {
        'Content-Type': 'application/json',
        'User-Agent': 'sports-course-portal',
        'Content-Length': Buffer.byteLength(body),
        'webhook-id': eventId,
        'webhook-timestamp': timestamp,
        'webhook-signature': signWebhook(secret, eventId, timestamp, body),
      }
      try {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)])
        const status = await postGuarded(url, { headers, body, signal: limited, mayReach, proxy, isDirect })
        return status >= 200 && status < 300 ? { verdict: 'sent', status } : { verdict: 'later', reason: '', status }
      } catch (error) {
        const reason = String(errorFactsOf(error).code || errorFactsOf(error).message).slice(0, 200)
        return { verdict: 'later', reason, facts: { error: reason } }
      }
    },
    discard: () => undefined,
    close: () => proxy?.agent.destroy(),
  }
}
