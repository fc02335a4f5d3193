import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Reminders } from '#contract/endpoints/reminders.ts'

type Reminder = Exclude<keyof Reminders, 'changes'>

/** Reminders that people request themselves, by the kind of their e-mails. */
const REMINDER_OF_MAIL: ReadonlyMap<string, Reminder> = new Map<string, Reminder>([
  ['lesson-eve', 'lessonEve'],
  ['opening', 'opening'],
  ['waiting-news', 'waiting'],
  ['lesson-place', 'lessonPlaces'],
  ['office-report', 'officeReport'],
])

export const canUnsubscribeFrom = (mailKind: string): boolean => REMINDER_OF_MAIL.has(mailKind)

type Unsubscription = { webUserId: number; reminder: Reminder }

const MAC_BYTES = 16
const macOf = (secret: Buffer, named: string): Buffer =>
  createHmac('sha256', secret).update(named).digest().subarray(0, MAC_BYTES)

/** Token that ends one kind of e-mail of one person. It does not expire. */
export function createUnsubscribeToken(secret: Buffer, webUserId: number, mailKind: string): string {
  const named = `${webUserId}.${mailKind}`
  return `${named}.${macOf(secret, named).toString('base64url')}`
}

/** @returns null if the token is not one of this portal */
export function readUnsubscribeToken(secret: Buffer, token: string): Unsubscription | null {
  const [, named = '', webUserId, mailKind = '', signature = ''] =
    /^((\d{1,10})\.([a-z-]+))\.([\w-]{22})$/.exec(token) ?? []
  const mac = Buffer.from(signature, 'base64url')
  const reminder = REMINDER_OF_MAIL.get(mailKind)
  if (!reminder || mac.byteLength !== MAC_BYTES || !timingSafeEqual(mac, macOf(secret, named))) return null
  return { webUserId: Number(webUserId), reminder }
}
