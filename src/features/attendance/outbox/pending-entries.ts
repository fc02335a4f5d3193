import type { StoredRow } from '#lib/indexed-db.ts'
import type { OutboxPlatform } from './platform.ts'
import {
  describeUnreadableRecord,
  isUnsent,
  type KeyedEntry,
  type OutboxEntry,
  type OutboxStatus,
  type OutboxView,
  readEntry,
  type UnreadableRecord,
  withEntryKey,
} from './records.ts'

const UNSENT_KEY = 'AttendanceUnsent'
const LAST_KEY = 'AttendanceLastDoneAt'

type Line = { text: string; of: KeyedEntry | null }

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A truncated line is treated as missing.
    return null
  }
}

/**
 * Journal in localStorage of the entries that the server has not acknowledged yet, one JSON line per entry. Entries are
 * written to the journal before the database, so that neither deletion of the database nor an interrupted write loses
 * an entry. Unreadable lines are reported as lost.
 */
class Journal {
  private storage: OutboxPlatform['notes']
  private lastDoneAt = 0
  private cached: { text: string; lines: Line[] } = { text: '', lines: [] }

  constructor(storage: OutboxPlatform['notes']) {
    this.storage = storage
  }

  private read = (key: string): string => this.storage?.getItem(key) ?? ''
  /** Has no effect if the storage is blocked or full; the page's memory and the database still hold the entries. */
  private write = (key: string, value: string): void => this.storage?.setItem(key, value)

  /** Parses the lines again only if another page has changed them. */
  private lines(): Line[] {
    const text = this.read(UNSENT_KEY)
    if (text !== this.cached.text) {
      const found = text.split('\n').filter(Boolean)
      this.cached = { text, lines: found.map(line => ({ text: line, of: readEntry(null, parse(line)) })) }
    }
    return this.cached.lines
  }

  private store(lines: Line[]): void {
    this.cached = { text: lines.map(({ text }) => text).join('\n'), lines }
    this.write(UNSENT_KEY, this.cached.text)
  }

  /** Adds entries; each one replaces an earlier entry with the same key. */
  put(entries: KeyedEntry[]): void {
    const keys = new Set(entries.map(({ key }) => key))
    const others = this.lines().filter(({ of }) => !(of && keys.has(of.key)))
    this.store([...others, ...entries.map(of => ({ text: JSON.stringify(of.entry), of }))])
  }

  remove(isSettled: (changeId: string) => boolean): void {
    const lines = this.lines()
    const remaining = lines.filter(({ of }) => !(of && isSettled(of.entry.changeId)))
    if (remaining.length < lines.length) this.store(remaining)
  }

  removeLost(line: string): void {
    this.store(this.lines().filter(({ text, of }) => of !== null || text !== line))
  }

  listEntries = (): KeyedEntry[] => this.lines().flatMap(({ of }) => of ?? [])

  listLost = (): UnreadableRecord[] =>
    this.lines().flatMap(({ text, of }) => (of === null ? describeUnreadableRecord('lost', text, parse(text)) : []))

  private lastStored = () => Number(this.read(LAST_KEY)) || 0

  /**
   * Whether the times that this page has assigned to changes are guaranteed to be later than those of all earlier
   * changes on this device. False if the latest assigned time could not be stored in localStorage, for example because
   * it is blocked.
   */
  isInOrder = (): boolean => this.lastStored() >= this.lastDoneAt

  /** Whether the browser has cleared this storage since this page's last change. Reports it only once. */
  wasCleared(): boolean {
    const isCleared = this.lastDoneAt > 0 && this.read(LAST_KEY) === ''
    if (isCleared) this.write(LAST_KEY, String(this.lastDoneAt))
    return isCleared
  }

  /**
   * Returns a server time in ms that is later than that of all earlier entries, even if the device clock was set back.
   */
  nextDoneAt(now: number, earlier: number[]): number {
    this.lastDoneAt = Math.max(now, this.lastDoneAt + 1, this.lastStored() + 1, ...earlier.map(at => at + 1))
    this.write(LAST_KEY, String(this.lastDoneAt))
    return this.lastDoneAt
  }
}

/** An entry, and whether the database contains it. */
type HeldEntry = KeyedEntry & { disk: 'stored' | 'saving' | 'missing' }

/**
 * The entries on this device, merged from the changes made on this page, the database and the journal. All methods are
 * synchronous.
 */
export class PendingEntries {
  readonly condition: OutboxStatus = { disk: 'ok', failures: 0, lastTriedAt: null }
  private journal: Journal
  private byKey = new Map<string, HeldEntry>()
  /**
   * ids of changes that a newer one has replaced; tracked separately, because timestamps from different clocks cannot
   * be compared
   */
  private replaced = new Set<string>()
  /**
   * by key: time of the newest entry that was removed before it was stored in the database; an entry that is found in
   * the database with this key and an earlier time is outdated
   */
  private settledAt = new Map<string, number>()
  private listeners = new Set<(view: OutboxView) => void>()
  private damaged: UnreadableRecord[] = []
  private generation: string | null = null
  private isRead = false

  constructor(notes: OutboxPlatform['notes']) {
    this.journal = new Journal(notes)
  }

  private held = () => [...this.byKey.values()]
  entries = (): OutboxEntry[] => this.held().map(({ entry }) => entry)

  view = (): OutboxView => {
    const ids = (of: HeldEntry[]) => new Set(of.map(({ entry }) => entry.changeId))
    const held = this.held()
    return {
      entries: this.entries(),
      saving: ids(held.filter(({ disk }) => disk === 'saving')),
      unstored: ids(held.filter(({ disk, entry }) => disk === 'missing' && entry.state !== 'confirmed')),
      shelf: [...this.damaged, ...this.journal.listLost()],
      isRead: this.isRead,
      ...this.condition,
    }
  }

  publish(): void {
    const view = this.view()
    for (const listener of this.listeners) listener(view)
  }

  subscribe = (listener: (view: OutboxView) => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Whether the user has no unsent entries; false before the database has been read. */
  isIdle = (userId: number): boolean =>
    this.isRead && !this.entries().some(entry => entry.userId === userId && isUnsent(entry))

  /** The current state of a change; undefined if a newer one has replaced it. */
  find = (changeId: string): HeldEntry | undefined => this.held().find(({ entry }) => entry.changeId === changeId)
  findAll = (of: KeyedEntry[]): HeldEntry[] => of.flatMap(({ entry }) => this.find(entry.changeId) ?? [])

  private set(of: KeyedEntry, disk: HeldEntry['disk']): void {
    const before = this.byKey.get(of.key)?.entry.changeId
    if (before && before !== of.entry.changeId) this.replaced.add(before)
    this.byKey.set(of.key, { ...of, disk })
  }

  /**
   * Adds changes to this page's entries in memory and to the journal.
   * @param now server time in ms
   * @param make creates an entry with the given time
   */
  add<Of>(changes: Of[], now: number, make: (change: Of, doneAt: number) => OutboxEntry): KeyedEntry[] {
    const earlier = this.held().map(({ doneAt }) => doneAt)
    const made = changes.map(change => withEntryKey(make(change, this.journal.nextDoneAt(now, earlier))))
    for (const of of made) this.set(of, 'saving')
    this.journal.put(made)
    this.publish()
    return made
  }

  /** Records the result of a write. Skips entries that newer changes have replaced. */
  noteWritten(written: KeyedEntry[], disk: 'stored' | 'missing'): void {
    for (const of of this.findAll(written)) if (disk === 'stored' || of.disk === 'saving') this.set(of, disk)
    this.publish()
  }

  /** Updates an entry. Returns null if a newer change has replaced it. */
  change(entry: OutboxEntry): HeldEntry | null {
    const before = this.find(entry.changeId)
    if (!before) return null
    const of = { ...before, entry }
    this.byKey.set(of.key, of)
    if (entry.state === 'confirmed') this.journal.remove(id => id === entry.changeId)
    this.publish()
    return of
  }

  /** Removes entries that the server has acknowledged or the user has discarded. */
  forget(entries: OutboxEntry[], isDiscarded = false): HeldEntry[] {
    const ids = new Set(entries.map(({ changeId }) => changeId))
    if (isDiscarded) this.journal.remove(id => ids.has(id))
    const found = this.held().filter(({ entry }) => ids.has(entry.changeId))
    for (const { key, doneAt, disk } of found) {
      this.byKey.delete(key)
      // The times of entries can be compared only if the journal could store the latest assigned time.
      if (disk !== 'stored' && this.journal.isInOrder()) this.settledAt.set(key, doneAt)
    }
    this.publish()
    return found
  }

  dropShelved({ kind, key }: UnreadableRecord): void {
    if (kind === 'lost') this.journal.removeLost(key)
    else this.damaged = this.damaged.filter(of => of.key !== key)
    this.publish()
  }

  /**
   * Merges the database rows into this page's entries.
   * @param generation id of the database
   * @returns whether the database is a different one than before, rows to delete, and entries to write
   */
  merge(rows: StoredRow[], generation: string): { isOther: boolean; outdated: KeyedEntry[]; missing: HeldEntry[] } {
    const isOther = this.generation !== generation
    const wasDeleted = this.generation !== null && isOther
    this.generation = generation
    if (wasDeleted) this.settledAt.clear()
    const { stored, outdated } = this.sortRows(rows)
    if (!this.isRead && !this.journal.isInOrder()) this.moveAfter([...stored.values()])
    for (const of of this.held()) this.mergeRow(of, stored.get(of.key), wasDeleted)
    for (const [key, row] of stored) if (!this.byKey.has(key)) this.set(row, 'stored')
    this.isRead = true
    this.restoreJournal()
    const safe = new Set(this.held().flatMap(({ entry }) => (entry.state === 'confirmed' ? entry.changeId : [])))
    this.journal.remove(id => safe.has(id))
    return { isOther, outdated, missing: this.held().filter(({ disk }) => disk === 'missing') }
  }

  /**
   * Adds the journal entries that other pages have written to the pending entries. Then adds the pending entries that
   * are missing from the database to the journal, or all unconfirmed ones if the browser has cleared the journal.
   */
  restoreJournal(): void {
    for (const of of this.journal.listEntries()) {
      const other = this.byKey.get(of.key)
      if (!other || other.doneAt < of.doneAt) this.set({ ...of, entry: { ...of.entry, state: 'waiting' } }, 'missing')
    }
    const wasCleared = this.journal.wasCleared()
    const lacking = this.held().filter(
      ({ entry, disk }) => entry.state !== 'confirmed' && (wasCleared || disk === 'missing'),
    )
    if (lacking.length > 0) this.journal.put(lacking)
  }

  /**
   * Separates the readable rows into current ones, by key, and outdated ones, whose change has been replaced,
   * acknowledged or discarded. Unreadable rows are added to `damaged`.
   */
  private sortRows(rows: StoredRow[]): { stored: Map<string, KeyedEntry>; outdated: KeyedEntry[] } {
    const stored = new Map<string, KeyedEntry>()
    const outdated: KeyedEntry[] = []
    this.damaged = []
    for (const { key, value } of rows) {
      const of = readEntry(key, value)
      const held = this.byKey.get(key)
      if (!of) {
        if (!held) this.damaged.push(describeUnreadableRecord('damaged', key, value))
        // The row will be overwritten with this page's entry.
        else if (held.disk === 'stored') this.set(held, 'missing')
      } else {
        // A row is outdated if its write timed out but completed after a newer change had been acknowledged.
        const isOutdated = !held && (this.replaced.has(of.entry.changeId) || of.doneAt < (this.settledAt.get(key) ?? 0))
        if (isOutdated) outdated.push(of)
        else stored.set(key, of)
      }
    }
    return { stored, outdated }
  }

  /**
   * Shifts the times of changes made before the first read of the database, so that they are later than those of all
   * stored changes. Needed only if the journal cannot store the latest assigned time.
   */
  private moveAfter(rows: KeyedEntry[]): void {
    const own = new Set(this.entries().map(({ changeId }) => changeId))
    const last = Math.max(...rows.filter(({ entry }) => !own.has(entry.changeId)).map(({ doneAt }) => doneAt))
    const laterMs = last + 1 - Math.min(...this.held().map(({ doneAt }) => doneAt))
    if (!(laterMs > 0 && laterMs < Number.POSITIVE_INFINITY)) return
    for (const { entry, disk } of this.held())
      this.set(withEntryKey({ ...entry, recordedAt: entry.recordedAt + laterMs }), disk)
  }

  private mergeRow(of: HeldEntry, row: KeyedEntry | undefined, wasDeleted: boolean): void {
    const { key, entry, disk } = of
    if (disk === 'saving' && (!row || row.doneAt < of.doneAt)) return
    const isSameChange = row?.entry.changeId === entry.changeId
    // The row is older than the entry in memory, because the database is not updated when sending an attendance change
    // starts.
    if (isSameChange && entry.state === 'sending' && row.entry.attempts < entry.attempts) return
    // The server has responded to the entry, but the resulting state could not be written to the database.
    const isAhead = isSameChange && isUnsent(row.entry) && !isUnsent(entry)
    // Another page has written the row since the database was deleted. The row replaces a confirmed entry even if its
    // timestamp is earlier.
    const isSince =
      wasDeleted && entry.state === 'confirmed' && !isSameChange && !(row && this.replaced.has(row.entry.changeId))
    if (row && !isAhead && (isSince || row.doneAt >= of.doneAt)) this.set(row, 'stored')
    // If a stored entry is missing although the database was not deleted, another page has removed it after it was
    // acknowledged or discarded. If the database was deleted, the entry is written again.
    else if (!row && disk === 'stored' && !wasDeleted) this.byKey.delete(key)
    else this.set(of, 'missing')
  }
}
