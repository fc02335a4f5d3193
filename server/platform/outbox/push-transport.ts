import type { Agent } from 'node:https'
import webPush from 'web-push'
import { isPushEndpoint, type PushPayload } from '#contract/endpoints/push.ts'
import type { Language } from '#contract/values.ts'
import { formatDayMonth, formatTime } from '#contract/words.ts'
import type { Config } from '#server/platform/config/config.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { translate } from '#server/platform/texts/translate.ts'
import type { AlertKind, AlertValues } from './mail-kinds.ts'
import type { DuePush } from './outbox.ts'
import type { DeliveryResult, Transport } from './sender.ts'
import { createPublicAgent, openGuardedProxy, postGuarded } from './ssrf-guarded-post.ts'

const SEND_MS = 15_000

const courseAt = (courseId: number) => `/course-details/${courseId}`

type About = {
  values?: Record<string, string | number>
  path: string
  /** title of this event instead of that of its kind */
  title?: string | undefined
}
const abouts: { [Kind in AlertKind]: (payload: AlertValues[Kind], language: Language) => About } = {
  'lesson-eve': ({ at, courseId }) => ({ values: { time: formatTime(toDateTimeValue(at)) }, path: courseAt(courseId) }),
  opening: ({ at, kind, id }) => ({
    values: { time: formatTime(toDateTimeValue(at)) },
    path: kind === 'course' ? courseAt(id) : '/courses',
  }),
  'waiting-news': ({ position, courseId }) => ({ values: { position }, path: courseAt(courseId) }),
  'lesson-place': ({ at, courseId }) => {
    const moment = toDateTimeValue(at)
    return { values: { date: formatDayMonth(moment), time: formatTime(moment) }, path: courseAt(courseId) }
  },
  promotion: ({ courseId }) => ({ path: courseAt(courseId) }),
  changes: (payload, language) => ({ path: payload.path, title: payload[language].event }),
}

/** Creates the content of a push notification. It contains the event and the time, but neither person nor course. */
export function createPushContent<Kind extends AlertKind>({
  kind,
  payload,
  language,
  alertId,
}: Pick<DuePush, 'language' | 'alertId'> & { kind: Kind; payload: AlertValues[Kind] }): PushPayload {
  const { values = {}, path, title } = abouts[kind](payload, language)
  const say = (part: string) => translate(language, `push.${kind}.${part}`, values)
  return { title: title ?? say('title'), body: say('body'), path, tag: `${kind} ${alertId}` }
}

function outcomeOf(status: number): DeliveryResult {
  if (status >= 200 && status < 300) return { verdict: 'sent', status }
  if (status === 404 || status === 410) return { verdict: 'gone', reason: 'no subscription', status }
  return { verdict: status === 429 || status >= 500 ? 'later' : 'never', reason: 'refused', status }
}

export type PushRequestOptions = { agent: Agent; mayBeSentTo: (endpoint: string) => boolean }

const openRoute = (): PushRequestOptions => ({ agent: createPublicAgent(), mayBeSentTo: isPushEndpoint })

type PushKeys = { publicKey: string; privateKey: string }

/**
 * Opens the web push transport (RFC 8030, 8291, 8292). A duplicate replaces the first notification on the screen.
 * @param findKeys reads the key pair with which the portal identifies itself
 */
export function openPushTransport(
  config: Pick<Config, 'publicUrl' | 'outgoingProxy'>,
  findKeys: () => Promise<PushKeys>,
  { agent, mayBeSentTo }: PushRequestOptions = openRoute(),
): Transport<'push'> {
  const proxy = openGuardedProxy(config)
  const subject = config.publicUrl.startsWith('https:') ? config.publicUrl : 'https://localhost'
  return {
    channel: 'push',
    concurrency: 16,
    perDestination: 8,
    hasUrgentLane: false,
    async deliver(push, signal) {
      const { endpoint, p256dh, auth, ttlS } = push
      if (ttlS <= 0 || !mayBeSentTo(endpoint))
        return { verdict: 'never', reason: ttlS <= 0 ? 'expired' : 'no push service' }
      const vapidDetails = { subject, ...(await findKeys()) }
      try {
        const { headers, body } = webPush.generateRequestDetails(
          { endpoint, keys: { p256dh, auth } },
          JSON.stringify(createPushContent(push)),
          { TTL: ttlS, urgency: 'normal', vapidDetails, contentEncoding: 'aes128gcm' },
        )
        const limited = AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)])
        return outcomeOf(
          await postGuarded(endpoint, { agent, proxy, headers: headers as never, body: body ?? '', signal: limited }),
        )
      } catch (error) {
        const code = errorFactsOf(error).code || errorFactsOf(error).message
        return { verdict: 'later', reason: code, facts: { code } }
      }
    },
    discard: () => undefined,
    close: () => {
      agent.destroy()
      proxy?.agent.destroy()
    },
  }
}
