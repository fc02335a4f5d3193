import type { Consequences } from '#contract/office.ts'
import { holidayNameOf } from '#server/holidays/public-holidays.ts'
import { addDays } from '#server/import/cell-parsers.ts'
import type { Row } from '#server/import/parse-folder.ts'
import { isHoliday, listWeekly, type Schedule } from '#server/import/schedule.ts'
import type { tables } from '#server/import/tables.ts'
import { requireDayAccepted } from '../course-service.ts'
import type { Desk } from '../desk-service.ts'

type CourseValues = Row<typeof tables.courses.columns>['values']

const MAX_COURSE_DAYS = 3 * 366

/** Days and times of a course in their order, as in an import. @throws NotDone */
export function requireOrder(desk: Desk, { start, end, startTime, endTime }: CourseValues): void {
  if (start && end && end < start) desk.fail('failed.dateOrder')
  if (start && end && end > addDays(start, MAX_COURSE_DAYS)) desk.fail('failed.tooLong')
  if (startTime && endTime && endTime < startTime) desk.fail('failed.timeOrder')
}

/** A course of one day takes place on it, holiday or not: of weekly ones holidays are left out. */
export function askAboutOnlyDay(desk: Desk, start: string, end: string): void {
  if (start === end) requireDayAccepted(desk, start, false)
}

/** Who teaches, and long texts: a line of the record says that they changed, not what they are. */
const UNSAID = ['instructor', 'instructorEmails', 'textWeb', 'textWeb2', 'conditions', 'conditions2']

/** What the record says of a course's fields: nobody's name. */
export const namesOf = (values: CourseValues): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, UNSAID.includes(name) ? '…' : value]))

type Made = NonNullable<Consequences['made']>

/** What the preview of a new course shows: its lessons, and the days of a weekly one that are left out, by name. */
export function lessonsOf(
  { config: { region }, say }: Desk,
  { startsOn, endsOn, day, heldAt, hasOwnDates }: Schedule,
): Pick<Made, 'lessons' | 'holidays'> {
  const isWeekly = !hasOwnDates && startsOn !== endsOn
  const left = isWeekly ? listWeekly(startsOn, endsOn, day).filter(date => isHoliday(region, date)) : []
  return {
    lessons: (heldAt ?? []).map(at => at.slice(0, 16).replace(' ', 'T')),
    holidays: left.map(date => ({ date, name: say(`holiday.${holidayNameOf(region, date) ?? 'school'}`) })),
  }
}
