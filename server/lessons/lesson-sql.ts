import { sql } from '#server/db/client.ts'

/**
 * End of lesson `d` of course `c` as wall-clock time: its own end, else its start plus the duration of the course's
 * lessons.
 */
export const lessonEnd = sql`(d.held_at + case when d.ends_at is not null and d.ends_at > d.held_at::time then d.ends_at - d.held_at::time
  else greatest(c.end_time - c.start_time, interval '1 minute') end)`

/** Addresses of the instructors of lesson `d`: its substitute, else the instructors of its course. */
export const lessonInstructors = sql`case when d.instructor_email is not null then array[d.instructor_email]
  else array(select ci.email from course_instructors ci where ci.course_id = d.course_id order by ci.email) end`

/** Addresses of all substitutes of course `c`. */
export const substitutesOfCourse = sql`array(
  select distinct s.instructor_email from course_dates s where s.course_id = c.id and s.instructor_email is not null)`
