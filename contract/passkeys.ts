import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { session } from './session.ts'
import { dateTimeValue, HARMLESS_LINE, outcome } from './values.ts'

/** Base64url, as browsers write bytes into JSON. */
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

/** As `@simplewebauthn/browser` and `PublicKeyCredential.toJSON()` give it. */
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
/** Of the mail that gave the right: registers the first passkey of somebody with rights. */
const token = v.optional(v.pipe(v.string(), v.maxLength(200)))

/** For `navigator.credentials`: handed on as it is. */
const options = v.looseObject({ challenge: v.string() })

export const startPasskey = endpoint('POST', '/api/passkeys/options', {
  access: 'session',
  summary:
    'What the browser needs to make a passkey. With rights: by the token of a mailed link, or in a session that a passkey has confirmed; without: within an hour of the login',
  body: v.object({ token }),
  response: options,
})

export const addPasskey = endpoint('POST', '/api/passkeys', {
  access: 'session',
  summary: 'Registers the passkey that the browser has made, and confirms the session with it',
  body: v.object({
    ...registration,
    token,
    /** what the person calls it; else the browser and the device */
    name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100), v.regex(HARMLESS_LINE))),
  }),
  response: outcome,
})

export const passkey = v.object({
  id: v.string(),
  name: v.string(),
  createdAt: dateTimeValue,
  lastUsedAt: v.nullable(dateTimeValue),
  /** good for the desk, too */
  isVouched: v.boolean(),
})
export type Passkey = v.InferOutput<typeof passkey>

export const listPasskeys = endpoint('GET', '/api/passkeys', {
  access: 'session',
  summary: 'The passkeys of the own account',
  response: v.array(passkey),
})

export const removePasskey = endpoint('DELETE', '/api/passkeys/:id', {
  access: 'session',
  summary: 'Removes a passkey of the own account',
  params: v.object({ id: credentialId }),
  response: outcome,
})

export const startPasskeyLogin = endpoint('POST', '/api/session/passkey/options', {
  access: 'optional',
  summary:
    'What the browser needs to show a passkey: one of the own account in a session, which it confirms; any one to log in',
  body: v.object({}),
  response: options,
})

export const showPasskey = endpoint('POST', '/api/session/passkey', {
  access: 'optional',
  summary: 'Logs in with a passkey, or in a session confirms it',
  body: v.object({ ...assertion, keepSession: v.optional(v.boolean(), false) }),
  response: session,
})
