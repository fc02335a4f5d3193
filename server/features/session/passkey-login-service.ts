import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import type { Language } from '#contract/values.ts'
import { asksForPasskeys } from '#server/platform/config/config.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { logSecurityEvent } from '#server/platform/http/security-log.ts'
import { createToken, hashToken } from '#server/platform/http/token.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import {
  insertChallenge,
  listPasskeys,
  lockPasskey,
  updatePasskeyUse,
  updateSessionConfirmed,
  updateSessionPasskeyUse,
} from './passkey-repository.ts'
import { transportsOf, verifyChallenge } from './passkey-service.ts'
import { CHALLENGE_MINUTES, relyingPartyOf } from './rules.ts'
import { findSessionView, type OpenedSession, openSession, type RequestBrowser } from './service.ts'

export type PasskeyLogin =
  | OpenedSession
  | { status: 'NotActive' }
  /** `notVouched`: the passkey is valid, but not accepted for the office UI */
  | { status: 'Failed'; reason: 'unknown' | 'notVouched' }

/** Creates the service for passkey logins and session confirmations. See docs/decisions/0089. */
export function createPasskeyLogin({ db, config, log }: ServerContext) {
  const asksForPasskey = asksForPasskeys(config)
  const site = relyingPartyOf(config.publicUrl)
  return {
    async startPasskeyLogin(session: SessionUser | null) {
      const own = session ? await listPasskeys(db, session.id) : []
      const options = await generateAuthenticationOptions({
        rpID: site.id,
        timeout: CHALLENGE_MINUTES * 60_000,
        userVerification: 'required',
        allowCredentials: own.map(({ id, transports }) => ({ id, transports: transportsOf(transports) })),
      })
      await insertChallenge(db, {
        challenge: options.challenge,
        purpose: 'confirm',
        webUserId: session?.id ?? null,
      })
      return options
    },

    /** Confirms the current session with a passkey, or starts a new session. */
    async showPasskey(
      session: SessionUser | null,
      response: AuthenticationResponseJSON,
      { keepSession, device, language }: { keepSession: boolean; device: RequestBrowser; language: Language | null },
    ): Promise<PasskeyLogin | { status: 'Confirmed' }> {
      const data = await verifyChallenge(db, site, response.response.clientDataJSON, {
        purpose: 'confirm',
        webUserId: session?.id ?? null,
      })
      const unknown = { status: 'Failed', reason: 'unknown' } as const
      if (data === null) return unknown
      const token = createToken()
      const outcome = await db.transaction(async tx => {
        const passkey = await lockPasskey(tx, response.id)
        if (passkey === null || (session && passkey.webUserId !== session.id)) return unknown
        const verified = await verifyAuthenticationResponse({
          response,
          expectedChallenge: data.challenge,
          expectedOrigin: data.origin,
          expectedRPID: site.id,
          credential: {
            id: passkey.id,
            publicKey: new Uint8Array(passkey.publicKey),
            counter: passkey.counter,
          },
          requireUserVerification: true,
          // Any verification error rejects the passkey.
        }).catch(() => null)
        if (!verified?.verified) return unknown
        await updatePasskeyUse(tx, passkey.id, verified.authenticationInfo.newCounter)
        if (!passkey.isActive) return { status: 'NotActive' } as const
        if (session && session.rights.length > 0 && !passkey.isVouched)
          return { status: 'Failed', reason: 'notVouched' } as const
        const tokenHash = session?.tokenHash ?? hashToken(token)
        if (!session)
          await openSession(tx, passkey.webUserId, { tokenHash, keepSession, device, language, asksForPasskey })
        if (passkey.isVouched) await updateSessionConfirmed(tx, tokenHash)
        else await updateSessionPasskeyUse(tx, tokenHash)
        return { status: 'Ok', webUserId: passkey.webUserId } as const
      })
      if (outcome.status !== 'Ok') {
        if (outcome.status === 'Failed')
          logSecurityEvent(log, 'login.failed', { webUserId: session?.id ?? 0, isPasskey: true })
        return outcome
      }
      logSecurityEvent(log, 'login.ok', {
        webUserId: outcome.webUserId,
        isPasskey: true,
        isConfirmation: session !== null,
      })
      if (session) return { status: 'Confirmed' }
      const view = await findSessionView(db, hashToken(token))
      return view ? { status: 'Ok', token, view } : unknown
    },
  }
}
