import { availableParallelism } from 'node:os'
import type { Credentials } from '#contract/endpoints/session.ts'
import { normalizeEmail } from '#contract/normalize.ts'
import type { Language } from '#contract/values.ts'
import { asksForPasskeys } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/db/client.ts'
import { ipv6Prefix48Of } from '#server/platform/http/address.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { logSecurityEvent, pseudonymOf, type SecurityDetails } from '#server/platform/http/security-log.ts'
import { createToken, hashToken } from '#server/platform/http/token.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createFairQueue, type QueueLane } from '#server/platform/throttle/fair-queue.ts'
import {
  assertNotThrottled,
  createFailureAlarm,
  delayCaller,
  findLoginDelay,
} from '#server/platform/throttle/login-slowdown.ts'
import {
  deleteThrottleEvents,
  findWaitSeconds,
  recordThrottleEvent,
  recordThrottleEventInTx,
  type ThrottleCase,
} from '#server/platform/throttle/repository.ts'
import { findAccount } from './account-repository.ts'
import { deleteDevices, findTokenOfKnownDevice } from './device-repository.ts'
import { hashPassword, isHashOutdated, matchesMailedPassword, verifyPassword } from './passwords.ts'
import {
  consumeMailedPassword,
  deleteSessions,
  findLoginUser,
  isLoginRecent,
  type LoginUser,
  lockPassword,
  updatePasswordHash,
} from './repository.ts'
import { findSessionView, type OpenedSession, openSession, type RequestBrowser } from './service.ts'

export type LoginOutcome =
  | OpenedSession
  | { status: 'WrongPWorUser' }
  | { status: 'NotActive'; isLocked: boolean }
  | { status: 'TooManyFailures'; waitS: number }

export type LoginRequestContext = {
  address: string
  device: RequestBrowser
  /** null: the stored language is used */
  language: Language | null
}

/**
 * A whole company may log in from one IP address. The queue of that address may be long, but it alternates with those
 * of other addresses and recognized browsers.
 */
const gate = createFairQueue({
  atOnce: 32,
  atOncePerLane: 2 * availableParallelism(),
  // These queue lengths allow a thousand logins within one second on a small machine. The maximum waiting time is less
  // than 60 s, after which proxies time out.
  perLane: 2_000,
  inAll: 5_000,
  patienceMs: 55_000,
})

/** Maximum number of delayed logins per IP address. */
const MAX_SLOWED = 10

const tooManyFailures = (waitS: number) => ({ status: 'TooManyFailures' as const, waitS })

/**
 * Creates the password login service, which counts failures and limits concurrency. There is one instance per process.
 */
export function createLoginService({ db, log, config }: ServerContext) {
  const watchFailures = createFailureAlarm(db, log)

  /**
   * Finds a user by e-mail address. Addresses stored before normalization was introduced are found as typed, all others
   * in normalized form. Login failures are counted under the returned `userName`.
   */
  const findByUserName = async (typed: string, { hashes }: RequestBrowser) => {
    const userName = normalizeEmail(typed)
    const asTyped = typed.toLowerCase()
    const earlier = asTyped === userName ? null : await findLoginUser(db, asTyped, hashes)
    return earlier
      ? { userName: asTyped, user: earlier }
      : { userName, user: await findLoginUser(db, userName, hashes) }
  }

  /**
   * Verifies a login in constant time, so that an unknown user name cannot be distinguished from a wrong password. The
   * failure count is checked again after verification, so that concurrent attempts cannot exceed the limit.
   */
  const verifyLogin = async (
    credentials: Credentials,
    caller: LoginRequestContext,
    { lane, hasPaused }: { lane: QueueLane; hasPaused: boolean },
  ): Promise<LoginOutcome | { status: 'Slowed'; ms: number }> => {
    if (!lane.isKnown && !hasPaused) assertNotThrottled(caller.address)
    const { password, keepSession } = credentials
    const { userName, user } = await findByUserName(credentials.userName, caller.device)
    const loginAttempt = toLoginAttempt(userName, caller.address, user)
    const early = await findAttemptWaitSeconds(db, loginAttempt)
    if (early > 0) return tooManyFailures(early)
    const { hasFailed, pauseMs } = loginAttempt.isStranger
      ? await findLoginDelay(db, loginAttempt.about, !hasPaused && gate.waitingIn(lane) > MAX_SLOWED)
      : { hasFailed: false, pauseMs: 0 }
    if (pauseMs > 0 && !hasPaused) return { status: 'Slowed', ms: pauseMs }
    const fitsOwn = await verifyPassword(user?.passwordHash ?? null, password, lane)
    const fitsMailed = user !== null && matchesMailedPassword(user.mailedPasswordHash, password)
    const fail = async (): Promise<LoginOutcome> => {
      const waitS = await noteFailure({ db, log }, loginAttempt, user)
      if (waitS === 0) await watchFailures()
      return waitS > 0 ? tooManyFailures(waitS) : { status: 'WrongPWorUser' }
    }
    if (user === null || (!fitsOwn && !fitsMailed)) return fail()

    const late = await findAttemptWaitSeconds(db, loginAttempt)
    if (late > 0) return tooManyFailures(late)
    if (!user.isActive) return { status: 'NotActive', isLocked: user.isLocked }
    const token = await startSession(db, user, fitsOwn ? password : null, {
      keepSession,
      caller,
      lane,
      asksForPasskey: asksForPasskeys(config),
    })
    const view = token === null ? null : await findSessionView(db, hashToken(token))
    if (token === null || view === null) return fail()
    if (hasFailed) await deleteThrottleEvents(db, 'spray', loginAttempt.about)
    if (hasFailed && loginAttempt.site) await deleteThrottleEvents(db, 'site', loginAttempt.site)
    logSecurityEvent(log, 'login.ok', {
      webUserId: user.id,
      isKnownDevice: !loginAttempt.isStranger,
      isMailed: !fitsOwn,
    })
    return { status: 'Ok', token, view }
  }

  return {
    /**
     * Logs a user in.
     * @throws HttpProblem 429 after too many failures from the IP address, 503 if too many logins are waiting
     */
    async login(credentials: Credentials, caller: LoginRequestContext): Promise<LoginOutcome> {
      const { address, device } = caller
      const known = device.hashes.length > 0 ? await findTokenOfKnownDevice(db, device.hashes) : null
      const lane = known ? { name: known.toString('hex'), isKnown: true } : { name: address }
      if (known === null) assertNotThrottled(address)
      const attempt = (hasPaused: boolean) =>
        gate.run(lane, () => verifyLogin(credentials, caller, { lane, hasPaused }))
      const first = await attempt(false)
      if (first.status !== 'Slowed') return first
      // Waits outside the queue, so that delayed logins do not occupy a slot.
      await delayCaller(address, first.ms)
      return (await attempt(true)) as LoginOutcome
    },
  }
}

/** Counters that a failed login attempt increments. */
type LoginAttempt = {
  kind: 'login' | 'device'
  about: ThrottleCase
  address: string
  isStranger: boolean
  /** counter of the /48 network, for unrecognized browsers with IPv6 */
  site: ThrottleCase | null
}

/**
 * Counters for a login attempt. Attempts from unrecognized browsers are counted together, those from a recognized
 * browser separately.
 */
function toLoginAttempt(subject: string, address: string, user: LoginUser | null): LoginAttempt {
  const device = user?.deviceHash
  const site = ipv6Prefix48Of(address)
  return device
    ? { kind: 'device', about: { subject, address: device.toString('hex') }, address, isStranger: false, site: null }
    : {
        kind: 'login',
        about: { subject, address },
        address,
        isStranger: true,
        site: site === null ? null : { subject, address: site },
      }
}

/**
 * Records a failed login attempt.
 * @returns seconds to wait if a limit is reached
 */
async function noteFailure(
  { db, log }: Pick<ServerContext, 'db' | 'log'>,
  loginAttempt: LoginAttempt,
  user: LoginUser | null,
): Promise<number> {
  const { kind, about, isStranger, address } = loginAttempt
  const who: SecurityDetails = user ? { webUserId: user.id } : { name: pseudonymOf(about.subject) }
  const waitS = await db.transaction(async tx => {
    const waitS = await recordThrottleEventInTx(tx, kind, about)
    if (waitS === 0 && isStranger) await recordThrottleEventInTx(tx, 'spray', about)
    if (waitS === 0 && loginAttempt.site) await recordThrottleEventInTx(tx, 'site', loginAttempt.site)
    return waitS
  })
  if (waitS > 0) return waitS
  logSecurityEvent(log, 'login.failed', { ...who, network: pseudonymOf(address), isKnownDevice: !isStranger })
  if ((await findWaitSeconds(db, kind, about)) > 0) logSecurityEvent(log, 'login.limit', who)
  if (isStranger && (await findWaitSeconds(db, 'spray', about)) > 0) {
    logSecurityEvent(log, 'login.limit', { network: pseudonymOf(address) })
  }
  return 0
}

/** Seconds until the next login attempt is accepted. */
const findAttemptWaitSeconds = async (db: Database, { kind, about, site }: LoginAttempt): Promise<number> =>
  Math.max(await findWaitSeconds(db, kind, about), site ? await findWaitSeconds(db, 'site', site) : 0)

/**
 * Starts a session.
 * @param password null if the person used the single-use password sent by e-mail
 * @returns null if the password was consumed or changed concurrently
 */
async function startSession(
  db: Database,
  user: LoginUser,
  password: string | null,
  {
    keepSession,
    caller,
    lane,
    asksForPasskey,
  }: { keepSession: boolean; caller: LoginRequestContext; lane: QueueLane; asksForPasskey: boolean },
): Promise<string | null> {
  const { id, passwordHash, mailedPasswordHash, deviceHash } = user
  const { device, language } = caller
  const newHash =
    password !== null && passwordHash !== null && isHashOutdated(passwordHash)
      ? await hashPassword(password, lane)
      : null
  const token = createToken()
  const isStarted = await db.transaction(async tx => {
    if (!(await lockPassword(tx, id, passwordHash, newHash !== null || password === null))) return false
    if (password === null && !(await consumeMailedPassword(tx, id, mailedPasswordHash ?? ''))) return false
    if (newHash !== null) await updatePasswordHash(tx, id, newHash)
    // After a reset, other sessions are ended, because they may belong to someone who knows the old password.
    if (password === null) {
      await deleteSessions(tx, id)
      await deleteDevices(tx, id, device.hashes)
    }
    await openSession(
      tx,
      id,
      { tokenHash: hashToken(token), keepSession, device, language, asksForPasskey },
      deviceHash,
    )
    return true
  })
  return isStarted ? token : null
}

export type Reauthentication =
  | { status: 'Ok' }
  | { status: 'WrongPWorUser'; isMissing: boolean }
  | { status: 'TooManyFailures'; waitS: number }

/** Authorizes a sensitive action. Requires a login within the past hour or the password. */
export async function reauthenticate(db: Database, user: SessionUser, password: string): Promise<Reauthentication> {
  if (password === '')
    return (await isLoginRecent(db, user.tokenHash)) ? { status: 'Ok' } : { status: 'WrongPWorUser', isMissing: true }
  const passwordHash = (await findAccount(db, user.email))?.passwordHash ?? null
  const proof = await confirmPassword(db, { user, passwordHash, password })
  return proof.status === 'WrongPWorUser' ? { status: 'WrongPWorUser', isMissing: false } : proof
}

/**
 * Verifies the password of a logged-in user. Failures are counted per session, so that attackers cannot lock the user
 * out.
 */
export async function confirmPassword(
  db: Database,
  { user, passwordHash, password }: { user: SessionUser; passwordHash: string | null; password: string },
): Promise<{ status: 'Ok' } | { status: 'WrongPWorUser' } | { status: 'TooManyFailures'; waitS: number }> {
  const loginAttempt = { subject: user.email, address: user.tokenHash.toString('hex') }
  const early = await findWaitSeconds(db, 'confirm', loginAttempt)
  if (early > 0) return tooManyFailures(early)
  const fits = await verifyPassword(passwordHash, password, { name: `person ${user.id}`, isKnown: true })
  const late = fits
    ? await findWaitSeconds(db, 'confirm', loginAttempt)
    : await recordThrottleEvent(db, 'confirm', loginAttempt)
  if (late > 0) return tooManyFailures(late)
  return { status: fits ? 'Ok' : 'WrongPWorUser' }
}
