import type { Language } from '#contract/values.ts'
import { fromMonday, nameIn } from '#contract/words.ts'
import type { ListedCourse } from './model.ts'

const WEEK = 7 * 24 * 60
/** So many are looked at before somebody goes back to the list. */
const MOST = 3

/** Minutes since Monday. */
const minuteOfWeek = ({ weekdays, startTime }: ListedCourse) =>
  Math.min(...weekdays.map(fromMonday)) * 24 * 60 + startTime.hour * 60 + startTime.minute

/** Where else this person can book now: the course's other times, then its category; a city counts as two days. */
export function findAlternatives(
  course: ListedCourse,
  courses: readonly ListedCourse[],
  language: Language,
  /** whether this person can book a course now */
  isFitting: (course: ListedCourse) => boolean,
): ListedCourse[] {
  const distance = (other: ListedCourse) => {
    const apart = Math.abs(minuteOfWeek(other) - minuteOfWeek(course))
    const isSame = nameIn(language, other).toLowerCase() === nameIn(language, course).toLowerCase()
    return Math.min(apart, WEEK - apart) + (other.city === course.city ? 0 : WEEK / 3.5) + (isSame ? 0 : WEEK * 2)
  }
  return courses
    .filter(other => other.id !== course.id && other.courseCategoryId === course.courseCategoryId && isFitting(other))
    .map(other => ({ other, apart: distance(other) }))
    .sort((a, b) => a.apart - b.apart)
    .slice(0, MOST)
    .map(({ other }) => other)
}
