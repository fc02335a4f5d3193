import type { OwnSession } from '#contract/endpoints/session.ts'
import { ANONYMOUS_SESSION, type Session } from '#contract/endpoints/session.ts'
import type { ApiCallOutcome, Language, Right } from '#contract/values.ts'
import { hasUnseenMessages } from '#server/features/inbox/repository.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import type { Cookies } from '#server/platform/http/cookies.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { createToken, hashToken } from '#server/platform/http/token.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { recordThrottleEventInTx } from '#server/platform/throttle/repository.ts'
import { findProfile, type StoredProfile } from './account-repository.ts'
import {
  deleteDevices,
  findDeviceOfAccount,
  findLocalTime,
  hasReturningDevice,
  insertDevice,
  updateDeviceUse,
} from './device-repository.ts'
import * as repository from './repository.ts'
import { findSession, grantInvitationRights, insertSession, updateSessionUse } from './repository.ts'
import {
  describeDevice,
  isDivisionMissing,
  isProfileIncomplete,
  KNOWN_BROWSER_RETENTION_DAYS,
  MAX_ACCOUNTS_PER_BROWSER,
} from './rules.ts'

export type SessionView = {
  webUserId: number
  profile: StoredProfile
  isInstructor: boolean
  rights: Right[]
  isKept: boolean
  isPasswordToChange: boolean
  isByCompany: boolean
  hasUnreadMessages: boolean
}

/** Returns the data of a session; null if it has ended. */
export async function findSessionView(db: Database, tokenHash: Buffer): Promise<SessionView | null> {
  const session = await findSession(db, tokenHash)
  if (session === null) return null
  const { webUserId } = session
  const [profile, hasUnreadMessages] = await Promise.all([findProfile(db, webUserId), hasUnseenMessages(db, webUserId)])
  return profile && { ...session, profile, hasUnreadMessages }
}

/** Successful login. */
export type OpenedSession = { status: 'Ok'; token: string; view: SessionView }

/**
 * Starts a session for an authenticated person. A browser that is new to the account gets a device token, and the
 * person gets an e-mail.
 * @param knownDevice hash of the browser's token for this account, if there is one
 */
export async function openSession(
  tx: Queryable,
  webUserId: number,
  session: {
    tokenHash: Buffer
    keepSession: boolean
    device: RequestBrowser
    language: Language | null
    /** whether the rights of an invitation, which the first login grants, come with a link for a passkey */
    asksForPasskey: boolean
  },
  knownDevice?: Buffer | null,
): Promise<void> {
  const { tokenHash, keepSession, device, language, asksForPasskey } = session
  const deviceHash = knownDevice === undefined ? await findDeviceOfAccount(tx, webUserId, device.hashes) : knownDevice
  if (!deviceHash && (await hasReturningDevice(tx, webUserId))) await insertNewDeviceMail(tx, webUserId, device.words)
  await insertSession(tx, { tokenHash, webUserId, isKept: keepSession, device: device.words, language })
  if ((await grantInvitationRights(tx, webUserId)).length > 0 && asksForPasskey)
    await insertMail(tx, { webUserId, kind: 'passkey-link', payload: {} })
  if (deviceHash) {
    await updateDeviceUse(tx, [deviceHash])
    device.renew()
    return
  }
  const own = createDeviceToken()
  await insertDevice(tx, webUserId, own.tokenHash)
  device.remember(own.token)
}

/** Sends an e-mail about a new device. Limited per day, because people would ignore frequent ones. */
async function insertNewDeviceMail(tx: Queryable, webUserId: number, device: string): Promise<void> {
  if ((await recordThrottleEventInTx(tx, 'newDevice', { subject: String(webUserId), address: '' })) > 0) return
  await insertMail(tx, {
    webUserId,
    kind: 'new-device',
    payload: { device, at: toDateTimeValue(await findLocalTime(tx)) },
  })
}

/** Finds a session by its token; null if the token is unknown, expired or revoked. */
export async function checkSession(db: Database, token: string, device: RequestBrowser): Promise<SessionView | null> {
  const tokenHash = hashToken(token)
  const view = await findSessionView(db, tokenHash)
  if (view) await updateSessionUse(db, tokenHash)
  if (view && device.hashes.length > 0) await updateDeviceUse(db, device.hashes)
  return view
}

export async function listSessions(db: Database, user: SessionUser): Promise<OwnSession[]> {
  const sessions = await repository.listSessions(db, user.id, user.tokenHash)
  return sessions.map(({ startedAt, lastUsedAt, ...session }) => ({
    ...session,
    startedAt: toDateTimeValue(startedAt),
    lastUsedAt: toDateTimeValue(lastUsedAt),
  }))
}

/**
 * Ends all other sessions of a person and forgets all other browsers.
 * @returns number of sessions
 */
export const endOtherSessions = (db: Database, user: SessionUser, device: RequestBrowser): Promise<number> =>
  db.transaction(async tx => {
    await deleteDevices(tx, user.id, device.hashes)
    return repository.deleteSessions(tx, user.id, user.tokenHash)
  })

const COOKIE = 'Device'
const TOKEN = /^[\w-]{43}$/
const DAY_S = 86_400

/** Browser that sent a request. */
export type RequestBrowser = {
  /** coarse description of the device; '' if unknown */
  words: string
  /** hashes of the browser's device tokens, one per account that has logged in */
  hashes: Buffer[]
  /** Adds a device token to the cookie. */
  remember(token: string): void
  /** Renews the cookie's lifetime. */
  renew(): void
}

/**
 * Reads the device cookie, which contains one token per account and survives a logout. It grants no access; it only
 * marks a browser that has logged in before. Tokens are generated per browser and account and never adopted from
 * elsewhere, so that an attacker cannot plant one in another browser.
 */
export function readRequestBrowser(cookies: Cookies, request: Request): RequestBrowser {
  const tokens = cookies
    .get(COOKIE)
    .split('.')
    .filter(token => TOKEN.test(token))
    .slice(0, MAX_ACCOUNTS_PER_BROWSER)
  const write = (tokens: string[]) => cookies.set(COOKIE, tokens.join('.'), KNOWN_BROWSER_RETENTION_DAYS * DAY_S)
  return {
    words: describeDevice(request.headers.get('User-Agent') ?? ''),
    hashes: tokens.map(hashToken),
    remember: token => write([token, ...tokens].slice(0, MAX_ACCOUNTS_PER_BROWSER)),
    renew: () => write(tokens),
  }
}

function createDeviceToken(): { token: string; tokenHash: Buffer } {
  const token = createToken()
  return { token, tokenHash: hashToken(token) }
}

export const toSessionResponse = (
  token: string,
  { webUserId, profile, isKept, isInstructor, isPasswordToChange, isByCompany, rights, hasUnreadMessages }: SessionView,
): Session => ({
  id: token,
  webUserId,
  userName: profile.email,
  givenName: profile.givenName,
  familyName: profile.familyName,
  isInstructor,
  keepSession: isKept,
  employeeStatus: profile.employeeStatus ?? 0,
  isDivisionToSet: isDivisionMissing(profile),
  isProfileToComplete: isProfileIncomplete(profile),
  hasUnreadMessages,
  isPasswordToChange,
  rights,
  ...(isByCompany && { isByCompany }),
  status: 'Ok',
  message: '',
})

export const toNoSessionResponse = (outcome: ApiCallOutcome): Session => ({ ...ANONYMOUS_SESSION, ...outcome })
