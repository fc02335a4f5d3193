import { Agent, request } from 'node:https'
import webPush from 'web-push'
import { isPushEndpoint } from '#contract/push.ts'
import { factsOf } from '#server/errors/error-facts.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { rest, startWork } from '#server/runtime/rest.ts'
import { writePush } from './contents.ts'
import { findPushKeys, type PushKeys } from './keys.ts'
import { type DuePush, deletePush, takeDuePushes, updatePushPostponed, updatePushSent } from './outbox.ts'
import { lookupPublic } from './public-address.ts'

export type PushRoad = { agent: Agent; mayBeSentTo: (endpoint: string) => boolean }

const openRoad = (): PushRoad => ({
  // Checked when connecting, because a DNS record may change at any time (DNS rebinding).
  agent: new Agent({ keepAlive: true, maxSockets: 16, lookup: lookupPublic as never }),
  mayBeSentTo: isPushEndpoint,
})

const AT_ONCE = 16
const LEASE_MS = 45_000
const SEND_MS = 15_000
const STOP_MS = 1_200
const MOST_ATTEMPTS = 8
const GONE = [404, 410]

type Verdict = 'sent' | 'later' | 'never' | 'gone'

function judge(status: number): Verdict {
  if (status >= 200 && status < 300) return 'sent'
  if (GONE.includes(status)) return 'gone'
  return status === 429 || status >= 500 ? 'later' : 'never'
}

/** Discards the response body, which may be endless: only the status matters. */
const post = (agent: Agent, { endpoint, headers, body }: webPush.RequestDetails): Promise<number> =>
  new Promise((resolve, reject) => {
    const sending = request(endpoint, { method: 'POST', agent, headers, signal: AbortSignal.timeout(SEND_MS) })
    sending.on('response', response => {
      response.resume()
      response.on('error', () => undefined)
      resolve(response.statusCode ?? 0)
      if (Number(response.headers['content-length'] ?? 0) > 10_000) response.destroy()
    })
    sending.on('error', reject)
    sending.end(body)
  })

/**
 * Sends pushes; several servers share the outbox. A crash before recording the result sends a duplicate, which replaces
 * the first notification on the screen.
 */
export function startPushSender(
  { db, config, log }: Pick<ServerContext, 'db' | 'config' | 'log'>,
  { road = openRoad(), idleMs = 5_000 }: { road?: PushRoad; idleMs?: number } = {},
): { stop(): Promise<void> } {
  const subject = config.publicUrl.startsWith('https:') ? config.publicUrl : 'https://localhost'

  const send = async (push: DuePush, keys: PushKeys): Promise<Verdict> => {
    if (push.ttlS <= 0 || !road.mayBeSentTo(push.endpoint)) return 'never'
    try {
      const { endpoint, p256dh, auth, ttlS } = push
      const details = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(writePush(push)),
        {
          TTL: ttlS,
          urgency: 'normal',
          vapidDetails: { subject, ...keys },
          contentEncoding: 'aes128gcm',
        },
      )
      return judge(await post(road.agent, details))
    } catch (error) {
      log.warn({ pushId: push.id, kind: push.kind, code: factsOf(error).code }, 'push not sent')
      return 'later'
    }
  }
  const deliver = async (push: DuePush, keys: PushKeys) => {
    const verdict = await send(push, keys)
    if (verdict === 'sent') await updatePushSent(db, push.id)
    else if (verdict === 'later' && push.attempts < MOST_ATTEMPTS) await updatePushPostponed(db, push)
    else await deletePush(db, push, { isDead: verdict === 'gone' })
  }
  /** @returns whether there was anything to send */
  const look = async (): Promise<boolean> => {
    const pushes = await takeDuePushes(db, { limit: AT_ONCE, leaseMs: LEASE_MS })
    if (pushes.length === 0) return false
    const keys = await findPushKeys(db)
    await Promise.all(pushes.map(push => deliver(push, keys)))
    return true
  }
  const run = async (stopping: AbortSignal) => {
    while (!stopping.aborted) {
      const isBusy = await look().catch(error => {
        log.error({ err: error }, 'the outbox of pushes cannot be read or written')
        return false
      })
      if (!isBusy) await rest(idleMs, stopping)
    }
  }
  const sending = startWork(run, STOP_MS)
  return {
    async stop() {
      await sending.stop()
      road.agent.destroy()
    },
  }
}
