import { doneAtOf, entryKey, type OutboxEntry, readEntry, type ShelfItem, shelve } from './records.ts'
import type { World } from './world.ts'

const UNSENT_KEY = 'AttendanceUnsent'
const LAST_KEY = 'AttendanceLastDoneAt'

/**
 * What is unsent, once more in a small storage beside the database, one line each: written before the database is, so that a
 * database which is taken away, or a write that is cut off, costs nothing. What a line no longer says is named as lost.
 */
export function createNote(storage: World['notes']) {
  let lastDoneAt = 0

  const read = (key: string): string => {
    try {
      return storage?.getItem(key) ?? ''
    } catch {
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
  const lines = (): string[] => read(UNSENT_KEY).split('\n').filter(Boolean)
  const entryIn = (line: string): OutboxEntry | null => readEntry(null, parse(line))

  return {
    /** Takes in entries that are not settled, each in place of the former one of its key. */
    put(entries: OutboxEntry[]): void {
      const keys = new Set(entries.map(entryKey))
      const others = lines().filter(line => {
        const entry = entryIn(line)
        return !(entry && keys.has(entryKey(entry)))
      })
      write(UNSENT_KEY, [...others, ...entries.map(entry => JSON.stringify(entry))].join('\n'))
    },
    /** Forgets changes that are settled. */
    remove(changeIds: string[]): void {
      const gone = new Set(changeIds)
      const before = lines()
      const after = before.filter(line => !gone.has(entryIn(line)?.changeId ?? ''))
      if (after.length < before.length) write(UNSENT_KEY, after.join('\n'))
    },
    /** Forgets a line that says nothing any more. */
    removeLost(key: string): void {
      write(
        UNSENT_KEY,
        lines()
          .filter(line => entryIn(line) !== null || line !== key)
          .join('\n'),
      )
    },
    /** Whether the moments that were given here follow all earlier ones of this device: not where this storage is blocked. */
    isInOrder: (): boolean => Number(read(LAST_KEY)) >= lastDoneAt,
    /** Whether somebody took this storage away since the last tap on this page; told once. */
    wasTakenAway(): boolean {
      const isGone = lastDoneAt > 0 && read(LAST_KEY) === ''
      if (isGone) write(LAST_KEY, String(lastDoneAt))
      return isGone
    },
    readEntries: (): OutboxEntry[] => lines().flatMap(line => entryIn(line) ?? []),
    listLost: (): ShelfItem[] =>
      lines()
        .filter(line => entryIn(line) === null)
        .map(line => shelve('lost', line, parse(line))),
    /** A moment in server time, ms, later than that of every entry before, also when this device's clock is set back. */
    nextDoneAt(now: number, entries: OutboxEntry[]): number {
      const earlier = [lastDoneAt, Number(read(LAST_KEY)) || 0, ...entries.map(doneAtOf)]
      lastDoneAt = Math.max(now, ...earlier.map(at => at + 1))
      write(LAST_KEY, String(lastDoneAt))
      return lastDoneAt
    },
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
