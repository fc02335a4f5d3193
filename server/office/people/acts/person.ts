import { isEmailInUse } from '#server/features/accounts/repository.ts'
import { promoteOrCloseWaitingList } from '#server/features/bookings/waiting-list-service.ts'
import { refreshCertificates } from '#server/features/certificates/service.ts'
import { updatePricesOfVerifiedPeople } from '#server/features/money/price-repository.ts'
import { lockAccount } from '#server/features/session/account-repository.ts'
import { deleteSessions } from '#server/features/session/repository.ts'
import type { ActHandler, OfficeContext } from '#server/office/frame/office-context-service.ts'
import { hasRights, insertPendingRights } from '#server/office/frame/rights-repository.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { replaceHrList } from '../hr-list-service.ts'
import { findLetter } from '../letter-repository.ts'
import { lockBookedCourses, mergeBookings } from '../merge-booking-repository.ts'
import * as merge from '../merge-repository.ts'
import { revertMessagesOfAuthor } from '../message-repository.ts'
import {
  findPerson,
  findPersonnelNumberOwner,
  findProfileFields,
  insertPersonRow,
  markPersonVerified,
  updateAccountLocked,
  updatePersonLanguage,
} from '../person-repository.ts'
import { insertPerson, updatePerson, validatePersonValues } from '../person-service.ts'

/** Updates a person's fields; omitted fields stay unchanged. */
const changePerson: ActHandler<'change-person'> = async (office, act) => {
  await office.open('web_users', act.webUserId)
  const values = await validatePersonValues(office, act)
  await updatePerson(office, act.webUserId, values)
  await office.sendDeliveries(await refreshCertificates(office.tx, { webUserId: act.webUserId }))
  office.note({ objects: { webUserId: act.webUserId }, after: { fields: Object.keys(values).sort() } })
}

/**
 * Creates an account. With an e-mail address, the person gets an e-mail to choose a password; without one, they get
 * letters instead of e-mails.
 */
const createPerson: ActHandler<'create-person'> = async (office, act) => {
  const values = await validatePersonValues(office, act)
  const webUserId = await insertPerson(office, values)
  office.setCreated('web_users', webUserId)
  office.addAffected({ people: [webUserId] })
  office.note({ objects: { webUserId }, after: { fields: Object.keys(values).sort() } })
  return { webUserId }
}

/**
 * Creates an account and e-mails an invitation to set it up. The permissions take effect on the first login, which
 * verifies the e-mail address.
 */
const invitePerson: ActHandler<'invite-person'> = async (office, { email, language, rights = [] }) => {
  if (await isEmailInUse(office.tx, email)) office.fail('failed.emailTaken')
  const webUserId = await insertPersonRow(office.tx, { email })
  if (language) await updatePersonLanguage(office.tx, webUserId, language)
  await insertPendingRights(office.tx, webUserId, rights)
  await insertMail(office.tx, { webUserId, kind: 'invitation', payload: {} })
  office.setCreated('web_users', webUserId)
  office.addAffected({ people: [webUserId] })
  office.note({ objects: { webUserId }, after: { rights: [...new Set(rights)] } })
  return { webUserId }
}

/**
 * Blocks a person from logging in and ends all their sessions; bookings remain. Messages that the person scheduled become
 * drafts.
 */
const lockPerson: ActHandler<'lock-person'> = async (office, { webUserId }) => {
  await office.open('web_users', webUserId)
  office.note({ objects: { webUserId }, after: { state: 'locked' } })
  if (!(await updateAccountLocked(office.tx, webUserId, true))) office.fail('failed.deleted')
  await deleteSessions(office.tx, webUserId)
  const drafts = await revertMessagesOfAuthor(office.tx, webUserId, translate('de', 'office.message.noRight'))
  return { drafts }
}

const unlockPerson: ActHandler<'unlock-person'> = async (office, { webUserId }) => {
  await office.open('web_users', webUserId)
  office.note({ objects: { webUserId }, before: { state: 'locked' } })
  await updateAccountLocked(office.tx, webUserId, false)
}

/** Marks a person as verified, as if the HR list contained their personnel number. */
const verifyPerson: ActHandler<'verify-person'> = async (office, { webUserId }) => {
  await office.open('web_users', webUserId)
  office.refuseOwn(webUserId)
  const { personnelNumber } = await findProfileFields(office.tx, webUserId)
  const holder = personnelNumber === '' ? null : await findPersonnelNumberOwner(office.tx, personnelNumber, webUserId)
  if (holder?.isKnown) office.fail('failed.personnelNumberTaken', { number: personnelNumber })
  office.note({ objects: { webUserId }, after: { isVerified: true } })
  if (!(await markPersonVerified(office.tx, webUserId))) office.fail('failed.deleted')
  await updatePricesOfVerifiedPeople(office.tx, [webUserId])
}

/**
 * Notes a telephone call, which ends the task to call the person about the letter. The text is erased with the account,
 * as all texts about a person are.
 */
const noteCall: ActHandler<'note-call'> = async (office, { webUserId, letterId, text }) => {
  if ((await findPerson(office.tx, webUserId)) === null) office.fail('unknown.web_users')
  if (letterId !== undefined && (await findLetter(office.tx, letterId))?.webUserId !== webUserId)
    office.fail('unknown.letters')
  office.addAffected({ people: [webUserId] })
  office.note({ objects: { webUserId, ...(letterId !== undefined && { letterId }) } })
  office.noteText(text)
  return undefined
}

/** Replaces the entire HR list. People no longer on it become unverified. */
const saveHrList: ActHandler<'save-eligible'> = async (office, { rows }) => {
  const { unverified, verified } = await replaceHrList(office, rows)
  return { unverified, verified }
}

/**
 * Merges two accounts of one person. The remaining account keeps its e-mail address, login and permissions, and takes
 * over everything else, but documents, certificates, proofs, consents and the company login only from the same person:
 * if both accounts have the same verified personnel number, or both people agree by the link in their e-mail.
 */
const mergePeople: ActHandler<'merge-people'> = async (office, { webUserId, intoWebUserId }) => {
  const { tx } = office
  const both = [webUserId, intoWebUserId] as const
  if (webUserId === intoWebUserId) office.fail('failed.samePerson')
  // Locks courses before people, in the same order as a booking, to prevent deadlocks.
  const courseIds = await lockBookedCourses(tx, both)
  for (const id of both.toSorted((a, b) => a - b)) {
    if (id === webUserId) await office.open('web_users', id)
    else await office.touch('web_users', id)
  }
  if (await merge.isAnyAccountDeleted(tx, both)) office.fail('failed.deleted')
  // Permissions are not merged, so an account with permissions cannot be merged into another one.
  if (await hasRights(tx, webUserId)) office.fail('failed.hasRights')
  // Closing the account would end the undo link of its former address.
  if (await merge.canAddressChangeBeUndone(tx, webUserId)) office.fail('failed.addressChanged')
  const moved = await merge.listMovedRows(tx, ...both)
  const ended = await mergeBookings(tx, ...both)
  for (const id of courseIds) await promoteOrCloseWaitingList(tx, id, office.config.region)
  await merge.mergeAttendance(tx, ...both)
  await merge.mergeGuestPlaces(tx, ...both)
  await merge.reassignAccountData(tx, ...both)
  await updatePricesOfVerifiedPeople(tx, [intoWebUserId])
  const letters = await merge.reassignMailsAndLetters(tx, ...both)
  await merge.reassignUnsentMessages(tx, ...both)
  const hasReminders = await merge.reassignFollowedCourses(tx, ...both)
  await merge.reassignLogReferences(tx, ...both)
  const isSame = await merge.isProvedSamePerson(tx, ...both)
  if (isSame) await merge.reassignOwnData(tx, ...both)
  const stays = await merge.listOwnDataKinds(tx, webUserId)
  await notifyOfMerge(office, {
    fromId: webUserId,
    intoId: intoWebUserId,
    moved: { ...moved, letters: [...(moved.letters ?? []), ...letters], ended, hasReminders },
    hasOwnData: stays.length > 0,
  })
  await office.sendDeliveries(await refreshCertificates(tx, { webUserId: intoWebUserId }))
  office.setCreated('web_users', intoWebUserId)
  office.addAffected({ courses: courseIds, people: [intoWebUserId] })
  office.note({ objects: { webUserId, intoWebUserId }, after: { doubled: ended.length } })
  return { webUserId: intoWebUserId, ...(stays.length > 0 && { stays }) }
}

/**
 * Closes the duplicate account and e-mails both addresses a link with which, for seven days, its owner can separate the
 * accounts or confirm that both are theirs.
 */
async function notifyOfMerge(
  { tx }: OfficeContext,
  {
    fromId,
    intoId,
    moved,
    hasOwnData,
  }: { fromId: number; intoId: number; moved: merge.MovedRows; hasOwnData: boolean },
): Promise<void> {
  const addressOf = async (id: number) => (await lockAccount(tx, id))?.email ?? ''
  const [from, into] = [await addressOf(fromId), await addressOf(intoId)]
  const mergeId = await merge.insertMerge(tx, { fromId, intoId, fromEmail: from, moved })
  for (const [webUserId, own, other] of [
    [fromId, from, into],
    [intoId, into, from],
  ] as const) {
    const payload = { mergeId, other: maskAddress(other), isInto: webUserId === intoId, hasOwnData }
    if (own.includes('@')) await insertMail(tx, { webUserId, kind: 'people-merged', payload, recipient: own })
  }
  await merge.closeMergedPerson(tx, fromId)
}

/** First letter and domain of an address, enough for its owner to recognize it; '' if there is none. */
const maskAddress = (email: string): string => (email.includes('@') ? email.replace(/^(.).*@/, '$1•••@') : '')

export const personHandlers = {
  'create-person': createPerson,
  'change-person': changePerson,
  'invite-person': invitePerson,
  'lock-person': lockPerson,
  'unlock-person': unlockPerson,
  'verify-person': verifyPerson,
  'note-call': noteCall,
  'merge-people': mergePeople,
  'save-eligible': saveHrList,
}
