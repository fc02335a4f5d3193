import type { Mark } from '#contract/attendance.ts'
import type { Language } from '#contract/values.ts'
import type { OutboxDatabase, Sender } from './database.ts'
import type { OutboxEntry } from './records.ts'

/** `isEcho`: the answer is about this very entry; `overtakenBy`: what a later change says, where it says otherwise. */
export type SendResult = { isOk: boolean; isEcho: boolean; overtakenBy: Mark | null; message: string }

/** Sends one entry of the outbox as the person who recorded it. @throws ApiError, NoAnswerError */
export type SendEntry = (entry: OutboxEntry, sender: Sender, signal: AbortSignal) => Promise<SendResult>

/** What the outbox uses of the device and the network: the browser's in the app, a made-up one in the simulation. */
export type Platform = {
  /** the device's clock, ms: may jump, so it only says when something happened, never in which order */
  now(): number
  /** server time minus device time in ms, as measured last */
  clockOffsetMs(): number
  /** lower bound of the server time, ms, independent of the device clock; null before this page's first response */
  verifiedServerNow(): number | null
  /** 0 to 1 */
  random(): number
  newId(): string
  /** of the app, as it is chosen now */
  language(): Language
  /** Calls back later. Returns the way to stop that. */
  after(ms: number, act: () => void): () => void
  openDatabase(onLost: () => void): Promise<OutboxDatabase>
  /** a small storage beside the database that answers at once; null where there is none, as in the worker */
  notes: { getItem(key: string): string | null; setItem(key: string, value: string): void } | null
  send: SendEntry
  /** missing where the browser has no Web Locks */
  locks: Pick<LockManager, 'request'> | undefined
  /** Tells the other pages and the worker that the outbox or the lists changed. */
  tell(message: 'changed' | 'lists'): void
  /** Lets the worker send when the page is closed before the network is back. */
  askWorker(): void
}

/** Whose entries are sent, and with which token. */
export type Person = {
  userId: number
  token: string
  /** asked of the portal; without it the app's */
  language?: Language
  /** logged in for good: then the worker may send for this person while no page is open */
  isKept: boolean
}
