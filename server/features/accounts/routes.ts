import type { RetainedDataItem } from '#contract/endpoints/accounts.ts'
import * as contract from '#contract/endpoints/accounts.ts'
import { COMPANY_STATUSES } from '#contract/endpoints/company.ts'
import * as consentContract from '#contract/endpoints/consents.ts'
import * as personalDataContract from '#contract/endpoints/personal-data.ts'
import { CONSENT_KINDS } from '#contract/rules/consent-rules.ts'
import type { ApiCallOutcome } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import { findProfile } from '#server/features/session/account-repository.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { notFound, sessionInvalid } from '#server/platform/http/problems.ts'
import { logSecurityEvent } from '#server/platform/http/security-log.ts'
import { sweepMailFolder } from '#server/platform/outbox/mail-folder.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createMessageResponse } from '#server/platform/texts/failure-codes.ts'
import { durationText, translate } from '#server/platform/texts/translate.ts'
import { createRateLimit } from '#server/platform/throttle/token-buckets.ts'
import { deleteAccount } from './deletion-service.ts'
import { toRetainedDataResponse, toWebUserResponse } from './model.ts'
import { exportPersonalData } from './personal-data-service.ts'
import { insertConsent, listConsents, listDivisions } from './repository.ts'
import {
  editWebUser,
  registerAccount,
  resendActivationMail,
  validateNewCredentials,
  withdrawConsent,
} from './service.ts'
import { confirmAccount, describeMailedLink, type MergeLinks, undoChange } from './token-service.ts'

const REGISTER_TEXTS = {
  Ok: 'accounts.register.done',
  Duplicate: 'accounts.register.duplicate',
  Failed: 'accounts.register.insecure',
}
const RESEND_TEXTS = {
  Ok: 'accounts.resend.sent',
  NotFound: 'accounts.resend.unknown',
  Active: 'accounts.resend.active',
  Failed: 'accounts.resend.wait',
}
/**
 * Minimum number of seconds between two activation e-mails. A longer wait means that the daily limit has been reached.
 */
const RESEND_WAIT_S = 60
const LINK_STATUSES = {
  activated: 'Ok',
  emailChanged: 'Ok',
  mergeConfirmed: 'Ok',
  taken: 'Duplicate',
  unknown: 'NotFound',
} as const
const UNDO_STATUSES = {
  restored: 'Ok',
  separated: 'Ok',
  refused: 'Ok',
  locked: 'NotActive',
  unknown: 'NotFound',
} as const

export function mountAccounts(api: Api, context: ServerContext, merges: MergeLinks): void {
  mountRegistration(api, context, merges)
  mountProfile(api, context)
  mountPrivacy(api, context)
}

function mountRegistration(api: Api, context: ServerContext, merges: MergeLinks): void {
  const { db, config, log, wakeMailer } = context
  // Rate limit for password strength checks, each of which takes up to 50 ms of CPU time.
  const takeStrengthCheck = createRateLimit(context, 'registration-judgement', { burst: 200, perMinute: 600 })

  api.mount(contract.checkEmailPassword, async ({ body, address, language }) => {
    await takeStrengthCheck(address)
    const status = await validateNewCredentials(db, body, address)
    return status === 'Ok' ? { status, message: '' } : createMessageResponse(language, status, REGISTER_TEXTS[status])
  })

  api.mount(contract.register, async ({ body, address, language }) => {
    if (config.companyLogin && COMPANY_STATUSES.some(status => status === body.employeeStatus))
      return createMessageResponse(language, 'Failed', 'session.company.registerHere')
    await takeStrengthCheck(address)
    const status = await registerAccount(db, body, { address, language })
    if (status === 'Ok') wakeMailer()
    return createMessageResponse(language, status, REGISTER_TEXTS[status])
  })

  api.mount(contract.resendEmail, async ({ params, address, language }): Promise<ApiCallOutcome> => {
    const outcome = await resendActivationMail(db, params.userName, address)
    if (outcome.status === 'Failed' && outcome.waitS > RESEND_WAIT_S) {
      const wait = durationText(language, outcome.waitS)
      return createMessageResponse(language, 'Failed', 'accounts.resend.tooMany', { wait })
    }
    if (outcome.status === 'Ok') wakeMailer()
    const status = outcome.status === 'Active' ? 'Failed' : outcome.status
    return createMessageResponse(language, status, RESEND_TEXTS[outcome.status])
  })

  api.mount(contract.confirmAccount, async ({ body, language }) => {
    const outcome = await confirmAccount(db, body.token, merges)
    if (outcome === 'emailChanged') {
      logSecurityEvent(log, 'email.changed')
      wakeMailer()
    }
    return { status: LINK_STATUSES[outcome], message: translate(language, `accounts.link.${outcome}`) }
  })

  api.mount(contract.describeLink, async ({ body, language }) => {
    const link = await describeMailedLink(db, body.token)
    if (link) return { ...link, status: 'Ok' as const, message: '' }
    const message = translate(language, 'accounts.link.unknown')
    return { status: 'NotFound' as const, message, purpose: '' as const, initials: '', registeredAt: null }
  })

  api.mount(contract.undoChange, async ({ body, language }) => {
    const outcome = await undoChange(db, body.token, merges)
    if (outcome !== 'unknown') logSecurityEvent(log, 'account.undone', { outcome })
    if (outcome === 'restored') wakeMailer()
    return { status: UNDO_STATUSES[outcome], message: translate(language, `accounts.undo.${outcome}`) }
  })
}

function mountProfile(api: Api, { db, config, wakeMailer }: ServerContext): void {
  api.mount(contract.listDivisions, async () =>
    (await listDivisions(db)).map(division => ({ ...division, status: 'Ok' as const, message: '' })),
  )

  api.mount(contract.getWebUser, async ({ session }) => {
    const profile = await findProfile(db, session.id)
    if (profile === null) throw sessionInvalid()
    return toWebUserResponse(profile)
  })

  api.mount(contract.editWebUser, async ({ body, session, address, language }): Promise<ApiCallOutcome> => {
    const outcome = await editWebUser(db, session, body, { address, region: config.region })
    switch (outcome.status) {
      case 'Ok': {
        wakeMailer()
        const key = outcome.isEmailToConfirm ? 'accounts.edit.emailToConfirm' : 'accounts.edit.saved'
        return { status: 'Ok', message: translate(language, key, { email: body.email }) }
      }
      case 'Duplicate':
        return { status: 'Duplicate', message: translate(language, 'accounts.edit.duplicate') }
      case 'WrongPWorUser': {
        const key = outcome.isMissing ? 'accounts.edit.passwordMissing' : 'accounts.edit.wrongPassword'
        return { status: 'WrongPWorUser', message: translate(language, key) }
      }
      case 'TooManyFailures': {
        const wait = durationText(language, outcome.waitS)
        return { status: 'TooManyFailures', message: translate(language, 'session.login.tooManyFailures', { wait }) }
      }
      default: {
        const wait = durationText(language, outcome.waitS)
        return createMessageResponse(language, 'Failed', 'accounts.edit.wait', { wait })
      }
    }
  })
}

function mountPrivacy(api: Api, { db, config, log, wakeMailer }: ServerContext): void {
  api.mount(personalDataContract.exportPersonalData, ({ session }) => exportPersonalData(db, session.id, config))

  api.mount(consentContract.listConsents, async ({ session }) => ({ items: await listConsents(db, session.id) }))

  api.mount(consentContract.giveConsent, async ({ session, language, body }) => {
    await insertConsent(db, session.id, body)
    return createMessageResponse(language, 'Ok', 'accounts.consent.given')
  })

  api.mount(consentContract.endConsent, async ({ session, language, params }) => {
    const kind = CONSENT_KINDS.find(one => one === params.kind)
    if (!kind) throw notFound()
    await withdrawConsent(db, session.id, kind)
    return createMessageResponse(language, 'Ok', `accounts.consent.withdrawn.${kind}`)
  })

  api.mount(contract.deleteAccount, async ({ body, session, language }) => {
    const outcome = await deleteAccount(db, session, { password: body.password, region: config.region })
    const kept: RetainedDataItem[] = []
    switch (outcome.status) {
      case 'Ok': {
        wakeMailer()
        // The hourly job removes the files if this fails.
        await sweepMailFolder(db, config.dataDir).catch(err => log.error({ err }, 'deleting old email files failed'))
        const { billing, participation } = outcome.remains
        const key = billing ? 'doneButBilling' : participation ? 'doneButParticipation' : 'done'
        const message = translate(language, `accounts.deletion.${key}`)
        return { status: 'Ok' as const, message, kept: toRetainedDataResponse(outcome.remains, language) }
      }
      case 'Failed': {
        const courses = outcome.courses
          .map(course => `${nameInLanguage(language, course)} (${course.number})`)
          .join(', ')
        return {
          ...createMessageResponse(language, 'Failed', `accounts.deletion.${outcome.reason}`, { courses }),
          kept,
        }
      }
      case 'TooManyFailures': {
        const wait = durationText(language, outcome.waitS)
        const message = translate(language, 'session.login.tooManyFailures', { wait })
        return { status: 'TooManyFailures' as const, message, kept }
      }
      default: {
        const message = translate(language, 'accounts.deletion.wrongPassword')
        return { status: 'WrongPWorUser' as const, message, kept }
      }
    }
  })
}
