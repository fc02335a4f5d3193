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

/**
 * Counts a person's lessons that start after the seat was assigned. A past lesson without an attendance record is
 * treated as `unrecorded`, never as absent.
 * @param placeSince when the seat was assigned; the current time for a person without a seat
 */
export function countAttendance(
  lessons: readonly CountableLesson[],
  { placeSince, now }: { placeSince: string; now: string },
): AttendanceNumbers {
  const counted = lessons.filter(({ heldAt }) => heldAt > placeSince)
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

/**
 * Whether attendance is final and was regular. It is final once all counted lessons are over or the instructor has
 * completed the list. Without any counted lessons, the result is false.
 */
export const hasRegularAttendance = (
  { held, planned, present, excused, needed }: AttendanceNumbers,
  isClosed: boolean,
): boolean => planned > 0 && (isClosed || held === planned) && present + excused >= needed
