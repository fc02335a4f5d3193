import type { StoredRow } from './database.ts'
import type { createNote } from './note.ts'
import { doneAtOf, entryKey, isUnsent, type OutboxEntry, readEntry, type ShelfItem, shelve } from './records.ts'

/** An entry and where it stands on the disk. */
type HeldEntry = { entry: OutboxEntry; disk: 'stored' | 'saving' | 'missing' }

/** What a page knows of the outbox, laid together from what was tapped in it, the disk and the note. Waits for nothing. */
export function createMemory(note: ReturnType<typeof createNote>) {
  const byKey = new Map<string, HeldEntry>()
  /** changes that a newer one took the place of: told by name, for moments of two clocks cannot be compared */
  const replaced = new Set<string>()
  let outdated: OutboxEntry[] = []
  let damaged: ShelfItem[] = []
  let generation: string | null = null
  let isRead = false

  const entries = () => [...byKey.values()].map(({ entry }) => entry)
  const entriesOnDisk = (wanted: HeldEntry['disk']) =>
    [...byKey.values()].filter(({ disk }) => disk === wanted).map(({ entry }) => entry)
  const find = (entry: OutboxEntry): HeldEntry | undefined => byKey.get(entryKey(entry))
  /** The entry is still the newest of its person and date. */
  const isStill = (entry: OutboxEntry) => find(entry)?.entry.changeId === entry.changeId

  function remember(entry: OutboxEntry, disk: HeldEntry['disk']): void {
    const before = find(entry)?.entry.changeId
    if (before && before !== entry.changeId) replaced.add(before)
    byKey.set(entryKey(entry), { entry, disk })
  }

  /** A write of this entry has ended; a newer change may have taken its place meanwhile. */
  function noteWritten(entry: OutboxEntry, disk: 'stored' | 'missing'): void {
    const now = find(entry)
    if (now?.entry.changeId === entry.changeId) remember(now.entry, disk)
  }

  /** An entry that the disk has no longer, to be written again. @returns false when the page does not know it */
  function missed(key: string): boolean {
    const of = byKey.get(key)
    if (of?.disk === 'stored') of.disk = 'missing'
    return of !== undefined
  }

  /** What was tapped before this page could read the disk, and without a note of the last moment, comes after what lies there. */
  function followStored(rows: OutboxEntry[]): void {
    const own = new Set(entries().map(({ changeId }) => changeId))
    const last = Math.max(...rows.filter(({ changeId }) => !own.has(changeId)).map(doneAtOf))
    const laterMs = last + 1 - Math.min(...entries().map(doneAtOf))
    if (!(laterMs > 0 && laterMs < Number.POSITIVE_INFINITY)) return
    for (const { entry, disk } of byKey.values()) {
      remember({ ...entry, recordedAt: entry.recordedAt + laterMs }, disk)
    }
  }

  /** Takes over what another page noted and the disk does not have, before it died or because it cannot write. */
  function restoreNoted(): void {
    for (const entry of note.readEntries()) {
      const other = find(entry)?.entry
      if (!other || doneAtOf(other) < doneAtOf(entry)) remember({ ...entry, state: 'waiting' }, 'missing')
    }
  }

  /** The rows of the disk that can be read; what cannot goes on the shelf. */
  function readRows(rows: StoredRow[]): Map<string, OutboxEntry> {
    damaged = []
    outdated = []
    const stored = new Map<string, OutboxEntry>()
    for (const { key, value } of rows) {
      const entry = readEntry(key, value)
      // A write that was given up came through after all, when the newer change was settled already.
      if (entry && !byKey.has(key) && replaced.has(entry.changeId)) outdated.push(entry)
      else if (entry) stored.set(key, entry)
      // What the page still knows is written over it.
      else if (!missed(key)) damaged.push(shelve('damaged', key, value))
    }
    return stored
  }

  /**
   * Lays what the disk says over what the page remembers.
   * @param ofGeneration the name of the database that was read
   * @returns whether it is another database than before: other pages may have in memory what it does not have
   */
  function merge(rows: StoredRow[], ofGeneration: string): boolean {
    const isOther = generation !== ofGeneration
    const isTakenAway = generation !== null && isOther
    generation = ofGeneration
    const stored = readRows(rows)
    if (!isRead && !note.isInOrder()) followStored([...stored.values()])
    for (const [key, { entry, disk }] of byKey) {
      const row = stored.get(key)
      if (disk === 'saving' && (!row || doneAtOf(row) < doneAtOf(entry))) continue
      // Settled, and the note of it did not reach the disk.
      const isAhead = row?.changeId === entry.changeId && isUnsent(row) && !isUnsent(entry)
      // Tapped in another page after everything was taken away: what is confirmed here may not cover it, whatever the clocks say.
      const isSince =
        isTakenAway &&
        entry.state === 'confirmed' &&
        row?.changeId !== entry.changeId &&
        !replaced.has(row?.changeId ?? '')
      if (row && !isAhead && (isSince || doneAtOf(row) >= doneAtOf(entry))) remember(row, 'stored')
      // Gone from the same database: another page has settled it. From another one: it was taken away.
      else if (!row && disk === 'stored' && !isTakenAway) byKey.delete(key)
      else remember(entry, 'missing')
    }
    for (const [key, entry] of stored) if (!byKey.has(key)) remember(entry, 'stored')
    restoreNoted()
    isRead = true
    const isOnDisk = ({ entry, disk }: HeldEntry) =>
      entry.state === 'confirmed' || (!isUnsent(entry) && disk === 'stored')
    note.remove([...byKey.values()].filter(isOnDisk).map(({ entry }) => entry.changeId))
    return isOther
  }

  /** Notes what the disk does not have. The small storage may have been taken away too. */
  function noteMissing(): void {
    const isAll = note.wasTakenAway()
    const missing = [...byKey.values()].filter(
      ({ entry, disk }) => entry.state !== 'confirmed' && (isAll || disk === 'missing'),
    )
    if (missing.length > 0) note.put(missing.map(({ entry }) => entry))
  }

  return {
    entries,
    entriesOnDisk,
    find,
    isStill,
    remember,
    noteWritten,
    merge,
    restoreNoted,
    noteMissing,
    forget: (entry: OutboxEntry) => byKey.delete(entryKey(entry)),
    /** the disk has been read once */
    isRead: () => isRead,
    /** rows of changes that were replaced since: to be removed */
    outdated: () => outdated,
    /** records that cannot be read */
    damaged: () => damaged,
    dropDamaged(key: string): void {
      damaged = damaged.filter(of => of.key !== key)
    },
  }
}
