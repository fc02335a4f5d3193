import { Worker } from 'node:worker_threads'
import type { PasswordCheckResult } from '#contract/endpoints/session.ts'
import { listGuessablePersonalWords, type PasswordOwner } from '#contract/rules/common-rules.ts'
import { PASSWORD_MIN_SCORE, unmetPasswordRules } from '#contract/rules/password-rules.ts'
import type { Database } from '#server/platform/db/client.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { sessionInvalid } from '#server/platform/http/problems.ts'
import { PASSWORD_MAIL_KINDS } from '#server/platform/outbox/mail-kinds.ts'
import { insertMail, withdrawMails } from '#server/platform/outbox/outbox.ts'
import { createWorkerThreadRunner } from '#server/platform/process/thread-jobs.ts'
import { createFairQueue, type QueueLane } from '#server/platform/throttle/fair-queue.ts'
import { delayMailRequests } from '#server/platform/throttle/login-slowdown.ts'
import { recordThrottleEvent } from '#server/platform/throttle/repository.ts'
import { deleteDevices } from './device-repository.ts'
import { hashPassword } from './passwords.ts'
import { deleteSessions, findLoginUser, findPasswordOwner, updatePassword } from './repository.ts'
import type { RequestBrowser } from './service.ts'
import type { StrengthRequest } from './strength-worker.ts'

export { verifyPassword } from './passwords.ts'

const judge = createWorkerThreadRunner<StrengthRequest, number>(
  () => new Worker(new URL('./strength-worker.ts', import.meta.url)),
)

// Queue for the worker thread, which checks one password at a time. Callers are served fairly.
const turns = createFairQueue({ atOnce: 1, perLane: 20, inAll: 500, patienceMs: 15_000 })

/**
 * Strength of a password from 0 to 4. Computed in a worker thread, because some passwords take 50 ms. See
 * docs/decisions/0008.
 * @param personalWords personal data that an attacker would try
 */
export const ratePasswordInWorker = (password: string, personalWords: string[], lane: QueueLane): Promise<number> =>
  turns.run(lane, () => judge({ password, personalWords }))

/**
 * Checks the strength of a new password.
 * @param lane caller, used as key of the fair queue
 * @throws HttpProblem 429, 503
 */
export async function checkPasswordStrength(
  password: string,
  owner: PasswordOwner,
  lane: QueueLane,
): Promise<{ isSecure: boolean; score: number }> {
  const score = await ratePasswordInWorker(password, listGuessablePersonalWords(owner), lane)
  return { score, isSecure: score >= PASSWORD_MIN_SCORE && unmetPasswordRules(password).length === 0 }
}

/**
 * Hashes a new password.
 * @returns null if the password is insecure
 */
export async function createPasswordHash(
  password: string,
  owner: PasswordOwner,
  lane: QueueLane,
): Promise<string | null> {
  const { isSecure } = await checkPasswordStrength(password, owner, lane)
  return isSecure ? hashPassword(password, lane) : null
}

/**
 * Changes the password of a logged-in person, ends all their other sessions and sends an e-mail.
 * @throws HttpProblem 401 if the account was deleted concurrently
 */
export async function changePassword(
  db: Database,
  user: SessionUser,
  password: string,
  device: RequestBrowser,
): Promise<PasswordCheckResult> {
  const owner = await findPasswordOwner(db, user.id)
  if (owner === null) throw sessionInvalid()
  const lane = { name: `person ${user.id}`, isKnown: true }
  const { score, isSecure } = await checkPasswordStrength(password, owner, lane)
  if (!isSecure) return { changed: false, passwordScore: score }
  const passwordHash = await hashPassword(password, lane)
  await db.transaction(async tx => {
    if (!(await updatePassword(tx, user.id, passwordHash))) throw sessionInvalid()
    await withdrawMails(tx, user.id, ['new-email', ...PASSWORD_MAIL_KINDS])
    await deleteSessions(tx, user.id, user.tokenHash)
    await deleteDevices(tx, user.id, device.hashes)
    await insertMail(tx, { webUserId: user.id, kind: 'password-changed', payload: {} })
  })
  return { changed: true, passwordScore: score }
}

type ResetOutcome =
  | { status: 'Ok'; webUserId: number }
  | { status: 'WrongPWorUser' }
  | { status: 'NotActive'; isLocked: boolean }
  | { status: 'Failed'; waitS: number }

/**
 * Sends a single-use password, valid for 24 hours, to a registered e-mail address. The old password stays valid until
 * the single-use password is used.
 * @throws HttpProblem 429 after very many requests from one IP address
 */
export async function resetPassword(
  db: Database,
  email: string,
  { address, device }: { address: string; device: RequestBrowser },
): Promise<ResetOutcome> {
  const asked = { subject: email, address }
  const user = await findLoginUser(db, email, device.hashes)
  // Requests from a browser that has logged in to the account before are not delayed, because it would learn nothing
  // new about the account's existence.
  if (!user?.deviceHash) await delayMailRequests(db, address)
  if (user === null) {
    await recordThrottleEvent(db, 'probe', asked)
    return { status: 'WrongPWorUser' }
  }
  if (!user.isActive) return { status: 'NotActive', isLocked: user.isLocked }
  const waitS = await recordThrottleEvent(db, 'reset', asked)
  if (waitS > 0) return { status: 'Failed', waitS }
  const isIssued = await insertMail(db, { webUserId: user.id, kind: 'password-reset', payload: {} })
  return isIssued ? { status: 'Ok', webUserId: user.id } : { status: 'WrongPWorUser' }
}
