import * as contract from '#contract/endpoints/money.ts'
import type { ApiCallOutcome, Language } from '#contract/values.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { notFound } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createMessageResponse } from '#server/platform/texts/failure-codes.ts'
import { durationText, translate } from '#server/platform/texts/translate.ts'
import { findInvoicePdf } from './invoice-repository.ts'
import * as proofs from './proof-repository.ts'
import { getOwnCosts, hasRoomForProof, listOwnProofs, saveRefundIban, submitAttendanceProof } from './service.ts'

/** Mounts the endpoints for the costs of a person's courses, for sick notes and for shift certificates. */
export function mountMoney(api: Api, context: ServerContext): void {
  const { db, config, wakeMailer } = context
  const { region } = config

  api.mount(contract.listOwnMoney, ({ session, language }) => getOwnCosts(db, session.id, language))

  api.mount(contract.getOwnInvoice, async ({ params: { file }, session }) => {
    const found = file.endsWith('.pdf') ? await findInvoicePdf(db, file.slice(0, -4)) : null
    if (found === null || found.webUserId !== session.id) throw notFound()
    return { fileName: file, content: found.pdf }
  })

  api.mount(contract.saveIban, async ({ session, language, body }): Promise<ApiCallOutcome> => {
    const outcome = await saveRefundIban(db, session, body)
    switch (outcome.status) {
      case 'Ok':
        wakeMailer()
        return createMessageResponse(language, 'Ok', 'money.ibanSaved')
      case 'Failed':
        return createMessageResponse(language, 'Failed', `money.${outcome.reason}`)
      case 'WrongPWorUser': {
        const key = outcome.isMissing ? 'accounts.edit.passwordMissing' : 'accounts.edit.wrongPassword'
        return { status: 'WrongPWorUser', message: translate(language, key) }
      }
      default: {
        const wait = durationText(language, outcome.waitS)
        return { status: 'TooManyFailures', message: translate(language, 'session.login.tooManyFailures', { wait }) }
      }
    }
  })

  api.mount(contract.listOwnProofs, ({ session, language }) => listOwnProofs(db, session.id, { language, region }))

  const tooManyProofs = (language: Language) => ({
    ...createMessageResponse(language, 'Failed', 'money.tooManyProofs'),
    id: 0,
  })
  api.mount(
    contract.addProof,
    async ({ session, language, form, file }) => {
      const id = await submitAttendanceProof(db, session.id, form, file)
      if (id === null) return tooManyProofs(language)
      return { ...createMessageResponse(language, 'Ok', 'money.proofSent'), id }
    },
    async ({ session, language }) => ((await hasRoomForProof(db, session.id)) ? undefined : tooManyProofs(language)),
  )

  api.mount(contract.deleteProof, async ({ params: { id }, session, language }) => {
    const deleted = await proofs.deleteUndecidedProof(db, id, session.id)
    const known = deleted > 0 || (await proofs.listOwnAttendanceProofs(db, session.id)).some(proof => proof.id === id)
    if (!known) throw notFound()
    return deleted > 0
      ? createMessageResponse(language, 'Ok', 'money.proofWithdrawn')
      : createMessageResponse(language, 'Failed', 'money.proofDecided')
  })

  api.mount(contract.withdrawConsent, async ({ params: { id }, session, language }) => {
    const deleted = await proofs.deleteUndecidedProof(db, id, session.id)
    if (deleted === 0 && (await proofs.updateProofConsentWithdrawn(db, id, session.id)) === 0) throw notFound()
    return createMessageResponse(language, 'Ok', 'money.consentWithdrawn')
  })
}
