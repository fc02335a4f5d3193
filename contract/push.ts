import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { outcome } from './values.ts'

const base64url = (bytes: number) => {
  const length = Math.ceil((bytes * 4) / 3)
  return v.pipe(v.string(), v.regex(new RegExp(`^[\\w+/-]{${length}}={0,2}$`)))
}

/** A host name with a top level that is no number, no port and no login: how every push service is reached. */
const PUBLIC = /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z][a-z0-9-]*[a-z0-9])\/[!-~]*$/i
const PRIVATE_ENDS = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'arpa']

/** Whether the portal may be told to send something there: public, over TLS, at the usual port. */
export function isPushEndpoint(address: string): boolean {
  const end = PUBLIC.exec(address)?.[1]
  return end !== undefined && !PRIVATE_ENDS.includes(end.toLowerCase())
}

const pushEndpoint = v.pipe(v.string(), v.maxLength(1000), v.check(isPushEndpoint, 'a public address over https'))

/** As a browser's `PushSubscription` says itself in JSON. */
export const pushSubscription = v.object({
  endpoint: pushEndpoint,
  expirationTime: v.optional(v.nullable(v.number()), null),
  keys: v.object({ p256dh: base64url(65), auth: base64url(16) }),
})

export const getPushKey = endpoint('session', 'GET', '/api/push', { response: v.object({ publicKey: v.string() }) })
export const subscribePush = endpoint('session', 'POST', '/api/push', { body: pushSubscription, response: outcome })

export const unsubscribePush = endpoint('session', 'DELETE', '/api/push', {
  body: v.object({ endpoint: v.pipe(v.string(), v.maxLength(1000), v.regex(/^[!-~]*$/)) }),
  response: outcome,
})

/** What a push holds: nothing that names a person or a course, as it may show on a locked screen. */
export const pushPayload = v.object({
  title: v.string(),
  body: v.string(),
  /** of the app */
  path: v.pipe(v.string(), v.regex(/^\/[\w/-]*$/)),
  /** the same for copies of one push */
  tag: v.string(),
})
export type PushPayload = v.InferOutput<typeof pushPayload>
