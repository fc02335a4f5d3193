import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Language } from '#contract/values.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { HttpProblem, passkeyRequired } from '#server/platform/http/problems.ts'
import { logSecurityEvent } from '#server/platform/http/security-log.ts'
import { hashToken } from '#server/platform/http/token.ts'
import { notifyPeople } from '#server/platform/outbox/notices.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { type Reauthentication, reauthenticate } from './login-service.ts'
import {
  type ChallengePurpose,
  consumeChallenge,
  deletePasskey,
  deletePasskeyLinks,
  hasPasskeyLink,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  updateSessionConfirmed,
} from './passkey-repository.ts'
import { isLoginRecent, isPasskeyRecent } from './repository.ts'
import { CHALLENGE_MINUTES, checkPasskeyRegistration, MAX_PASSKEYS, relyingPartyOf } from './rules.ts'

/** COSE algorithms ES256 and RS256, which all authenticators support. */
const ALGORITHMS = [-7, -257]

/** WebAuthn authenticator transports. */
const TRANSPORTS = ['usb', 'nfc', 'ble', 'internal', 'hybrid', 'cable', 'smart-card'] as const
export const transportsOf = (stored: string) => TRANSPORTS.filter(way => stored.split(' ').includes(way))

/** Parses clientDataJSON; null if invalid. */
function readClientData(encoded: string): { challenge: string; origin: string } | null {
  try {
    const { challenge, origin } = JSON.parse(Buffer.from(encoded, 'base64url').toString())
    return typeof challenge === 'string' && typeof origin === 'string' ? { challenge, origin } : null
  } catch {
    // Invalid JSON.
    return null
  }
}

/**
 * Verifies that a response answers an open challenge of this site, and consumes the challenge.
 * @returns its client data; null if verification fails
 */
export async function verifyChallenge(
  db: Queryable,
  site: ReturnType<typeof relyingPartyOf>,
  clientDataJSON: string,
  of: { purpose: ChallengePurpose; webUserId: number | null },
) {
  const data = readClientData(clientDataJSON)
  if (data === null || !site.origins(data.origin)) return null
  return (await consumeChallenge(db, { challenge: data.challenge, ...of })) ? data : null
}

const wordsOf = (key: string) => {
  const wordsIn = (language: Language) => ({
    title: translate(language, `session.passkey.${key}.title`),
    paragraphs: [translate(language, `session.passkey.${key}.text`)],
  })
  return { de: wordsIn('de'), en: wordsIn('en') }
}

/**
 * Checks whether a person may register a passkey, and whether it will be accepted for the office UI.
 * @throws HttpProblem 403 naming the missing condition
 */
async function requireRegistration(tx: Queryable, session: SessionUser, token: string | undefined) {
  const held = await listPasskeys(tx, session.id)
  if (held.length >= MAX_PASSKEYS) throw new HttpProblem(403, 'session.passkey.tooMany')
  const judged = checkPasskeyRegistration({
    hasRights: session.rights.length > 0,
    hasVouched: held.some(({ isVouched }) => isVouched),
    isConfirmed: session.isConfirmed,
    hasLink: token !== undefined && (await hasPasskeyLink(tx, session.id, hashToken(token))),
    isLoginRecent: await isLoginRecent(tx, session.tokenHash),
  })
  if (judged.isAllowed) return { held, isVouched: judged.isVouched }
  if (judged.lacks === 'passkey') throw passkeyRequired()
  throw new HttpProblem(403, `session.passkey.lacks.${judged.lacks}`)
}

/** @returns the new passkey; null if the response is invalid or late */
async function verifyRegistration(
  db: Queryable,
  site: ReturnType<typeof relyingPartyOf>,
  session: SessionUser,
  response: RegistrationResponseJSON,
) {
  // The challenge is consumed whatever the result.
  const data = await verifyChallenge(db, site, response.response.clientDataJSON, {
    purpose: 'register',
    webUserId: session.id,
  })
  if (data === null) return null
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: data.challenge,
    expectedOrigin: data.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
    // Any verification error rejects the passkey.
  }).catch(() => null)
  return verified?.verified ? verified.registrationInfo.credential : null
}

/** Creates the service that registers, lists and deletes passkeys. See docs/decisions/0089. */
export function createPasskeyService({ db, config, log }: ServerContext) {
  const site = relyingPartyOf(config.publicUrl)

  return {
    async startPasskey(session: SessionUser, token: string | undefined) {
      const { held } = await requireRegistration(db, session, token)
      const options = await generateRegistrationOptions({
        rpName: config.branding.portalName,
        rpID: site.id,
        userName: session.email,
        userID: new Uint8Array(Buffer.from(`person ${session.id}`)),
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        timeout: CHALLENGE_MINUTES * 60_000,
        excludeCredentials: held.map(({ id, transports }) => ({ id, transports: transportsOf(transports) })),
        // A passkey replaces the password, so it must verify the user and be discoverable without a user name.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await insertChallenge(db, { challenge: options.challenge, purpose: 'register', webUserId: session.id })
      return options
    },

    /**
     * Registers a passkey.
     * @returns false if the response is invalid or too late
     */
    async addPasskey(
      session: SessionUser,
      response: RegistrationResponseJSON,
      { token, name }: { token: string | undefined; name: string },
    ): Promise<boolean> {
      const credential = await verifyRegistration(db, site, session, response)
      if (credential === null) return false
      const isDone = await db.transaction(async tx => {
        const { isVouched } = await requireRegistration(tx, session, token)
        const isNew = await insertPasskey(tx, {
          id: credential.id,
          webUserId: session.id,
          publicKey: Buffer.from(credential.publicKey),
          counter: credential.counter,
          transports: (credential.transports ?? []).join(' '),
          name,
          isVouched,
        })
        if (!isNew) return false
        if (isVouched) {
          await deletePasskeyLinks(tx, session.id)
          await updateSessionConfirmed(tx, session.tokenHash)
        }
        await notifyPeople(tx, [session.id], { words: wordsOf('added'), path: '/sessions' })
        return true
      })
      if (isDone) logSecurityEvent(log, 'passkey.added', { webUserId: session.id })
      return isDone
    },

    listPasskeys: (webUserId: number) => listPasskeys(db, webUserId),

    /** Deletes a passkey. Requires a recent passkey confirmation, a login within the past hour, or the password. */
    async removePasskey(
      session: SessionUser,
      id: string,
      password: string,
    ): Promise<Reauthentication | { status: 'NotFound' }> {
      const isShown = password === '' && (await isPasskeyRecent(db, session.tokenHash))
      const proof = isShown ? ({ status: 'Ok' } as const) : await reauthenticate(db, session, password)
      if (proof.status !== 'Ok') return proof
      const webUserId = session.id
      const isGone = await db.transaction(async tx => {
        const count = await deletePasskey(tx, webUserId, id)
        if (count > 0) await notifyPeople(tx, [webUserId], { words: wordsOf('removed'), path: '/sessions' })
        return count > 0
      })
      if (isGone) logSecurityEvent(log, 'passkey.removed', { webUserId })
      return { status: isGone ? 'Ok' : 'NotFound' }
    },
  }
}
