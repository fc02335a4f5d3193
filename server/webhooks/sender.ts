import { createHmac } from 'node:crypto'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { type BlockList, isIP } from 'node:net'
import { factsOf } from '#server/errors/error-facts.ts'
import { isPublicAddress, lookupWhere } from '#server/push/public-address.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { rest, startWork } from '#server/runtime/rest.ts'
import { type Delivery, deleteOldDeliveries, takeDueDeliveries, updateDelivered, updateRefused } from './outbox.ts'

const AT_ONCE = 16
const LEASE_MS = 45_000
const SEND_MS = 10_000
const STOP_MS = 1_200
const SWEEP_MS = 3_600_000

const isWithin = (networks: BlockList, address: string) =>
  isIP(address) !== 0 && networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Signature as specified by Standard Webhooks (standardwebhooks.com): covers id, timestamp and body. */
export const signCall = (secret: string, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${id}.${timestamp}.${body}`).digest('base64')}`

/**
 * @param networks allowed private networks, for which plain http is accepted, too @returns the status; redirects are
 * not followed
 */
function post(delivery: Delivery, networks: BlockList): Promise<number> {
  const url = new URL(delivery.url)
  const isSecure = url.protocol === 'https:'
  const mayReach = (address: string) => isWithin(networks, address) || (isSecure && isPublicAddress(address))
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Host names are checked on DNS lookup, literal IP addresses here.
  if (isIP(host) !== 0 && !mayReach(host)) return Promise.reject(new Error('not an address to call'))
  const body = JSON.stringify({
    type: delivery.kind,
    timestamp: delivery.createdAt.toISOString(),
    data: delivery.payload,
  })
  const timestamp = Math.floor(Date.now() / 1000)
  return new Promise((resolve, reject) => {
    const sending = (isSecure ? requestSecure : requestPlain)(url, {
      method: 'POST',
      lookup: lookupWhere(mayReach) as never,
      signal: AbortSignal.timeout(SEND_MS),
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'webhook-id': delivery.eventId,
        'webhook-timestamp': timestamp,
        'webhook-signature': signCall(delivery.secret, delivery.eventId, timestamp, body),
      },
    })
    sending.on('response', response => {
      // The response body is ignored and may be endless.
      response.on('error', () => undefined)
      response.destroy()
      resolve(response.statusCode ?? 0)
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

/**
 * Delivers webhook events with retries; several servers share the outbox.
 * At-least-once: a crash before recording repeats a delivery with the same id. See docs/decisions/0096.
 */
export function startWebhookSender(
  { db, config, log }: Pick<ServerContext, 'db' | 'config' | 'log'>,
  { idleMs = 3_000 }: { idleMs?: number } = {},
): { stop(): Promise<void> } {
  const networks = config.webhookNetworks

  const deliver = async (delivery: Delivery) => {
    const outcome = await post(delivery, networks).then(
      status => ({ status, error: '' }),
      error => ({ status: null, error: String(factsOf(error).code || factsOf(error).message).slice(0, 200) }),
    )
    const { status } = outcome
    if (status !== null && status >= 200 && status < 300) return updateDelivered(db, delivery, status)
    log.warn({ webhookId: delivery.webhookId, kind: delivery.kind, ...outcome }, 'webhook not taken')
    return updateRefused(db, delivery, outcome)
  }
  /** @returns whether there was anything to send */
  const look = async (): Promise<boolean> => {
    const deliveries = await takeDueDeliveries(db, { limit: AT_ONCE, leaseMs: LEASE_MS })
    await Promise.all(deliveries.map(deliver))
    return deliveries.length > 0
  }
  const run = async (stopping: AbortSignal) => {
    let sweptAt = Number.NEGATIVE_INFINITY
    while (!stopping.aborted) {
      const isBusy = await look().catch(error => {
        log.error({ err: error }, 'the outbox of webhooks cannot be read or written')
        return false
      })
      if (isBusy) continue
      if (performance.now() - sweptAt > SWEEP_MS) {
        sweptAt = performance.now()
        await deleteOldDeliveries(db).catch(error => log.error({ err: error }, 'old webhook calls stay'))
      }
      await rest(idleMs, stopping)
    }
  }
  return startWork(run, STOP_MS)
}
