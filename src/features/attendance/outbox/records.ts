import * as v from 'valibot'
import { GUEST_NAME_LENGTH, type RecordedAttendance, recordedAttendanceOf } from '#contract/endpoints/attendance.ts'
import type { StorageHealth } from '#lib/storage-with-timeout.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const id = v.pipe(v.number(), v.integer(), v.minValue(1))
/** Keeps timestamps, and the sum of any two of them, within the range of a `Date`. */
const milliseconds = v.pipe(v.number(), v.minValue(-4e15), v.maxValue(4e15))

/** An instructor's change that the server has not confirmed yet. Contains no token. */
const entry = {
  /** idempotency key */
  changeId: v.pipe(v.string(), v.uuid()),
  /** the user who recorded the change; only this user's session sends it */
  userId: id,
  courseId: id,
  /** device time in ms, later than that of all earlier entries on this device even if its clock was set back */
  recordedAt: milliseconds,
  /** server time minus device time in ms, as last measured before the change was recorded */
  clockOffsetMs: milliseconds,
  /**
   * `waiting`: only on this device; `sending`: request in progress (after a restart, its outcome is unknown, so the
   * entry is sent again); `refused`: rejected by the server; `overtaken`: accepted, but superseded by a later change
   * with a different attendance status; `confirmed`: accepted; deleted once the stored attendance list contains it
   */
  state: v.picklist(['waiting', 'sending', 'refused', 'overtaken', 'confirmed']),
  attempts: count,
  /** the server's message about a rejection or a later change, or '' */
  lastError: v.string(),
  /** course name for messages outside the list; missing in entries of older versions */
  about: v.optional(v.object({ name: v.string(), name2: v.string() })),
}

const tick = v.object({
  ...entry,
  kind: v.literal('tick'),
  courseDateId: id,
  webUserId: id,
  isPresent: v.boolean(),
  /** false: resets the attendance status to unrecorded; never combined with `isPresent: true` */
  isRecorded: v.optional(v.literal(false)),
  /** recorded for many people at once: has no effect on those who are already recorded on the server */
  ifUnrecorded: v.optional(v.literal(true)),
  /** undoes these earlier changes: has no effect if the server has recorded another one since */
  ifChangeIds: v.optional(v.array(v.pipe(v.string(), v.uuid()))),
  /**
   * attendance status on the server if a later change has superseded this one; missing in entries of older app versions
   */
  stands: v.optional(v.picklist(['none', 'present', 'absent'])),
})
const completion = v.object({ ...entry, kind: v.literal('completion'), isCompleted: v.boolean() })
const guest = v.object({
  ...entry,
  kind: v.literal('guest'),
  courseDateId: id,
  /** idempotency key of the guest */
  guestId: v.pipe(v.string(), v.uuid()),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(GUEST_NAME_LENGTH)),
  /** false if the guest was removed */
  isNoted: v.boolean(),
})
const outboxEntry = v.variant('kind', [tick, completion, guest])

export type PresenceEntry = v.InferOutput<typeof tick>

export const markOfEntry = ({
  isPresent,
  isRecorded,
}: Pick<PresenceEntry, 'isPresent' | 'isRecorded'>): RecordedAttendance =>
  recordedAttendanceOf({ isUserPresent: isPresent, isRecorded: isRecorded !== false })

export const toPresenceFields = (mark: RecordedAttendance): Pick<PresenceEntry, 'isPresent' | 'isRecorded'> => ({
  isPresent: mark === 'present',
  ...(mark === 'none' ? { isRecorded: false } : {}),
})

export type ListCompletionEntry = v.InferOutput<typeof completion>

/** Walk-in guest: the only entry that contains a name. */
export type GuestEntry = v.InferOutput<typeof guest>

export type OutboxEntry = PresenceEntry | ListCompletionEntry | GuestEntry

type Recorded = 'courseId' | 'about'
/** What the caller of the outbox provides for an entry. */
export type EntryInput =
  | (Pick<
      PresenceEntry,
      'kind' | 'courseDateId' | 'webUserId' | 'isPresent' | 'isRecorded' | 'ifUnrecorded' | 'ifChangeIds' | Recorded
    > & { changeId?: string })
  | Pick<ListCompletionEntry, 'kind' | 'isCompleted' | Recorded>
  | Pick<GuestEntry, 'kind' | 'courseDateId' | 'guestId' | 'name' | 'isNoted' | Recorded>

/**
 * A record that this version cannot read because it is damaged or from a later version. It is kept until the user
 * discards it.
 */
export type UnreadableRecord = {
  /** `damaged`: a row in the database; `lost`: an unreadable journal line of a deleted database */
  kind: 'damaged' | 'lost'
  key: string
  /** the parts that are still readable: the time of the change (server time in ms since 1970) and the course */
  doneAt: number | null
  courseId: number | null
  about?: OutboxEntry['about']
}

/**
 * Key that identifies what an entry changes: one per participant and date, one per guest, and for each course one for
 * closing and one for reopening its attendance. A newer entry replaces an older one with the same key. See
 * docs/decisions/0013.
 */
export function entryKey(of: OutboxEntry): string {
  if (of.kind === 'tick') return `${of.userId}/tick/${of.courseDateId}/${of.webUserId}`
  if (of.kind === 'guest') return `${of.userId}/guest/${of.guestId}`
  return `${of.userId}/${of.isCompleted ? 'close' : 'reopen'}/${of.courseId}`
}

/** An entry with its key and its server time in ms. */
export type KeyedEntry = { key: string; doneAt: number; entry: OutboxEntry }

export const withEntryKey = (of: OutboxEntry): KeyedEntry => ({
  key: entryKey(of),
  doneAt: changeTimeMs(of),
  entry: of,
})

/** Parses a stored record; null if it is invalid or stored under another key. */
export function readEntry(key: string | null, value: unknown): KeyedEntry | null {
  const read = v.safeParse(outboxEntry, value)
  if (!read.success) return null
  const found = withEntryKey(read.output)
  return key === null || key === found.key ? found : null
}

/** Server time of a stored record in ms; -Infinity if the record is invalid. */
export const readChangeTimeMs = (key: string, value: unknown): number =>
  readEntry(key, value)?.doneAt ?? Number.NEGATIVE_INFINITY

/** Id of the user who recorded a stored record, if it is still unsent; otherwise null. */
export function readUnsentEntryUserId(value: unknown): number | null {
  const of = readEntry(null, value)?.entry
  return of && isUnsent(of) ? of.userId : null
}

const hint = v.object({
  recordedAt: v.fallback(v.nullable(milliseconds), null),
  clockOffsetMs: v.fallback(milliseconds, 0),
  courseId: v.fallback(v.nullable(id), null),
  about: v.fallback(entry.about, undefined),
})

/** Describes a record that cannot be read. */
export function describeUnreadableRecord(
  kind: UnreadableRecord['kind'],
  key: string,
  value: unknown,
): UnreadableRecord {
  const read = v.safeParse(hint, value)
  if (!read.success) return { kind, key, doneAt: null, courseId: null }
  const { recordedAt, clockOffsetMs, ...rest } = read.output
  return { kind, key, ...rest, doneAt: recordedAt === null ? null : recordedAt + clockOffsetMs }
}

/** Server time of a change in ms. */
export const changeTimeMs = (of: OutboxEntry): number => of.recordedAt + of.clockOffsetMs

/** Server time of a change as ISO 8601. */
export const changedAtIso = (of: OutboxEntry): string => new Date(changeTimeMs(of)).toISOString()

export const isUnsent = ({ state }: OutboxEntry): boolean => state === 'waiting' || state === 'sending'

/**
 * Whether the user must decide what to do with the entry, because the server has rejected it or a later change has
 * superseded it.
 */
export const needsDecision = ({ state }: OutboxEntry): boolean => state === 'refused' || state === 'overtaken'

/**
 * Next entry to send. Within a course, closing or reopening the attendance is sent after all earlier changes, and other
 * changes are sent after an earlier closing or reopening. Otherwise, entries with fewer attempts are sent first, so
 * that an entry that always fails does not block the others.
 * @param tried ids of the changes already sent in this run
 */
export function nextEntryToSend(entries: OutboxEntry[], tried: ReadonlySet<string>): OutboxEntry | undefined {
  const unsent = entries.filter(isUnsent)
  const completions = unsent.filter(({ kind }) => kind === 'completion')
  const isBehind = (of: OutboxEntry) =>
    (of.kind === 'completion' ? unsent : completions).some(
      other => other.courseId === of.courseId && changeTimeMs(other) < changeTimeMs(of),
    )
  const before = (a: OutboxEntry, b: OutboxEntry) => a.attempts - b.attempts || changeTimeMs(a) - changeTimeMs(b)
  return unsent.sort(before).find(of => !tried.has(of.changeId) && !isBehind(of))
}

export type OutboxView = {
  /** stored entries and entries of this page that are not stored (yet) */
  entries: OutboxEntry[]
  /** ids of the changes whose write is pending */
  saving: ReadonlySet<string>
  /** ids of the changes that could not be stored and are lost when the page is closed */
  unstored: ReadonlySet<string>
  shelf: UnreadableRecord[]
  /** whether the database has been read */
  isRead: boolean
} & OutboxStatus

/** State of the outbox: whether its storage works, and when and with how many failures it last tried to send. */
export type OutboxStatus = {
  disk: StorageHealth
  failures: number
  /** server time of the last attempt in ms since 1970; null before the first attempt */
  lastTriedAt: number | null
}

/** A status message about the changes on this device. */
export type OutboxStatusMessage =
  /** all changes are stored on the server; none is lost, unreadable or waiting for a decision */
  | { kind: 'allSafe' }
  /** the storage does not work, so the number of unsent changes is unknown */
  | { kind: 'disk'; disk: 'none' | 'newer' | 'slow' }
  /** the stored changes have not been read yet, so their number is unknown */
  | { kind: 'unknown' }
  | { kind: 'lost' | 'shelved'; items: UnreadableRecord[] }
  /** the changes exist only in this page: they are neither stored nor sent */
  | { kind: 'notStored'; count: number }
  | { kind: 'saving' | 'waiting' | 'toDecide'; count: number }
  /** unsent changes of users who are not logged in on this device */
  | { kind: 'others'; count: number }

/** Number of changes that the server has not confirmed yet, of all users of the device. */
export const countUnconfirmed = ({ entries, shelf }: Pick<OutboxView, 'entries' | 'shelf'>): number =>
  entries.filter(({ state }) => state !== 'confirmed').length + shelf.length

/**
 * Status messages for a user, most urgent first. Only this function decides whether the user is informed that all
 * changes are saved.
 * @param userId 0 if no user is logged in
 */
export function outboxStatusMessages(view: OutboxView, userId: number): OutboxStatusMessage[] {
  const { saving, unstored, shelf, disk, isRead } = view
  const mine = view.entries.filter(entry => entry.userId === userId)
  const unsent = mine.filter(isUnsent)
  const isSaving = ({ changeId }: OutboxEntry) => saving.has(changeId)
  const isUnstored = ({ changeId }: OutboxEntry) => unstored.has(changeId)
  const statements: OutboxStatusMessage[] = [
    ...(disk === 'ok' ? [] : [{ kind: 'disk', disk } as const]),
    ...(disk === 'ok' && !isRead ? [{ kind: 'unknown' } as const] : []),
    { kind: 'notStored', count: unsent.filter(isUnstored).length },
    { kind: 'lost', items: shelf.filter(({ kind }) => kind === 'lost') },
    { kind: 'shelved', items: shelf.filter(({ kind }) => kind === 'damaged') },
    { kind: 'toDecide', count: mine.filter(needsDecision).length },
    { kind: 'saving', count: unsent.filter(isSaving).length },
    { kind: 'waiting', count: unsent.filter(of => !isSaving(of) && !isUnstored(of)).length },
    { kind: 'others', count: view.entries.filter(entry => entry.userId !== userId && isUnsent(entry)).length },
  ]
  const due = statements.filter(of => !('count' in of && of.count === 0) && !('items' in of && of.items.length === 0))
  return due.length === 0 ? [{ kind: 'allSafe' }] : due
}

/** Unconfirmed changes of other users, grouped by course. They are sent when these users log in. */
export function countWaitingByCourse(view: OutboxView, userId: number): { entry: OutboxEntry; count: number }[] {
  const pending = view.entries.filter(entry => entry.userId !== userId && entry.state !== 'confirmed')
  const byCourse = Map.groupBy(pending, ({ courseId }) => courseId)
  return [...byCourse.values()].flatMap(([entry, ...others]) => (entry ? [{ entry, count: others.length + 1 }] : []))
}
