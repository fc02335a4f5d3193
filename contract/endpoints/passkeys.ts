import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { apiCallOutcome, dateTimeValue, PASSWORD_MAX_LENGTH, SINGLE_LINE_TEXT_PATTERN } from '../values.ts'
import { session } from './session.ts'

/** Base64url string, the encoding of bytes in WebAuthn JSON. */
const bytes = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max), v.regex(/^[\w-]+$/))
const credentialId = bytes(1_400)
const transports = v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[\w-]{1,30}$/))), v.maxLength(10)))
const extensions = v.optional(v.looseObject({}))
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: v.literal('public-key'),
  authenticatorAttachment: v.optional(v.nullable(v.picklist(['platform', 'cross-platform']))),
  clientExtensionResults: extensions,
}

/** WebAuthn registration response, as returned by `@simplewebauthn/browser` and `PublicKeyCredential.toJSON()`. */
const registration = {
  ...credential,
  response: v.looseObject({ clientDataJSON: bytes(4_000), attestationObject: bytes(40_000), transports }),
}
const assertion = {
  ...credential,
  response: v.looseObject({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(4_000),
    signature: bytes(4_000),
    userHandle: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),
  }),
}
/**
 * Token from the e-mail that informed a person of a right granted to them. It allows them to register their first
 * passkey for the office UI.
 */
const token = v.optional(v.pipe(v.string(), v.maxLength(200)))

/** Options that the app passes unchanged to `navigator.credentials`. */
const options = v.looseObject({ challenge: v.string() })

export const startPasskey = endpoint('session', 'POST', '/api/passkeys/options', {
  body: v.object({ token }),
  response: options,
})

export const addPasskey = endpoint('session', 'POST', '/api/passkeys', {
  body: v.object({
    ...registration,
    token,
    /** name of the passkey, as chosen by the person; defaults to browser and device */
    name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100), v.regex(SINGLE_LINE_TEXT_PATTERN))),
  }),
  response: apiCallOutcome,
})

export const passkey = v.object({
  id: v.string(),
  name: v.string(),
  createdAt: dateTimeValue,
  lastUsedAt: v.nullable(dateTimeValue),
  /** whether the passkey is also accepted for the office UI */
  isVouched: v.boolean(),
})
export type Passkey = v.InferOutput<typeof passkey>

export const listPasskeys = endpoint('session', 'GET', '/api/passkeys', { response: v.array(passkey) })

export const removePasskey = endpoint('session', 'DELETE', '/api/passkeys/:id', {
  params: v.object({ id: credentialId }),
  /**
   * the password may be omitted within an hour of login, or within 15 minutes of a passkey confirmation in this session
   */
  body: v.object({ password: v.optional(v.pipe(v.string(), v.maxLength(PASSWORD_MAX_LENGTH)), '') }),
  response: apiCallOutcome,
})

export const startPasskeyLogin = endpoint('optional', 'POST', '/api/session/passkey/options', {
  body: v.object({}),
  response: options,
})

export const showPasskey = endpoint('optional', 'POST', '/api/session/passkey', {
  body: v.object({ ...assertion, keepSession: v.optional(v.boolean(), false) }),
  response: session,
})
