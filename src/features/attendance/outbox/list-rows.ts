import * as v from 'valibot'
import {
  type CourseDate,
  type CourseDates,
  courseDate,
  courseDates,
  type Participant,
  type RecordedAttendance,
  recordedAttendanceOf,
} from '#contract/endpoints/attendance.ts'
import type { EncryptedData, Encryptor } from '#lib/encrypted-storage.ts'
import { instantOfLocalTimeMs, toLocalTimeMs } from '#lib/format.ts'
import type { StoredRow } from '#lib/indexed-db.ts'
import type { Outbox } from './outbox.ts'
import { type OutboxEntry, type OutboxView, toPresenceFields } from './records.ts'

/**
 * An attendance list from the server, updated with the entries confirmed since. `fetchedAt`: server time in ms since
 * 1970.
 */
export type StoredAttendanceList = CourseDates & {
  fetchedAt: number
  /** names and dates that are no longer listed but that pending changes refer to */
  former?: v.InferOutput<typeof former> | undefined
}

const former = v.object({
  people: v.array(v.object({ id: v.number(), name: v.string() })),
  dates: v.array(v.object({ id: v.number(), date: courseDate.entries.date })),
})

const KEEP_NAMES_MS = 48 * 60 * 60 * 1000

/**
 * When a list expires: 48 hours after the date that was next when it was fetched or, if there was none, after the
 * fetch. Server time in ms since 1970.
 */
export function attendanceListExpiryMs({ courseDates: dates, fetchedAt }: StoredAttendanceList): number {
  const coming = dates.map(({ date }) => instantOfLocalTimeMs(toLocalTimeMs(date))).filter(heldAt => heldAt > fetchedAt)
  return (coming.length > 0 ? Math.min(...coming) : fetchedAt) + KEEP_NAMES_MS
}

/**
 * A participant's attendance status. Lists stored by older app versions lack `isRecorded`; participants who are not
 * present are then treated as unrecorded.
 */
export const markOfParticipant = ({ isUserPresent, isRecorded = isUserPresent }: Participant): RecordedAttendance =>
  recordedAttendanceOf({ isUserPresent, isRecorded })

/**
 * Applies an entry that the server has confirmed. If a later change has superseded the entry, applies the attendance
 * status set by that change instead.
 */
export function applyConfirmedEntry(list: StoredAttendanceList, entry: OutboxEntry): StoredAttendanceList {
  if (entry.kind === 'completion') return { ...list, participatingComplete: entry.isCompleted }
  if (entry.kind === 'guest') {
    const { guestId, name } = entry
    const guestsOf = ({ guests = [] }: CourseDate) => [
      ...guests.filter(guest => guest.guestId !== guestId),
      ...(entry.isNoted ? [{ guestId, name }] : []),
    ]
    const dates = list.courseDates.map(of => (of.id === entry.courseDateId ? { ...of, guests: guestsOf(of) } : of))
    return { ...list, courseDates: dates }
  }
  const tick =
    entry.state === 'overtaken' ? toPresenceFields(entry.stands ?? (entry.isPresent ? 'absent' : 'present')) : entry
  const mark = { isUserPresent: tick.isPresent, isRecorded: tick.isRecorded !== false }
  const isOf = ({ id }: { id: number }) => id === entry.webUserId
  const before = list.courseDates.find(({ id }) => id === entry.courseDateId)?.participants.find(isOf)
  if (!before || markOfParticipant(before) === recordedAttendanceOf(mark)) return list
  const change = Number(mark.isUserPresent) - Number(before.isUserPresent)
  const participation = Math.max(0, before.participation + change)
  const dates = list.courseDates.map(date => ({
    ...date,
    participants: date.participants.map(of =>
      isOf(of) ? { ...of, participation, ...(date.id === entry.courseDateId ? mark : {}) } : of,
    ),
  }))
  const preselected = dates.find(({ id }) => id === list.preSelectCourseDateId)
  return { ...list, courseDates: dates, participants: preselected?.participants ?? list.participants }
}

/**
 * Copies from an earlier list the names and dates that the new list no longer contains but that pending changes refer
 * to.
 */
export function retainReferencedNames(
  list: StoredAttendanceList,
  before: StoredAttendanceList | undefined,
  entries: OutboxEntry[],
): StoredAttendanceList {
  if (!before) return list
  const ticks = entries.filter(of => of.kind === 'tick')
  const peopleOf = (of: StoredAttendanceList) => of.courseDates.flatMap(({ participants }) => participants)
  const missing = <Of extends { id: number }>(wanted: number[], known: Of[], listed: { id: number }[]): Of[] =>
    [...new Set(wanted)].flatMap(id =>
      listed.some(of => of.id === id) ? [] : (known.findLast(of => of.id === id) ?? []),
    )
  const people = missing(
    ticks.map(({ webUserId }) => webUserId),
    [...(before.former?.people ?? []), ...peopleOf(before)],
    peopleOf(list),
  ).map(({ id, name }) => ({ id, name }))
  const dates = missing(
    ticks.map(({ courseDateId }) => courseDateId),
    [...(before.former?.dates ?? []), ...before.courseDates],
    list.courseDates,
  ).map(({ id, date }) => ({ id, date }))
  return people.length + dates.length > 0 ? { ...list, former: { people, dates } } : list
}

const storedList = v.object({ ...courseDates.entries, fetchedAt: v.number(), former: v.optional(former) })
const storedCourses = v.object({ courses: v.array(v.looseObject({ id: v.number() })), fetchedAt: v.number() })
const unencryptedList = v.pipe(
  v.object({ list: storedList }),
  v.transform(({ list }) => list),
)
const sealedRow = v.object({
  kind: v.literal('sealed'),
  sessionId: v.string(),
  /** server time in ms; device time in rows of earlier versions */
  expiresAt: v.nullable(v.number()),
  iv: v.instance(Uint8Array),
  data: v.instance(ArrayBuffer),
})

/** The session that a row is encrypted for; null if the row is damaged or, as in version 1.2.0, not encrypted. */
export const sessionIdOfListRow = (value: unknown): string | null => (v.is(sealedRow, value) ? value.sessionId : null)

/** Decrypts and validates a row. Returns null if it is damaged or belongs to another session. */
export async function decryptListRow(
  { key, value }: StoredRow,
  encryptor: Encryptor | null,
): Promise<StoredAttendanceList | v.InferOutput<typeof storedCourses> | null> {
  const isSealed = v.is(sealedRow, value)
  // Decryption fails if the row is damaged or belongs to another session.
  const content = isSealed ? await encryptor?.open(key, value as EncryptedData).catch(() => null) : value
  const opened = v.safeParse(v.union([storedList, storedCourses, unencryptedList]), content)
  return opened.success ? opened.output : null
}

export const attendanceListKey = (userId: number, courseId: number) => `${userId}/list/${courseId}`

/** Keys of the lists that unconfirmed changes refer to. They are needed to show the participants' names. */
export const attendanceListKeysInUse = ({ entries }: Pick<OutboxView, 'entries'>): ReadonlySet<string> =>
  new Set(
    entries
      .filter(({ state }) => state !== 'confirmed')
      .map(({ userId, courseId }) => attendanceListKey(userId, courseId)),
  )

/**
 * Deletes expired and unreadable lists of all users and sessions from the device, except those that unconfirmed changes
 * refer to.
 * @param now verified server time in ms, because a device clock may jump; if null (still unknown), nothing is deleted
 */
export async function removeExpiredAttendanceLists(
  outbox: Pick<Outbox, 'refresh' | 'entries' | 'readStored' | 'settle'>,
  now: number | null,
): Promise<void> {
  if (now === null || !(await outbox.refresh())) return
  const needed = attendanceListKeysInUse(outbox.entries())
  const isExpired = (value: unknown) => !v.is(sealedRow, value) || (value.expiresAt !== null && value.expiresAt <= now)
  const expired = (await outbox.readStored()).filter(({ key, value }) => !needed.has(key) && isExpired(value))
  if (expired.length > 0) await outbox.settle(Object.fromEntries(expired.map(({ key }) => [key, null])), [])
}
