import type { CourseDate, Participant, RecordedAttendance } from '#contract/endpoints/attendance.ts'
import type { Course } from '#contract/endpoints/courses.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { instantOfLocalTimeMs, toLocalTimeMs } from '#lib/format.ts'
import { markOfParticipant, type StoredAttendanceList } from './outbox/list-rows.ts'
import {
  changeTimeMs,
  type GuestEntry,
  isUnsent,
  type ListCompletionEntry,
  markOfEntry,
  needsDecision,
  type OutboxEntry,
  type OutboxView,
  type PresenceEntry,
} from './outbox/records.ts'

/** Sync state of the attendance displayed in a row. `open`: nothing has been recorded. */
export type AttendanceSyncState =
  | 'open'
  | 'saving'
  | 'unstored'
  | 'onThisPhone'
  | 'sending'
  | 'confirmed'
  | 'refused'
  | 'overtaken'

export type ParticipantRow = {
  webUserId: number
  name: string
  mark: RecordedAttendance
  /** attendance status on the server, shown when a change was rejected */
  markAtServer: RecordedAttendance
  /** number of dates attended, including pending changes */
  participation: number
  /** the participant has announced that they cannot attend */
  isAbsenceAnnounced?: boolean
  /** takes a place that was freed for this lesson */
  isGuest?: boolean
  state: AttendanceSyncState
  reason: string
}

const STATES = {
  waiting: 'onThisPhone',
  sending: 'sending',
  refused: 'refused',
  overtaken: 'overtaken',
  confirmed: 'confirmed',
} as const

type Disk = Pick<OutboxView, 'saving' | 'unstored'>

export function attendanceSyncStateOf(entry: OutboxEntry, { saving, unstored }: Disk): AttendanceSyncState {
  if (saving.has(entry.changeId)) return 'saving'
  if (entry.state === 'waiting' && unstored.has(entry.changeId)) return 'unstored'
  return STATES[entry.state]
}

type Ticks = Map<string, PresenceEntry>
const tickKey = (courseDateId: number, webUserId: number) => `${courseDateId}/${webUserId}`

/** A user's pending attendance changes in a course, by date and participant. */
export const pendingPresenceEntriesOf = (entries: OutboxEntry[], courseId: number, userId: number): Ticks =>
  new Map(
    entries
      .filter(
        (entry): entry is PresenceEntry =>
          entry.kind === 'tick' && entry.userId === userId && entry.courseId === courseId,
      )
      .map(tick => [tickKey(tick.courseDateId, tick.webUserId), tick]),
  )

/**
 * Participants present by date, and dates attended by participant, according to the server's list. Computed once per
 * list.
 */
export function presenceIndexOf({ courseDates }: StoredAttendanceList) {
  const present = new Set<string>()
  const counts = new Map<number, number>()
  for (const { id, participants } of courseDates) {
    for (const person of participants.filter(({ isUserPresent }) => isUserPresent)) {
      present.add(tickKey(id, person.id))
      counts.set(person.id, (counts.get(person.id) ?? 0) + 1)
    }
  }
  return { present, counts }
}

const participantsOn = ({ courseDates }: StoredAttendanceList, courseDateId: number): Participant[] =>
  courseDates.find(({ id }) => id === courseDateId)?.participants ?? []

/**
 * Attendance status of each participant on a date, including pending changes. Used for counts, which do not need
 * complete rows.
 */
export const attendanceMarksOnDate = (
  list: StoredAttendanceList,
  courseDateId: number,
  ticks: Ticks,
): RecordedAttendance[] =>
  participantsOn(list, courseDateId).map(person => {
    const tick = ticks.get(tickKey(courseDateId, person.id))
    return tick ? markOfEntry(tick) : markOfParticipant(person)
  })

/**
 * Attendance on the latest past date with any record: the number of participants present and in total.
 * @param nowWallMs current local time in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export function latestRecordedAttendance(
  list: StoredAttendanceList,
  ticks: Ticks,
  nowWallMs: number,
): { date: DateTimeValue; present: number; listed: number } | null {
  const past = list.courseDates.filter(({ date }) => toLocalTimeMs(date) <= nowWallMs)
  for (const { id, date } of past.toSorted((a, b) => toLocalTimeMs(b.date) - toLocalTimeMs(a.date))) {
    const marks = attendanceMarksOnDate(list, id, ticks)
    if (marks.some(mark => mark !== 'none'))
      return { date, present: marks.filter(mark => mark === 'present').length, listed: marks.length }
  }
  return null
}

/** Rows of one date: the server's list with pending changes applied. Rejected changes are shown but not counted. */
export function participantRowsOf(
  list: StoredAttendanceList,
  { present, counts }: ReturnType<typeof presenceIndexOf>,
  courseDateId: number,
  ticks: Ticks,
  disk: Disk,
): ParticipantRow[] {
  const more = new Map<number, number>()
  for (const [key, tick] of ticks) {
    const change = needsDecision(tick) ? 0 : Number(tick.isPresent) - Number(present.has(key))
    more.set(tick.webUserId, (more.get(tick.webUserId) ?? 0) + change)
  }
  return participantsOn(list, courseDateId).map(person => {
    const { id, name } = person
    const markAtServer = markOfParticipant(person)
    const key = tickKey(courseDateId, id)
    const tick = ticks.get(key)
    return {
      webUserId: id,
      name,
      mark: tick ? markOfEntry(tick) : markAtServer,
      markAtServer,
      participation: (counts.get(id) ?? 0) + (more.get(id) ?? 0),
      ...(person.isAbsenceAnnounced && { isAbsenceAnnounced: true }),
      ...(person.isGuest && { isGuest: true }),
      state: tick ? attendanceSyncStateOf(tick, disk) : markAtServer === 'none' ? 'open' : 'confirmed',
      reason: tick?.lastError ?? '',
    }
  })
}

/** Rows that a change of many people at once may change: nobody has recorded anything in them. */
export const unrecordedRows = (rows: ParticipantRow[]): ParticipantRow[] =>
  rows.filter(({ mark, state }) => mark === 'none' && !/refused|overtaken/.test(state))

/** The same, without those who have announced that they cannot come: *all present* does not include them. */
export const expectedRows = (rows: ParticipantRow[]): ParticipantRow[] =>
  unrecordedRows(rows).filter(({ isAbsenceAnnounced = false }) => !isAbsenceAnnounced)

export type GuestRow = { guestId: string; name: string; state: AttendanceSyncState; reason: string; entry?: GuestEntry }

/** Walk-in guests of a lesson: those on the server, with pending changes applied. */
export function guestRowsOf(
  list: StoredAttendanceList,
  courseDateId: number,
  entries: OutboxEntry[],
  userId: number,
  disk: Disk,
): GuestRow[] {
  const noted = list.courseDates.find(({ id }) => id === courseDateId)?.guests ?? []
  const rows = new Map<string, GuestRow>(
    noted.map(({ guestId, name }) => [guestId, { guestId, name, state: 'confirmed', reason: '' }]),
  )
  for (const entry of entries) {
    if (entry.kind !== 'guest' || entry.userId !== userId || entry.courseDateId !== courseDateId) continue
    const { guestId, name, lastError: reason } = entry
    if (entry.isNoted || needsDecision(entry))
      rows.set(guestId, { guestId, name, state: attendanceSyncStateOf(entry, disk), reason, entry })
    else rows.delete(guestId)
  }
  return [...rows.values()]
}

/** Changes in this course that have no row, because their participant or date is no longer listed. */
export function findOrphanedAttendanceChanges(
  list: StoredAttendanceList | undefined,
  courseId: number,
  entries: OutboxEntry[],
  userId: number,
): (PresenceEntry | GuestEntry)[] {
  return entries.filter((of): of is PresenceEntry | GuestEntry => {
    if (of.userId !== userId || of.courseId !== courseId || of.state === 'confirmed' || of.kind === 'completion')
      return false
    // Runs after each tap: indexing all participants of all dates would be too slow.
    const date = list?.courseDates.find(({ id }) => id === of.courseDateId)
    return !date || (of.kind === 'tick' && !date.participants.some(({ id }) => id === of.webUserId))
  })
}

/** The user's latest pending change that closes or reopens the attendance of a course. */
export const findPendingCompletionEntry = (
  entries: OutboxEntry[],
  courseId: number,
  userId: number,
): ListCompletionEntry | undefined =>
  entries
    .filter(
      (entry): entry is ListCompletionEntry =>
        entry.kind === 'completion' && entry.courseId === courseId && entry.userId === userId,
    )
    .sort((a, b) => changeTimeMs(b) - changeTimeMs(a))[0]

/** Whether the attendance is closed. A pending local change takes precedence over the server's value. */
export function isAttendanceClosed(list: StoredAttendanceList, completion: ListCompletionEntry | undefined): boolean {
  return completion && !needsDecision(completion) ? completion.isCompleted : list.participatingComplete
}

/**
 * Numbers of a user's unsent changes, and of those that were rejected by the server or superseded by a later change: in
 * total, in one course, or for one lesson date.
 */
export function countUnsyncedChanges(
  entries: OutboxEntry[],
  userId: number | undefined,
  of: { courseId?: number; courseDateId?: number } = {},
): { unsent: number; refused: number } {
  const mine = entries.filter(
    entry =>
      entry.userId === userId &&
      (of.courseId === undefined || entry.courseId === of.courseId) &&
      (of.courseDateId === undefined || (entry.kind !== 'completion' && entry.courseDateId === of.courseDateId)),
  )
  return { unsent: mine.filter(isUnsent).length, refused: mine.filter(needsDecision).length }
}

/** Number of a user's changes for one lesson date that are unsent, rejected or superseded. */
export function countUnsyncedChangesOnDate(entries: OutboxEntry[], userId: number, courseDateId: number): number {
  const { unsent, refused } = countUnsyncedChanges(entries, userId, { courseDateId })
  return unsent + refused
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * Whether a part of the name starts with the search text or, if the search text has at least two letters, the name
 * contains it. Ignores accents and case.
 */
export function matchesParticipantName(name: string, search: string): boolean {
  const [has, wanted] = [fold(name), fold(search).trim()]
  return has.split(/[\s,-]+/).some(part => part.startsWith(wanted)) || (wanted.length > 1 && has.includes(wanted))
}

const minuteOf = (date: DateTimeValue) => new Date(toLocalTimeMs(date)).toISOString().slice(0, 16)

/**
 * Time after the start of a lesson during which its attendance list is still offered as the next one, because
 * attendance is often recorded at the end of the lesson.
 */
export const LIST_OFFERED_AFTER_START_MS = 30 * 60_000

/**
 * URL of a lesson's attendance list. Identifies the lesson by its start time, because programme data has no lesson ids.
 */
export const attendanceListUrl = (courseId: number, startsAt: DateTimeValue): string =>
  `/course-participation/${courseId}?date=${minuteOf(startsAt)}`

/**
 * Returns the lesson that a URL parameter refers to: the one that starts at that minute or, failing that, the only one
 * on that day; undefined if there is none.
 */
export function findDateOfUrl(dates: CourseDate[], named: string | null): CourseDate | undefined {
  const ofDay = dates.filter(({ date }) => minuteOf(date).slice(0, 10) === named?.slice(0, 10))
  return ofDay.find(({ date }) => minuteOf(date) === named) ?? (ofDay.length === 1 ? ofDay[0] : undefined)
}

const DAY_MS = 24 * 60 * 60 * 1000

type CourseGroups = Record<'today' | 'current' | 'past', Course[]>

/**
 * Groups courses into those with a date today, those with a later date (soonest first) and past ones.
 * @param wallMs local time in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export function groupInstructorCourses(courses: Course[], wallMs: number): CourseGroups {
  const today = wallMs - (wallMs % DAY_MS)
  const next = (course: Course) => Math.min(...course.dates.map(toLocalTimeMs).filter(heldAt => heldAt >= today))
  const dated = courses.map(course => ({ course, next: next(course) })).sort((a, b) => a.next - b.next)
  const within = (from: number, to: number) =>
    dated.filter(({ next: at }) => at >= from && at < to).map(({ course }) => course)
  return {
    today: within(today, today + DAY_MS),
    current: within(today + DAY_MS, Number.POSITIVE_INFINITY),
    past: dated
      .filter(({ next: at }) => at === Number.POSITIVE_INFINITY)
      .map(({ course }) => course)
      .reverse(),
  }
}

const SOON_MS = 7 * DAY_MS

/** Whether the first day of the course is today or within seven days. @param now server time in ms */
export function startsWithinWeek({ start }: Pick<Course, 'start'>, now: number): boolean {
  const untilStartMs = instantOfLocalTimeMs(toLocalTimeMs(start)) - now
  return untilStartMs > -DAY_MS && untilStartMs < SOON_MS
}
