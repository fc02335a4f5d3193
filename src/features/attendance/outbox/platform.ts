import {
  changePresence,
  completeParticipation,
  noteDoorGuest,
  type RecordedAttendance,
  recordedAttendanceOf,
} from '#contract/endpoints/attendance.ts'
import type { Language } from '#contract/values.ts'
import { type ApiCall, callEndpoint } from '#lib/call.ts'
import { clockOffsetMs, deviceNow, verifiedServerNow } from '#lib/clock.ts'
import { openDatabase, readAll, readInTransaction, type StoredRow, waitForDbRequest } from '#lib/indexed-db.ts'
import { openChannel, requestSync } from '#lib/service-worker.ts'
import { readLanguage, readSetting, writeSetting } from '#lib/settings.ts'
import { startCancellableTimer } from '#lib/timers.ts'
import { newUuid } from '#lib/uuid.ts'
import {
  changedAtIso,
  type KeyedEntry,
  markOfEntry,
  type OutboxEntry,
  readChangeTimeMs,
  readUnsentEntryUserId,
} from './records.ts'

const NAME = 'attendance-outbox'

/** The user whose entries are sent, and the token to send them with. */
export type OutboxUser = {
  userId: number
  token: string
  /** language of server messages; the app's language by default */
  language?: Language
  /** persistent session: the service worker may send on this user's behalf while no page is open */
  isKept: boolean
}

/** Credentials for background sync. Stored only while the user has unsent entries; deleted at logout. */
export type SenderCredentials = Omit<OutboxUser, 'isKept'>

/**
 * `isEcho`: whether the response refers to the sent entry; `overtakenBy`: attendance status set by a later change, or
 * null if there is no such change or its status is the same
 */
export type SendResult = { isOk: boolean; isEcho: boolean; overtakenBy: RecordedAttendance | null; message: string }

/** Sends one entry with the credentials of the user who recorded it. @throws ApiError, NoResponseError */
export type SendEntry = (entry: OutboxEntry, sender: SenderCredentials, signal: AbortSignal) => Promise<SendResult>

/** The device and network as the outbox uses them: the browser's in the app, simulated ones in tests. */
export type OutboxPlatform = {
  /** device clock in ms; it may jump, so it is used to timestamp changes but not to order them */
  now(): number
  /** server time minus device time in ms, as last measured */
  clockOffsetMs(): number
  /** lower bound of the server time in ms, independent of the device clock; null before this page's first response */
  verifiedServerNow(): number | null
  /** random number between 0 and 1 */
  random(): number
  newId(): string
  /** the app's current language */
  language(): Language
  /** Like `setTimeout`; returns a function that cancels the timer. */
  after(ms: number, act: () => void): () => void
  openDatabase(onLost: () => void): Promise<OutboxDatabase>
  /**
   * synchronous storage in addition to the database; never throws; null or without effect where it is blocked or
   * missing
   */
  notes: { getItem(key: string): string | null; setItem(key: string, value: string): void } | null
  send: SendEntry
  /** undefined in browsers without the Web Locks API */
  locks: Pick<LockManager, 'request'> | undefined
  /** Notifies the other pages and the service worker that the outbox or the lists have changed. */
  tell(message: 'changed' | 'lists'): void
  /** Requests background sync, so that the service worker sends the entries even after the page is closed. */
  askWorker(): void
}

const OUTCOMES: readonly unknown[] = ['Ok', 'Failed']

/** @param sent fields of the request; only a response that repeats all of them refers to the sent entry */
const resultOfResponse = (
  sent: object,
  status: string,
  answer: { message: string },
  overtakenBy: RecordedAttendance | null = null,
): SendResult => ({
  isOk: status === 'Ok',
  isEcho:
    OUTCOMES.includes(status) && Object.entries(sent).every(([name, value]) => Reflect.get(answer, name) === value),
  overtakenBy,
  message: answer.message,
})

/** @param send the client's transport, or a simulated one */
export const createEntrySender =
  (send: ApiCall): SendEntry =>
  async (entry, { token, language }, signal) => {
    const by = { token, language, signal }
    if (entry.kind === 'completion') {
      const body = { courseId: entry.courseId, isCompleted: entry.isCompleted }
      const answer = await send(completeParticipation, { ...by, body })
      return resultOfResponse(body, answer.state, answer)
    }
    if (entry.kind === 'guest') {
      const { courseDateId, guestId, name } = entry
      const sent = { courseDateId, guestId, changeState: entry.isNoted ? 'added' : 'deleted' } as const
      const answer = await send(noteDoorGuest, { ...by, body: { ...sent, name } })
      return resultOfResponse(sent, answer.status, answer)
    }
    const { courseDateId, webUserId, changeId, isPresent, isRecorded, ifUnrecorded, ifChangeIds } = entry
    const sent = { changeState: isPresent ? 'added' : 'deleted', courseDateId, webUserId, changeId } as const
    const answer = await send(changePresence, {
      ...by,
      body: {
        ...sent,
        changedAt: changedAtIso(entry),
        ...(isRecorded === false ? { isRecorded } : {}),
        ...(ifUnrecorded && { ifUnrecorded }),
        ...(ifChangeIds && { ifChangeIds }),
      },
    })
    if (answer.recorded) {
      const stands = recordedAttendanceOf(answer.recorded)
      return resultOfResponse(sent, answer.status, answer, stands === markOfEntry(entry) ? null : stands)
    }
    // The server omits `isUserPresent` if it has applied the change as sent. A server that does not support
    // `isRecorded` has recorded the participant as absent instead of resetting the attendance status to unrecorded.
    const isAsSent = answer.isUserPresent === undefined && answer.isRecorded === isRecorded
    const stands = isAsSent
      ? markOfEntry(entry)
      : recordedAttendanceOf({ ...answer, isUserPresent: answer.isUserPresent ?? isPresent })
    return resultOfResponse(sent, answer.status, answer, stands === markOfEntry(entry) ? null : stands)
  }

const DATABASE = 'attendance'
const VERSION = 1
const ENTRIES = 'entries'
const SENDER = 'sender'
/** Object store for attendance lists and courses; see lists.ts. */
const KEPT = 'kept'
/**
 * Key of this database's id in the sender store. A different id means that the browser has deleted the former database.
 */
const GENERATION = 'generation'

/** Database of the outbox. Each function runs in one transaction. Rows are returned unvalidated. */
export type OutboxDatabase = {
  /** Entries, the id of this database, and whether credentials for background sync are stored. */
  list(): Promise<{ generation: string; rows: StoredRow[]; hasSender: boolean }>
  /**
   * Stores entries, unless the database has a newer one with the same key, and the credentials for background sync.
   */
  put(entries: KeyedEntry[], sender?: SenderCredentials | null): Promise<void>
  /** Updates the entry, unless a newer change has replaced it. */
  replace(of: KeyedEntry): Promise<void>
  /** Deletes the row, whatever it contains. */
  removeRow(key: string): Promise<void>
  readSender(): Promise<SenderCredentials | null>
  /** Deletes the credentials if their user has no unsent entries; always if `isForced`. */
  releaseSender(isForced?: boolean): Promise<void>
  /** Returns the stored rows of attendance lists and courses. */
  listStored(): Promise<StoredRow[]>
  /**
   * Writes attendance lists and courses (null deletes a row), and deletes the entries in `settled` unless newer changes
   * have replaced them.
   */
  writeStored(changes: Record<string, unknown>, settled?: KeyedEntry[]): Promise<void>
  /** Aborts pending transactions. */
  close(): void
}

const isSame = (value: unknown, { entry: { changeId } }: KeyedEntry) =>
  typeof value === 'object' && value !== null && 'changeId' in value && value.changeId === changeId

/**
 * @param onLost called when the browser closes the database; the next use must reopen it
 * @throws DOMException if IndexedDB is denied (`VersionError`: upgraded by a newer version of the app)
 */
export async function openOutboxDatabase(
  factory: IDBFactory = indexedDB,
  onLost: () => void = () => undefined,
): Promise<OutboxDatabase> {
  const database = await openDatabase(
    factory.open(DATABASE, VERSION),
    (fresh, transaction) => {
      for (const store of [ENTRIES, SENDER, KEPT]) fresh.createObjectStore(store)
      transaction?.objectStore(SENDER).put(newUuid(), GENERATION)
    },
    onLost,
  )
  const { read, write, close } = database
  const ifSame = (store: IDBObjectStore, of: KeyedEntry, act: () => void) =>
    readInTransaction(store, of.key, value => isSame(value, of) && act())

  return {
    list: async () => {
      const transaction = read(ENTRIES, SENDER)
      const [rows, generation, senders] = await Promise.all([
        readAll(transaction.objectStore(ENTRIES)),
        waitForDbRequest<unknown>(transaction.objectStore(SENDER).get(GENERATION)),
        waitForDbRequest(transaction.objectStore(SENDER).count(SENDER)),
      ])
      // Databases created by older versions have no id.
      return { rows, generation: String(generation ?? ''), hasSender: senders > 0 }
    },
    put: (entries, sender = null) =>
      write([ENTRIES, SENDER], transaction => {
        const store = transaction.objectStore(ENTRIES)
        for (const { key, doneAt, entry } of entries) {
          readInTransaction(store, key, value => {
            // A write that timed out may still complete later.
            if (value === undefined || readChangeTimeMs(key, value) <= doneAt) store.put(entry, key)
          })
        }
        if (sender) transaction.objectStore(SENDER).put(sender, SENDER)
      }),
    replace: of =>
      write([ENTRIES], transaction => {
        const store = transaction.objectStore(ENTRIES)
        ifSame(store, of, () => store.put(of.entry, of.key))
      }),
    removeRow: key => write([ENTRIES], transaction => transaction.objectStore(ENTRIES).delete(key)),
    readSender: async () => {
      const stored: SenderCredentials | undefined = await waitForDbRequest(read(SENDER).objectStore(SENDER).get(SENDER))
      return stored ?? null
    },
    releaseSender: (isForced = false) =>
      write([ENTRIES, SENDER], transaction => {
        const senders = transaction.objectStore(SENDER)
        readInTransaction(senders, SENDER, stored => {
          const { userId } = (stored ?? {}) as Partial<SenderCredentials>
          const entries: IDBRequest<unknown[]> = transaction.objectStore(ENTRIES).getAll()
          entries.onsuccess = () => {
            if (isForced || !entries.result.some(value => readUnsentEntryUserId(value) === userId))
              senders.delete(SENDER)
          }
        })
      }),
    listStored: () => readAll(read(KEPT).objectStore(KEPT)),
    writeStored: (changes, settled = []) =>
      write([KEPT, ENTRIES], transaction => {
        const rows = transaction.objectStore(KEPT)
        for (const [key, value] of Object.entries(changes)) value === null ? rows.delete(key) : rows.put(value, key)
        const entries = transaction.objectStore(ENTRIES)
        for (const of of settled) ifSame(entries, of, () => entries.delete(of.key))
      }),
    close,
  }
}

const LOCK_PREFIX = 'attendance-session '
/** A browser that does not respond must not delay the list. */
const LOCK_TIMEOUT_MS = 1_000

/**
 * Tracks which sessions are open in tabs of this device. Each tab holds a shared Web Lock for its session, which the
 * browser releases when the tab is closed.
 */
export type OpenSessionTracker = {
  /** Registers this tab's session, replacing the previous one; null registers none. */
  enter(id: string | null): Promise<void>
  list(): Promise<ReadonlySet<string>>
  /**
   * Releases the lock when the user leaves the page, because a lock excludes the page from the back/forward cache.
   */
  pause(): void
  resume(): void
}

/** @param locks undefined in browsers without the Web Locks API; all sessions are then treated as closed */
export function createOpenSessionTracker(
  locks: Pick<LockManager, 'request' | 'query'> | undefined,
  schedule: OutboxPlatform['after'],
): OpenSessionTracker {
  let current: string | null = null
  let release = async () => {}

  const withTimeout = <T>(work: Promise<T>, fallback: T) =>
    new Promise<T>(resolve => {
      const stop = schedule(LOCK_TIMEOUT_MS, () => resolve(fallback))
      // A rejected promise is treated as a timeout.
      const settled = work.catch(() => fallback)
      settled.then(resolve).finally(stop)
    })
  function acquire(): void {
    if (!locks || current === null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const ended = locks.request(LOCK_PREFIX + current, { mode: 'shared' }, () => promise)
    // If the lock is denied, other tabs treat the session as closed.
    ended.catch(() => undefined)
    release = () => {
      release = async () => {}
      resolve()
      return withTimeout(ended, undefined)
    }
  }

  return {
    enter: async id => {
      if (id === current) return
      current = id
      const released = release()
      acquire()
      await released
    },
    list: async () => {
      if (!locks) return new Set()
      const { held = [] } = await withTimeout<LockManagerSnapshot>(locks.query(), {})
      return new Set(held.flatMap(({ name }) => (name?.startsWith(LOCK_PREFIX) ? name.slice(LOCK_PREFIX.length) : [])))
    },
    pause: () => release(),
    resume: acquire,
  }
}

type BrowserPlatform = OutboxPlatform & {
  sessions: OpenSessionTracker
  onMessage(act: (message: unknown) => void): void
  close(): void
}

export const createBrowserPlatform = (): BrowserPlatform => ({
  ...openChannel(NAME),
  now: deviceNow,
  clockOffsetMs,
  verifiedServerNow,
  random: Math.random,
  newId: newUuid,
  language: readLanguage,
  after: startCancellableTimer,
  openDatabase: onLost => openOutboxDatabase(indexedDB, onLost),
  notes: { getItem: readSetting, setItem: writeSetting },
  send: createEntrySender(callEndpoint),
  locks: navigator.locks,
  sessions: createOpenSessionTracker(navigator.locks, startCancellableTimer),
  askWorker: () => requestSync(NAME),
})
