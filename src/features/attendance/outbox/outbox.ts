import { ApiError } from '#lib/api-error.ts'
import { createTaskQueue, runExclusive } from '#lib/exclusive.ts'
import type { StoredRow } from '#lib/indexed-db.ts'
import { createStorageWithTimeout } from '#lib/storage-with-timeout.ts'
import { backoffMs, retryAfterDeviceSleep } from '#lib/timers.ts'
import { PendingEntries } from './pending-entries.ts'
import type { OutboxDatabase, OutboxPlatform, OutboxUser, SenderCredentials } from './platform.ts'
import {
  type EntryInput,
  isUnsent,
  type KeyedEntry,
  needsDecision,
  nextEntryToSend,
  type OutboxEntry,
  type UnreadableRecord,
} from './records.ts'

const LOCK = 'attendance-outbox'
const READ_AGAIN_MS = 5_000
/** If there is no response after this time, background sync is requested in case the page is closed. */
const ASK_WORKER_MS = 1_000
/** Tolerated error of the estimated server time, which depends on the round trips of requests. */
const CLOCK_SLOW_MS = 1_000
/** Status codes below 500 that call for a retry; all others mean that the change was rejected. */
const RETRY_STATUSES = new Set([408, 425, 429])

export type SendOutcome =
  /** this user has no more unsent entries */
  | { outcome: 'done' }
  /** no usable response; `retryAfterMs` is the delay that the server asked for */
  | { outcome: 'later'; retryAfterMs: number | null }
  /** the session has ended: the remaining entries wait for this user's next login */
  | { outcome: 'login' }

type Sent = { entry: OutboxEntry; stop: SendOutcome | null }

/** Sends an entry. Returns its next state and, if sending must stop, the reason why. */
async function attempt(
  entry: OutboxEntry,
  sender: SenderCredentials,
  platform: Pick<OutboxPlatform, 'now' | 'after' | 'send'>,
) {
  const retry = (retryAfterMs: number | null = null): Sent => ({
    entry: { ...entry, state: 'waiting' },
    stop: { outcome: 'later', retryAfterMs },
  })
  const settled = (changes: Partial<OutboxEntry>): Sent => ({
    entry: { ...entry, lastError: '', ...changes } as OutboxEntry,
    stop: null,
  })
  try {
    const send = (signal: AbortSignal) => platform.send(entry, sender, signal)
    const { isOk, isEcho, overtakenBy, message } = await retryAfterDeviceSleep(platform, send)
    if (!isEcho) return retry()
    if (!isOk) return settled({ state: 'refused', lastError: message })
    if (overtakenBy === null) return settled({ state: 'confirmed' })
    return settled({ state: 'overtaken', lastError: message, stands: overtakenBy })
  } catch (error) {
    if (!(error instanceof ApiError)) return retry()
    if (error.status === 401) return { ...retry(), stop: { outcome: 'login' } as const }
    if (error.status >= 500 || RETRY_STATUSES.has(error.status)) {
      return retry(error.retryAfter === null ? null : error.retryAfter * 1000)
    }
    return settled({ state: 'refused', lastError: error.message })
  }
}

type Box = {
  /** Reads all entries again. */
  read(): Promise<OutboxEntry[]>
  /** All entries as last read. */
  known(): OutboxEntry[]
  /** Updates an entry. Resolves with false if a newer change has replaced it. */
  change(entry: OutboxEntry): Promise<boolean>
}

/**
 * Sends each of a user's entries once, until none remains or sending must stop, for example because there is no
 * response. An entry remains unsent until the server has responded to it.
 */
export const sendWaitingEntries = (
  platform: Pick<OutboxPlatform, 'locks' | 'now' | 'after' | 'send'>,
  box: Box,
  sender: SenderCredentials,
): Promise<SendOutcome> =>
  runExclusive(platform, LOCK, async () => {
    const tried = new Set<string>()
    // The initial read is sufficient: pages that add entries send these themselves.
    for (let entries = await box.read(); ; entries = box.known()) {
      const own = entries.filter(({ userId }) => userId === sender.userId)
      const entry = nextEntryToSend(own, tried)
      if (!entry) return own.some(isUnsent) ? { outcome: 'later', retryAfterMs: null } : { outcome: 'done' }
      // This page holds the lock, so whichever page was sending these entries was closed or frozen.
      for (const orphaned of own.filter(of => of !== entry && of.state === 'sending'))
        await box.change({ ...orphaned, state: 'waiting' })
      tried.add(entry.changeId)
      const sending: OutboxEntry = { ...entry, state: 'sending', attempts: entry.attempts + 1 }
      if (!(await box.change(sending))) continue
      const sent = await attempt(sending, sender, platform)
      await box.change(sent.entry)
      if (sent.stop) return sent.stop
    }
  })

/**
 * Attendance outbox: persists changes in IndexedDB until the server acknowledges them. Shared by the page and the
 * service worker. `record` adds a change to the entries in memory, to the journal in localStorage and to the database,
 * and `flush` sends it. Once the server has confirmed a change, `AttendanceLists` applies it to the stored attendance
 * list and calls `settle`, which deletes the entry. See docs/decisions/0013.
 */
export class Outbox {
  private platform: OutboxPlatform
  private pending: PendingEntries
  private storage: ReturnType<typeof createStorageWithTimeout<OutboxDatabase>>
  private person: OutboxUser | null = null
  private isClosed = false
  /** whether the database may contain credentials for background sync */
  private mayHaveSender = true
  private stopReading = () => {}
  private stopRetry = () => {}
  private running: Promise<SendOutcome | null> | null = null
  private isRequestedAgain = false
  /** serializes operations on the page's entries and the database; every database access has a timeout */
  private enqueue = createTaskQueue()

  constructor(platform: OutboxPlatform) {
    this.platform = platform
    this.pending = new PendingEntries(platform.notes)
    this.storage = createStorageWithTimeout<OutboxDatabase>({
      open: onLost => platform.openDatabase(onLost),
      after: platform.after,
      onLost: () => this.refresh(),
      condition: this.pending.condition,
    })
  }

  entries = () => this.pending.view()
  subscribe: PendingEntries['subscribe'] = listener => this.pending.subscribe(listener)

  /**
   * Stores changes, then sends them.
   * @throws if they could be neither stored nor sent; only this page then retries them
   */
  record = async (changes: EntryInput[]): Promise<void> => {
    const [first] = changes
    if (first?.kind === 'completion' && !first.isCompleted && (await this.takeBackClosing(first))) return
    await this.take(changes)
  }

  /** Sends a rejected or superseded change again, as a new change that is later than the one that superseded it. */
  sendAgain = (entry: OutboxEntry): Promise<void> => {
    // The user has decided about this person alone, so the change is unconditional.
    const { changeId: _, ifUnrecorded: __, ifChangeIds: ___, ...change } = { ifUnrecorded: 0, ifChangeIds: 0, ...entry }
    return this.take([change as EntryInput], CLOCK_SLOW_MS)
  }

  /**
   * Takes back a change of many people. An entry that had no effect on the server, or was never sent, is discarded,
   * because undoing it as a new change could replace what somebody else has recorded.
   * @returns the changes that have to be sent because the server may have accepted the entry
   */
  discardIneffective = async (entries: OutboxEntry[]): Promise<OutboxEntry[]> => {
    const isIneffective = (of: OutboxEntry) => needsDecision(of) || (of.state === 'waiting' && of.attempts === 0)
    for (const entry of entries.filter(isIneffective)) await this.discard(entry)
    return entries.filter(of => !isIneffective(of))
  }

  /**
   * Discards a request to close the attendance that was never sent, because reopening cancels it. Returns whether an
   * earlier request to reopen is still pending, so that no other one is needed.
   */
  private async takeBackClosing({ courseId }: EntryInput): Promise<boolean> {
    const pending = this.pending
      .entries()
      .filter(
        of => of.kind === 'completion' && of.courseId === courseId && of.userId === this.person?.userId && isUnsent(of),
      )
    const closing = pending.find(of => of.kind === 'completion' && of.isCompleted)
    if (closing?.state !== 'waiting' || closing.attempts > 0) return false
    await this.discard(closing)
    // The earlier request to reopen is not discarded, because attendance changes recorded after it depend on it.
    return pending.length > 1
  }

  private async take(changes: EntryInput[], laterMs = 0): Promise<void> {
    const { person, pending, platform } = this
    if (!person) throw new Error('attendance change without a session')
    const clockOffsetMs = platform.clockOffsetMs()
    const taken = pending.add(changes, platform.now() + clockOffsetMs + laterMs, (change, doneAt) => ({
      changeId: platform.newId(),
      ...change,
      userId: person.userId,
      recordedAt: doneAt - clockOffsetMs,
      clockOffsetMs,
      state: 'waiting',
      attempts: 0,
      lastError: '',
    }))
    platform.tell('changed')
    // The write is retried later; until then the changes are reported as not stored.
    await this.enqueue(() => this.write(taken)).catch(() => pending.noteWritten(taken, 'missing'))
    platform.tell('changed')
    const listMissing = () => pending.findAll(taken).filter(({ disk }) => disk === 'missing')
    if (listMissing().length === 0) {
      // After a failed attempt, a retry is already scheduled.
      if (pending.condition.failures === 0) this.flush()
      return
    }
    // The change could not be stored on the device, so sending it is the only way to preserve it.
    await this.flush()
    if (listMissing().some(({ entry }) => entry.state !== 'confirmed')) throw new Error('')
  }

  private async write(changes: KeyedEntry[]): Promise<void> {
    const { person } = this
    const entries = this.pending.findAll(changes)
    if (entries.length === 0) return
    const isToSend = entries.some(({ entry }) => isUnsent(entry) && entry.userId === person?.userId)
    const sender = person?.isKept && isToSend ? this.senderOf(person) : null
    if (sender) this.mayHaveSender = true
    await this.storage.run(database => database.put(entries, sender))
    this.pending.noteWritten(entries, 'stored')
  }

  private senderOf = ({ userId, token, language }: OutboxUser): SenderCredentials => ({
    userId,
    token,
    language: language ?? this.platform.language(),
  })

  /** Sends unsent entries. Idempotent; concurrent calls share one run. */
  flush = async (): Promise<SendOutcome | null> => {
    if (!this.person || this.pending.isIdle(this.person.userId)) return null
    this.isRequestedAgain = true
    this.running ??= this.sendOnce().finally(() => {
      this.running = null
    })
    return this.running
  }

  private async sendOnce(): Promise<SendOutcome | null> {
    this.isRequestedAgain = false
    const { person, platform, pending } = this
    if (!person) return null
    const { condition } = pending
    const read = async () => {
      await this.refresh()
      return pending.entries()
    }
    const stopAsking = platform.after(ASK_WORKER_MS, platform.askWorker)
    const box = { read, known: pending.entries, change: this.change }
    const result = await sendWaitingEntries(platform, box, this.senderOf(person)).finally(stopAsking)
    condition.lastTriedAt = platform.now() + platform.clockOffsetMs()
    this.stopRetry()
    if (result.outcome === 'later') {
      condition.failures += 1
      const waitMs = Math.max(result.retryAfterMs ?? 0, backoffMs(condition.failures, platform.random()))
      if (!this.isClosed) this.stopRetry = platform.after(waitMs, this.flush)
      platform.askWorker()
    } else {
      condition.failures = 0
      const isLost = result.outcome === 'login'
      if (this.mayHaveSender) await this.releaseSender(isLost)
    }
    pending.publish()
    // An entry added while the last one was being sent may have been missed.
    return this.isRequestedAgain && result.outcome === 'done' ? this.sendOnce() : result
  }

  private releaseSender = (isForced: boolean): Promise<void> =>
    // A failed deletion of the credentials is retried at the next start; the token they contain expires with its
    // session.
    this.storage.run(database => database.releaseSender(isForced)).catch(() => undefined)

  private change = (entry: OutboxEntry): Promise<boolean> =>
    this.enqueue(async () => {
      const changed = this.pending.change(entry)
      // A request to close the attendance is stored as `sending` before it is sent, because it can no longer be
      // cancelled once the server may have received it.
      const isToStore = changed?.disk === 'stored' && (entry.state !== 'sending' || entry.kind === 'completion')
      // If updating the entry fails, it is sent again; sending is idempotent.
      if (isToStore) await this.storage.run(database => database.replace(changed)).catch(() => undefined)
      if (changed) this.platform.tell('changed')
      return changed !== null
    })

  /**
   * Merges the entries in the database with those in memory, and writes the missing ones to the database. Resolves with
   * false if the database cannot be read.
   */
  refresh = (): Promise<boolean> =>
    this.enqueue(async () => {
      this.stopReading()
      try {
        const { rows, generation, hasSender } = await this.storage.run(database => database.list())
        this.mayHaveSender = hasSender
        const { isOther, outdated, missing } = this.pending.merge(rows, generation)
        if (isOther) this.platform.tell('changed')
        if (outdated.length > 0) await this.storage.run(database => database.writeStored({}, outdated))
        // Includes entries that the server has acknowledged, because the database may contain an earlier change with
        // the same key.
        await this.write(missing)
        if (missing.length > 0) this.platform.tell('changed')
        return true
      } catch {
        // The database does not respond: the page continues with its own entries and the journal, and reads again
        // later.
        this.pending.restoreJournal()
        if (!this.isClosed) {
          this.stopReading = this.platform.after(READ_AGAIN_MS, async () => {
            if (await this.refresh()) this.flush()
          })
        }
        return false
      } finally {
        this.pending.publish()
      }
    })

  /** Deletes an entry, so that the server's value prevails, or deletes an unreadable record. */
  discard = async (item: OutboxEntry | UnreadableRecord): Promise<void> => {
    await this.enqueue(async () => {
      if ('changeId' in item) {
        const of = this.pending.find(item.changeId)
        if (of?.disk === 'stored') await this.storage.run(database => database.writeStored({}, [of]))
        this.pending.forget([item], true)
        return
      }
      if (item.kind === 'damaged') await this.storage.run(database => database.removeRow(item.key))
      this.pending.dropShelved(item)
    })
    this.platform.tell('changed')
  }

  /** Sets the user whose entries are sent. Unsent entries of other users remain. */
  setPerson = async (next: OutboxUser | null): Promise<void> => {
    const isLogout = this.person !== null && next === null
    this.person = next
    this.stopRetry()
    this.pending.condition.failures = 0
    if (isLogout) await this.enqueue(() => this.releaseSender(true))
    await this.refresh()
  }

  /**
   * Sends entries with the stored credentials while no page is open. Resolves with null if there are no credentials.
   */
  sendAsStored = async (): Promise<SendOutcome | null> => {
    const sender = await this.storage.run(database => database.readSender())
    if (!sender) return null
    this.person = { language: 'de', ...sender, isKept: true }
    return this.flush()
  }

  /**
   * Writes attendance lists and courses (null deletes a row), and deletes the confirmed entries that the lists now
   * contain.
   */
  settle = (changes: Record<string, unknown>, settled: OutboxEntry[]): Promise<void> =>
    this.enqueue(async () => {
      const entries = this.pending.forget(settled)
      await this.storage.run(database => database.writeStored(changes, entries))
    })

  readStored = (): Promise<StoredRow[]> => this.enqueue(() => this.storage.run(database => database.listStored()))

  /** Closes the database, because the browser may freeze a page that the user has left. */
  release = (): void => this.storage.release()

  /** Stops all retries. */
  close = (): void => {
    this.isClosed = true
    this.person = null
    this.stopReading()
    this.stopRetry()
    this.storage.close()
  }
}
