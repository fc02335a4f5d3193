import type { Course, CourseTexts } from '#contract/endpoints/courses.ts'
import { lessonStartTimesOf } from '#contract/lessons.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { shortLocation } from '#contract/words.ts'
import { fromLocalTimeMs, toLocalTimeMs } from '#lib/format.ts'

/** A course with the start of one of its lessons. */
export type CourseLesson<C> = { course: C; startsAt: DateTimeValue }

const timeOfDayMs = ({ hour, minute }: DateTimeValue) => (hour * 60 + minute) * 60_000

/**
 * Finds the current or next lesson.
 * @param nowWallMs current local time in the portal's time zone, in the unit of `toLocalTimeMs`
 * @param afterMs how long after its end a lesson is still considered the current one
 */
export function findNextLesson<C extends Pick<Course, 'dates' | 'startTime' | 'endTime'>>(
  courses: readonly C[],
  nowWallMs: number,
  afterMs = 0,
): CourseLesson<C> | null {
  let next: { course: C; startMs: number } | null = null
  for (const course of courses) {
    const lengthMs = timeOfDayMs(course.endTime) - timeOfDayMs(course.startTime)
    for (const start of lessonStartTimesOf(course)) {
      const startMs = toLocalTimeMs(start)
      if (startMs + lengthMs + afterMs >= nowWallMs && (next === null || startMs < next.startMs))
        next = { course, startMs }
    }
  }
  return next && { course: next.course, startsAt: fromLocalTimeMs(next.startMs) }
}

/** Place of a lesson into which the department has moved it; undefined if it is that of the course. */
export function ownPlaceOf({ changes = [] }: Pick<CourseTexts, 'changes'>, startMs: number): string | undefined {
  const room = changes.find(({ at, kind }) => kind === 'room' && toLocalTimeMs(at) === startMs)
  return typeof room?.to === 'string' ? room.to : undefined
}

/** Place of a lesson: its own, or that of the course. */
export const lessonPlaceOf = (course: Pick<Course, 'venue' | 'city' | 'changes'>, startsAt: DateTimeValue): string =>
  ownPlaceOf(course, toLocalTimeMs(startsAt)) ?? shortLocation(course)
