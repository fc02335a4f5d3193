import type { ResponseOf } from '#contract/endpoint.ts'
import type { listAbsenceLessons, listFree } from '#contract/office/planning.ts'
import type { Language } from '#contract/values.ts'
import { effectiveLessons, lessonCourseName } from '#server/features/courses/lesson-repository.ts'
import { isInstructorAbsent, isInstructorLocked } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { byName } from '#server/platform/db/name-order.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

/** An instructor's absence, with its first and last day, 'YYYY-MM-DD'. */
type Absence = { instructorEmail: string; from: string; to: string }

/** Inserts an absence, or finds the one of the same instructor and days. */
export const insertAbsence = (
  tx: Queryable,
  { instructorEmail, from, to }: Absence,
): Promise<{ absenceId: number; isNew: boolean }> =>
  tx.one(sql`
    insert into absences (instructor_email, starts_on, ends_on) values (${instructorEmail}, ${from}, ${to})
    on conflict (instructor_email, starts_on, ends_on) do update set ends_on = excluded.ends_on
    returning id as "absenceId", xmax = 0 as "isNew"`)

/**
 * Deletes an absence.
 * @returns the deleted absence; null if there is none
 */
export const deleteAbsence = (tx: Queryable, absenceId: number): Promise<Absence | null> =>
  tx.maybeOne(sql`
    delete from absences where id = ${absenceId}
    returning instructor_email as "instructorEmail", starts_on as "from", ends_on as "to"`)

export const findAbsentInstructor = async (tx: Queryable, absenceId: number): Promise<string | null> =>
  (
    await tx.maybeOne<{ email: string }>(sql`
      select instructor_email as email from absences where id = ${absenceId}`)
  )?.email ?? null

const nameOf = (table: string) =>
  sql`concat_ws(' ', nullif(${sql.raw(table)}.given_name, ''), ${sql.raw(table)}.family_name)`

/** Registered absences that overlap these days. */
export const listAbsences = (
  db: Queryable,
  { from, to }: { from: string; to: string },
): Promise<(Absence & { absenceId: number; name: string })[]> =>
  db.query(sql`
    select a.id as "absenceId", a.instructor_email as "instructorEmail", ${nameOf('i')} as name, a.starts_on as "from", a.ends_on as "to"
    from absences a join instructors i on i.email = a.instructor_email
    where a.starts_on <= ${to} and a.ends_on >= ${from} order by a.starts_on, a.id`)

/**
 * Finds the lessons that an instructor teaches during a registered absence.
 * @param courseDateIds lessons to check; null: all future ones
 * @returns the course, the instructor's name and the time of the lesson
 */
export const listAbsentInstructors = (
  tx: Queryable,
  courseDateIds: readonly number[] | null,
  language: Language,
): Promise<{ courseId: number; course: string; email: string; name: string; heldAt: string }[]> =>
  tx.query(sql`
    with taught as materialized (
      select l.course_id, l.number || ' ' || ${lessonCourseName(language)} as course, l.held_at, unnest(l.instructors) as email from ${effectiveLessons}
      where ${courseDateIds === null ? sql`l.held_at > localtimestamp` : sql`l.id = any(${[...courseDateIds]}::int[])`} and l.takes_place
    )
    select l.course_id as "courseId", l.course, i.email, ${nameOf('i')} as name, l.held_at as "heldAt"
    from taught l join instructors i on i.email = l.email
    where ${isInstructorAbsent(sql`l.email`, sql`l.held_at`)}
    order by l.held_at, l.email`)

const taughtIn = ({ instructorEmail, from, to }: Absence): SqlFragment => sql`
  ${instructorEmail} = any(l.instructors) and l.held_at >= ${from}::date and l.held_at < ${to}::date + 1`

/** Ids of all lessons that an instructor teaches during an absence. */
export const listLessonIdsInAbsence = async (tx: Queryable, absence: Absence): Promise<number[]> =>
  (await tx.query<{ id: number }>(sql`select l.id from ${effectiveLessons} where ${taughtIn(absence)}`)).map(
    ({ id }) => id,
  )

/** Ids of the lessons that an instructor teaches during an ended absence and can teach, not being absent otherwise. */
export const listLessonIdsAfterAbsence = async (tx: Queryable, absence: Absence): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      select l.id from ${effectiveLessons}
      where ${taughtIn(absence)} and not ${isInstructorAbsent(sql`${absence.instructorEmail}`, sql`l.held_at`)}`)
  ).map(({ id }) => id)

type AbsenceLesson = ResponseOf<typeof listAbsenceLessons>['lessons'][number]

/** Lessons to cover: those of an instructor during an absence, or any lessons by id. */
type LessonsToCover = Absence | { courseDateIds: readonly number[] }

const isToCover = (lessons: LessonsToCover): SqlFragment =>
  'courseDateIds' in lessons ? sql`l.id = any(${[...lessons.courseDateIds]}::int[])` : taughtIn(lessons)

/** SQL condition: instructor `i` could teach lesson `m` instead of those who are expected to. */
const isOther = (lessons: LessonsToCover): SqlFragment =>
  'courseDateIds' in lessons ? sql`i.email <> all(m.instructors)` : sql`i.email <> ${lessons.instructorEmail}`

/** Future lessons, each with the other instructors who are free or busy at that time. */
export const listLessonsWithCandidates = (db: Queryable, lessons: LessonsToCover): Promise<AbsenceLesson[]> =>
  db.query(sql`
    with mine as materialized (
      select l.*, c.category_id, least(c.taken, c.capacity) as booked from ${effectiveLessons} join courses c on c.id = l.course_id
      where l.takes_place and l.held_at > localtimestamp and ${isToCover(lessons)}
    ), others as materialized (
      select l.*, l.held_at::date as day from ${effectiveLessons}
      where l.takes_place and l.held_at::date in (select d.day from mine m, unnest(array[m.held_at::date - 1, m.held_at::date]) d (day))
    ), experience as (
      select t.email, c.category_id, count(*)::int as taught from course_instructors t join courses c on c.id = t.course_id group by 1, 2
    ), candidate as materialized (
      select m.id, i.email, ${nameOf('i')} as name, i.family_name, i.given_name, coalesce(e.taught, 0) as taught, o.number,
        to_char(o.ends_at, 'HH24:MI') as until
      from mine m cross join instructors i left join experience e on (e.email, e.category_id) = (i.email, m.category_id)
      left join lateral (
        select * from others o where i.email = any(o.instructors) and o.id <> m.id and o.held_at < m.ends_at and m.held_at < o.ends_at
        order by o.held_at limit 1) o on true
      where ${isOther(lessons)} and not ${isInstructorAbsent(sql`i.email`, sql`m.held_at`)} and not ${isInstructorLocked(sql`i.email`)}
    )
    select m.id as "courseDateId", m.course_id as "courseId", m.number, m.course_name as name, m.course_name2 as name2,
      m.held_at::date as date, to_char(m.held_at, 'HH24:MI') as "startTime", to_char(m.ends_at, 'HH24:MI') as "endTime",
      coalesce(m.venue, '') as room, m.booked, m.substitute as "instructorEmail", coalesce((
        select jsonb_agg(jsonb_build_object('email', c.email, 'name', c.name, 'taught', c.taught)
          order by c.taught desc, ${byName('c')}, c.email)
        from candidate c where c.id = m.id and c.number is null), '[]') as free, coalesce((
        select jsonb_agg(jsonb_build_object('email', c.email, 'name', c.name, 'number', c.number, 'until', c.until)
          order by ${byName('c')}, c.email)
        from candidate c where c.id = m.id and c.number is not null), '[]') as busy
    from mine m order by m.held_at, m.id`)

type Free = ResponseOf<typeof listFree>
/** `dates` as 'YYYY-MM-DD', times as 'HH:mm' */
type Series = { dates: readonly string[]; startTime: string; endTime: string; courseId: number; language: Language }

/** SQL for other lessons that overlap a series of lessons, as `b`: one row per lesson and date of the series. */
const overlapping = ({ dates, startTime, endTime, courseId, language }: Series) => sql`(
  select l.*, s.day, l.number || ' ' || ${lessonCourseName(language)} as by from unnest(${[...dates]}::date[]) s (day)
  join ${effectiveLessons} on l.held_at >= s.day - 1 and l.held_at < s.day + ${endTime}::time and l.ends_at > s.day + ${startTime}::time
  where l.takes_place and l.course_id <> ${courseId}) b`

export const listFreeRooms = (db: Queryable, series: Series): Promise<Free['rooms']> =>
  db.query(sql`
    with busy as materialized (
      select b.day, b.held_at, b.by, b.room_id from ${overlapping(series)}
      union all
      select s.day, s.day, '', r.id from unnest(${[...series.dates]}::date[]) s (day) cross join rooms r
        join closures x on s.day between x.starts_on and x.ends_on and (r.id = any(x.room_ids) or x.site <> '' and x.site = r.site)
    )
    select r.id as "roomId", r.name, r.site, r.capacity, r.equipment, count(distinct b.day)::int as taken,
      coalesce((array_agg(b.by order by b.held_at) filter (where b.room_id is not null))[1], '') as by
    from rooms r left join busy b on b.room_id = r.id and (b.by = '' or not r.is_shared)
    group by r.id order by count(distinct b.day), r.name, r.site`)

export const listFreeInstructors = (db: Queryable, series: Series): Promise<Free['instructors']> =>
  db.query(sql`
    with busy as materialized (
      select b.day, b.held_at, b.by, e.email from ${overlapping(series)} cross join lateral unnest(b.instructors) e (email)
      union all
      select s.day, s.day, '', i.email from unnest(${[...series.dates]}::date[]) s (day) cross join instructors i
      where ${isInstructorAbsent(sql`i.email`, sql`s.day`)}
    )
    select i.email, concat_ws(' ', nullif(i.given_name, ''), i.family_name) as name, count(distinct b.day)::int as taken,
      coalesce((array_agg(b.by order by b.held_at) filter (where b.email is not null))[1], '') as by
    from instructors i left join busy b on b.email = i.email
    group by i.email order by count(distinct b.day), ${byName('i')}, i.email`)
