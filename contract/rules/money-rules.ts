/**
 * A lesson that takes place, with the attendance of one person. Times are local times in the portal's time zone, in the
 * format 'YYYY-MM-DD HH:MM:SS'.
 */
export type CountableLesson = {
  heldAt: string
  endsAt: string
  /** whether the person was present; null if there is no attendance record */
  isPresent: boolean | null
  /** whether the lesson falls within an accepted sick leave of at least the minimum length */
  isExcused?: boolean
  /** whether the lesson falls within the period of an accepted shift certificate */
  isOnShift?: boolean
}

/** Numbers of lessons. The API exposes them as `AttendanceCount` (contract/endpoints/courses.ts). */
export type AttendanceNumbers = {
  held: number
  present: number
  excused: number
  unrecorded: number
  planned: number
  needed: number
}

/**
 * Number of lessons that must be attended for regular attendance: two thirds of the counted lessons, or one third if an
 * accepted shift certificate covers more than half of them. Both are rounded up.
 */
export const requiredLessonCount = (counted: number, onShift = 0): number =>
  Math.ceil((onShift * 2 > counted ? counted : counted * 2) / 3)

/** Period in which a person held a seat; `placeUntil` is missing if they still hold it. */
export type SeatSpan = { placeSince: string; placeUntil?: string | null }

/**
 * Whether a person belongs to a lesson: they held a seat when it began, or received one later on the same day and were
 * recorded as present. The server implements the same rule in SQL (server/features/lessons/participant-repository.ts).
 */
export const belongsToLesson = (
  { heldAt, isPresent }: Pick<CountableLesson, 'heldAt' | 'isPresent'>,
  { placeSince, placeUntil = null }: SeatSpan,
): boolean =>
  heldAt > placeSince
    ? placeUntil === null || placeUntil > heldAt
    : isPresent === true && heldAt.slice(0, 10) === placeSince.slice(0, 10)

/**
 * Counts the lessons to which a person belongs. A past lesson without an attendance record is
 * treated as `unrecorded`, never as absent.
 * @param span period of the seat, which begins at the current time for a person without a seat
 */
export function countAttendance(
  lessons: readonly CountableLesson[],
  { now, ...span }: SeatSpan & { now: string },
): AttendanceNumbers {
  const counted = lessons.filter(lesson => belongsToLesson(lesson, span))
  const held = counted.filter(({ endsAt }) => endsAt <= now)
  return {
    held: held.length,
    present: counted.filter(({ isPresent }) => isPresent === true).length,
    excused: counted.filter(({ isExcused, isPresent }) => isExcused === true && isPresent !== true).length,
    unrecorded: held.filter(({ isPresent }) => isPresent === null).length,
    planned: counted.length,
    needed: requiredLessonCount(counted.length, counted.filter(({ isOnShift }) => isOnShift === true).length),
  }
}

/** Whether attendance can no longer change: all counted lessons are over or the instructor has completed the list. */
export const isAttendanceFinal = ({ held, planned }: Pick<AttendanceNumbers, 'held' | 'planned'>, isClosed: boolean) =>
  planned > 0 && (isClosed || held === planned)

/**
 * Whether attendance is final and was regular. It is final once all counted lessons are over or the instructor has
 * completed the list. Without any counted lessons, the result is false.
 */
export const hasRegularAttendance = (
  { present, excused, needed, ...counted }: AttendanceNumbers,
  isClosed: boolean,
): boolean => isAttendanceFinal(counted, isClosed) && present + excused >= needed
