import { type Queryable, sql } from '#server/db/client.ts'
import { lessons } from '#server/features/courses/lesson-repository.ts'

export type Clash = {
  /** of the two lessons and what both need */
  key: string
  room: string | null
  instructor: string | null
  courseId: number
  number: string
  otherNumber: string
  /** 'YYYY-MM-DDTHH:mm' */
  at: string
}

/** Where two lessons to come need the same instructor, or the same room that holds one at a time. */
export const listClashes = (tx: Queryable): Promise<Clash[]> =>
  tx.query(sql`
    with lesson as materialized (select * from ${lessons} where takes_place and held_at > localtimestamp),
    needs as (
      select l.id, l.course_id, l.number, l.held_at, l.ends_at, 'room ' || r.id as what, r.name as room, null as instructor
      from lesson l join rooms r on r.id = l.room_id where not r.is_shared
      union all
      select l.id, l.course_id, l.number, l.held_at, l.ends_at, 'instructor ' || i.email, null,
        concat_ws(' ', nullif(i.given_name, ''), i.family_name)
      from lesson l cross join unnest(l.instructors) e join instructors i on i.email = e
    )
    select a.what || ' ' || a.id || ' ' || b.id as key, a.room, a.instructor, a.course_id as "courseId", a.number,
      b.number as "otherNumber", to_char(a.held_at, 'YYYY-MM-DD"T"HH24:MI') as at
    from needs a join needs b on a.what = b.what and a.id < b.id and a.held_at < b.ends_at and b.held_at < a.ends_at
    order by a.held_at, a.number, b.number`)

/** The courses that this very transaction wrote. */
export const listWrittenCourses = async (tx: Queryable): Promise<number[]> =>
  (await tx.query<{ id: number }>(sql`select id from courses where xmin = pg_current_xact_id()::xid`)).map(
    ({ id }) => id,
  )
