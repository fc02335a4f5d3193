import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { ParsedFolder } from '../parse-folder.ts'
import type { Schedule } from '../schedule.ts'
import { type DbRow, type RowCounts, toDbRow, updatedColumns, upsertRows, VERSION_INCREMENT_SQL } from './upsert.ts'

/** Columns that are derived from a course's schedule. The booking counters are not, because bookings maintain them. */
const DERIVED = ['plan_starts_on', 'plan_ends_on', 'plan_day', 'has_own_dates']

/** Upserts courses and their instructors, with the columns that are derived from their schedules. */
export async function upsertCourses(
  tx: Queryable,
  { courses }: Pick<ParsedFolder, 'courses'>,
  schedules: Map<string, Schedule>,
  onProgress: (text: string) => void,
): Promise<RowCounts> {
  const cancelledAt = await findCancelled(tx, courses)
  const rows = courses.rows.map((row): DbRow => {
    const { startsOn, endsOn, day, hasOwnDates } = schedules.get(row.values.number ?? '') ?? {}
    const derived = { plan_starts_on: startsOn, plan_ends_on: endsOn, plan_day: day, has_own_dates: hasOwnDates }
    const dbRow = { ...toDbRow(courses, row), ...derived }
    const cancelled_at = cancelledAt(row.values)
    // If the course has no start of booking of its own, refreshBookingStarts later replaces this value with the season's.
    return { ...dbRow, cancelled_at, opens_at: row.values.bookableFrom ?? startsOn }
  })
  const updates = new Set([...updatedColumns(courses), ...DERIVED])
  if (courses.columnNames.has('cancelled')) updates.add('cancelled_at')
  updates.delete('number')
  const onUpdate = `revision = t.revision + 1, ${VERSION_INCREMENT_SQL}`
  const target = { table: 'courses', key: ['number'], updates: [...updates], onUpdate }
  const { created, updated } = await upsertRows(tx, target, rows, done =>
    onProgress(`courses ${done} of ${rows.length}`),
  )
  const changed = new Set(updated)
  if (courses.columnNames.has('instructorEmails')) {
    for (const number of await writeInstructors(tx, courses)) changed.add(number)
  }
  for (const number of created) changed.delete(number)
  const unchanged = rows.length - created.length - changed.size
  return { created: created.length, updated: changed.size, unchanged, removed: 0 }
}

/** Finds the time at which each course was cancelled. An empty cell leaves it unchanged. */
async function findCancelled(tx: Queryable, { columnNames, rows }: ParsedFolder['courses']) {
  if (!columnNames.has('cancelled')) return () => null
  const { now } = await tx.one<{ now: string }>(sql`select clock_timestamp()::text as now`)
  const stored = await tx.query<{ number: string; at: string }>(sql`
    select number, cancelled_at::text as at from courses
    where cancelled_at is not null and number = any(${rows.map(({ values }) => values.number)})`)
  const known = new Map(stored.map(({ number, at }) => [number, at]))
  return ({ number = '', cancelled }: (typeof rows)[number]['values']): string | null => {
    const at = known.get(number) ?? null
    return (cancelled ?? at !== null) ? (at ?? now) : null
  }
}

/**
 * Writes the instructors of courses.
 * @returns numbers of the courses whose instructors changed
 */
async function writeInstructors(tx: Queryable, { rows }: ParsedFolder['courses']): Promise<string[]> {
  const numbers = rows.map(({ values }) => values.number)
  const pairs = rows.flatMap(({ values: { number, instructorEmails = [] } }) =>
    instructorEmails.map(email => ({ number, email })),
  )
  const changed = await tx.query<{ number: string }>(sql`
    with given as materialized (
      select c.id as course_id, g.email from unnest(
        ${pairs.map(({ number }) => number)}::text[], ${pairs.map(({ email }) => email)}::text[]) as g (number, email)
      join courses c using (number)
    ), removed as (
      delete from course_instructors i using courses c
      where c.id = i.course_id and c.number = any(${numbers})
        and not exists (select from given g where g.course_id = i.course_id and g.email = i.email)
      returning i.course_id
    ), added as (
      insert into course_instructors (course_id, email)
      select course_id, email from given g
      where not exists (select from course_instructors i where i.course_id = g.course_id and i.email = g.email)
      returning course_id
    )
    update courses c set revision = revision + 1, version = version + 1
    from (select * from removed union select * from added) x where x.course_id = c.id returning c.number`)
  return changed.map(({ number }) => number)
}

/**
 * Recalculates the start of booking of all courses: their own or, if they have none, that of their season. Courses of a
 * draft season cannot be booked.
 * @returns whether the start of booking of any course changed
 */
export async function refreshBookingStarts(tx: Queryable): Promise<boolean> {
  const changed = await tx.execute(sql`
    update courses c set opens_at = moments.opens_at, revision = c.revision + 1
    from (
      select c.id, case when s.is_draft then '9999-01-01'::timestamptz else coalesce(c.bookable_from, s.bookable_from) end as opens_at
      from courses c join seasons s on s.id = c.season_id
    ) moments
    where moments.id = c.id and c.opens_at is distinct from moments.opens_at`)
  return changed > 0
}
