import type { IndexedCourse } from '#contract/endpoints/course-index.ts'
import type { Course, LessonChange, Season } from '#contract/endpoints/courses.ts'
import type { FollowedItem } from '#contract/endpoints/reminders.ts'
import { lessonStartTimesOf } from '#contract/lessons.ts'
import { BOOKING_STATUS, type DateTimeValue, type Language } from '#contract/values.ts'
import { nameInLanguage, textInLanguage } from '#contract/words.ts'
import type { CourseLesson } from '#features/courses/lesson-model.ts'
import { fromLocalTimeMs, toLocalTimeMs } from '#lib/format.ts'

export const DAY_MS = 86_400_000
/** Number of days after today. */
export const PLAN_DAYS_AHEAD = 14

export type PlanLesson = {
  course: Course
  startsAt: DateTimeValue
  /** link target */
  href: string
  /** role of the user */
  part: 'booked' | 'waiting' | 'taught'
  isCancelled: boolean
}

/** Returns the URL of the participant list for a taught lesson. */
type ListAddress = (courseId: number, startsAt: DateTimeValue) => string

function lessonsOf(course: Course, part: PlanLesson['part'], hrefOf: ListAddress): PlanLesson[] {
  const plan = (startsAt: DateTimeValue, isCancelled: boolean): PlanLesson => ({
    course,
    startsAt,
    part,
    isCancelled,
    href: isCancelled ? `/course-details/${course.id}` : hrefOf(course.id, startsAt),
  })
  return [
    ...lessonStartTimesOf(course).map(startsAt => plan(startsAt, course.cancelled)),
    // The course dates exclude cancelled lessons, but the schedule shows them as cancelled.
    ...course.changes.filter(({ kind }) => kind === 'cancelled').map(({ at }) => plan(at, true)),
  ]
}

/** All lessons of a user in chronological order: booked, on the waiting list, or taught. */
export function planLessonsOf(
  own: readonly Course[],
  taught: readonly Course[],
  listAddress: ListAddress,
): PlanLesson[] {
  const toCourse = (courseId: number) => `/course-details/${courseId}`
  const lessons = [
    ...taught.flatMap(course => lessonsOf(course, 'taught', listAddress)),
    ...own.flatMap(course =>
      lessonsOf(course, course.bookingStatus === BOOKING_STATUS.Waitinglist ? 'waiting' : 'booked', toCourse),
    ),
  ]
  return lessons.sort((a, b) => toLocalTimeMs(a.startsAt) - toLocalTimeMs(b.startsAt))
}

type Next = Pick<PlanLesson, 'part'> & { lesson: CourseLesson<Course> | null }

/** The schedule without the next lessons, which are shown as cards above it. */
export const excludeNextLessons = (plan: readonly PlanLesson[], next: readonly Next[]): PlanLesson[] =>
  plan.filter(({ course, startsAt, part }) =>
    next.every(
      ({ lesson, part: shown }) =>
        part !== shown || course.id !== lesson?.course.id || toLocalTimeMs(startsAt) !== toLocalTimeMs(lesson.startsAt),
    ),
  )

const midnightOf = (date: DateTimeValue) => Math.floor(toLocalTimeMs(date) / DAY_MS) * DAY_MS

export type PlanDay = { day: DateTimeValue; lessons: PlanLesson[] }

/**
 * Groups the lessons within a time span by day. Times are local in the portal's time zone, in the unit of
 * `toLocalTimeMs`.
 * @param fromMs start of the first day
 * @param toMs start of the day after the last one
 */
export function planDaysWithin(plan: readonly PlanLesson[], fromMs: number, toMs: number): PlanDay[] {
  const within = plan.filter(({ startsAt }) => toLocalTimeMs(startsAt) >= fromMs && toLocalTimeMs(startsAt) < toMs)
  const byDay = Map.groupBy(within, ({ startsAt }) => midnightOf(startsAt))
  return [...byDay].map(([dayMs, lessons]) => ({ day: fromLocalTimeMs(dayMs), lessons }))
}

export type PlanChange = { course: Course; change: LessonChange }

/**
 * Changes to lessons, earliest first.
 * @param nowWallMs current local time in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export const planChangesOf = (courses: readonly Course[], nowWallMs: number): PlanChange[] =>
  courses
    .flatMap(course => course.changes.map(change => ({ course, change })))
    .filter(({ change }) => midnightOf(change.at) + DAY_MS > nowWallMs)
    .sort((a, b) => toLocalTimeMs(a.change.at) - toLocalTimeMs(b.change.at))

export type BookingStart = { key: string; name: string; opensAt: DateTimeValue; href: string }

/**
 * Upcoming start of booking for each followed course, category and season, earliest first.
 * @param nowWallMs current local time in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export function bookingStartsOf(
  follows: readonly FollowedItem[],
  courses: readonly IndexedCourse[],
  seasons: readonly Season[],
  nowWallMs: number,
  language: Language,
): BookingStart[] {
  const coming = courses
    .filter(({ bookableFrom }) => toLocalTimeMs(bookableFrom) > nowWallMs)
    .sort((a, b) => toLocalTimeMs(a.bookableFrom) - toLocalTimeMs(b.bookableFrom))
  const findOpening = ({ kind, id }: FollowedItem): Omit<BookingStart, 'key'> | null => {
    if (kind === 'season') {
      const season = seasons.find(other => other.id === id && toLocalTimeMs(other.bookableFrom) > nowWallMs)
      return season
        ? { name: nameInLanguage(language, season), opensAt: season.bookableFrom, href: `/courses?season=${id}` }
        : null
    }
    const course = coming.find(other => (kind === 'course' ? other.id : other.courseCategoryId) === id)
    if (!course) return null
    const { bookableFrom: opensAt, courseCategory, courseCategory2 } = course
    return kind === 'course'
      ? { name: nameInLanguage(language, course), opensAt, href: `/course-details/${id}` }
      : { name: textInLanguage(language, courseCategory, courseCategory2), opensAt, href: `/courses?category=${id}` }
  }
  return follows
    .flatMap(follow => {
      const opening = findOpening(follow)
      return opening ? [{ key: `${follow.kind} ${follow.id}`, ...opening }] : []
    })
    .sort((a, b) => toLocalTimeMs(a.opensAt) - toLocalTimeMs(b.opensAt))
}
