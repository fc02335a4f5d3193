import type { StoredRow } from '#lib/indexed-db.ts'
import type { Platform } from './platform.ts'
import {
  type Condition,
  type KeyedEntry,
  keyed,
  type OutboxEntry,
  type OutboxView,
  readEntry,
  readRows,
  type ShelfItem,
  shelve,
  UNSENT,
} from './records.ts'

const UNSENT_KEY = 'AttendanceUnsent'
const LAST_KEY = 'AttendanceLastDoneAt'

/** An entry and where it stands on the disk. */
type HeldEntry = KeyedEntry & { disk: 'stored' | 'saving' | 'missing' }

/**
 * What is unsent, once more in a small storage beside the database, one line each: written before the database is, so that a
 * database which is taken away, or a write that is cut off, costs nothing. What a line no longer says is named as lost.
 */
function createNote(storage: Platform['notes']) {
  let lastDoneAt = 0
  let known: { text: string; lines: { text: string; of: KeyedEntry | null }[] } = { text: '', lines: [] }

  const read = (key: string): string => {
    try {
      return storage?.getItem(key) ?? ''
    } catch {
      // Blocked storage holds nothing.
      return ''
    }
  }
  const write = (key: string, value: string): void => {
    try {
      storage?.setItem(key, value)
    } catch {
      // Blocked or full: the database and the page's memory have to do.
    }
  }
  /** Read anew only when another page has written. */
  function lines(): typeof known.lines {
    const text = read(UNSENT_KEY)
    if (text === known.text) return known.lines
    const found = text.split('\n').filter(Boolean)
    known = { text, lines: found.map(line => ({ text: line, of: readEntry(null, parse(line)) })) }
    return known.lines
  }
  function keep(kept: typeof known.lines): void {
    known = { text: kept.map(({ text }) => text).join('\n'), lines: kept }
    write(UNSENT_KEY, known.text)
  }

  return {
    /** Takes in entries that are not settled, each in place of the former one of its key. */
    put(entries: KeyedEntry[]): void {
      const keys = new Set(entries.map(({ key }) => key))
      const others = lines().filter(({ of }) => !(of && keys.has(of.key)))
      const added = entries.map(({ key, doneAt, entry }) => ({
        text: JSON.stringify(entry),
        of: { key, doneAt, entry },
      }))
      keep([...others, ...added])
    },
    /** Forgets changes that are settled. */
    remove(changeIds: string[]): void {
      const gone = new Set(changeIds)
      const before = lines()
      const after = before.filter(({ of }) => !gone.has(of?.entry.changeId ?? ''))
      if (after.length < before.length) keep(after)
    },
    /** Forgets a line that says nothing any more. */
    removeLost: (key: string) => keep(lines().filter(({ text, of }) => of !== null || text !== key)),
    /** Whether the moments that were given here follow all earlier ones of this device: not where this storage is blocked. */
    isInOrder: (): boolean => Number(read(LAST_KEY)) >= lastDoneAt,
    /** Whether somebody took this storage away since the last tap on this page; told once. */
    wasTakenAway(): boolean {
      const isGone = lastDoneAt > 0 && read(LAST_KEY) === ''
      if (isGone) write(LAST_KEY, String(lastDoneAt))
      return isGone
    },
    listEntries: (): KeyedEntry[] => lines().flatMap(({ of }) => of ?? []),
    listLost: (): ShelfItem[] =>
      lines().flatMap(({ text, of }) => (of === null ? shelve('lost', text, parse(text)) : [])),
    /** A moment in server time, ms, later than that of every entry before, also when this device's clock is set back. */
    nextDoneAt(now: number, earlier: number[]): number {
      lastDoneAt = Math.max(now, lastDoneAt + 1, (Number(read(LAST_KEY)) || 0) + 1, ...earlier.map(at => at + 1))
      write(LAST_KEY, String(lastDoneAt))
      return lastDoneAt
    },
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A line that was cut: as if it were not there.
    return null
  }
}

/** What a page knows of the outbox, from taps, disk and note; whoever listens sees each change at once. Waits for nothing. */
export function createPendingEntries(notes: Platform['notes']) {
  const note = createNote(notes)
  const byKey = new Map<string, HeldEntry>()
  /** changes that a newer one took the place of: told by name, for moments of two clocks cannot be compared */
  const replaced = new Set<string>()
  /** by key: when the newest entry was done that was settled without ever having been on the disk: what lies there is older */
  const settledAt = new Map<string, number>()
  const listeners = new Set<(view: OutboxView) => void>()
  const condition: Condition = { disk: 'ok', failures: 0, lastTriedAt: null }
  let outdated: KeyedEntry[] = []
  let damaged: ShelfItem[] = []
  let generation: string | null = null
  let isRead = false

  const held = () => [...byKey.values()]
  const heldWith = (disk: HeldEntry['disk']) => held().filter(of => of.disk === disk)
  /** The entry as it is now, unless a newer change has taken its place. */
  const find = (changeId: string) => held().find(({ entry }) => entry.changeId === changeId)

  function view(): OutboxView {
    const ids = (of: HeldEntry[]) => new Set(of.map(({ entry }) => entry.changeId))
    return {
      entries: held().map(({ entry }) => entry),
      saving: ids(heldWith('saving')),
      unstored: ids(heldWith('missing').filter(({ entry }) => entry.state !== 'confirmed')),
      shelf: [...damaged, ...note.listLost()],
      isRead,
      ...condition,
    }
  }

  function publish(): void {
    const now = view()
    for (const listener of listeners) listener(now)
  }

  function remember(of: KeyedEntry, disk: HeldEntry['disk']): void {
    const before = byKey.get(of.key)?.entry.changeId
    if (before && before !== of.entry.changeId) replaced.add(before)
    byKey.set(of.key, { ...of, disk })
  }

  /** What was tapped before this page could read the disk, and without a note of the last moment, comes after what lies there. */
  function followStored(rows: KeyedEntry[]): void {
    const own = new Set(held().map(({ entry }) => entry.changeId))
    const last = Math.max(...rows.filter(({ entry }) => !own.has(entry.changeId)).map(({ doneAt }) => doneAt))
    const laterMs = last + 1 - Math.min(...held().map(({ doneAt }) => doneAt))
    if (!(laterMs > 0 && laterMs < Number.POSITIVE_INFINITY)) return
    for (const { entry, disk } of held()) remember(keyed({ ...entry, recordedAt: entry.recordedAt + laterMs }), disk)
  }

  /** Takes over what another page noted and the disk does not have, before it died or because it cannot write. */
  function restoreNoted(): void {
    for (const of of note.listEntries()) {
      const other = byKey.get(of.key)
      if (!other || other.doneAt < of.doneAt) remember({ ...of, entry: { ...of.entry, state: 'waiting' } }, 'missing')
    }
  }

  /** The rows of the disk that can be read, by key; what cannot goes on the shelf. */
  function sortRows(rows: StoredRow[]): Map<string, KeyedEntry> {
    const { entries, unread } = readRows(rows)
    const isOutdated = ({ key, doneAt, entry }: KeyedEntry) =>
      !byKey.has(key) && (replaced.has(entry.changeId) || doneAt < (settledAt.get(key) ?? 0))
    // A write that was given up came through after all, when the newer change was settled already.
    outdated = entries.filter(isOutdated)
    for (const { key } of unread) {
      // What the page still knows is written over it.
      const of = byKey.get(key)
      if (of?.disk === 'stored') of.disk = 'missing'
    }
    damaged = unread.filter(({ key }) => !byKey.has(key)).map(({ key, value }) => shelve('damaged', key, value))
    return new Map(entries.filter(of => !isOutdated(of)).map(of => [of.key, of]))
  }

  return {
    condition,
    view,
    publish,
    subscribe(listener: (view: OutboxView) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    find,
    /** those of them that are still the newest of their place, as they are now */
    findAll: (of: KeyedEntry[]): HeldEntry[] =>
      of.flatMap(({ entry }) => find(entry.changeId) ?? []).map(found => ({ ...found })),
    /** the entries whose write failed, and those of which only the page knows */
    listMissing: (): HeldEntry[] => heldWith('missing').map(of => ({ ...of })),
    /** rows of changes that were replaced since: to be removed */
    listOutdated: () => outdated,
    /** nothing of this person is to be sent; not known before the disk was read */
    isIdle: (userId: number) =>
      isRead && !held().some(({ entry }) => entry.userId === userId && UNSENT.has(entry.state)),

    /**
     * What was tapped is here and in the note from now on.
     * @param now server time, ms @param make makes an entry done at that moment
     */
    add<Of>(taps: Of[], now: number, make: (tap: Of, doneAt: number) => OutboxEntry): KeyedEntry[] {
      const earlier = held().map(({ doneAt }) => doneAt)
      const made = taps.map(tap => keyed(make(tap, note.nextDoneAt(now, earlier))))
      for (const of of made) remember(of, 'saving')
      note.put(made)
      publish()
      return made
    },
    /** A write of these has ended; a newer change may have taken the place of some. */
    noteWritten(written: KeyedEntry[], disk: 'stored' | 'missing'): void {
      for (const { entry } of written) {
        const of = find(entry.changeId)
        if (of && (disk === 'stored' || of.disk === 'saving')) of.disk = disk
      }
      publish()
    },
    /** An entry goes on. @returns it with its place on the disk; null when it is no longer the same change */
    change(entry: OutboxEntry): HeldEntry | null {
      const of = find(entry.changeId)
      if (!of) return null
      of.entry = entry
      if (entry.state === 'confirmed') note.remove([entry.changeId])
      publish()
      return { ...of }
    },
    /** Settled, or the person's decision: nothing is to be known of these any more. */
    forget(entries: OutboxEntry[], isDecided = false): HeldEntry[] {
      if (isDecided) note.remove(entries.map(({ changeId }) => changeId))
      const gone = entries.flatMap(({ changeId }) => find(changeId) ?? [])
      for (const { key, doneAt, disk } of gone) {
        byKey.delete(key)
        // Moments follow each other only where the note of the last one is kept.
        if (disk !== 'stored' && note.isInOrder()) settledAt.set(key, doneAt)
      }
      publish()
      return gone
    },
    dropShelved({ kind, key }: ShelfItem): void {
      if (kind === 'lost') note.removeLost(key)
      else damaged = damaged.filter(of => of.key !== key)
      publish()
    },

    /**
     * Lays the disk over what the page remembers.
     * @param ofGeneration the database's name @returns whether it is another one than before
     */
    merge(rows: StoredRow[], ofGeneration: string): boolean {
      const isOther = generation !== ofGeneration
      const isTakenAway = generation !== null && isOther
      generation = ofGeneration
      if (isTakenAway) settledAt.clear()
      const stored = sortRows(rows)
      if (!isRead && !note.isInOrder()) followStored([...stored.values()])
      for (const of of held()) {
        const { key, entry, disk } = of
        const row = stored.get(key)
        if (disk === 'saving' && (!row || row.doneAt < of.doneAt)) continue
        const isSameChange = row?.entry.changeId === entry.changeId
        // What is under way is not told to the disk.
        if (isSameChange && entry.state === 'sending' && row.entry.attempts < entry.attempts) continue
        // Settled, and the note of it did not reach the disk.
        const isAhead = isSameChange && UNSENT.has(row.entry.state) && !UNSENT.has(entry.state)
        // Tapped in another page after everything was taken away: what is confirmed here may not cover it, whatever the clocks say.
        const isSince =
          isTakenAway && entry.state === 'confirmed' && !isSameChange && !(row && replaced.has(row.entry.changeId))
        if (row && !isAhead && (isSince || row.doneAt >= of.doneAt)) remember(row, 'stored')
        // Gone from the same database: another page has settled it. From another one: it was taken away.
        else if (!row && disk === 'stored' && !isTakenAway) byKey.delete(key)
        else remember(of, 'missing')
      }
      for (const [key, row] of stored) if (!byKey.has(key)) remember(row, 'stored')
      restoreNoted()
      isRead = true
      const isOnDisk = ({ entry, disk }: HeldEntry) =>
        entry.state === 'confirmed' || (disk === 'stored' && !UNSENT.has(entry.state))
      note.remove(
        held()
          .filter(isOnDisk)
          .map(({ entry }) => entry.changeId),
      )
      return isOther
    },
    /** The disk cannot be read: the note says what other pages have. */
    restoreNoted,
    /** Notes what the disk does not have. The small storage may have been taken away too. */
    noteMissing(): void {
      const isAll = note.wasTakenAway()
      const missing = held().filter(({ entry, disk }) => entry.state !== 'confirmed' && (isAll || disk === 'missing'))
      if (missing.length > 0) note.put(missing)
    },
  }
}
