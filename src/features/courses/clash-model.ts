import type { Course, CourseTexts } from '#contract/endpoints/courses.ts'
import { type Clash, findClashes, type ScheduledCourse } from '#contract/lessons.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import type { ListedCourse } from './model.ts'

type Texts = ReadonlyMap<number, CourseTexts>
type Answers = ReadonlyMap<number, Course>

/** Adds the dates that are cached on the device to a course. */
const withDates = (course: ListedCourse, texts: Texts, answers: Answers): ScheduledCourse => ({
  ...course,
  dates: texts.get(course.id)?.dates ?? answers.get(course.id)?.dates ?? [],
})

/**
 * Creates a function that finds the user's own courses that overlap a given course. Computes their lessons once for all
 * cards of a page.
 */
export function createClashFinder() {
  let of: readonly unknown[] = []
  let own: ScheduledCourse[] = []
  return (
    course: ListedCourse,
    courses: readonly ListedCourse[],
    texts: Texts,
    answers: Answers,
    /** current local time in the portal's time zone, in the unit of `toLocalTimeMs` */
    nowWallMs: number,
  ): readonly Clash[] => {
    if (of[0] !== courses || of[1] !== texts || of[2] !== answers) {
      of = [courses, texts, answers]
      own = courses
        .filter(({ bookingStatus }) => bookingStatus !== BOOKING_STATUS.NotBooked)
        .map(mine => withDates(mine, texts, answers))
    }
    return own.length === 0 ? [] : findClashes(withDates(course, texts, answers), own, nowWallMs)
  }
}
