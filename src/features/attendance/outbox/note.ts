import { type KeyedEntry, readEntry, type ShelfItem, shelve } from './records.ts'
import type { World } from './world.ts'

const UNSENT_KEY = 'AttendanceUnsent'
const LAST_KEY = 'AttendanceLastDoneAt'

/**
 * What is unsent, once more in a small storage beside the database, one line each: written before the database is, so that a
 * database which is taken away, or a write that is cut off, costs nothing. What a line no longer says is named as lost.
 */
export function createNote(storage: World['notes']) {
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
