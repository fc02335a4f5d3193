import { keysOf, pick } from '#contract/records.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import type { SqlFragment } from '#server/db/sql.ts'
import { type ExistingCourse, existingCourse } from '#server/import/existing.ts'
import type { Values } from '#server/import/parse-folder.ts'
import { type Columns, type TableDefinition, tables } from '#server/import/tables.ts'

type CourseValues = Values<typeof tables.courses.columns>

/** Stored rows with the columns of their file, as the import would have read them. */
export const columnsOf = <C extends Columns>({ columns }: TableDefinition<C>) =>
  sql.raw(
    Object.entries(columns)
      .filter(([, { to }]) => to !== '')
      .map(([name, { to }]) => `c.${to} as "${name}"`)
      .join(', '),
  )

const withInstructors = sql`${columnsOf(tables.courses)}, array(
  select email from course_instructors i where i.course_id = c.id order by email) as "instructorEmails"`

export const findStoredCourse = (tx: Queryable, courseId: number): Promise<(CourseValues & ExistingCourse) | null> =>
  tx.maybeOne(sql`
    select ${existingCourse}, ${withInstructors} from courses c where id = ${courseId}`)

export const findCourseColumns = async (tx: Queryable, courseId: number): Promise<Record<string, unknown>> => {
  const stored: CourseValues = (await findStoredCourse(tx, courseId)) ?? {}
  const given = await tx.maybeOne<Record<string, unknown>>(sql`
    select to_char(start_time, 'HH24:MI') as "startTime", to_char(end_time, 'HH24:MI') as "endTime",
      to_char(bookable_from, 'YYYY-MM-DD"T"HH24:MI') as "bookableFrom", fee_cents / 100.0 as fee, energy_fee_cents / 100.0 as "energyFee",
      external_fee_cents / 100.0 as "externalFee"
    from courses where id = ${courseId}`)
  const { columns } = tables.courses
  const names = keysOf(columns).filter(name => columns[name].to !== '' || name === 'instructorEmails')
  return { ...pick(stored, names), ...given }
}

/** A lesson as the programme had it: where the desk moved it, where it was. */
export type ProgrammeLesson = { at: string; isExtra: boolean; isPlanned: boolean }

/** The courses of a season that take place, with all their lessons. */
export const listStoredCourses = (
  tx: Queryable,
  seasonId: number,
): Promise<(CourseValues & { id: number; lessons: ProgrammeLesson[] })[]> =>
  tx.query(sql`
    select c.id, ${withInstructors}, (
      select coalesce(jsonb_agg(jsonb_build_object('at', to_char(coalesce(d.moved_from, d.held_at), 'YYYY-MM-DD HH24:MI:SS'),
        'isExtra', d.is_extra, 'isPlanned', d.state = 'planned') order by coalesce(d.moved_from, d.held_at)), '[]')
      from course_dates d where d.course_id = c.id) as lessons
    from courses c where c.season_id = ${seasonId} and c.cancelled_at is null order by c.id`)

export const isThere = async (tx: Queryable, query: SqlFragment): Promise<boolean> =>
  (await tx.one<{ isThere: boolean }>(sql`select exists (${query}) as "isThere"`)).isThere

/** The next free number of a table whose ids come from files. Waits for an import, which may bring others. */
export async function takeNextId(
  tx: Queryable,
  table: 'seasons' | 'categories' | 'divisions' | 'albums',
): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('import'))`)
  return (await tx.one<{ id: number }>(sql`select coalesce(max(id), 0) + 1 as id from ${sql.raw(table)}`)).id
}

export const isRowThere = (
  tx: Queryable,
  table: 'seasons' | 'categories' | 'divisions',
  id: number,
): Promise<boolean> => isThere(tx, sql`select from ${sql.raw(table)} where id = ${id}`)

export const hasUnknownInstructor = (tx: Queryable, emails: readonly string[]): Promise<boolean> =>
  isThere(tx, sql`select from unnest(${emails}::text[]) e where not exists (select from instructors where email = e)`)

export const findTakenNumber = (tx: Queryable, numbers: readonly string[]): Promise<{ number: string } | null> =>
  tx.maybeOne(sql`
    select number from courses where number = any(${numbers}::text[]) order by number limit 1`)
