import { latestYearOfBirth } from '#contract/rules/profile-rules.ts'
import { message } from '#server/platform/files/messages.ts'
import { type ImportProblems, quoteForMessage } from '#server/platform/files/problems.ts'
import { addDays } from './cell-parsers.ts'
import type { ExistingProgramme } from './existing-programme.ts'
import type { ParsedFolder, ParsedRow, ParsedTable } from './parse-folder.ts'
import type { ColumnsByName } from './tables.ts'

const MAX_COURSE_DAYS = 3 * 366

/** Validates rows against each other: unique keys, references, and the order of dates and times. */
export function checkFolder(folder: ParsedFolder, existing: ExistingProgramme, problems: ImportProblems): void {
  const { seasons, instructors, courses, users, ...others } = folder
  const { divisions, categories, rooms, albums, photos, content, messages } = others
  const keyed = [divisions, seasons, categories, instructors, rooms, courses, albums, photos, content, users, messages]
  for (const table of keyed) checkKeys(table, problems)
  checkReferences(folder, existing, problems)
  for (const row of courses.rows) checkCourse(row, problems)
  for (const { position, values } of seasons.rows) {
    if (values.startsAt && values.endsAt && values.endsAt < values.startsAt)
      problems.add(position, 'endsAt', message`${values.endsAt} is before startsAt ${values.startsAt}`)
    if (values.draft && values.id !== undefined && existing.bookedSeasons.has(values.id))
      problems.add(position, 'draft', message`the season has bookings and stays published`)
  }
  const states = new Map(seasons.rows.map(({ values: { id, draft } }) => [id, draft]))
  for (const { position, values } of courses.rows) {
    if (values.cancelled && existing.pastCourses.has(values.number ?? ''))
      problems.add(position, 'cancelled', message`the course is over`)
    const isDraft = states.get(values.seasonId) ?? existing.drafts.has(values.seasonId ?? 0)
    const isBooked =
      existing.bookedCourses.has(values.number ?? '') && !existing.bookedSeasons.has(values.seasonId ?? 0)
    if (isDraft && isBooked)
      problems.add(position, 'seasonId', message`the course has bookings, and this season is a draft`)
  }
  const latestYear = latestYearOfBirth(Number(existing.today.slice(0, 4)))
  for (const { position, values } of [...users.rows, ...instructors.rows]) {
    if (values.yearOfBirth && values.yearOfBirth > latestYear)
      problems.add(position, 'yearOfBirth', message`${values.yearOfBirth} is later than ${latestYear}`)
  }
}

/**
 * Fills in default values. Content items and photos without a sort order get their position within their type or album.
 * A season without a state remains a draft.
 * @param isDraft new seasons become drafts
 */
export function fillInDefaults(
  { content, photos, rooms, seasons }: ParsedFolder,
  existing: ExistingProgramme,
  isDraft: boolean,
): void {
  const counts = new Map<unknown, number>()
  const groups = [
    ...content.rows.map(({ values }) => ({ values, group: values.contentType })),
    ...photos.rows.map(({ values }) => ({ values, group: values.albumId })),
  ]
  for (const { values, group } of groups) {
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    values.sortOrder ??= count
  }
  for (const { values } of rooms.rows) values.site ??= ''
  for (const { values } of seasons.rows) {
    if (isDraft && !existing.seasons.has(values.id ?? 0)) values.draft = true
    values.draft ??= existing.drafts.has(values.id ?? 0)
  }
}

function checkKeys({ definition: { key }, rows }: ParsedTable, problems: ImportProblems): void {
  const seen = new Map<string, number>()
  for (const { position, values } of rows) {
    const parts = key.map(name => values[name])
    if (parts.some(part => part === undefined)) continue
    const text = JSON.stringify(parts)
    const first = seen.get(text)
    if (first === undefined) seen.set(text, position.line)
    else
      problems.add(
        position,
        key.join(' + '),
        message`${parts.map(part => quoteForMessage(String(part))).join(' + ')} already stands in line ${first}`,
      )
  }
}

function checkReferences(folder: ParsedFolder, existing: ExistingProgramme, problems: ImportProblems): void {
  const refer = <C extends ColumnsByName, T extends ColumnsByName>(
    from: ParsedTable<C>,
    column: keyof C & string,
    to: ParsedTable<T>,
    key: keyof T & string,
    stored: { has(value: never): boolean },
  ) => {
    if (to.isBroken) return
    const given = new Set<unknown>(to.rows.map(({ values }) => values[key]))
    for (const { position, values } of from.rows) {
      for (const value of [values[column] ?? []].flat()) {
        if (!given.has(value) && !stored.has(value as never))
          problems.add(
            position,
            column,
            message`${quoteForMessage(String(value))} is neither in ${to.definition.file} nor in the portal`,
          )
      }
    }
  }
  const { divisions, seasons, categories, instructors, courses, courseDates, albums, photos, users, messages } = folder
  refer(courses, 'seasonId', seasons, 'id', existing.seasons)
  refer(courses, 'courseCategoryId', categories, 'id', existing.categories)
  refer(courses, 'instructorEmails', instructors, 'email', existing.instructors)
  refer(courseDates, 'courseNumber', courses, 'number', existing.courses)
  refer(courseDates, 'instructorEmail', instructors, 'email', existing.instructors)
  refer(albums, 'courseNumber', courses, 'number', existing.courses)
  refer(photos, 'albumId', albums, 'id', existing.albums)
  refer(users, 'divisionId', divisions, 'id', existing.divisions)
  refer(messages, 'email', users, 'email', existing.users)
}

function checkCourse(
  { position, values }: ParsedRow<ParsedFolder['courses']['definition']['columns']>,
  problems: ImportProblems,
): void {
  const { start, end, startTime, endTime } = values
  if (start && end && end < start) problems.add(position, 'end', message`${end} is before start ${start}`)
  if (start && end && end > addDays(start, MAX_COURSE_DAYS))
    problems.add(position, 'end', message`${end} is more than three years after start ${start}`)
  // 00:00 is allowed as both start and end, because real programmes use it for courses without fixed hours.
  if (startTime && endTime && endTime < startTime)
    problems.add(position, 'endTime', message`${endTime} is before startTime ${startTime}`)
}

/** Capacities given in the import's CSV files, by course number. */
export const listCapacities = ({ rows }: ParsedFolder['courses']): Map<string, number> =>
  new Map(
    rows.flatMap(({ values: { number, participants } }) =>
      number === undefined || participants === undefined ? [] : [[number, participants]],
    ),
  )

/**
 * Reports capacities that are lower than the number of confirmed bookings.
 * @param overbooked confirmed bookings by course number
 */
export function checkCapacities(
  { courses }: ParsedFolder,
  overbooked: Map<string, number>,
  problems: ImportProblems,
): void {
  for (const { position, values } of courses.rows) {
    const booked = values.number === undefined ? undefined : overbooked.get(values.number)
    if (booked !== undefined)
      problems.add(
        position,
        'participants',
        message`${values.participants ?? 0} is less than the ${booked} places already booked`,
      )
  }
}
