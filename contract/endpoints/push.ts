import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { apiCallOutcome } from '../values.ts'

const base64url = (bytes: number) => {
  const length = Math.ceil((bytes * 4) / 3)
  return v.pipe(v.string(), v.regex(new RegExp(`^[\\w+/-]{${length}}={0,2}$`)))
}

/**
 * Matches a URL with a DNS host name (non-numeric top-level domain) and without port or credentials, as used by all
 * push services.
 */
const PUBLIC = /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z][a-z0-9-]*[a-z0-9])\/[!-~]*$/i
const PRIVATE_ENDS = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'arpa']

/**
 * Whether the portal may send requests to this URL, which needs a public host, TLS and the default port. Prevents SSRF.
 */
export function isPushEndpoint(address: string): boolean {
  const end = PUBLIC.exec(address)?.[1]
  return end !== undefined && !PRIVATE_ENDS.includes(end.toLowerCase())
}

const pushEndpoint = v.pipe(v.string(), v.maxLength(1000), v.check(isPushEndpoint, 'a public address over https'))

/** JSON form of the browser's `PushSubscription`. */
export const pushSubscription = v.object({
  endpoint: pushEndpoint,
  expirationTime: v.optional(v.nullable(v.number()), null),
  keys: v.object({ p256dh: base64url(65), auth: base64url(16) }),
})

export const getPushKey = endpoint('session', 'GET', '/api/push', { response: v.object({ publicKey: v.string() }) })
export const subscribePush = endpoint('session', 'POST', '/api/push', {
  body: pushSubscription,
  response: apiCallOutcome,
})

export const unsubscribePush = endpoint('session', 'DELETE', '/api/push', {
  body: v.object({ endpoint: v.pipe(v.string(), v.maxLength(1000), v.regex(/^[!-~]*$/)) }),
  response: apiCallOutcome,
})

/** Push message. It contains no names of people or courses, because it may appear on a lock screen. */
export const pushPayload = v.object({
  title: v.string(),
  body: v.string(),
  /** path of the page that opens when the message is tapped */
  path: v.pipe(v.string(), v.regex(/^\/[\w/-]*$/)),
  /** notification tag; duplicates of a push message have the same tag and therefore replace each other */
  tag: v.string(),
})
export type PushPayload = v.InferOutput<typeof pushPayload>
