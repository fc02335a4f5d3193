import type { Right } from '#contract/rights.ts'
import type { Language } from '#contract/values.ts'
import type { Database, Queryable } from '#server/db/client.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import { hasUnseenItems } from '#server/features/inbox/repository.ts'
import { hashToken } from '#server/http/token.ts'
import { insertMail } from '#server/queue/outbox.ts'
import { insertEventIn } from '#server/throttle/repository.ts'
import { findProfile, type StoredProfile } from './account-repository.ts'
import { findOwnDevice, findWallClock, hasReturningDevice, insertDevice, updateDeviceUse } from './device-repository.ts'
import { createDeviceToken, type Device } from './device-service.ts'
import { findSession, insertSession, takeInvitedRights, updateSessionUse } from './repository.ts'

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

/** null if the session has ended */
export async function findView(db: Database, tokenHash: Buffer): Promise<SessionView | null> {
  const session = await findSession(db, tokenHash)
  if (session === null) return null
  const { webUserId } = session
  const [profile, hasUnreadMessages] = await Promise.all([findProfile(db, webUserId), hasUnseenItems(db, webUserId)])
  return profile && { ...session, profile, hasUnreadMessages }
}

/** Successful login. */
export type OpenedSession = { status: 'Ok'; token: string; view: SessionView }

/**
 * Starts a session for an authenticated person. A browser that is new to the account gets a device token, and the
 * person a mail. @param knownDevice hash of the browser's token for this account, if known
 */
export async function openSession(
  tx: Queryable,
  webUserId: number,
  session: { tokenHash: Buffer; keepSession: boolean; device: Device; language: Language | null },
  knownDevice?: Buffer | null,
): Promise<void> {
  const { tokenHash, keepSession, device, language } = session
  const deviceHash = knownDevice === undefined ? await findOwnDevice(tx, webUserId, device.hashes) : knownDevice
  if (!deviceHash && (await hasReturningDevice(tx, webUserId))) await insertNewDeviceMail(tx, webUserId, device.words)
  await insertSession(tx, { tokenHash, webUserId, isKept: keepSession, device: device.words, language })
  if ((await takeInvitedRights(tx, webUserId)).length > 0)
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

/** Limited per day, because frequent mails would be ignored. */
async function insertNewDeviceMail(tx: Queryable, webUserId: number, device: string): Promise<void> {
  if ((await insertEventIn(tx, 'newDevice', { subject: String(webUserId), address: '' })) > 0) return
  await insertMail(tx, {
    webUserId,
    kind: 'new-device',
    payload: { device, at: toDateTimeValue(await findWallClock(tx)) },
  })
}

/** Session data of a stored token; null if it is unknown, expired or revoked. */
export async function checkSession(db: Database, token: string, device: Device): Promise<SessionView | null> {
  const tokenHash = hashToken(token)
  const view = await findView(db, tokenHash)
  if (view) await updateSessionUse(db, tokenHash)
  if (view && device.hashes.length > 0) await updateDeviceUse(db, device.hashes)
  return view
}
