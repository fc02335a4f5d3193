import { COURSE_FIELDS } from '#contract/tables/course.ts'
import { MAX_ID } from '#contract/values.ts'
import { effectiveLessons, roomOfVenue } from '#server/features/courses/lesson-repository.ts'
import { type ExistingCourse, existingCourseColumns } from '#server/features/programme/existing-programme.ts'
import type { ParsedValues } from '#server/features/programme/parse-folder.ts'
import type { importTableDefinitions } from '#server/features/programme/tables.ts'
import type { DbRow } from '#server/features/programme/write/upsert.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { importSelectList, officeSelectList } from '#server/platform/db/field-columns.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

type CourseValues = ParsedValues<typeof importTableDefinitions.courses.columns>

const instructorEmails = sql`array(
  select email from course_instructors i where i.course_id = c.id order by email) as "instructorEmails"`

/** Select list of the columns of courses.csv, in the format of the import. */
const importedColumns = sql`${importSelectList(COURSE_FIELDS, 'c')}, c.note, c.note2, ${instructorEmails}`

export const findStoredCourse = (tx: Queryable, courseId: number): Promise<(CourseValues & ExistingCourse) | null> =>
  tx.maybeOne(sql`
    select ${existingCourseColumns}, ${importedColumns} from courses c where id = ${courseId}`)

/** Values of the columns of courses.csv, in the format accepted by actions of the office UI. */
export const findCourseColumns = async (tx: Queryable, courseId: number): Promise<Record<string, unknown>> =>
  (await tx.maybeOne<Record<string, unknown>>(sql`
    select ${officeSelectList(COURSE_FIELDS, 'c')}, c.note, c.note2, ${instructorEmails} from courses c where c.id = ${courseId}`)) ??
  {}

/** Original time of a lesson, before staff changed it. */
export type ProgrammeLesson = { at: string; isExtra: boolean; isPlanned: boolean }

/** Courses of a season with all their lessons, excluding cancelled courses. */
export const listStoredCourses = (
  tx: Queryable,
  seasonId: number,
): Promise<(CourseValues & { id: number; lessons: ProgrammeLesson[] })[]> =>
  tx.query(sql`
    select c.id, ${importedColumns}, (
      select coalesce(jsonb_agg(jsonb_build_object('at', to_char(coalesce(d.moved_from, d.held_at), 'YYYY-MM-DD HH24:MI:SS'),
        'isExtra', d.is_extra, 'isPlanned', d.state = 'planned') order by coalesce(d.moved_from, d.held_at)), '[]')
      from course_dates d where d.course_id = c.id) as lessons
    from courses c where c.season_id = ${seasonId} and c.cancelled_at is null order by c.id`)

export async function upsertTableRow(
  tx: Queryable,
  table: 'rooms' | 'course_templates' | 'content_items' | 'albums' | 'photos',
  id: number | null,
  row: DbRow,
): Promise<number> {
  const columns = sql.raw(Object.keys(row).join(', '))
  const name = sql.raw(table)
  const given = sql`select ${columns} from jsonb_populate_record(null::${name}, ${JSON.stringify(row)}::jsonb)`
  const written = await tx.one<{ id: number }>(
    id === null
      ? sql`insert into ${name} (${columns}) ${given} returning id`
      : sql`update ${name} set (${columns}) = (${given}) where id = ${id} returning id`,
  )
  return written.id
}

const isThere = async (tx: Queryable, query: SqlFragment): Promise<boolean> =>
  (await tx.one<{ isThere: boolean }>(sql`select exists (${query}) as "isThere"`)).isThere

/**
 * Next free id of a table whose ids are assigned by import files. Waits for a running import, which may insert rows.
 */
export async function nextFreeId(
  tx: Queryable,
  table: 'seasons' | 'categories' | 'divisions' | 'albums',
): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('import'))`)
  return (
    await tx.one<{ id: number }>(sql`
      with used as (select id from ${sql.raw(table)} union all select 0)
      select id + 1 as id from used u where id < ${MAX_ID} and not exists (select from used n where n.id = u.id + 1)
      order by u.id desc limit 1`)
  ).id
}

export const tableRowExists = (
  tx: Queryable,
  table: 'seasons' | 'categories' | 'divisions',
  id: number,
): Promise<boolean> => isThere(tx, sql`select from ${sql.raw(table)} where id = ${id}`)

export const hasUnknownInstructor = (tx: Queryable, emails: readonly string[]): Promise<boolean> =>
  isThere(tx, sql`select from unnest(${emails}::text[]) e where not exists (select from instructors where email = e)`)

export const findUsedCourseNumber = (tx: Queryable, numbers: readonly string[]): Promise<{ number: string } | null> =>
  tx.maybeOne(sql`
    select number from courses where number = any(${numbers}::text[]) order by number limit 1`)

export const hasUnknownRoom = async (tx: Queryable, roomIds: readonly number[]): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from unnest(${[...roomIds]}::int[]) r where not exists (select from rooms where id = r) limit 1`)) !== null

type RoomKey = { name: string; site: string }

export const findRoomNameAndSite = (tx: Queryable, roomId: number): Promise<RoomKey | null> =>
  tx.maybeOne(sql`select name, site from rooms where id = ${roomId}`)

/** Whether another room has this name at this site. */
export const isRoomNameTaken = async (
  tx: Queryable,
  { name, site }: RoomKey,
  exceptId: number | null,
): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from rooms where id is distinct from ${exceptId}::int and name = ${name} and site = ${site} limit 1`)) !==
  null

/** Whether any lesson takes place in the room. */
export const isRoomUsed = async (tx: Queryable, roomId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`select from ${effectiveLessons} where room_id = ${roomId} limit 1`)) !== null

/** Courses that take place in a room, or of which a lesson does. */
export const listCoursesInRoom = async (tx: Queryable, roomId: number): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      select c.id from courses c where ${roomOfVenue(sql`c.venue`)} = ${roomId}
      union select l.course_id from ${effectiveLessons} where l.room_id = ${roomId} order by 1`)
  ).map(({ id }) => id)

/**
 * Gives the courses whose venue names a room its new name and site. A course keeps its city if the room has no site.
 * Lessons whose own venue names it are linked to it. Call this before the room itself is changed.
 */
export async function renameVenuesOfRoom(tx: Queryable, roomId: number, { name, site }: RoomKey): Promise<void> {
  await tx.execute(sql`
    update course_dates d set room_id = ${roomId}, venue = null from courses c
    where c.id = d.course_id and d.room_id is null and d.venue is not null and ${roomOfVenue(sql`d.venue`)} = ${roomId}`)
  await tx.execute(sql`
    update courses c set venue = ${name}, revision = revision + 1,
      city = case when c.city <> '' and ${site}::text <> '' then ${site} else c.city end
    where ${roomOfVenue(sql`c.venue`)} = ${roomId}`)
}

/** Future lessons that take place in these rooms. */
export const listFutureLessonsInRooms = (
  tx: Queryable,
  roomIds: readonly number[],
): Promise<{ id: number; courseId: number }[]> =>
  tx.query(sql`
    select l.id, l.course_id as "courseId" from ${effectiveLessons}
    where l.room_id = any(${[...roomIds]}::int[]) and l.takes_place and l.held_at > localtimestamp`)

/**
 * Future courses without an instructor that display these names.
 * @param names names as displayed, including upper and lower case
 */
export const listCoursesByDisplayedInstructor = (tx: Queryable, names: readonly string[]): Promise<{ id: number }[]> =>
  tx.query(sql`
    select c.id from courses c
    where c.instructor = any(${[...names]}::text[]) and c.cancelled_at is null and c.closes_at > clock_timestamp()
      and not exists (select from course_instructors i where i.course_id = c.id) order by c.id`)

/** Assigns instructors to courses by the name that the courses display. */
export const insertInstructorsByDisplayedName = (
  tx: Queryable,
  courseIds: readonly number[],
  instructors: readonly { name: string; email: string }[],
): Promise<number> =>
  tx.execute(sql`
    with added as (
      insert into course_instructors (course_id, email)
      select distinct c.id, g.email from jsonb_to_recordset(${JSON.stringify(instructors)}::jsonb) as g (name text, email text)
      join courses c on c.instructor = g.name where c.id = any(${[...courseIds]}::int[]) returning course_id
    )
    update courses set revision = revision + 1 where id in (select course_id from added)`)

/** Number of future lessons of courses. */
export const countFutureLessons = async (tx: Queryable, courseIds: readonly number[]): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*)::int as count from ${effectiveLessons}
      where l.course_id = any(${[...courseIds]}::int[]) and l.takes_place and l.held_at > localtimestamp`)
  ).count

/** Deletes a room, also from its closures. A closure of no other room, or then equal to another one, is deleted. */
export async function deleteRoom(tx: Queryable, roomId: number): Promise<void> {
  const remaining = sql`array_remove(x.room_ids, ${roomId}::int)`
  await tx.execute(sql`
    delete from closures x where ${roomId}::int = any(x.room_ids) and (${remaining} = '{}' or exists (
      select from closures o
      where (o.room_ids, o.site, o.starts_on, o.ends_on) = (${remaining}, x.site, x.starts_on, x.ends_on)))`)
  await tx.execute(sql`update closures x set room_ids = ${remaining} where ${roomId}::int = any(x.room_ids)`)
  await tx.execute(sql`delete from rooms where id = ${roomId}`)
}

export const isTemplateNameTaken = (tx: Queryable, name: string, exceptId: number | null): Promise<boolean> =>
  isThere(tx, sql`select from course_templates where name = ${name} and id is distinct from ${exceptId}`)

export const deleteTemplate = (tx: Queryable, templateId: number): Promise<number> =>
  tx.execute(sql`delete from course_templates where id = ${templateId}`)

/** Finds the name of the instructor with this e-mail address; null if there is none. */
export const findInstructorName = async (tx: Queryable, email: string): Promise<string | null> =>
  (
    await tx.maybeOne<{ name: string }>(sql`
      select concat_ws(' ', nullif(given_name, ''), family_name) as name from instructors where email = ${email}`)
  )?.name ?? null

/** Finds the account with this e-mail address; null if there is none. */
export const findAccountId = async (tx: Queryable, email: string): Promise<number | null> =>
  (
    await tx.maybeOne<{ id: number }>(sql`
      select id from web_users where email = ${email} and deleted_at is null`)
  )?.id ?? null
