import type { Language } from '#contract/values.ts'
import { nameInLanguage, weekdayIndex } from '#contract/words.ts'
import type { ListedCourse } from '../model.ts'

const WEEK = 7 * 24 * 60
/** Maximum number of alternatives. Few users look at more before returning to the list. */
const MOST = 3

/** Start time in minutes since Monday 00:00. */
const minuteOfWeek = ({ weekdays, startTime }: ListedCourse) =>
  Math.min(...weekdays.map(weekdayIndex)) * 24 * 60 + startTime.hour * 60 + startTime.minute

/**
 * Alternatives in the same category that this user can book now, closest first. Another city is treated as a distance
 * of two days, and a different course as one of two weeks.
 */
export function findAlternatives(
  course: ListedCourse,
  courses: readonly ListedCourse[],
  language: Language,
  /** whether this user can book the course now */
  isFitting: (course: ListedCourse) => boolean,
): ListedCourse[] {
  const distance = (other: ListedCourse) => {
    const apart = Math.abs(minuteOfWeek(other) - minuteOfWeek(course))
    const isSame = nameInLanguage(language, other).toLowerCase() === nameInLanguage(language, course).toLowerCase()
    return Math.min(apart, WEEK - apart) + (other.city === course.city ? 0 : WEEK / 3.5) + (isSame ? 0 : WEEK * 2)
  }
  return courses
    .filter(other => other.id !== course.id && other.courseCategoryId === course.courseCategoryId && isFitting(other))
    .map(other => ({ other, apart: distance(other) }))
    .sort((a, b) => a.apart - b.apart)
    .slice(0, MOST)
    .map(({ other }) => other)
}
