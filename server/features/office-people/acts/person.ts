import { isEmailInUse } from '#server/features/accounts/repository.ts'
import { promoteOrCloseWaitingList } from '#server/features/bookings/waiting-list-service.ts'
import { refreshCertificates } from '#server/features/certificates/service.ts'
import { updatePricesOfVerifiedPeople } from '#server/features/money/price-repository.ts'
import type { ActHandler } from '#server/features/office/desk-service.ts'
import { hasRights, insertPendingRights } from '#server/features/office/rights-repository.ts'
import { deleteSessions } from '#server/features/session/repository.ts'
import { insertMail } from '#server/queue/outbox.ts'
import { replaceHrList } from '../hr-list-service.ts'
import * as merge from '../merge-repository.ts'
import {
  findPersonnelNumberOwner,
  findProfileFields,
  insertPersonRow,
  markPersonVerified,
  updateAccountLocked,
  updatePersonLanguage,
} from '../person-repository.ts'
import { insertPerson, updatePerson, validatePersonValues } from '../person-service.ts'

/** Updates a person's fields; omitted fields stay unchanged. */
export const changePerson: ActHandler<'change-person'> = async (desk, act) => {
  await desk.open('web_users', act.webUserId)
  const values = await validatePersonValues(desk, act)
  await updatePerson(desk, act.webUserId, values)
  await desk.sendDeliveries(await refreshCertificates(desk.tx, { webUserId: act.webUserId }))
  desk.note({ objects: { webUserId: act.webUserId }, after: { fields: Object.keys(values).sort() } })
}

/**
 * Creates an account. With an e-mail address, the person gets an e-mail to choose a password; without one, they get
 * letters instead of e-mails.
 */
export const createPerson: ActHandler<'create-person'> = async (desk, act) => {
  const values = await validatePersonValues(desk, act)
  const webUserId = await insertPerson(desk, values)
  desk.setCreated('web_users', webUserId)
  desk.addAffected({ people: [webUserId] })
  desk.note({ objects: { webUserId }, after: { fields: Object.keys(values).sort() } })
  return { webUserId }
}

/**
 * Creates an account and e-mails an invitation to set it up. The permissions take effect on the first login, which
 * verifies the e-mail address.
 */
export const invitePerson: ActHandler<'invite-person'> = async (desk, { email, language, rights = [] }) => {
  if (await isEmailInUse(desk.tx, email)) desk.fail('failed.emailTaken')
  const webUserId = await insertPersonRow(desk.tx, { email })
  if (language) await updatePersonLanguage(desk.tx, webUserId, language)
  await insertPendingRights(desk.tx, webUserId, rights)
  await insertMail(desk.tx, { webUserId, kind: 'invitation', payload: {} })
  desk.setCreated('web_users', webUserId)
  desk.addAffected({ people: [webUserId] })
  desk.note({ objects: { webUserId }, after: { rights: [...new Set(rights)] } })
  return { webUserId }
}

/** Blocks a person from logging in and ends all their sessions; bookings remain. */
export const lockPerson: ActHandler<'lock-person'> = async (desk, { webUserId }) => {
  await desk.open('web_users', webUserId)
  desk.note({ objects: { webUserId }, after: { state: 'locked' } })
  if (!(await updateAccountLocked(desk.tx, webUserId, true))) desk.fail('failed.deleted')
  await deleteSessions(desk.tx, webUserId)
}

export const unlockPerson: ActHandler<'unlock-person'> = async (desk, { webUserId }) => {
  await desk.open('web_users', webUserId)
  desk.note({ objects: { webUserId }, before: { state: 'locked' } })
  await updateAccountLocked(desk.tx, webUserId, false)
}

/** Marks a person as verified, as if the HR list contained their personnel number. */
export const verifyPerson: ActHandler<'verify-person'> = async (desk, { webUserId }) => {
  await desk.open('web_users', webUserId)
  const { personnelNumber } = await findProfileFields(desk.tx, webUserId)
  const holder = personnelNumber === '' ? null : await findPersonnelNumberOwner(desk.tx, personnelNumber, webUserId)
  if (holder?.isKnown) desk.fail('failed.personnelNumberTaken', { number: personnelNumber })
  desk.note({ objects: { webUserId }, after: { isVerified: true } })
  if (!(await markPersonVerified(desk.tx, webUserId))) desk.fail('failed.deleted')
  await updatePricesOfVerifiedPeople(desk.tx, [webUserId])
}

/** Replaces the entire HR list. People no longer on it become unverified. */
export const saveHrList: ActHandler<'save-eligible'> = async (desk, { rows }) => {
  const { unverified, verified } = await replaceHrList(desk, rows)
  return { unverified, verified }
}

/**
 * Merges two accounts of one person. The remaining account keeps its e-mail address, login and permissions, and takes
 * over everything else.
 */
export const mergePeople: ActHandler<'merge-people'> = async (desk, { webUserId, intoWebUserId }) => {
  const { tx } = desk
  const both = [webUserId, intoWebUserId] as const
  if (webUserId === intoWebUserId) desk.fail('failed.samePerson')
  // Locks courses before people, in the same order as a booking, to prevent deadlocks.
  const courseIds = await merge.lockBookedCourses(tx, both)
  for (const id of both.toSorted((a, b) => a - b)) {
    if (id === webUserId) await desk.open('web_users', id)
    else await desk.touch('web_users', id)
  }
  if (await merge.isAnyAccountDeleted(tx, both)) desk.fail('failed.deleted')
  // Permissions are not merged, so an account with permissions cannot be merged into another one.
  if (await hasRights(tx, webUserId)) desk.fail('failed.hasRights')
  const doubled = await merge.mergeBookings(tx, ...both)
  for (const id of courseIds) await promoteOrCloseWaitingList(tx, id, desk.config.region)
  await merge.mergeAttendance(tx, ...both)
  await merge.reassignAccountData(tx, ...both)
  await updatePricesOfVerifiedPeople(tx, [intoWebUserId])
  await merge.reassignMailsAndLetters(tx, ...both)
  await merge.reassignFollowedCourses(tx, ...both)
  await merge.reassignLogReferences(tx, ...both)
  await merge.deleteMergedPerson(tx, webUserId)
  await desk.sendDeliveries(await refreshCertificates(tx, { webUserId: intoWebUserId }))
  desk.setCreated('web_users', intoWebUserId)
  desk.addAffected({ courses: courseIds, people: [intoWebUserId] })
  desk.note({ objects: { webUserId, intoWebUserId }, after: { doubled } })
  return { webUserId: intoWebUserId }
}
