import { BILLING_TYPE } from '#contract/values.ts'
import { formatDate } from '#contract/words.ts'
import {
  isProofTooLate,
  listAcceptedProofs,
  lockAttendanceProof,
  updateProofDecision,
  upsertPayerConsent,
} from '#server/features/money/proof-repository.ts'
import {
  ATTENDANCE_PROOF_DEADLINE_DAYS,
  MIN_SICK_WORKING_DAYS,
  toSickLeaves,
} from '#server/features/money/proof-rules.ts'
import { type ActHandler, accountIdOf } from '#server/office/frame/office-context-service.ts'
import { requireUpload } from '#server/office/frame/upload-service.ts'
import { findProfileFields } from '#server/office/people/person-repository.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { listMissedLessons } from '../missed-lesson-repository.ts'
import { sendMoneyNotice } from '../settlement-service.ts'

/**
 * Accepts or refuses a sick note or shift certificate, and notifies the person of the effect. Accepting one after the
 * deadline requires a reason. The result names the lessons that a sick note excuses.
 */
const decideProof: ActHandler<'decide-proof'> = async (office, { proofId, decision }) => {
  const { tx, actor, config } = office
  const proof = (await lockAttendanceProof(tx, proofId)) ?? office.fail('unknown.proofs')
  const { webUserId, kind, from, to } = proof
  office.note({ objects: { proofId, webUserId }, before: { state: proof.state }, after: { state: decision } })
  office.addAffected({ people: [webUserId] })
  office.refuseOwn(webUserId)
  if (decision === proof.state) return {}
  if (proof.isOfClosedAccount) office.fail('failed.proofOfMerged')
  if (decision === 'refused') office.askReason('reason.refuse')
  else if (await isProofTooLate(tx, proof, ATTENDANCE_PROOF_DEADLINE_DAYS)) office.askReason('reason.lateProof')
  await updateProofDecision(tx, proofId, { state: decision, reason: office.reason, decidedBy: accountIdOf(actor) })
  const spans = toSickLeaves(config.region, await listAcceptedProofs(tx, webUserId))
  const span = spans.find(one => one.from <= from && to <= one.to)
  const day = (date: string) => formatDate(toDateTimeValue(date))
  const effect =
    decision === 'refused' ? 'refused' : kind === 'shift' ? 'shift' : span?.isLongEnough ? 'sick' : 'tooShort'
  await sendMoneyNotice(office, [webUserId], 'proof', language => ({
    kind: translate(language, `office.notice.proofKind.${kind}`),
    from: day(from),
    to: day(to),
    effect: translate(language, `office.notice.proofEffect.${effect}`, {
      days: span?.workingDays ?? 0,
      needed: MIN_SICK_WORKING_DAYS,
      reason: office.reason,
    }),
  }))
  const excused = effect === 'sick' && span ? await listMissedLessons(tx, webUserId, span) : []
  return { id: proofId, effect, excused }
}

/**
 * Records that the holder of a personnel number agrees to pay for another person (billing type 2). Requires a file or a
 * reason.
 */
const acceptPayer: ActHandler<'accept-payer'> = async (office, { webUserId, consentFileId }) => {
  await office.open('web_users', webUserId)
  office.refuseOwn(webUserId)
  const { billingType, personnelNumber } = await findProfileFields(office.tx, webUserId)
  if (billingType !== BILLING_TYPE.ForeignPersonnelNumber || personnelNumber === '')
    office.fail('failed.noForeignPayer')
  if (consentFileId === undefined) office.askReason('reason.consent')
  const file = consentFileId === undefined ? null : await requireUpload(office, consentFileId)
  await upsertPayerConsent(office.tx, {
    webUserId,
    number: personnelNumber,
    file,
    acceptedBy: accountIdOf(office.actor),
  })
  office.note({ objects: { webUserId }, after: { hasFile: file !== null } })
  return {}
}

export const proofHandlers = {
  'decide-proof': decideProof,
  'accept-payer': acceptPayer,
}
