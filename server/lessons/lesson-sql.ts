import { sql } from '#server/db/client.ts'

/** When the lesson `d` of the course `c` ends, wall-clock time: at its own end, else as long after its start as the course's lessons last. */
export const lessonEnd = sql`(d.held_at + case when d.ends_at is not null and d.ends_at > d.held_at::time then d.ends_at - d.held_at::time
  else greatest(c.end_time - c.start_time, interval '1 minute') end)`

/** The addresses of those who teach the lesson `d`: its substitute, else the instructors of its course. */
export const lessonInstructors = sql`case when d.instructor_email is not null then array[d.instructor_email]
  else array(select ci.email from course_instructors ci where ci.course_id = d.course_id order by ci.email) end`

/** The addresses of all who stand in for a lesson of the course `c`. */
export const substitutesOfCourse = sql`array(
  select distinct s.instructor_email from course_dates s where s.course_id = c.id and s.instructor_email is not null)`
