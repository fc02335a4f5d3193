import type { Course, CourseTexts } from '#contract/courses.ts'
import { type Clash, findClashes, type Timed } from '#contract/lessons.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import type { ListedCourse } from './model.ts'

type Known = {
  courses: readonly ListedCourse[]
  texts: ReadonlyMap<number, CourseTexts>
  answers: ReadonlyMap<number, Course>
}

/** A course with the dates that the device knows of it. */
const withDates = (course: ListedCourse, { texts, answers }: Known): Timed => ({
  ...course,
  dates: texts.get(course.id)?.dates ?? answers.get(course.id)?.dates ?? [],
})

/** The courses in which the reader has a place or waits for one. */
export const ownCourses = (known: Known): Timed[] =>
  known.courses
    .filter(({ bookingStatus }) => bookingStatus !== BOOKING_STATUS.NotBooked)
    .map(course => withDates(course, known))

/** What of the reader's own courses leaves no time for one of them or another. @param nowWallMs the portal's wall clock */
export const clashesOf = (
  course: ListedCourse,
  known: Known,
  own: readonly Timed[],
  nowWallMs: number,
): readonly Clash[] => (own.length === 0 ? [] : findClashes(withDates(course, known), own, nowWallMs))
