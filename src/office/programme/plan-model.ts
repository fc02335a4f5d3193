import type { CourseRow, GridLesson, Instructor, ProgrammeGrid, Room, Season } from './resource.ts'

export type PlanRowKind = 'room' | 'instructor'
/** Row of the plan: a room or an instructor, with its lessons by day. */
export type PlanRow = {
  key: string
  label: string
  roomId: number | null
  email: string
  days: Map<string, GridLesson[]>
}

/**
 * Day that the plan of a season shows first: today, or the first day of one that is over or ahead.
 * @param today 'YYYY-MM-DD'
 */
export function firstDayOfPlan(
  { startsAt, endsAt }: Pick<Season, 'startsAt' | 'endsAt'>,
  courses: readonly Pick<CourseRow, 'start' | 'end' | 'cancelled'>[],
  today: string,
): string {
  const held = courses.filter(({ cancelled }) => !cancelled)
  const first = held.map(({ start }) => start).sort()[0] ?? startsAt?.slice(0, 10) ?? today
  const last =
    held
      .map(({ end }) => end)
      .sort()
      .at(-1) ??
    endsAt?.slice(0, 10) ??
    today
  return first > today || last < today ? first : today
}

/**
 * Groups lessons by room or instructor.
 * @param rooms rooms to include even if they have no lessons
 * @param instructors instructors in the order of the rows
 */
export function toPlanRows(
  lessons: readonly GridLesson[],
  by: PlanRowKind,
  none: string,
  rooms: readonly Pick<Room, 'roomId' | 'name'>[] = [],
  instructors: readonly Pick<Instructor, 'email'>[] = [],
): PlanRow[] {
  const rows = new Map<string, PlanRow>()
  const rowOf = (row: Omit<PlanRow, 'days'>): PlanRow => {
    const found = rows.get(row.key) ?? { ...row, days: new Map<string, GridLesson[]>() }
    rows.set(row.key, found)
    return found
  }
  const put = (lesson: GridLesson, row: Omit<PlanRow, 'days'>) => {
    const { days } = rowOf(row)
    days.set(lesson.date, [...(days.get(lesson.date) ?? []), lesson])
  }
  if (by === 'room')
    for (const { roomId, name } of rooms) rowOf({ key: String(roomId), label: name, roomId, email: '' })
  for (const lesson of lessons) {
    const { roomId, room, instructors } = lesson
    if (by === 'room') put(lesson, { key: String(roomId ?? room), label: room || none, roomId, email: '' })
    else if (instructors.length === 0) put(lesson, { key: '', label: none, roomId: null, email: '' })
    else for (const { email, name } of instructors) put(lesson, { key: email, label: name, roomId: null, email })
  }
  const places = new Map(instructors.map(({ email }, place) => [email, place]))
  const placeOf = ({ key, email }: PlanRow) => (key === '' ? Number.MAX_SAFE_INTEGER : (places.get(email) ?? -1))
  return [...rows.values()].sort((a, b) => placeOf(a) - placeOf(b) || a.label.localeCompare(b.label))
}

/** Number of lessons in these rows and on these days that overlap another one. */
export const countClashes = (rows: readonly PlanRow[], days: readonly string[]): number =>
  new Set(
    rows
      .flatMap(row => days.flatMap(day => row.days.get(day) ?? []))
      .flatMap(({ clash, courseDateId }) => (clash ? courseDateId : [])),
  ).size

const HOUR = 60
const DAY = 24 * HOUR
/** Minimum length of a displayed lesson in minutes; applies if its start and end are the same. */
const SHORTEST = 15
/** Hours displayed for a row without lessons. */
const USUAL: MinuteRange = { from: 8 * HOUR, to: 20 * HOUR }

/** Range in minutes since midnight. */
export type MinuteRange = { from: number; to: number }
export type LessonInLane = MinuteRange & { lesson: GridLesson; lane: number; lanes: number }

const minuteOf = (time: string) => Number(time.slice(0, 2)) * HOUR + Number(time.slice(3, 5))
/** Formats minutes since midnight as 'HH:mm'. */
export const formatMinuteOfDay = (minute: number): string =>
  `${String(Math.floor(minute / HOUR)).padStart(2, '0')}:${String(minute % HOUR).padStart(2, '0')}`

/** Start and end of a lesson. A lesson that ends after midnight is cut off at the end of the day. */
export function lessonMinutes({ startTime, endTime }: Pick<GridLesson, 'startTime' | 'endTime'>): MinuteRange {
  const [from, to] = [minuteOf(startTime), minuteOf(endTime)]
  return { from, to: to > from ? to : to === from ? Math.min(DAY, from + SHORTEST) : DAY }
}

/** The whole hours spanned by the lessons, plus one hour before and after. */
export function displayedHoursOf(lessons: readonly GridLesson[]): MinuteRange {
  if (lessons.length === 0) return USUAL
  const times = lessons.map(lessonMinutes)
  const first = Math.floor(Math.min(...times.map(({ from }) => from)) / HOUR) - 1
  const last = Math.ceil(Math.max(...times.map(({ to }) => to)) / HOUR) + 1
  return { from: Math.max(0, first * HOUR), to: Math.min(DAY, last * HOUR) }
}

/** Assigns the lessons of one day to lanes, so that overlapping lessons are side by side. */
export function assignLessonLanes(lessons: readonly GridLesson[]): LessonInLane[] {
  const sorted = lessons
    .map(lesson => ({ lesson, ...lessonMinutes(lesson) }))
    .sort((a, b) => a.from - b.from || b.to - a.to)
  // End of the last lesson in each lane, for the current group of lessons that overlap directly or through others.
  let ends: number[] = []
  return sorted
    .map(one => {
      if (ends.every(end => end <= one.from)) ends = []
      const free = ends.findIndex(end => end <= one.from)
      const lane = free < 0 ? ends.length : free
      ends[lane] = one.to
      return { ...one, lane, group: ends }
    })
    .map(({ group, ...one }) => ({ ...one, lanes: group.length }))
}

/** Interval to which a dragged lesson snaps, and the distance within which it keeps its original time. In minutes. */
const STEP = 15
const MAGNET = 20

/**
 * Start of a lesson that is dropped at a given minute, snapped to the interval and limited to the row's displayed
 * hours.
 */
export function snappedStartMinute(lesson: GridLesson, minute: number, hours: MinuteRange): number {
  const { from, to } = lessonMinutes(lesson)
  if (Math.abs(minute - from) <= MAGNET) return from
  const latest = Math.min(hours.to, DAY - STEP) - (to - from)
  return Math.max(hours.from, Math.min(Math.round(minute / STEP) * STEP, latest))
}

/** End of a lesson that is moved to another start time, in minutes since midnight. */
export const movedEndMinute = (lesson: GridLesson, start: number): number => {
  const { from, to } = lessonMinutes(lesson)
  return start + to - from
}

/** Whether a lesson may be dropped on a row of the plan: that of a registered room or an instructor, or its own row. */
export const canMoveLessonToRow = (lesson: GridLesson, row: PlanRow): boolean =>
  row.roomId !== null || row.email !== '' || [...row.days.values()].some(all => all.includes(lesson))

type GridClosure = ProgrammeGrid['closures'][number]

/** Whether a closure applies to a row of the plan by rooms. */
export const closesRow = ({ roomIds }: GridClosure, row: PlanRow): boolean =>
  row.roomId !== null && roomIds.includes(row.roomId)

/** Whether the room of a row is closed on a day. */
export const isRowClosed = ({ closures }: ProgrammeGrid, row: PlanRow, date: string): boolean =>
  closures.some(closure => closesRow(closure, row) && closure.from <= date && date <= closure.to)

type Target = { row: PlanRow; date: string; hours: MinuteRange }

/**
 * Finds the time spans on a day in which a lesson could be held in a row of the plan: the room is free, the instructors
 * are free and present, and the day is neither in the past nor a holiday.
 */
export function findFreeSpans(
  grid: ProgrammeGrid,
  lesson: GridLesson,
  { row, date, hours }: Target,
  today: string,
): MinuteRange[] {
  if (date < today || grid.holidays.includes(date) || !canMoveLessonToRow(lesson, row)) return []
  if (isRowClosed(grid, row, date)) return []
  const { absences, lessons } = grid
  const own = lesson.instructors.map(({ email }) => email)
  const teaching = row.email === '' || own.includes(row.email) ? own : [row.email]
  const isAway = absences.some(
    ({ instructorEmail, from, to }) => teaching.includes(instructorEmail) && from <= date && date <= to,
  )
  if (isAway) return []
  const roomId = row.roomId ?? lesson.roomId
  const needsSame = (other: GridLesson) =>
    (roomId === null
      ? lesson.room !== '' && other.roomId === null && other.room === lesson.room
      : other.roomId === roomId && !other.shared) || other.instructors.some(({ email }) => teaching.includes(email))
  const busy = lessons
    .filter(
      other =>
        other.date === date &&
        other.state === 'planned' &&
        other.courseDateId !== lesson.courseDateId &&
        needsSame(other),
    )
    .map(lessonMinutes)
    .sort((a, b) => a.from - b.from)
  const length = movedEndMinute(lesson, 0)
  const free: MinuteRange[] = []
  let start = hours.from
  for (const { from, to } of [...busy, { from: hours.to, to: hours.to }]) {
    if (from - start >= length) free.push({ from: start, to: from })
    start = Math.max(start, to)
  }
  return free
}

/** All lessons of a row, whatever their day. */
export const lessonsOfRow = ({ days }: PlanRow): GridLesson[] => [...days.values()].flat()
