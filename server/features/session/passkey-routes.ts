import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import * as contract from '#contract/endpoints/passkeys.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { notFound } from '#server/platform/http/problems.ts'
import { hashToken } from '#server/platform/http/token.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createMessageResponse } from '#server/platform/texts/failure-codes.ts'
import { durationText, negotiateLanguage, translate } from '#server/platform/texts/translate.ts'
import { createRateLimit } from '#server/platform/throttle/token-buckets.ts'
import { createPasskeyLogin } from './passkey-login-service.ts'
import { createPasskeyService } from './passkey-service.ts'
import { findSessionView, readRequestBrowser, toNoSessionResponse, toSessionResponse } from './service.ts'

export function mountPasskeys(api: Api, context: ServerContext): void {
  const { db, wakeMailer } = context
  const passkeys = createPasskeyService(context)
  const login = createPasskeyLogin(context)
  // Rate limit for passkey requests, because each one writes a row and verifies a signature. The limit is far above
  // what a whole company needs at once.
  const takeTurn = createRateLimit(context, 'passkeys', { burst: 2_000, perMinute: 1_200 })
  const takeOwnTurn = createRateLimit(context, 'passkeys of a person', { burst: 20, perMinute: 6 })

  api.mount(contract.startPasskey, async ({ body, session }) => {
    await takeOwnTurn(`person ${session.id}`)
    return { ...(await passkeys.startPasskey(session, body.token)) }
  })

  api.mount(contract.addPasskey, async ({ body, session, language, cookies, request }) => {
    const { token, name, ...response } = body
    const called = name || readRequestBrowser(cookies, request).words
    const isDone = await passkeys.addPasskey(session, response as RegistrationResponseJSON, { token, name: called })
    if (!isDone) return createMessageResponse(language, 'Failed', 'session.passkey.notAdded')
    wakeMailer()
    return { status: 'Ok' as const, message: translate(language, 'session.passkey.isAdded') }
  })

  api.mount(contract.listPasskeys, async ({ session }) =>
    (await passkeys.listPasskeys(session.id)).map(({ transports, createdAt, lastUsedAt, ...passkey }) => ({
      ...passkey,
      createdAt: toDateTimeValue(createdAt),
      lastUsedAt: lastUsedAt === null ? null : toDateTimeValue(lastUsedAt),
    })),
  )

  api.mount(contract.removePasskey, async ({ params, body, session, language }) => {
    const removed = await passkeys.removePasskey(session, params.id, body.password)
    if (removed.status === 'NotFound') throw notFound()
    if (removed.status === 'TooManyFailures') {
      const wait = durationText(language, removed.waitS)
      return { status: removed.status, message: translate(language, 'session.login.tooManyFailures', { wait }) }
    }
    if (removed.status === 'WrongPWorUser') {
      const key = removed.isMissing ? 'lacks.confirmation' : 'wrongPassword'
      return { status: removed.status, message: translate(language, `session.passkey.${key}`) }
    }
    wakeMailer()
    return { status: 'Ok' as const, message: translate(language, 'session.passkey.isRemoved') }
  })

  api.mount(contract.startPasskeyLogin, async ({ session, address }) => {
    await takeTurn(address)
    return { ...(await login.startPasskeyLogin(session)) }
  })

  api.mount(contract.showPasskey, async ({ body, session, language, cookies, request, address }) => {
    await takeTurn(address)
    const { keepSession, ...response } = body
    const acceptLanguage = request.headers.get('Accept-Language')
    const outcome = await login.showPasskey(session, response as AuthenticationResponseJSON, {
      keepSession,
      device: readRequestBrowser(cookies, request),
      language: acceptLanguage ? negotiateLanguage(acceptLanguage) : null,
    })
    if (outcome.status === 'Ok') {
      wakeMailer()
      return toSessionResponse(outcome.token, outcome.view)
    }
    if (outcome.status === 'Confirmed') {
      const token = request.headers.get('SessionToken') ?? ''
      const view = await findSessionView(db, hashToken(token))
      if (view) return toSessionResponse(token, view)
    }
    const key = outcome.status === 'Failed' ? outcome.reason : outcome.status === 'NotActive' ? 'notActive' : 'unknown'
    return toNoSessionResponse(
      createMessageResponse(
        language,
        outcome.status === 'NotActive' ? 'NotActive' : 'Failed',
        `session.passkey.${key}`,
      ),
    )
  })
}
