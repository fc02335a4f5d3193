import { changePassword, checkSession, login, logout, resetPassword } from '#contract/session.ts'
import type { ServerContext } from '#server/context.ts'
import type { Api } from '#server/http/mount.ts'
import { invalidField } from '#server/http/problems.ts'
import { durationText } from '#server/texts/duration.ts'
import { languageOf, translate } from '#server/texts/translate.ts'
import { presentNoSession, presentSession } from './model.ts'
import { changePasswordOf, resetPasswordOf } from './password-service.ts'
import { deleteSession } from './repository.ts'
import { checkToken, logIn } from './service.ts'

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

export function mountSession(api: Api, { db, wakeMailer }: ServerContext): void {
  api.mount(login, async ({ body, address, language, request }) => {
    const acceptLanguage = request.headers.get('Accept-Language')
    const outcome = await logIn(db, body, { address, language: acceptLanguage ? languageOf(acceptLanguage) : null })
    if (outcome.status === 'Ok') return presentSession(outcome.token, outcome.view)
    const wait = outcome.status === 'TooManyFailures' ? durationText(language, outcome.waitS) : ''
    return presentNoSession(outcome.status, translate(language, LOGIN_TEXTS[outcome.status], { wait }))
  })

  api.mount(checkSession, async ({ query, language }) => {
    const view = await checkToken(db, query.sessionToken)
    return view
      ? presentSession(query.sessionToken, view)
      : presentNoSession('NotFound', translate(language, 'session.ended'))
  })

  api.mount(logout, async ({ session, language }) => {
    await deleteSession(db, session.tokenHash)
    return { status: 'Ok' as const, message: translate(language, 'session.loggedOut') }
  })

  api.mount(changePassword, async ({ body, session }) => {
    if (body.password !== body.confirmPassword) throw invalidField('confirmPassword')
    const result = await changePasswordOf(db, session, body.password)
    if (result.changed) wakeMailer()
    return result
  })

  api.mount(resetPassword, async ({ body, address, language }) => {
    const outcome = await resetPasswordOf(db, body.userName, address)
    if (outcome.status === 'Ok') wakeMailer()
    const wait = outcome.status === 'Failed' ? durationText(language, outcome.waitS) : ''
    return { status: outcome.status, message: translate(language, RESET_TEXTS[outcome.status], { wait }) }
  })
}
