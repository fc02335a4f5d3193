import { fromMonday } from '#contract/words.ts'
import type { ListedCourse } from './model.ts'
import { timeOf } from './time-of-day-model.ts'

/** So many courses stand in one hour of a day; the others are a number. */
export const SHOWN_IN_HOUR = 2

export type WeekHour = { hour: number; days: readonly (readonly ListedCourse[])[] }

/** The week as rows of hours, Monday to Sunday in each; hours without a course between others stay. */
export function weekOf(courses: readonly ListedCourse[]): WeekHour[] {
  const hours = new Map<number, ListedCourse[][]>()
  for (const course of courses) {
    const hour = Math.floor(timeOf(course) / 60)
    const days = hours.get(hour) ?? Array.from({ length: 7 }, () => [])
    hours.set(hour, days)
    for (const day of course.weekdays) days[fromMonday(day)]?.push(course)
  }
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([hour, days]) => ({ hour, days: days.map(day => day.toSorted((a, b) => timeOf(a) - timeOf(b))) }))
}
