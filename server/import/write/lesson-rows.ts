import { type Queryable, sql } from '#server/db/client.ts'
import type { LessonRow } from '../schedule.ts'

export type LessonToSay = LessonRow & { course_id: number; held_at: string }

/** Writes lesson data of rows; values equal to the course's own are stored as null. @returns the changed lessons */
export const writeLessonRows = (tx: Queryable, lessons: LessonToSay[]): Promise<{ id: number; course_id: number }[]> =>
  tx.query(sql`
    with said as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(lessons)}::jsonb) as r (course_id int, held_at timestamp, "endTime" time,
        state text, venue text, "instructorEmail" text, note text, note2 text)
    ), wanted as (
      select d.id,
        coalesce(s.state, d.state) as state,
        case when s."endTime" is null then d.ends_at
          when s."endTime" = (d.held_at + (c.end_time - c.start_time))::time and c.end_time > c.start_time then null
          else s."endTime" end as ends_at,
        case when s.venue is null or s.venue = coalesce(d.venue, r.name, c.venue) then d.room_id end as room_id,
        case when s.venue is null or s.venue = coalesce(d.venue, r.name, c.venue) then d.venue
          else nullif(s.venue, c.venue) end as venue,
        case when s."instructorEmail" is null then d.instructor_email
          when array[s."instructorEmail"] = array(select i.email from course_instructors i where i.course_id = c.id) then null
          else s."instructorEmail" end as instructor_email,
        coalesce(s.note, case when d.state = 'cancelled' and s.state = 'planned' then '' else d.note end) as note,
        coalesce(s.note2, case when d.state = 'cancelled' and s.state = 'planned' then '' else d.note2 end) as note2
      from said s join course_dates d on d.course_id = s.course_id and d.held_at = s.held_at
        join courses c on c.id = d.course_id left join rooms r on r.id = d.room_id
    )
    update course_dates d set state = w.state, ends_at = w.ends_at, room_id = w.room_id, venue = w.venue,
      instructor_email = w.instructor_email, note = w.note, note2 = w.note2
    from wanted w
    where d.id = w.id and (d.state, d.ends_at, d.room_id, d.venue, d.instructor_email, d.note, d.note2)
      is distinct from (w.state, w.ends_at, w.room_id, w.venue, w.instructor_email, w.note, w.note2)
    returning d.id, d.course_id`)
