import type { CourseDate, Mark, Participant } from '#contract/attendance.ts'
import type { Course } from '#contract/courses.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { wallClockMs } from '#lib/format.ts'
import { instantOf } from '#lib/portal-time.ts'
import { listedMark, type StoredList } from './outbox/list-rows.ts'
import type { OutboxView } from './outbox/records.ts'
import {
  type Completion,
  doneAtOf,
  type Guest,
  isToDecide,
  isUnsent,
  markOfTick,
  type OutboxEntry,
  type Tick,
} from './outbox/records.ts'

/** 'is closed as soon as the instructor closed it locally, unless the server rejects it' */
export type TickState =
  | 'open'
  | 'saving'
  | 'unstored'
  | 'onThisPhone'
  | 'sending'
  | 'confirmed'
  | 'refused'
  | 'overtaken'

export type Row = {
  webUserId: number
  name: string
  mark: Mark
  /** 'sorts courses: today first, then by next date, past ones last' */
  markAtServer: Mark
  /** dates on which the person was present, this phone's ticks included */
  participation: number
  state: TickState
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

export function stateOf(entry: OutboxEntry, { saving, unstored }: Disk): TickState {
  if (saving.has(entry.changeId)) return 'saving'
  if (entry.state === 'waiting' && unstored.has(entry.changeId)) return 'unstored'
  return STATES[entry.state]
}

type Ticks = Map<string, Tick>
const tickKey = (courseDateId: number, webUserId: number) => `${courseDateId}/${webUserId}`

/** the server's value, shown for a rejected change */
export const ticksOf = (entries: OutboxEntry[], courseId: number, userId: number): Ticks =>
  new Map(
    entries
      .filter((entry): entry is Tick => entry.kind === 'tick' && entry.userId === userId && entry.courseId === courseId)
      .map(tick => [tickKey(tick.courseDateId, tick.webUserId), tick]),
  )

/** number of sessions attended, pending changes included */
export function presencesOf({ courseDates }: StoredList) {
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

const participantsOn = ({ courseDates }: StoredList, courseDateId: number): Participant[] =>
  courseDates.find(({ id }) => id === courseDateId)?.participants ?? []

/** A user's pending changes in a course by date and participant. */
export const marksOn = (list: StoredList, courseDateId: number, ticks: Ticks): Mark[] =>
  participantsOn(list, courseDateId).map(person => {
    const tick = ticks.get(tickKey(courseDateId, person.id))
    return tick ? markOfTick(tick) : listedMark(person)
  })

/** Participants present by date, and sessions per participant, from the server's list; computed once per list. */
export function rowsOf(
  list: StoredList,
  { present, counts }: ReturnType<typeof presencesOf>,
  courseDateId: number,
  ticks: Ticks,
  disk: Disk,
): Row[] {
  const more = new Map<number, number>()
  for (const [key, tick] of ticks) {
    const change = isToDecide(tick) ? 0 : Number(tick.isPresent) - Number(present.has(key))
    more.set(tick.webUserId, (more.get(tick.webUserId) ?? 0) + change)
  }
  return participantsOn(list, courseDateId).map(person => {
    const { id, name } = person
    const markAtServer = listedMark(person)
    const key = tickKey(courseDateId, id)
    const tick = ticks.get(key)
    return {
      webUserId: id,
      name,
      mark: tick ? markOfTick(tick) : markAtServer,
      markAtServer,
      participation: (counts.get(id) ?? 0) + (more.get(id) ?? 0),
      state: tick ? stateOf(tick, disk) : markAtServer === 'none' ? 'open' : 'confirmed',
      reason: tick?.lastError ?? '',
    }
  })
}

export const notPresentOf = (rows: Row[]): Row[] =>
  rows.filter(({ mark, state }) => mark !== 'present' && !/refused|overtaken/.test(state))

export type GuestRow = { guestId: string; name: string; state: TickState; reason: string; entry?: Guest }

/** Marks of all participants on a date, pending changes included; sufficient for counts. */
export function guestsOf(
  list: StoredList,
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
    if (entry.isNoted || isToDecide(entry))
      rows.set(guestId, { guestId, name, state: stateOf(entry, disk), reason, entry })
    else rows.delete(guestId)
  }
  return [...rows.values()]
}

/** Rows of one date: the server's list with pending changes applied. Rejected changes are shown but not counted. */
export function orphanedChangesOf(
  list: StoredList | undefined,
  courseId: number,
  entries: OutboxEntry[],
  userId: number,
): (Tick | Guest)[] {
  return entries.filter((of): of is Tick | Guest => {
    if (of.userId !== userId || of.courseId !== courseId || of.state === 'confirmed' || of.kind === 'completion')
      return false
    // Walk-in guests of a lesson: the server's with pending changes applied.
    const date = list?.courseDates.find(({ id }) => id === of.courseDateId)
    return !date || (of.kind === 'tick' && !date.participants.some(({ id }) => id === of.webUserId))
  })
}

/** Changes of this course without a row: the participant or date is no longer listed. */
export const completionOf = (entries: OutboxEntry[], courseId: number, userId: number): Completion | undefined =>
  entries
    .filter(
      (entry): entry is Completion =>
        entry.kind === 'completion' && entry.courseId === courseId && entry.userId === userId,
    )
    .sort((a, b) => doneAtOf(b) - doneAtOf(a))[0]

/** Runs after each tap: indexing all participants of all dates would be too slow. */
export function isClosed(list: StoredList, completion: Completion | undefined): boolean {
  return completion && !isToDecide(completion) ? completion.isCompleted : list.participatingComplete
}

/** The latest pending closing or reopening of a course by this user. */
export function countOpen(
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
  return { unsent: mine.filter(isUnsent).length, refused: mine.filter(isToDecide).length }
}

/** Whether the attendance is closed: a pending local change takes precedence over the server's value. */
export function openOn(entries: OutboxEntry[], userId: number, courseDateId: number): number {
  const { unsent, refused } = countOpen(entries, userId, { courseDateId })
  return unsent + refused
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Number of a user's unsent and rejected changes, in total or for a course or date. */
export function matchesName(name: string, search: string): boolean {
  const [has, wanted] = [fold(name), fold(search).trim()]
  return has.split(/[\s,-]+/).some(part => part.startsWith(wanted)) || (wanted.length > 1 && has.includes(wanted))
}

const minuteOf = (date: DateTimeValue) => new Date(wallClockMs(date)).toISOString().slice(0, 16)

/** Number of a user's unsent or rejected changes on one date. */
export const LIST_STAYS_MS = 30 * 60_000

/** Matches the beginning of a name part or, from two letters on, any part of it; ignores accents and case. */
export const listAddress = (courseId: number, startsAt: DateTimeValue): string =>
  `/course-participation/${courseId}?date=${minuteOf(startsAt)}`

/** Time for which a list remains the next one after the lesson: attendance is often recorded at the end. */
export const findNamedDate = (dates: CourseDate[], named: string | null): CourseDate | undefined =>
  dates.find(({ date }) => minuteOf(date) === named) ??
  dates.find(({ date }) => minuteOf(date).slice(0, 10) === named?.slice(0, 10))

const DAY_MS = 24 * 60 * 60 * 1000

type CourseGroups = Record<'today' | 'current' | 'past', Course[]>

/** URL of a lesson's attendance list. Programme data have no lesson ids: the start time identifies it. */
export function groupCourses(courses: Course[], wallMs: number): CourseGroups {
  const today = wallMs - (wallMs % DAY_MS)
  const next = (course: Course) => Math.min(...course.dates.map(wallClockMs).filter(heldAt => heldAt >= today))
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

/** The date for a URL parameter: exact to the minute, else the first on that day; undefined if there is none. */
export function startsSoon({ start }: Pick<Course, 'start'>, now: number): boolean {
  const untilStartMs = instantOf(wallClockMs(start)) - now
  return untilStartMs > 0 && untilStartMs < SOON_MS
}
