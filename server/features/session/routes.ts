import * as contract from '#contract/endpoints/session.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { invalidField, notFound } from '#server/platform/http/problems.ts'
import { logSecurityEvent } from '#server/platform/http/security-log.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createMessageResponse } from '#server/platform/texts/failure-codes.ts'
import { durationText, negotiateLanguage, translate } from '#server/platform/texts/translate.ts'
import { createRateLimit } from '#server/platform/throttle/token-buckets.ts'
import { createLoginService } from './login-service.ts'
import { changePassword, resetPassword } from './password-service.ts'
import { deleteOwnSession, deleteSession } from './repository.ts'
import {
  checkSession,
  endOtherSessions,
  listSessions,
  readRequestBrowser,
  toNoSessionResponse,
  toSessionResponse,
} from './service.ts'

const LOGIN_TEXTS = {
  WrongPWorUser: 'session.login.wrong',
  NotActive: 'session.login.notActive',
  TooManyFailures: 'session.login.tooManyFailures',
}
const RESET_TEXTS = {
  Ok: 'session.reset.sent',
  WrongPWorUser: 'session.reset.unknown',
  NotActive: 'session.login.notActive',
  Failed: 'session.reset.wait',
}

const isLocked = (outcome: { status: string; isLocked?: boolean }) => outcome.isLocked === true

export function mountSession(api: Api, context: ServerContext): void {
  const { db, log, wakeMailer } = context
  const { login } = createLoginService(context)
  // Rate limit for password strength checks, which take up to 150 ms of CPU time. Users need only a few.
  const takeStrengthCheck = createRateLimit(context, 'session-judgement', { burst: 20, perMinute: 10 })

  api.mount(contract.login, async ({ body, address, language, cookies, request }) => {
    const acceptLanguage = request.headers.get('Accept-Language')
    const outcome = await login(body, {
      address,
      device: readRequestBrowser(cookies, request),
      language: acceptLanguage ? negotiateLanguage(acceptLanguage) : null,
    })
    if (outcome.status === 'Ok') return toSessionResponse(outcome.token, outcome.view)
    const wait = outcome.status === 'TooManyFailures' ? durationText(language, outcome.waitS) : ''
    const key = isLocked(outcome) ? 'session.login.locked' : LOGIN_TEXTS[outcome.status]
    return toNoSessionResponse(createMessageResponse(language, outcome.status, key, { wait }))
  })

  api.mount(contract.checkSession, async ({ query, language, cookies, request }) => {
    const token = query.sessionToken ?? request.headers.get('SessionToken')
    if (token === null) throw invalidField('sessionToken')
    const view = await checkSession(db, token, readRequestBrowser(cookies, request))
    return view
      ? toSessionResponse(token, view)
      : toNoSessionResponse(createMessageResponse(language, 'NotFound', 'session.ended'))
  })

  api.mount(contract.listSessions, ({ session }) => listSessions(db, session))

  // Mount this route before the one with an id, which would also match `others`.
  api.mount(contract.endOtherSessions, async ({ session, language, cookies, request }) => {
    const count = await endOtherSessions(db, session, readRequestBrowser(cookies, request))
    logSecurityEvent(log, 'sessions.ended', { webUserId: session.id, count })
    return { status: 'Ok' as const, message: translate(language, 'session.othersEnded') }
  })

  api.mount(contract.endSession, async ({ params, session, language }) => {
    if ((await deleteOwnSession(db, session.id, params.id)) === 0) throw notFound()
    logSecurityEvent(log, 'sessions.ended', { webUserId: session.id, count: 1 })
    return { status: 'Ok' as const, message: translate(language, 'session.oneEnded') }
  })

  api.mount(contract.logout, async ({ session, language }) => {
    await deleteSession(db, session.tokenHash)
    return { status: 'Ok' as const, message: translate(language, 'session.loggedOut') }
  })

  api.mount(contract.changePassword, async ({ body, session, cookies, request }) => {
    if (body.password !== body.confirmPassword) throw invalidField('confirmPassword')
    await takeStrengthCheck(String(session.id))
    const result = await changePassword(db, session, body.password, readRequestBrowser(cookies, request))
    if (result.changed) {
      logSecurityEvent(log, 'password.changed', { webUserId: session.id })
      wakeMailer()
    }
    return result
  })

  api.mount(contract.resetPassword, async ({ body, address, language, cookies, request }) => {
    const outcome = await resetPassword(db, body.userName, { address, device: readRequestBrowser(cookies, request) })
    if (outcome.status === 'Ok') {
      logSecurityEvent(log, 'password.mailed', { webUserId: outcome.webUserId })
      wakeMailer()
    }
    const wait = outcome.status === 'Failed' ? durationText(language, outcome.waitS) : ''
    const key = isLocked(outcome) ? 'session.login.locked' : RESET_TEXTS[outcome.status]
    return createMessageResponse(language, outcome.status, key, { wait })
  })
}
