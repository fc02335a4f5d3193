import { isDeepStrictEqual } from 'node:util'
import type { ProfileRequest } from '#contract/endpoints/accounts.ts'
import type { ConsentKind, GivenConsent } from '#contract/rules/consent-rules.ts'
import { findProfileViolations } from '#contract/rules/profile-rules.ts'
import type { Language } from '#contract/values.ts'
import { trackOutdatedWaitingLists } from '#server/features/bookings/waiting-list-service.ts'
import { refreshCertificatesAndNotify } from '#server/features/certificates/service.ts'
import { updatePricesOfVerifiedPeople } from '#server/features/money/price-repository.ts'
import { findAccount, lockAccount } from '#server/features/session/account-repository.ts'
import { reauthenticate } from '#server/features/session/login-service.ts'
import { checkPasswordStrength, createPasswordHash, verifyPassword } from '#server/features/session/password-service.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { invalidField, sessionInvalid, tooManyRequests } from '#server/platform/http/problems.ts'
import { insertMail, withdrawMails } from '#server/platform/outbox/outbox.ts'
import { delayProbing } from '#server/platform/throttle/login-slowdown.ts'
import { recordThrottleEvent, recordThrottleEventInTx } from '#server/platform/throttle/repository.ts'
import { insertUnverifiedAccount } from './claim-repository.ts'
import * as repository from './repository.ts'
import { findFormValidationData, findUnverifiedAccount, isEmailInUse, updateProfile } from './repository.ts'
import { validateProfile } from './rules.ts'
import { deleteNewEmailLinks, hasNewEmailLink } from './token-repository.ts'

/**
 * Updates the consent to storing the insurance number: a profile with a number gives consent, one without withdraws it.
 * @param version version of the consent text; by default the first one, because earlier versions of the app show that
 * text and send no version
 */
const noteInsuranceNumber = (
  tx: Queryable,
  webUserId: number,
  { bkkNumber, version = '1' }: { bkkNumber: string; version?: GivenConsent['version'] | undefined },
): Promise<number> =>
  bkkNumber === ''
    ? repository.updateConsentWithdrawn(tx, webUserId, 'insurance')
    : repository.insertConsent(tx, webUserId, { kind: 'insurance', version })

/** Withdraws a consent and deletes the data that depend on it. */
export const withdrawConsent = (db: Database, webUserId: number, kind: ConsentKind): Promise<void> =>
  db.transaction(async tx => {
    const withdrawn = await repository.updateConsentWithdrawn(tx, webUserId, kind)
    // A number entered by the office has no stored consent.
    if (kind === 'insurance') await repository.clearInsuranceNumber(tx, webUserId)
    else if (withdrawn > 0) await repository.deleteHealthCourseAttendance(tx, webUserId)
  })

type Caller = { address: string; language: Language }

/**
 * First step of a registration: checks e-mail address and password.
 * @returns Failed for an insecure password
 * @throws HttpProblem 400 naming a field, 429
 */
export async function validateNewCredentials(
  db: Database,
  input: Pick<ProfileRequest, 'email' | 'password' | 'confirmPassword'>,
  address: string,
): Promise<'Ok' | 'Duplicate' | 'Failed'> {
  const { currentYear } = await findFormValidationData(db, null)
  const isHeld = await isEmailInUse(db, input.email)
  const [violation] = findProfileViolations(input, { currentYear, step: 1 })
  if (violation) throw invalidField(violation.field)
  await delayProbing(db, { subject: input.email, address }, isHeld)
  if (isHeld) return 'Duplicate'
  const { isSecure } = await checkPasswordStrength(input.password, input, { name: address })
  return isSecure ? 'Ok' : 'Failed'
}

/**
 * Registers a person and sends them an e-mail with the link that activates the account. Registering an unverified
 * e-mail address again replaces the earlier registration. Repeating the same request is idempotent.
 * @returns Failed for an insecure password
 * @throws HttpProblem 400 naming a field, 429
 */
export async function registerAccount(
  db: Database,
  input: ProfileRequest,
  { address, language }: Caller,
): Promise<'Ok' | 'Duplicate' | 'Failed'> {
  const facts = await findFormValidationData(db, input.divisionId ?? null)
  const isHeld = await isEmailInUse(db, input.email)
  let claim = await findUnverifiedAccount(db, input.email)
  const profile = validateProfile(input, 'registration', facts)
  const asked = { subject: profile.email, address }
  await delayProbing(db, asked, isHeld)
  if (isHeld) return 'Duplicate'
  const waitS = await recordThrottleEvent(db, 'registration', asked)
  if (waitS > 0) throw tooManyRequests(waitS)
  const passwordHash = await createPasswordHash(input.password, profile, { name: address })
  if (passwordHash === null) return 'Failed'
  for (;;) {
    const isSame = claim !== null && isDeepStrictEqual(claim.profile, profile)
    if (isSame && (await verifyPassword(claim?.passwordHash ?? null, input.password, { name: address }))) return 'Ok'
    const replacedHash = claim?.passwordHash ?? null
    const status = await db.transaction(async tx => {
      const inserted = await insertUnverifiedAccount(tx, profile, { passwordHash, language, replacedHash })
      if (inserted.status !== 'Ok') return inserted.status
      await noteInsuranceNumber(tx, inserted.id, { ...profile, version: input.insuranceConsent })
      await insertMail(tx, { webUserId: inserted.id, kind: 'activation', payload: {} })
      return inserted.status
    })
    if (status !== 'Changed') return status
    claim = await findUnverifiedAccount(db, profile.email)
  }
}

type ResendOutcome = { status: 'Ok' | 'NotFound' | 'Active' } | { status: 'Failed'; waitS: number }

/**
 * Resends the activation link.
 * @throws HttpProblem 429
 */
export async function resendActivationMail(db: Database, email: string, address: string): Promise<ResendOutcome> {
  const asked = { subject: email, address }
  const account = await findAccount(db, email)
  await delayProbing(db, asked, account === null)
  if (account === null) return { status: 'NotFound' }
  if (account.state !== 'claimed') return { status: 'Active' }
  const waitS = await recordThrottleEvent(db, 'activation', asked)
  if (waitS > 0) return { status: 'Failed', waitS }
  return db.transaction(async (tx): Promise<ResendOutcome> => {
    if ((await lockAccount(tx, account.id)) === null) return { status: 'NotFound' }
    await insertMail(tx, { webUserId: account.id, kind: 'activation', payload: {} })
    return { status: 'Ok' }
  })
}

type EditOutcome =
  | { status: 'Ok'; isEmailToConfirm: boolean }
  | { status: 'Duplicate' }
  | { status: 'WrongPWorUser'; isMissing: boolean }
  | { status: 'Failed' | 'TooManyFailures'; waitS: number }

/**
 * Updates a profile in one transaction. A new e-mail address takes effect when the link sent to it is confirmed; the
 * old e-mail address is notified. Requires the current password or a login within the past hour, so that a stolen
 * session cannot take over the account. If a request whose response was lost is repeated too soon to send another
 * e-mail, the earlier link stays valid.
 * @throws HttpProblem 400 naming an invalid field, 401 if the account was deleted concurrently, 429
 */
export async function editWebUser(
  db: Database,
  user: SessionUser,
  input: ProfileRequest,
  { address, region }: { address: string; region: string },
): Promise<EditOutcome> {
  const profile = validateProfile(input, 'profile', await findFormValidationData(db, input.divisionId ?? null))
  const isEmailToConfirm = profile.email !== user.email
  if (isEmailToConfirm) {
    const proof = await reauthenticate(db, user, input.password)
    if (proof.status !== 'Ok') return proof
    const isHeld = await isEmailInUse(db, profile.email, user.id)
    await delayProbing(db, { subject: profile.email, address }, isHeld)
    if (isHeld) return { status: 'Duplicate' }
  }
  return db.transaction(async tx => {
    const waitS = isEmailToConfirm
      ? await recordThrottleEventInTx(tx, 'newEmail', { subject: String(user.id), address })
      : 0
    if (waitS > 0 && !(await hasNewEmailLink(tx, user.id, profile.email))) return { status: 'Failed', waitS }
    const updateWaitingLists = await trackOutdatedWaitingLists(tx, region)
    if ((await updateProfile(tx, user.id, profile)) === 0) throw sessionInvalid()
    await noteInsuranceNumber(tx, user.id, { ...profile, version: input.insuranceConsent })
    await updatePricesOfVerifiedPeople(tx, [user.id])
    await refreshCertificatesAndNotify(tx, { webUserId: user.id })
    await updateWaitingLists()
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
