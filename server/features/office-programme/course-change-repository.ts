import { type Queryable, sql } from '#server/db/client.ts'
import { lessons } from '#server/features/courses/lesson-repository.ts'
import { instructorNames } from '#server/features/courses/repository.ts'

/** A future lesson. `at`: 'YYYY-MM-DD HH:MM:SS', `until`: 'HH:MM' */
export type LessonNews = {
  id: number
  at: string
  until: string
  isCancelled: boolean
  /** the lesson's own room and substitute; '' if they are the course's */
  place: string
  instructor: string
  /** of the substitute */
  email: string | null
}

export type CourseNews = {
  id: number
  place: string
  instructor: string
  emails: string[]
  meeting: string
  isConfirmed: boolean
  isCancelled: boolean
  lessons: LessonNews[]
}

/**
 * Snapshot of future courses with bookings, waiting lists or instructors, by id.
 * @param courseIds null: all; drafts only if they have bookings
 */
export async function snapshotCourses(tx: Queryable, courseIds: number[] | null): Promise<Map<number, CourseNews>> {
  const rows = await tx.query<CourseNews>(sql`
    select c.id, concat_ws(', ', nullif(c.venue, ''), nullif(c.city, '')) as place, ${instructorNames} as instructor,
      array(select email from course_instructors i where i.course_id = c.id order by 1) as emails,
      concat_ws(' ', c.meeting_url, c.meeting_id, c.meeting_code) as meeting, c.is_confirmed as "isConfirmed",
      c.cancelled_at is not null as "isCancelled", (
        select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'at', to_char(l.held_at, 'YYYY-MM-DD HH24:MI:SS'),
          'until', to_char(l.ends_at, 'HH24:MI'), 'isCancelled', l.state = 'cancelled',
          'email', l.substitute, 'place', case when l.venue is distinct from c.venue then l.venue else '' end,
          'instructor', coalesce((
            select concat_ws(' ', nullif(i.given_name, ''), i.family_name) from instructors i where i.email = l.substitute), ''))
          order by l.held_at), '[]')
        from ${lessons} where l.course_id = c.id and l.held_at > localtimestamp) as lessons
    from courses c
    where (${courseIds}::int[] is null or c.id = any(${courseIds}::int[])) and c.closes_at > clock_timestamp()
      and (c.taken > 0 or ${courseIds !== null} or exists (select from course_instructors i where i.course_id = c.id)
        and not (select s.is_draft from seasons s where s.id = c.season_id))`)
  return new Map(rows.map(row => [row.id, row]))
}
