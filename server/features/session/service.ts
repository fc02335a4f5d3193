import type { Credentials } from '#contract/session.ts'
import type { Language } from '#contract/values.ts'
import type { Database } from '#server/db/client.ts'
import { findProfile, type StoredProfile } from '#server/features/accounts/repository.ts'
import { hasUnseenItems } from '#server/features/inbox/repository.ts'
import { createToken, hashToken } from '#server/http/token.ts'
import { fitsMailedPassword, hashPassword, isHashOutdated, verifyPassword } from './passwords.ts'
import {
  consumeMailedPassword,
  findLoginUser,
  findSession,
  insertSession,
  type LoginUser,
  lockPassword,
  updatePasswordHash,
  updateSessionUse,
} from './repository.ts'
import { findWaitS, insertEvent } from './throttle-repository.ts'

/** What the session object tells of a session. */
export type SessionView = {
  webUserId: number
  profile: StoredProfile
  isInstructor: boolean
  isKept: boolean
  isPasswordToChange: boolean
  hasUnreadMessages: boolean
}

async function findView(db: Database, tokenHash: Buffer): Promise<SessionView | null> {
  const session = await findSession(db, tokenHash)
  if (session === null) return null
  const { webUserId } = session
  const [profile, hasUnreadMessages] = await Promise.all([findProfile(db, webUserId), hasUnseenItems(db, webUserId)])
  return profile && { ...session, profile, hasUnreadMessages }
}

export type LoginOutcome =
  | { status: 'Ok'; token: string; view: SessionView }
  | { status: 'WrongPWorUser' | 'NotActive' }
  | { status: 'TooManyFailures'; waitS: number }

type Caller = {
  address: string
  /** null: the person's stored one stays */
  language: Language | null
}

/**
 * Logs in. An unknown user and a wrong password take the same way through the same work. What decides is the number of
 * failures noted when the password has been judged: of many guesses at once only the allowed number learns anything.
 */
export async function logIn(db: Database, credentials: Credentials, caller: Caller): Promise<LoginOutcome> {
  const { password, keepSession } = credentials
  const userName = credentials.userName.toLowerCase()
  const guess = { subject: userName, address: caller.address }
  const refuse = (waitS: number) => ({ status: 'TooManyFailures' as const, waitS })
  const fail = async (): Promise<LoginOutcome> => {
    const waitS = await insertEvent(db, 'login', guess)
    return waitS > 0 ? refuse(waitS) : { status: 'WrongPWorUser' }
  }

  const early = await findWaitS(db, 'login', guess)
  if (early > 0) return refuse(early)
  const user = await findLoginUser(db, userName)
  const fitsOwn = await verifyPassword(user?.passwordHash ?? null, password)
  const fitsMailed = user !== null && fitsMailedPassword(user.mailedPasswordHash, password)
  if (user === null || (!fitsOwn && !fitsMailed)) return fail()

  const late = await findWaitS(db, 'login', guess)
  if (late > 0) return refuse(late)
  if (!user.isActive) return { status: 'NotActive' }
  const token = await startSession(db, user, fitsOwn ? password : null, { keepSession, language: caller.language })
  const view = token === null ? null : await findView(db, hashToken(token))
  return token === null || view === null ? fail() : { status: 'Ok', token, view }
}

/**
 * @param password the person's own; null: the mailed one was given
 * @returns null when that was used, or the password changed, a moment ago
 */
async function startSession(
  db: Database,
  user: LoginUser,
  password: string | null,
  { keepSession, language }: { keepSession: boolean; language: Language | null },
): Promise<string | null> {
  const { id, passwordHash, mailedPasswordHash } = user
  const newHash =
    password !== null && passwordHash !== null && isHashOutdated(passwordHash) ? await hashPassword(password) : null
  const token = createToken()
  return db.transaction(async tx => {
    if (!(await lockPassword(tx, id, passwordHash))) return null
    if (password === null && !(await consumeMailedPassword(tx, id, mailedPasswordHash ?? ''))) return null
    if (newHash !== null) await updatePasswordHash(tx, id, newHash)
    await insertSession(tx, { tokenHash: hashToken(token), webUserId: id, isKept: keepSession, language })
    return token
  })
}

/** What a stored token still gives; null when it is unknown, expired or revoked. */
export async function checkToken(db: Database, token: string): Promise<SessionView | null> {
  const tokenHash = hashToken(token)
  const view = await findView(db, tokenHash)
  if (view) await updateSessionUse(db, tokenHash)
  return view
}

/**
 * Whether a person who is logged in knows their password, for what a session alone must not allow. Failures count like those
 * of a login.
 */
export async function confirmPassword(
  db: Database,
  person: { email: string; passwordHash: string | null; address: string; password: string },
): Promise<{ status: 'Ok' } | { status: 'WrongPWorUser' } | { status: 'TooManyFailures'; waitS: number }> {
  const guess = { subject: person.email, address: person.address }
  const early = await findWaitS(db, 'login', guess)
  if (early > 0) return { status: 'TooManyFailures', waitS: early }
  const fits = await verifyPassword(person.passwordHash, person.password)
  const late = fits ? await findWaitS(db, 'login', guess) : await insertEvent(db, 'login', guess)
  if (late > 0) return { status: 'TooManyFailures', waitS: late }
  return { status: fits ? 'Ok' : 'WrongPWorUser' }
}
