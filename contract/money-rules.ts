/** A lesson that is not cancelled, as it counts for one person. Wall-clock times 'YYYY-MM-DD HH:MM:SS'. */
export type CountableLesson = {
  heldAt: string
  endsAt: string
  /** null: nobody recorded it */
  isPresent: boolean | null
  /** within an accepted sick span that is long enough */
  isExcused?: boolean
  /** within the span of an accepted shift proof */
  isOnShift?: boolean
}

/** Lessons in numbers; `AttendanceCount` of contract/courses.ts is the same on the wire. */
export type AttendanceNumbers = {
  held: number
  present: number
  excused: number
  unrecorded: number
  planned: number
  needed: number
}

/**
 * How many of the counted lessons make attendance regular: two thirds, or one third where an accepted shift proof covers more
 * than half of them; rounded up.
 */
export const neededLessons = (counted: number, onShift = 0): number =>
  Math.ceil((onShift * 2 > counted ? counted : counted * 2) / 3)

/**
 * The lessons of a person in numbers: only those count that begin after the place was given.
 * A held lesson without a record is `unrecorded`, never absent.
 * @param placeSince when the place was given, or now for a person without one
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
    needed: neededLessons(counted.length, counted.filter(({ isOnShift }) => isOnShift === true).length),
  }
}

/**
 * Attendance was regular and no counted lesson can be missed any more: all are held, or the instructor has closed the list.
 * Without a counted lesson it is undecided, not regular.
 */
export const isRegular = ({ held, planned, present, excused, needed }: AttendanceNumbers, isClosed: boolean): boolean =>
  planned > 0 && (isClosed || held === planned) && present + excused >= needed
