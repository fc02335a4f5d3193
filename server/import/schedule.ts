import { isPublicHoliday } from '#server/holidays/public-holidays.ts'
import { isSchoolHoliday } from '#server/holidays/school-holidays.ts'
import { addDays, type GivenDate } from './cells.ts'
import type { Existing } from './existing.ts'
import type { Folder } from './parse-folder.ts'
import type { Problems } from './problems.ts'

const weekdayOf = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()

/**
 * One date a week on weekday `day` (0 Sunday) from `start` to `end`, public and Easter and autumn school holidays of the region
 * left out; dates are 'YYYY-MM-DD'. A course of a single day takes place on that day, whatever day it is.
 */
export function generateDates(region: string, start: string, end: string, day: number): string[] {
  if (start === end) return [start]
  const dates: string[] = []
  for (let date = addDays(start, (day - weekdayOf(start) + 7) % 7); date <= end; date = addDays(date, 7))
    if (!isPublicHoliday(region, date) && !isSchoolHoliday(region, date)) dates.push(date)
  return dates
}

/** A course's days. `heldAt` ('YYYY-MM-DD HH:MM:SS') is null where the stored dates stay as they are. */
export type Schedule = { startsOn: string; endsOn: string; day: number; heldAt: string[] | null; hasOwnDates: boolean }

/**
 * The days of every course that the folder speaks of, by number. Its rows in course-dates.csv are its dates; without rows they
 * follow from its weekday, start and end. Where the folder has no course-dates.csv, dates given one by one before stay.
 */
export function planSchedules(
  { courses, courseDates }: Folder,
  existing: Existing,
  region: string,
  problems: Problems,
): Map<string, Schedule> {
  const given = new Map<string, { lesson: GivenDate; add(text: string): void }[]>()
  for (const { position, values } of courseDates.rows) {
    if (!values.courseNumber || !values.date) continue
    const add = (text: string) => problems.add(position, 'date', text)
    given.set(values.courseNumber, [...(given.get(values.courseNumber) ?? []), { lesson: values.date, add }])
  }
  const takeDates = (number: string, startTime: string) => {
    const dates = new Set<string>()
    for (const { lesson, add } of given.get(number) ?? []) {
      const heldAt = `${lesson.date} ${lesson.time ?? startTime}`
      if (dates.has(heldAt)) add(`${heldAt} stands twice for course ${number}`)
      dates.add(heldAt)
    }
    return dates.size > 0 ? [...dates].sort() : null
  }

  const schedules = new Map<string, Schedule>()
  for (const { values } of courses.rows) {
    const { number, start, startTime } = values
    if (number === undefined || start === undefined || startTime === undefined) continue
    const stored = existing.courses.get(number)
    const own = takeDates(number, startTime)
    const storedEnd = courses.columnNames.has('end') ? undefined : stored?.ends_on
    const endsOn = values.end ?? own?.at(-1)?.slice(0, 10) ?? (storedEnd && storedEnd > start ? storedEnd : start)
    const storedDay = courses.columnNames.has('day') ? undefined : stored?.day
    const day = values.day ?? (stored?.starts_on === start ? storedDay : undefined) ?? weekdayOf(start)
    const areOwnDatesStored = !courseDates.isPresent && stored?.has_own_dates === true
    const generate = () => generateDates(region, start, endsOn, day).map(date => `${date} ${startTime}`)
    const heldAt = own ?? (areOwnDatesStored ? null : generate())
    schedules.set(number, { startsOn: start, endsOn, day, heldAt, hasOwnDates: own !== null || areOwnDatesStored })
  }
  for (const number of given.keys()) {
    const stored = existing.courses.get(number)
    const own = stored && !schedules.has(number) && takeDates(number, stored.start_time)
    if (own) {
      const { starts_on: startsOn, ends_on: endsOn, day } = stored
      schedules.set(number, { startsOn, endsOn, day, heldAt: own, hasOwnDates: true })
    }
  }
  return schedules
}
