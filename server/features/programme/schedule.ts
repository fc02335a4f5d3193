import { type Queryable, sql } from '#server/platform/db/client.ts'
import { message, type TranslatableMessage } from '#server/platform/files/messages.ts'
import type { ImportProblems } from '#server/platform/files/problems.ts'
import { isPublicHoliday, isSchoolHoliday, lastSchoolHoliday } from '#server/platform/holidays/holidays.ts'
import { addDays, type ParsedDate } from './cell-parsers.ts'
import type { ExistingProgramme } from './existing-programme.ts'
import type { ParsedFolder } from './parse-folder.ts'

export const weekdayOf = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()

/**
 * Generates weekly dates ('YYYY-MM-DD') on weekday `day` (0 is Sunday), except on holidays in the region. If start and
 * end are equal, returns only that day.
 */
export const generateDates = (region: string, start: string, end: string, day: number): string[] =>
  start === end ? [start] : listWeeklyDates(start, end, day).filter(date => !isHoliday(region, date))

export const isHoliday = (region: string, date: string) =>
  isPublicHoliday(region, date) || isSchoolHoliday(region, date)

export function listWeeklyDates(start: string, end: string, day: number): string[] {
  const dates: string[] = []
  for (let date = addDays(start, (day - weekdayOf(start) + 7) % 7); date <= end; date = addDays(date, 7))
    dates.push(date)
  return dates
}

/**
 * Replaces lessons on holidays in the region with lessons after the last one, for a programme with relative dates. The
 * number of lessons, the weekdays and the times remain the same.
 * @param heldAt 'YYYY-MM-DD HH:MM:SS', ascending
 */
export function replaceHolidayLessons(region: string, heldAt: readonly string[]): string[] {
  const moved = heldAt.filter(at => !isHoliday(region, at.slice(0, 10)))
  const times = new Map(heldAt.map(at => [`${weekdayOf(at.slice(0, 10))}${at.slice(10)}`, at.slice(10)]))
  for (let date = heldAt.at(-1)?.slice(0, 10) ?? ''; moved.length < heldAt.length; ) {
    date = addDays(date, 1)
    if (isHoliday(region, date)) continue
    for (const [slot, time] of times) {
      if (slot === `${weekdayOf(date)}${time}` && moved.length < heldAt.length) moved.push(`${date}${time}`)
    }
  }
  return moved
}

/** Lesson data in a row of course-dates.csv. Empty cells leave the lesson unchanged. */
export type LessonRow = Pick<ParsedFolder['courseDates']['rows'][number]['values'], (typeof LESSON_COLUMNS)[number]>
const LESSON_COLUMNS = ['startTime', 'endTime', 'state', 'venue', 'instructorEmail', 'note', 'note2'] as const

/** Planned dates of a course. `heldAt` ('YYYY-MM-DD HH:MM:SS') is null if the stored dates remain unchanged. */
export type Schedule = {
  startsOn: string
  endsOn: string
  day: number
  heldAt: string[] | null
  hasOwnDates: boolean
  /** lesson data in rows of course-dates.csv, keyed by the start of the lesson */
  rows?: ReadonlyMap<string, LessonRow>
}

/**
 * Plans the dates of all courses in the folder, keyed by course number. A course's dates are read from its rows in
 * course-dates.csv or, if there are none, generated from weekday, start and end. If the file itself is missing,
 * individual dates from earlier imports are kept.
 * @param isMoving whether the folder's dates are relative, so that lessons on holidays are replaced rather than omitted
 */
export function planCourseDates(
  { courses, courseDates }: Pick<ParsedFolder, 'courses' | 'courseDates'>,
  existing: Pick<ExistingProgramme, 'courses'>,
  region: string,
  problems: ImportProblems,
  isMoving = false,
): Map<string, Schedule> {
  const given = new Map<
    string,
    { lesson: ParsedDate; row: LessonRow; add(column: string, text: TranslatableMessage): void }[]
  >()
  for (const { position, values } of courseDates.rows) {
    if (!values.courseNumber || !values.date) continue
    const add = (column: string, text: TranslatableMessage) => problems.add(position, column, text)
    const lessons = given.get(values.courseNumber) ?? []
    given.set(values.courseNumber, lessons)
    lessons.push({ lesson: values.date, row: values, add })
  }
  const takeDates = (number: string, startTime: string) => {
    const dates = new Map<string, LessonRow>()
    for (const { lesson, row, add } of given.get(number) ?? []) {
      const start = row.startTime ?? lesson.time ?? startTime
      const heldAt = `${lesson.date} ${start}`
      if (dates.has(heldAt)) add('date', message`${heldAt} stands twice for course ${number}`)
      if (row.endTime && row.endTime <= start) add('endTime', message`${row.endTime} is not after startTime ${start}`)
      dates.set(heldAt, row)
    }
    return dates.size > 0 ? { own: [...dates.keys()].sort(), rows: dates } : { own: null, rows: dates }
  }

  const schedules = new Map<string, Schedule>()
  for (const { values } of courses.rows) {
    const { number, start, startTime } = values
    if (number === undefined || start === undefined || startTime === undefined) continue
    const stored = existing.courses.get(number)
    const { own, rows } = takeDates(number, startTime)
    const storedEnd = courses.columnNames.has('end') ? undefined : stored?.ends_on
    const endsOn = values.end ?? own?.at(-1)?.slice(0, 10) ?? (storedEnd && storedEnd > start ? storedEnd : start)
    const storedDay = courses.columnNames.has('day') ? undefined : stored?.day
    const day = values.day ?? (stored?.starts_on === start ? storedDay : undefined) ?? weekdayOf(start)
    const areOwnDatesStored = !courseDates.isPresent && stored?.has_own_dates === true
    // If the rows are the same as the generated lessons, as in an export, the course has no individual dates.
    const isUnchanged = stored?.has_own_dates === false && own?.join() === stored.lessons
    const hasOwnDates = (own !== null && !isUnchanged) || areOwnDatesStored
    if (isMoving && !areOwnDatesStored) {
      const written = own ?? listWeeklyDates(start, endsOn, day).map(date => `${date} ${startTime}`)
      const heldAt = replaceHolidayLessons(region, written)
      // If a lesson was replaced, the course starts and ends on its actual first and last date.
      const hasMoved = heldAt.some(at => !written.includes(at))
      const [first = start, last = endsOn] = hasMoved ? [heldAt[0]?.slice(0, 10), heldAt.at(-1)?.slice(0, 10)] : []
      schedules.set(number, { startsOn: first, endsOn: last, day, heldAt, hasOwnDates, rows })
      continue
    }
    const generate = () => generateDates(region, start, endsOn, day).map(date => `${date} ${startTime}`)
    schedules.set(number, {
      startsOn: start,
      endsOn,
      day,
      heldAt: own ?? (areOwnDatesStored ? null : generate()),
      hasOwnDates,
      rows,
    })
  }
  for (const number of given.keys()) {
    const stored = existing.courses.get(number)
    if (!stored || schedules.has(number)) continue
    const { own, rows } = takeDates(number, stored.start_time)
    const { starts_on: startsOn, ends_on: endsOn, day } = stored
    if (own) schedules.set(number, { startsOn, endsOn, day, heldAt: own, hasOwnDates: true, rows })
  }
  return schedules
}

/** Reports courses without lessons, because people cannot find them by day. */
export function warnAboutCoursesWithoutLessons(schedules: ReadonlyMap<string, Schedule>): TranslatableMessage[] {
  const numbers = [...schedules].filter(([, { heldAt }]) => heldAt?.length === 0).map(([number]) => number)
  if (numbers.length === 0) return []
  return [
    message`${nameCourses(numbers)} without a lesson: give dates in course-dates.csv, or a start and end with its weekday between them`,
  ]
}

/** Lists course numbers in words, as in `Courses and 3 more`. */
function nameCourses(numbers: readonly string[]): TranslatableMessage {
  const first = numbers.slice(0, 5).join(', ')
  const named = numbers.length > 5 ? message`${first} and ${numbers.length - 5} more` : message`${first}`
  return numbers.length > 1 ? message`Courses ${named}` : message`Course ${named}`
}

/** Warns about dates that were generated for a period without school holiday data. */
export function warnAboutUnknownHolidays(
  schedules: ReadonlyMap<string, Schedule>,
  region: string,
): TranslatableMessage[] {
  const last = lastSchoolHoliday(region)
  const numbers = [...schedules]
    .filter(([, { heldAt, hasOwnDates }]) => !hasOwnDates && (heldAt?.at(-1)?.slice(0, 10) ?? '') > last)
    .map(([number]) => number)
  if (numbers.length === 0) return []
  return [
    message`${nameCourses(numbers)}: the school holidays of ${region} are known up to ${last}; later dates may lie in them. Give such dates in course-dates.csv`,
  ]
}

/**
 * Finds times ('YYYY-MM-DD HH:MM:SS') that do not exist in the portal's time zone because the change to daylight saving
 * time skips them.
 */
export async function findTimesSkippedByDst(tx: Queryable, times: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ at: string }>(sql`
    select at from unnest(${[...new Set(times)]}::text[]) at where at::timestamp::timestamptz::timestamp <> at::timestamp`)
  return new Set(rows.map(({ at }) => at))
}

/**
 * Reports lessons whose start does not exist because the change to daylight saving time skips it. The position of the
 * problem is the lesson's row in course-dates.csv or, if there is none, the course's row in courses.csv.
 */
export async function checkTimesSkippedByDst(
  tx: Queryable,
  { courses, courseDates }: Pick<ParsedFolder, 'courses' | 'courseDates'>,
  schedules: ReadonlyMap<string, Schedule>,
  problems: ImportProblems,
): Promise<void> {
  const skipped = await findTimesSkippedByDst(
    tx,
    [...schedules.values()].flatMap(({ heldAt }) => heldAt ?? []),
  )
  if (skipped.size === 0) return
  for (const [number, { heldAt }] of schedules) {
    for (const at of heldAt?.filter(time => skipped.has(time)) ?? []) {
      const given = courseDates.rows.find(
        ({ values }) => values.courseNumber === number && values.date?.date === at.slice(0, 10),
      )
      const course = courses.rows.find(({ values }) => values.number === number)
      const position = (given ?? course)?.position
      if (position)
        problems.add(
          position,
          given ? 'date' : 'startTime',
          message`${at} does not exist: summer time begins and skips it`,
        )
    }
  }
}
