import * as v from 'valibot'
import { GUEST_NAME_LENGTH, type Mark, markOf } from '#contract/attendance.ts'
import type { StoredRow } from '#lib/indexed-db.ts'
import type { StorageHealth } from '#lib/storage-with-timeout.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const id = v.pipe(v.number(), v.integer(), v.minValue(1))
/** Within what a date can hold, also as the sum of two. */
const milliseconds = v.pipe(v.number(), v.minValue(-4e15), v.maxValue(4e15))

/** What an instructor did and the server has not confirmed yet. No token. */
const entry = {
  /** names this change for good: the server takes it once */
  changeId: v.pipe(v.string(), v.uuid()),
  /** the web user who did it: only that person's session sends it */
  userId: id,
  courseId: id,
  /** device time in ms, never before the entry made last on this device, also when its clock is set back */
  recordedAt: milliseconds,
  /** server time minus device time in ms, as measured last before it was recorded */
  clockOffsetMs: milliseconds,
  /**
   * `waiting` on this phone; `sending` on its way (found so at start: unknown, so sent again); `refused` by the server;
   * `overtaken`: taken, but a later change stands that says otherwise; `confirmed`, kept until the list shows it
   */
  state: v.picklist(['waiting', 'sending', 'refused', 'overtaken', 'confirmed']),
  attempts: count,
  /** why it was refused or what overtook it: a sentence of the server, or '' */
  lastError: v.string(),
  /** words for a notice that no list stands beside; missing in what an older version stored */
  about: v.optional(v.object({ name: v.string(), name2: v.string() })),
}

const tick = v.object({
  ...entry,
  kind: v.literal('tick'),
  courseDateId: id,
  webUserId: id,
  isPresent: v.boolean(),
  /** false: what was recorded is taken back, as if nobody had said anything; never with `isPresent` */
  isRecorded: v.optional(v.literal(false)),
  /** what the portal has instead, where it was overtaken; missing in what an older version stored */
  stands: v.optional(v.picklist(['none', 'present', 'absent'])),
})
const completion = v.object({ ...entry, kind: v.literal('completion'), isCompleted: v.boolean() })
const guest = v.object({
  ...entry,
  kind: v.literal('guest'),
  courseDateId: id,
  /** names the note for good */
  guestId: v.pipe(v.string(), v.uuid()),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(GUEST_NAME_LENGTH)),
  /** false: taken back */
  isNoted: v.boolean(),
})
const outboxEntry = v.variant('kind', [tick, completion, guest])

export type Tick = v.InferOutput<typeof tick>

export const markOfTick = ({ isPresent, isRecorded }: Pick<Tick, 'isPresent' | 'isRecorded'>): Mark =>
  markOf({ isUserPresent: isPresent, isRecorded: isRecorded !== false })

export const tickOf = (mark: Mark): Pick<Tick, 'isPresent' | 'isRecorded'> => ({
  isPresent: mark === 'present',
  ...(mark === 'none' ? { isRecorded: false } : {}),
})

export type Completion = v.InferOutput<typeof completion>

/** Somebody at the door who is not on the list: the one entry with a name, until the portal has it. See docs/decisions/0080. */
export type Guest = v.InferOutput<typeof guest>

export type OutboxEntry = Tick | Completion | Guest

type Recorded = 'courseId' | 'about'
/** What a tap says; the outbox makes an entry of it. */
export type Change =
  | Pick<Tick, 'kind' | 'courseDateId' | 'webUserId' | 'isPresent' | 'isRecorded' | Recorded>
  | Pick<Completion, 'kind' | 'isCompleted' | Recorded>
  | Pick<Guest, 'kind' | 'courseDateId' | 'guestId' | 'name' | 'isNoted' | Recorded>

/** A record that this version cannot read: a half-written disk, or a later version's. It stays where it is until the person decides. */
export type ShelfItem = {
  /** `damaged` lies in the database; `lost` is what the note beside a lost database still says */
  kind: 'damaged' | 'lost'
  key: string
  /** what can be made out of it: when (server time, ms since 1970), for which course */
  doneAt: number | null
  courseId: number | null
  about?: OutboxEntry['about']
}

/**
 * One entry per person and date, one per guest, and one per course for closing and for reopening: a newer one takes the older one's place.
 * See docs/decisions/0013.
 */
export function entryKey(of: OutboxEntry): string {
  if (of.kind === 'tick') return `${of.userId}/tick/${of.courseDateId}/${of.webUserId}`
  if (of.kind === 'guest') return `${of.userId}/guest/${of.guestId}`
  return `${of.userId}/${of.isCompleted ? 'close' : 'reopen'}/${of.courseId}`
}

/** An entry with what it is found and ordered by: `key` as `entryKey` makes it, `doneAt` in server time, ms. */
export type KeyedEntry = { key: string; doneAt: number; entry: OutboxEntry }

export const keyed = (of: OutboxEntry): KeyedEntry => ({ key: entryKey(of), doneAt: doneAtOf(of), entry: of })

/** The entry of a stored record, or null when it is none or lies in a place that is not its own. */
export function readEntry(key: string | null, value: unknown): KeyedEntry | null {
  const read = v.safeParse(outboxEntry, value)
  if (!read.success) return null
  const found = keyed(read.output)
  return key === null || key === found.key ? found : null
}

/** The records of a disk: those that can be read, and the others as they were found. */
export function readRows(rows: StoredRow[]): { entries: KeyedEntry[]; unread: StoredRow[] } {
  const entries: KeyedEntry[] = []
  const unread: StoredRow[] = []
  for (const row of rows) {
    const entry = readEntry(row.key, row.value)
    if (entry) entries.push(entry)
    else unread.push(row)
  }
  return { entries, unread }
}

/** When a stored record was done, in server time, ms; before everything when it is none. */
export const readWhenDone = (key: string, value: unknown): number =>
  readEntry(key, value)?.doneAt ?? Number.NEGATIVE_INFINITY

/** Whose unsent entry a stored record is; null when it is none. */
export function readUnsentOwner(value: unknown): number | null {
  const of = readEntry(null, value)?.entry
  return of && isUnsent(of) ? of.userId : null
}

const hint = v.object({
  recordedAt: v.fallback(v.nullable(milliseconds), null),
  clockOffsetMs: v.fallback(milliseconds, 0),
  courseId: v.fallback(v.nullable(id), null),
  about: v.fallback(entry.about, undefined),
})

/** A record that is no entry, with what can be made out of it. */
export function shelve(kind: ShelfItem['kind'], key: string, value: unknown): ShelfItem {
  const read = v.safeParse(hint, value)
  if (!read.success) return { kind, key, doneAt: null, courseId: null }
  const { recordedAt, clockOffsetMs, ...rest } = read.output
  return { kind, key, ...rest, doneAt: recordedAt === null ? null : recordedAt + clockOffsetMs }
}

/** When it was done, in server time, ms. */
export const doneAtOf = (of: OutboxEntry): number => of.recordedAt + of.clockOffsetMs

/** The same as ISO 8601. */
export const changedAtOf = (of: OutboxEntry): string => new Date(doneAtOf(of)).toISOString()

/** Not settled yet: to be sent, or on its way. */
export const UNSENT: ReadonlySet<OutboxEntry['state']> = new Set(['waiting', 'sending'])
export const isUnsent = ({ state }: OutboxEntry): boolean => UNSENT.has(state)

/** The server has answered, and the person decides. */
export const isToDecide = ({ state }: OutboxEntry): boolean => state === 'refused' || state === 'overtaken'

/**
 * Closing waits behind earlier ticks of its course, ticks behind an earlier reopening; then what failed least goes first, so that one
 * entry that always fails holds up nothing else. @param tried in this run already: they wait for the next one
 */
export function nextToSend(
  entries: OutboxEntry[],
  userId: number,
  tried: ReadonlySet<string> = new Set(),
): OutboxEntry | undefined {
  const unsent = entries.filter(of => of.userId === userId && isUnsent(of))
  const completions = unsent.filter(({ kind }) => kind === 'completion')
  const isBehind = (of: OutboxEntry) =>
    (of.kind === 'completion' ? unsent : completions).some(
      other => other.courseId === of.courseId && doneAtOf(other) < doneAtOf(of),
    )
  const before = (a: OutboxEntry, b: OutboxEntry) => a.attempts - b.attempts || doneAtOf(a) - doneAtOf(b)
  return unsent.sort(before).find(of => !tried.has(of.changeId) && !isBehind(of))
}

export type OutboxView = {
  /** the stored ones, and those of this page that are not stored (yet) */
  entries: OutboxEntry[]
  /** ids of the changes whose write is under way */
  saving: ReadonlySet<string>
  /** ids of the changes that this phone could not store: they live as long as the page */
  unstored: ReadonlySet<string>
  /** records that cannot be read, or of which only a note is left */
  shelf: ShelfItem[]
  /** this phone's records have been read */
  isRead: boolean
} & Condition

/** How things stand between page, disk and portal. */
export type Condition = {
  disk: StorageHealth
  failures: number
  /** when sending was tried last, in server time, ms since 1970; null before the first */
  lastTriedAt: number | null
}
