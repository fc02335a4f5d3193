import type { ResponseOf } from '#contract/endpoint.ts'
import type { listFree } from '#contract/office-planning.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { lessons } from '#server/features/courses/lesson-repository.ts'
import { isAway } from '#server/lessons/lesson-sql.ts'

type Free = ResponseOf<typeof listFree>
/** 'YYYY-MM-DD' each, and 'HH:mm' */
export type Series = { dates: readonly string[]; startTime: string; endTime: string; courseId: number }

/** Other lessons that overlap with the series, as `b`: one row per lesson and date of the series. */
const overlapping = ({ dates, startTime, endTime, courseId }: Series) => sql`(
  select l.*, s.day, l.number || ' ' || l.course_name as by from unnest(${[...dates]}::date[]) s (day)
  join ${lessons} on l.held_at >= s.day - 1 and l.held_at < s.day + ${endTime}::time and l.ends_at > s.day + ${startTime}::time
  where l.takes_place and l.course_id <> ${courseId}) b`

export const listFreeRooms = (db: Queryable, series: Series): Promise<Free['rooms']> =>
  db.query(sql`
    with busy as materialized (select * from ${overlapping(series)})
    select r.id as "roomId", r.name, r.site, r.capacity, count(distinct b.day)::int as taken,
      coalesce((array_agg(b.by order by b.held_at) filter (where b.id is not null))[1], '') as by
    from rooms r left join busy b on b.room_id = r.id and not r.is_shared
    group by r.id order by count(distinct b.day), r.name, r.site`)

export const listFreeInstructors = (db: Queryable, series: Series): Promise<Free['instructors']> =>
  db.query(sql`
    with busy as materialized (
      select b.day, b.held_at, b.by, e.email from ${overlapping(series)} cross join lateral unnest(b.instructors) e (email)
      union all
      select s.day, s.day, '', i.email from unnest(${[...series.dates]}::date[]) s (day) cross join instructors i
      where ${isAway(sql`i.email`, sql`s.day`)}
    )
    select i.email, concat_ws(' ', nullif(i.given_name, ''), i.family_name) as name, count(distinct b.day)::int as taken,
      coalesce((array_agg(b.by order by b.held_at) filter (where b.email is not null))[1], '') as by
    from instructors i left join busy b on b.email = i.email
    group by i.email order by count(distinct b.day), i.family_name, i.email`)
