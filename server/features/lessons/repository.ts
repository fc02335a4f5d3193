import { sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

/** E-mail addresses of a course's regular instructors, and of the substitutes for individual lessons. */
export type TaughtCourse = { instructorEmails: readonly string[]; substituteEmails: readonly string[] }
/** `substitute`: e-mail address of the lesson's substitute instructor; null if there is none. */
export type TaughtLesson = { substitute: string | null }

export const isRegularInstructor = (
  { instructorEmails }: Pick<TaughtCourse, 'instructorEmails'>,
  email: string,
): boolean => instructorEmails.includes(email)

/**
 * Whether a person is a regular instructor or a substitute of a course. Regular instructors see all its lessons,
 * substitutes only their own.
 */
export const teachesCourse = (course: TaughtCourse, email: string): boolean =>
  isRegularInstructor(course, email) || course.substituteEmails.includes(email)

/** Whether a person may record attendance for a lesson. An instructor who is replaced by a substitute may not. */
export const teachesLesson = (
  course: Pick<TaughtCourse, 'instructorEmails'>,
  { substitute }: TaughtLesson,
  email: string,
): boolean => (substitute === null ? isRegularInstructor(course, email) : substitute === email)

/**
 * SQL condition: course `c` is published. Courses of a draft season are visible at the desk only, not even to their instructors
 * (desk.md section 6), and have no bookings.
 */
export const isPublished = sql`(select not s.is_draft from seasons s where s.id = c.season_id)`

/**
 * SQL for the end of lesson `d` of course `c` in the portal's time zone: the lesson's own end time or, if it has none,
 * its start plus the usual duration of the course's lessons.
 */
export const lessonEnd = sql`(d.held_at + case when d.ends_at is not null and d.ends_at > d.held_at::time then d.ends_at - d.held_at::time
  else greatest(c.end_time - c.start_time, interval '1 minute') end)`

/**
 * SQL for the e-mail addresses of the instructors of lesson `d`: its substitute or, if it has none, its course's
 * instructors.
 */
export const lessonInstructors = sql`case when d.instructor_email is not null then array[d.instructor_email]
  else array(select ci.email from course_instructors ci where ci.course_id = d.course_id order by ci.email) end`

/**
 * SQL for the venue of lesson `d` itself, which may be the name of its own room; null if that of the course applies.
 */
export const lessonVenue = sql`coalesce(d.venue, (select r.name from rooms r where r.id = d.room_id))`

/** SQL for the city of lesson `d` of course `c`: the site of the room that `lessonVenue` names, otherwise that of the course. */
export const lessonCity = sql`coalesce((
  select nullif(r.site, '') from rooms r where r.id = d.room_id and d.venue is null), c.city)`

/** SQL for the e-mail addresses of all substitutes in course `c`. */
export const substitutesOfCourse = sql`array(
  select distinct s.instructor_email from course_dates s where s.course_id = c.id and s.instructor_email is not null)`

/** SQL condition: the instructor with this e-mail address is absent on the day of this timestamp. */
export const isInstructorAbsent = (email: SqlFragment, at: SqlFragment) =>
  sql`exists (select from absences x where x.instructor_email = ${email} and (${at})::date between x.starts_on and x.ends_on)`

/** SQL condition: the account of the instructor with this e-mail address is locked. */
export const isInstructorLocked = (email: SqlFragment) =>
  sql`exists (select from web_users x where x.email = ${email} and x.locked_at is not null)`

/** SQL for the site of lesson `l` of `effectiveLessons`: that of its room or, without one, the city of its course. */
export const siteOfLesson = sql`coalesce((select nullif(r.site, '') from rooms r where r.id = l.room_id), l.city)`

/** SQL condition: the room or site of lesson `l` of `effectiveLessons` is closed on its day. */
export const isLessonInClosedRoom = sql`exists (
  select from closures x where l.held_at::date between x.starts_on and x.ends_on
    and (l.room_id = any(x.room_ids) or x.site <> '' and x.site = ${siteOfLesson}))`

/** SQL condition: lesson `l` of `lessons` has instructors, and all of them are absent. */
export const isLessonUncovered = sql`(l.takes_place and l.instructors <> '{}' and not exists (
  select from unnest(l.instructors) e (email) where not ${isInstructorAbsent(sql`e.email`, sql`l.held_at`)}))`
