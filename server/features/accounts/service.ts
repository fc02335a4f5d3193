import type { WebUserInput } from '#contract/accounts.ts'
import type { Language } from '#contract/values.ts'
import type { Database, Queryable } from '#server/db/client.ts'
import { createPasswordHash } from '#server/features/session/password-service.ts'
import { insertEvent, insertEventIn } from '#server/features/session/throttle-repository.ts'
import { pace } from '#server/features/session/throttle-service.ts'
import type { SessionUser } from '#server/http/mount.ts'
import { invalidField, sessionInvalid } from '#server/http/problems.ts'
import { insertMail, withdrawMails } from '#server/mail/outbox.ts'
import {
  findAccount,
  findCurrentYear,
  findDivision,
  insertAccount,
  lockAccount,
  type StoredProfile,
  updateProfile,
} from './repository.ts'
import { requireProfile } from './rules.ts'
import { deleteNewEmailLinks, hasNewEmailLink } from './token-repository.ts'

type Caller = { address: string; language: Language }

async function requireDivision(db: Queryable, { divisionId }: StoredProfile): Promise<void> {
  if (divisionId !== null && (await findDivision(db, divisionId)) === null) throw invalidField('divisionId')
}

/** Whether an e-mail address is registered. @throws HttpProblem 429 when one network address asks for too many */
export async function isTaken(db: Database, email: string, address: string): Promise<boolean> {
  await pace(db, address)
  if ((await findAccount(db, email)) === null) return false
  await insertEvent(db, 'probe', { subject: email, address })
  return true
}

async function sendActivation(tx: Queryable, webUserId: number): Promise<void> {
  await insertMail(tx, { webUserId, kind: 'activation', payload: {} })
}

/**
 * Registers a person; the account opens with the mailed link.
 * @returns Failed for an insecure password
 * @throws HttpProblem 400 naming a field that breaks a rule, 429
 */
export async function registerAccount(
  db: Database,
  input: WebUserInput,
  { address, language }: Caller,
): Promise<'Ok' | 'Duplicate' | 'Failed'> {
  const profile = requireProfile(input, 'registration', await findCurrentYear(db))
  await requireDivision(db, profile)
  if (await isTaken(db, profile.email, address)) return 'Duplicate'
  await insertEvent(db, 'registration', { subject: profile.email, address })
  const passwordHash = await createPasswordHash(input.password, profile, { name: address })
  if (passwordHash === null) return 'Failed'
  return db.transaction(async tx => {
    const id = await insertAccount(tx, profile, { passwordHash, language })
    if (id === null) return 'Duplicate'
    await sendActivation(tx, id)
    return 'Ok'
  })
}

export type ResendOutcome = { status: 'Ok' | 'NotFound' | 'Active' } | { status: 'Failed'; waitS: number }

/** Mails the activation link again. @throws HttpProblem 429 */
export async function resendActivation(db: Database, email: string, address: string): Promise<ResendOutcome> {
  const asked = { subject: email, address }
  await pace(db, address)
  const account = await findAccount(db, email)
  if (account === null) {
    await insertEvent(db, 'probe', asked)
    return { status: 'NotFound' }
  }
  if (account.isActive) return { status: 'Active' }
  const waitS = await insertEvent(db, 'activation', asked)
  if (waitS > 0) return { status: 'Failed', waitS }
  return db.transaction(async (tx): Promise<ResendOutcome> => {
    if ((await lockAccount(tx, account.id)) === null) return { status: 'NotFound' }
    await sendActivation(tx, account.id)
    return { status: 'Ok' }
  })
}

export type EditOutcome =
  | { status: 'Ok'; isEmailToConfirm: boolean }
  | { status: 'Duplicate' }
  | { status: 'Failed'; waitS: number }

/**
 * Saves a profile, all or nothing. A new e-mail address gets a link and counts once that was opened; the old one is told.
 * Saved again too soon for another mail, because the answer was lost, it has its link already.
 * @throws HttpProblem 400 naming a field that breaks a rule, 401 when the account was just deleted, 429
 */
export async function editProfile(
  db: Database,
  user: SessionUser,
  input: WebUserInput,
  address: string,
): Promise<EditOutcome> {
  const profile = requireProfile(input, 'profile', await findCurrentYear(db))
  await requireDivision(db, profile)
  const isEmailToConfirm = profile.email !== user.email
  if (isEmailToConfirm && (await isTaken(db, profile.email, address))) return { status: 'Duplicate' }
  return db.transaction(async tx => {
    const waitS = isEmailToConfirm ? await insertEventIn(tx, 'newEmail', { subject: String(user.id), address }) : 0
    if (waitS > 0 && !(await hasNewEmailLink(tx, user.id, profile.email))) return { status: 'Failed', waitS }
    if ((await updateProfile(tx, user.id, profile)) === 0) throw sessionInvalid()
    if (isEmailToConfirm && waitS === 0) await sendNewEmailLink(tx, user.id, profile.email)
    return { status: 'Ok', isEmailToConfirm }
  })
}

async function sendNewEmailLink(tx: Queryable, webUserId: number, newEmail: string): Promise<void> {
  await withdrawMails(tx, webUserId, ['new-email'], newEmail)
  await deleteNewEmailLinks(tx, webUserId, newEmail)
  await insertMail(tx, { webUserId, kind: 'new-email', payload: {}, recipient: newEmail })
  await insertMail(tx, { webUserId, kind: 'new-email-notice', payload: { newEmail } })
}
