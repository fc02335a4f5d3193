import { sql } from '#server/db/client.ts'
import { isAddressHeld } from '#server/features/accounts/repository.ts'
import { updatePricesOfVerified } from '#server/features/bookings/repository.ts'
import type { ActHandler } from '#server/features/office/desk-service.ts'
import { insertInvitedRights } from '#server/features/office/rights-repository.ts'
import { deleteSessions } from '#server/features/session/repository.ts'
import { insertMail } from '#server/queue/outbox.ts'
import { replaceEligible } from '../hr-list-service.ts'
import { findNumberHolder, findStoredFields, insertPersonRow, updateLanguage } from '../person-repository.ts'
import { insertPerson, requirePerson, updatePerson } from '../person-service.ts'

/** What is left out stays as it is. */
export const changePerson: ActHandler<'change-person'> = async (desk, act) => {
  await desk.open('web_users', act.webUserId)
  const values = await requirePerson(desk, act)
  await updatePerson(desk, act.webUserId, values)
  desk.note({ objects: { webUserId: act.webUserId }, after: { fields: Object.keys(values).sort() } })
}

/** Somebody whom the department knows; with an address they get a mail to choose a password, without one letters. */
export const createPerson: ActHandler<'create-person'> = async (desk, act) => {
  const values = await requirePerson(desk, act)
  const webUserId = await insertPerson(desk, values)
  desk.made('web_users', webUserId)
  desk.concern({ people: [webUserId] })
  desk.note({ objects: { webUserId }, after: { fields: Object.keys(values).sort() } })
  return { webUserId }
}

/** Creates an account with a mail to set it up. Its rights take effect with the first login, which proves the address. */
export const invitePerson: ActHandler<'invite-person'> = async (desk, { email, language, rights = [] }) => {
  if (await isAddressHeld(desk.tx, email)) desk.fail('failed.emailTaken')
  const webUserId = await insertPersonRow(desk.tx, { email })
  if (language) await updateLanguage(desk.tx, webUserId, language)
  await insertInvitedRights(desk.tx, webUserId, rights)
  await insertMail(desk.tx, { webUserId, kind: 'invitation', payload: {} })
  desk.made('web_users', webUserId)
  desk.concern({ people: [webUserId] })
  desk.note({ objects: { webUserId }, after: { rights: [...new Set(rights)] } })
  return { webUserId }
}

/** Sessions end and nobody gets in; bookings stay. */
export const lockPerson: ActHandler<'lock-person'> = async (desk, { webUserId }) => {
  await desk.open('web_users', webUserId)
  desk.note({ objects: { webUserId }, after: { state: 'locked' } })
  const locked = await desk.tx.execute(sql`
    update web_users set locked_at = coalesce(locked_at, clock_timestamp()) where id = ${webUserId} and deleted_at is null`)
  if (locked === 0) desk.fail('failed.deleted')
  await deleteSessions(desk.tx, webUserId)
}

export const unlockPerson: ActHandler<'unlock-person'> = async (desk, { webUserId }) => {
  await desk.open('web_users', webUserId)
  desk.note({ objects: { webUserId }, before: { state: 'locked' } })
  await desk.tx.execute(sql`update web_users set locked_at = null where id = ${webUserId}`)
}

/** As if the HR list named the person. */
export const verifyPerson: ActHandler<'verify-person'> = async (desk, { webUserId }) => {
  await desk.open('web_users', webUserId)
  const { personnelNumber } = await findStoredFields(desk.tx, webUserId)
  const holder = personnelNumber === '' ? null : await findNumberHolder(desk.tx, personnelNumber, webUserId)
  if (holder?.isKnown) desk.fail('failed.personnelNumberTaken', { number: personnelNumber })
  desk.note({ objects: { webUserId }, after: { isVerified: true } })
  const verified = await desk.tx.execute(sql`
    update web_users set known_at = coalesce(known_at, clock_timestamp()) where id = ${webUserId} and deleted_at is null`)
  if (verified === 0) desk.fail('failed.deleted')
  await updatePricesOfVerified(desk.tx, [webUserId])
}

/** The HR list, replaced as a whole: whoever is no longer on it becomes unverified. */
export const saveEligible: ActHandler<'save-eligible'> = async (desk, { rows }) => {
  const { unverified, verified } = await replaceEligible(desk, rows)
  return { unverified, verified }
}
