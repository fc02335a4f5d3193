import { effectiveLessons } from '#server/features/courses/lesson-repository.ts'
import { instructorNames } from '#server/features/courses/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'

export type OfficeCourseRow = {
  id: number
  number: string
  name: string
  name2: string
  categoryId: number
  venue: string
  instructor: string
  isConfirmed: boolean
  isCancelled: boolean
  isOver: boolean
}

export const listOfficeCourseRows = (tx: Queryable, courseIds: readonly number[]): Promise<OfficeCourseRow[]> =>
  tx.query(sql`
    select c.id, c.number, c.name, c.name2, c.category_id as "categoryId", c.venue, ${instructorNames} as instructor,
      c.is_confirmed as "isConfirmed", c.cancelled_at is not null as "isCancelled", c.closes_at <= clock_timestamp() as "isOver"
    from courses c where c.id = any(${[...courseIds]}::int[]) order by c.id`)

export const findOfficeCourseRow = async (tx: Queryable, courseId: number): Promise<OfficeCourseRow | null> =>
  (await listOfficeCourseRows(tx, [courseId]))[0] ?? null

export const markCoursesWithOwnDates = (tx: Queryable, courseIds: readonly number[]): Promise<number> =>
  tx.execute(sql`
    update courses set has_own_dates = true, revision = revision + 1 where id = any(${[...courseIds]}::int[])`)

type Teaching = { people: number[]; addresses: string[]; names: string[] }

/**
 * For each entry, which consists of a course and additional e-mail addresses: the account ids of the course's
 * instructors and of the instructors with these addresses, the e-mail addresses of those without an account, and the
 * name of the course's instructor if the course has none with an e-mail address. Courses of a draft season have none of
 * them, because nobody is notified of drafts.
 */
export const listInstructorsByCourse = (
  tx: Queryable,
  entries: readonly { courseId: number; emails: readonly string[] }[],
): Promise<Teaching[]> =>
  tx.query(sql`
    with entry as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(entries.map((entry, key) => ({ key, ...entry })))}::text::jsonb)
        as e (key int, "courseId" int, emails text[])
    ), published as (
      select e.* from entry e join courses c on c.id = e."courseId" join seasons s on s.id = c.season_id where not s.is_draft
    ), instructor as materialized (
      select e.key, i.email from published e join course_instructors i on i.course_id = e."courseId"
      union select e.key, i.email from published e cross join lateral unnest(e.emails) a (email) join instructors i on i.email = a.email
    )
    select coalesce(array_agg(u.id order by u.id) filter (where u.id is not null), '{}') as people,
      coalesce(array_agg(i.email order by i.email) filter (where i.email is not null and u.id is null), '{}') as addresses,
      case when c.instructor <> '' and not exists (select from course_instructors where course_id = c.id)
          and exists (select from published p where p.key = e.key)
        then array[c.instructor] else '{}' end as names
    from entry e join courses c on c.id = e."courseId" left join instructor i on i.key = e.key
    left join web_users u on u.email = i.email and u.deleted_at is null
    group by e.key, c.id order by e.key`)

export const listInstructorsOfCourse = async (
  tx: Queryable,
  courseId: number,
  emails: readonly string[],
): Promise<Teaching> =>
  (await listInstructorsByCourse(tx, [{ courseId, emails }]))[0] ?? { people: [], addresses: [], names: [] }

export const updateCourseCancelled = (
  tx: Queryable,
  courseId: number,
  isCancelled: boolean,
  { note, note2 }: { note: string; note2: string },
): Promise<number> =>
  tx.execute(sql`
    update courses set cancelled_at = case when ${isCancelled} then clock_timestamp() end, note = ${note}, note2 = ${note2},
      revision = revision + 1
    where id = ${courseId}`)

/** Course data for bulk edits. `columns` maps database column names to values. */
export type EditedCourse = {
  id: number
  taken: number
  capacity: number
  isConfirmed: boolean
  /** venue and city */
  place: string
  columns: Record<string, unknown>
}

export const listEditedCourses = (tx: Queryable, courseIds: readonly number[]): Promise<EditedCourse[]> =>
  tx.query(sql`
    select id, taken, capacity, is_confirmed as "isConfirmed", concat_ws(', ', nullif(venue, ''), nullif(city, '')) as place,
      jsonb_build_object('fee_cents', fee_cents, 'energy_fee_cents', energy_fee_cents, 'external_fee_cents', external_fee_cents,
        'capacity', capacity, 'venue', venue, 'city', city, 'location', location, 'location2', location2, 'bookable_from', bookable_from, 'is_confirmed', is_confirmed) as columns
    from courses where id = any(${[...courseIds]}::int[])`)

/** SQL for the directions of a course that is at this place already, otherwise for none. */
export const directionsUnlessAt = (
  column: 'location' | 'location2',
  { venue, city }: { venue: string; city?: string },
) =>
  sql`case when (venue, city) = (${venue}, ${city === undefined ? sql`city` : city}) then ${sql.raw(column)} else '' end`

/**
 * Sets columns of several courses.
 * @returns ids of the courses whose values differed
 */
export const updateCourseColumns = async (
  tx: Queryable,
  courseIds: readonly number[],
  columns: readonly { column: string; value: unknown }[],
): Promise<number[]> => {
  const sets = columns.map(({ column, value }) => sql`${sql.raw(column)} = ${value}`)
  const isOther = columns.map(({ column, value }) => sql`${sql.raw(column)} is distinct from ${value}`)
  const rows = await tx.query<{ id: number }>(sql`
    update courses set ${sql.join(sets)}, revision = revision + 1
    where id = any(${[...courseIds]}::int[]) and (${sql.join(isOther, sql` or `)}) returning id`)
  return rows.map(({ id }) => id)
}

export const updateCourseNumber = (tx: Queryable, courseId: number, number: string): Promise<number> =>
  tx.execute(sql`update courses set number = ${number} where id = ${courseId}`)

export const findCourseId = async (tx: Queryable, number: string): Promise<number | null> =>
  (await tx.maybeOne<{ id: number }>(sql`select id from courses where number = ${number}`))?.id ?? null

/** Whether any of the courses has bookings: active ones only, or also cancelled ones. */
export const hasBookings = async (
  tx: Queryable,
  courseIds: readonly number[],
  { isActive }: { isActive: boolean },
): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from bookings where course_id = any(${courseIds}::int[]) and (not ${isActive} or cancelled_at is null) limit 1`)) !==
  null

export const hasAlbums = async (tx: Queryable, courseIds: readonly number[]): Promise<boolean> =>
  (await tx.maybeOne(sql`select from albums where course_id = any(${courseIds}::int[]) limit 1`)) !== null

export const listLessonIds = async (tx: Queryable, courseIds: readonly number[]): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(
      sql`select id from course_dates where course_id = any(${courseIds}::int[]) order by id`,
    )
  ).map(({ id }) => id)

export const deleteCourses = (tx: Queryable, courseIds: readonly number[]): Promise<number> =>
  tx.execute(sql`delete from courses where id = any(${courseIds}::int[])`)

/** A future lesson. `at` as 'YYYY-MM-DD HH:MM:SS', `until` as 'HH:MM'. */
export type LessonSnapshot = {
  id: number
  at: string
  until: string
  isCancelled: boolean
  /** room and substitute of this lesson; '' if it uses those of the course */
  place: string
  instructor: string
  /** e-mail address of the substitute */
  email: string | null
}

export type CourseSnapshot = {
  id: number
  place: string
  instructor: string
  emails: string[]
  meeting: string
  isConfirmed: boolean
  isCancelled: boolean
  lessons: LessonSnapshot[]
}

/**
 * Snapshot of future courses that have bookings, waiting lists or instructors, by id.
 * @param courseIds null: all courses. Drafts are included only if they have bookings.
 */
export async function snapshotCourses(tx: Queryable, courseIds: number[] | null): Promise<Map<number, CourseSnapshot>> {
  const rows = await tx.query<CourseSnapshot>(sql`
    select c.id, concat_ws(', ', nullif(c.venue, ''), nullif(c.city, '')) as place, ${instructorNames} as instructor,
      array(select email from course_instructors i where i.course_id = c.id order by 1) as emails,
      concat_ws(' ', c.meeting_url, c.meeting_id, c.meeting_code) as meeting, c.is_confirmed as "isConfirmed",
      c.cancelled_at is not null as "isCancelled", (
        select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'at', to_char(l.held_at, 'YYYY-MM-DD HH24:MI:SS'),
          'until', to_char(l.ends_at, 'HH24:MI'), 'isCancelled', l.state = 'cancelled',
          'email', l.substitute, 'place', case when (l.venue, l.city) is distinct from (c.venue, c.city) then concat_ws(', ', nullif(l.venue, ''), nullif(l.city, '')) else '' end,
          'instructor', coalesce((
            select concat_ws(' ', nullif(i.given_name, ''), i.family_name) from instructors i where i.email = l.substitute), ''))
          order by l.held_at), '[]')
        from ${effectiveLessons} where l.course_id = c.id and l.held_at > localtimestamp) as lessons
    from courses c
    where (${courseIds}::int[] is null or c.id = any(${courseIds}::int[])) and c.closes_at > clock_timestamp()
      and (c.taken > 0 or ${courseIds !== null} or exists (select from course_instructors i where i.course_id = c.id)
        and not (select s.is_draft from seasons s where s.id = c.season_id))`)
  return new Map(rows.map(row => [row.id, row]))
}
