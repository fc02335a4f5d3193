import { weekdayIndex } from '#contract/words.ts'
import type { ListedCourse } from './model.ts'
import { minuteOfDay } from './time-of-day-model.ts'

/** Number of courses shown per hour and day; the others are a count. */
export const MAX_COURSES_PER_HOUR = 2

export type WeekHour = { hour: number; days: readonly (readonly ListedCourse[])[] }

/** Courses as rows of hours, with Monday to Sunday in each; includes empty hours in between. */
export function weekOf(courses: readonly ListedCourse[]): WeekHour[] {
  const hours = new Map<number, ListedCourse[][]>()
  for (const course of courses) {
    const hour = Math.floor(minuteOfDay(course) / 60)
    const days = hours.get(hour) ?? Array.from({ length: 7 }, () => [])
    hours.set(hour, days)
    for (const day of course.weekdays) days[weekdayIndex(day)]?.push(course)
  }
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([hour, days]) => ({ hour, days: days.map(day => day.toSorted((a, b) => minuteOfDay(a) - minuteOfDay(b))) }))
}
