import { isDeepStrictEqual } from 'node:util'
import type { WebUserInput } from '#contract/accounts.ts'
import type { Language } from '#contract/values.ts'
import type { Database, Queryable } from '#server/db/client.ts'
import { createPasswordHash, verifyPassword } from '#server/features/session/password-service.ts'
import { isLoginRecent } from '#server/features/session/repository.ts'
import { confirmPassword } from '#server/features/session/service.ts'
import { insertEvent, insertEventIn } from '#server/features/session/throttle-repository.ts'
import { pace } from '#server/features/session/throttle-service.ts'
import type { SessionUser } from '#server/http/mount.ts'
import { invalidField, sessionInvalid, tooManyRequests } from '#server/http/problems.ts'
import { insertMail, withdrawMails } from '#server/mail/outbox.ts'
import {
  deleteClaims,
  findAccount,
  findCurrentYear,
  findDivision,
  findProfile,
  insertAccount,
  isAddressHeld,
  lockAccount,
  lockAccountAt,
  type StoredProfile,
  updateProfile,
} from './repository.ts'
import { requireProfile } from './rules.ts'
import { stepTo } from './state-rules.ts'
import { deleteNewEmailLinks, hasNewEmailLink } from './token-repository.ts'

type Caller = { address: string; language: Language }

async function requireDivision(db: Queryable, { divisionId }: StoredProfile): Promise<void> {
  if (divisionId !== null && (await findDivision(db, divisionId)) === null) throw invalidField('divisionId')
}

/**
 * Whether an e-mail address is registered; one that nobody proved is not. @param webUserId who asks, if known
 * @throws HttpProblem 429 when one network address asks for too many
 */
export async function isTaken(
  db: Database,
  email: string,
  address: string,
  webUserId: number | null = null,
): Promise<boolean> {
  await pace(db, address)
  if (!(await isAddressHeld(db, email, webUserId))) return false
  await insertEvent(db, 'probe', { subject: email, address })
  return true
}

async function sendActivation(tx: Queryable, webUserId: number): Promise<void> {
  await insertMail(tx, { webUserId, kind: 'activation', payload: {} })
}

/**
 * Registers a person; the account opens with the mailed link. An address that nobody proved yet is free: who registers it again
 * begins anew, and the links mailed before end.
 * @returns Failed for an insecure password
 * @throws HttpProblem 400 naming a field that breaks a rule, 429
 */
export async function register(
  db: Database,
  input: WebUserInput,
  { address, language }: Caller,
): Promise<'Ok' | 'Duplicate' | 'Failed'> {
  const profile = requireProfile(input, 'registration', await findCurrentYear(db))
  await requireDivision(db, profile)
  if (await isTaken(db, profile.email, address)) return 'Duplicate'
  const waitS = await insertEvent(db, 'registration', { subject: profile.email, address })
  if (waitS > 0) throw tooManyRequests(waitS)
  const passwordHash = await createPasswordHash(input.password, profile, { name: address })
  if (passwordHash === null) return 'Failed'
  for (;;) {
    const sameClaim = await findSameClaim(db, profile, input.password, address)
    const status = await db.transaction(tx => insertClaim(tx, profile, { passwordHash, language, sameClaim }))
    if (status !== null) return status
  }
}

/** A registration sent again because the answer was lost: profile and password are those of the claim. @returns its password's hash */
async function findSameClaim(
  db: Queryable,
  profile: StoredProfile,
  password: string,
  address: string,
): Promise<string | null> {
  const account = await findAccount(db, profile.email)
  if (account?.state !== 'claimed' || !isDeepStrictEqual(await findProfile(db, account.id), profile)) return null
  return (await verifyPassword(account.passwordHash, password, { name: address })) ? account.passwordHash : null
}

/** @returns null when somebody else registered the address at this moment */
async function insertClaim(
  tx: Queryable,
  profile: StoredProfile,
  { passwordHash, language, sameClaim }: { passwordHash: string; language: Language; sameClaim: string | null },
): Promise<'Ok' | 'Duplicate' | null> {
  const account = await lockAccountAt(tx, profile.email)
  if (account && stepTo(account.state, 'register') === null) return 'Duplicate'
  if (account && sameClaim !== null && account.passwordHash === sameClaim) return 'Ok'
  await deleteClaims(tx, [profile.email])
  const id = await insertAccount(tx, profile, { passwordHash, language })
  if (id === null) return null
  await sendActivation(tx, id)
  return 'Ok'
}

export type ResendOutcome = { status: 'Ok' | 'NotFound' | 'Active' } | { status: 'Failed'; waitS: number }

/** Mails the activation link again. @throws HttpProblem 429 */
export async function resendEmail(db: Database, email: string, address: string): Promise<ResendOutcome> {
  const asked = { subject: email, address }
  await pace(db, address)
  const account = await findAccount(db, email)
  if (account === null) {
    await insertEvent(db, 'probe', asked)
    return { status: 'NotFound' }
  }
  if (account.state !== 'claimed') return { status: 'Active' }
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
  | { status: 'WrongPWorUser'; isMissing: boolean }
  | { status: 'Failed' | 'TooManyFailures'; waitS: number }

/**
 * Saves a profile, all or nothing. A new e-mail address gets a link and counts once that was opened; the old one is told.
 * It takes the present password, or a login of this hour: a session that fell into other hands must not give the account away.
 * Saved again too soon for another mail, because the answer was lost, it has its link already.
 * @throws HttpProblem 400 naming a field that breaks a rule, 401 when the account was just deleted, 429
 */
export async function editWebUser(
  db: Database,
  user: SessionUser,
  input: WebUserInput,
  address: string,
): Promise<EditOutcome> {
  const profile = requireProfile(input, 'profile', await findCurrentYear(db))
  await requireDivision(db, profile)
  const isEmailToConfirm = profile.email !== user.email
  const refusal = isEmailToConfirm ? await findRefusal(db, user, input.password) : null
  if (refusal) return refusal
  if (isEmailToConfirm && (await isTaken(db, profile.email, address, user.id))) return { status: 'Duplicate' }
  return db.transaction(async tx => {
    const waitS = isEmailToConfirm ? await insertEventIn(tx, 'newEmail', { subject: String(user.id), address }) : 0
    if (waitS > 0 && !(await hasNewEmailLink(tx, user.id, profile.email))) return { status: 'Failed', waitS }
    if ((await updateProfile(tx, user.id, profile)) === 0) throw sessionInvalid()
    if (isEmailToConfirm && waitS === 0) await sendNewEmailLink(tx, user.id, profile.email)
    return { status: 'Ok', isEmailToConfirm }
  })
}

/** What keeps a session from a new e-mail address; null: nothing. */
async function findRefusal(db: Database, user: SessionUser, password: string): Promise<EditOutcome | null> {
  if (password === '' && (await isLoginRecent(db, user.tokenHash))) return null
  if (password === '') return { status: 'WrongPWorUser', isMissing: true }
  const passwordHash = (await findAccount(db, user.email))?.passwordHash ?? null
  const proof = await confirmPassword(db, { user, passwordHash, password })
  if (proof.status === 'Ok') return null
  return proof.status === 'WrongPWorUser' ? { status: 'WrongPWorUser', isMissing: false } : proof
}

async function sendNewEmailLink(tx: Queryable, webUserId: number, newEmail: string): Promise<void> {
  await withdrawMails(tx, webUserId, ['new-email'], newEmail)
  await deleteNewEmailLinks(tx, webUserId, newEmail)
  await insertMail(tx, { webUserId, kind: 'new-email', payload: {}, recipient: newEmail })
  await insertMail(tx, { webUserId, kind: 'new-email-notice', payload: { newEmail } })
}
