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

/** `saving`: not on this phone's disk yet; `unstored`: that failed, the tick is in this page only; `open`: nothing recorded. */
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
  /** what the server has, to decide on a refused tick */
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

/** One person's ticks in a course by date and participant. */
export const ticksOf = (entries: OutboxEntry[], courseId: number, userId: number): Ticks =>
  new Map(
    entries
      .filter((entry): entry is Tick => entry.kind === 'tick' && entry.userId === userId && entry.courseId === courseId)
      .map(tick => [tickKey(tick.courseDateId, tick.webUserId), tick]),
  )

/** Who was present on which date by the server's list, and on how many dates: once per list, whatever is tapped. */
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

/** What is said of each person on a date, this phone's ticks included: what counts need of the rows. */
export const marksOn = (list: StoredList, courseDateId: number, ticks: Ticks): Mark[] =>
  participantsOn(list, courseDateId).map(person => {
    const tick = ticks.get(tickKey(courseDateId, person.id))
    return tick ? markOfTick(tick) : listedMark(person)
  })

/** The rows of one date: the server's list with this phone's ticks laid over it. One to be decided shows but does not count. */
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

/** Who came to a lesson without being on its list: the portal's notes with this phone's laid over them. */
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

/** Changes of this course that no row shows: the person or the date is not in the list (any more). */
export function straysOf(
  list: StoredList | undefined,
  courseId: number,
  entries: OutboxEntry[],
  userId: number,
): (Tick | Guest)[] {
  return entries.filter((of): of is Tick | Guest => {
    if (of.userId !== userId || of.courseId !== courseId || of.state === 'confirmed' || of.kind === 'completion')
      return false
    // After every tap: to name all people of all dates first would take longer than the tap.
    const date = list?.courseDates.find(({ id }) => id === of.courseDateId)
    return !date || (of.kind === 'tick' && !date.participants.some(({ id }) => id === of.webUserId))
  })
}

/** The newest wish of this person to close or reopen a course, if there is one. */
export const completionOf = (entries: OutboxEntry[], courseId: number, userId: number): Completion | undefined =>
  entries
    .filter(
      (entry): entry is Completion =>
        entry.kind === 'completion' && entry.courseId === courseId && entry.userId === userId,
    )
    .sort((a, b) => doneAtOf(b) - doneAtOf(a))[0]

/** Whether the attendance is closed, as far as this phone knows: its own wish before the server's value. */
export function isClosed(list: StoredList, completion: Completion | undefined): boolean {
  return completion && !isToDecide(completion) ? completion.isCompleted : list.participatingComplete
}

/** How many changes of a person wait to be sent and how many were refused, in all or for one course or date. */
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

/** How many changes of a person on one date are unsent or refused. */
export function openOn(entries: OutboxEntry[], userId: number, courseDateId: number): number {
  const { unsent, refused } = countOpen(entries, userId, { courseDateId })
  return unsent + refused
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether a part of a name begins so, or, from two letters on, has this in it; accents and case do not count. */
export function matchesName(name: string, search: string): boolean {
  const [has, wanted] = [fold(name), fold(search).trim()]
  return has.split(/[\s,-]+/).some(part => part.startsWith(wanted)) || (wanted.length > 1 && has.includes(wanted))
}

const minuteOf = (date: DateTimeValue) => new Date(wallClockMs(date)).toISOString().slice(0, 16)

/** The next list stays so long after the lesson: many are ticked when it is over. */
export const LIST_STAYS_MS = 30 * 60_000

/** Where the list of a lesson is. A course as the programme has it gives its lessons no ids: the moment names them. */
export const listAddress = (courseId: number, startsAt: DateTimeValue): string =>
  `/course-participation/${courseId}?date=${minuteOf(startsAt)}`

/** The date that an address names: to the minute, else the first on that day; undefined where the course has none then. */
export const findNamedDate = (dates: CourseDate[], named: string | null): CourseDate | undefined =>
  dates.find(({ date }) => minuteOf(date) === named) ??
  dates.find(({ date }) => minuteOf(date).slice(0, 10) === named?.slice(0, 10))

const DAY_MS = 24 * 60 * 60 * 1000

type CourseGroups = Record<'today' | 'current' | 'past', Course[]>

/** Courses with a date today, the others by their next date, those that are over last. @param wallMs the portal's wall clock */
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

/** Whether the first date is at most a week away. @param now ms since 1970 */
export function startsSoon({ start }: Pick<Course, 'start'>, now: number): boolean {
  const untilStartMs = instantOf(wallClockMs(start)) - now
  return untilStartMs > 0 && untilStartMs < SOON_MS
}
