import { BOOKING_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

/** SQL for the local time at which booking `b` received its seat: when it was made, or promoted from the waiting list. */
export const seatSince = sql`coalesce(b.promoted_at, b.booked_at)::timestamp`

/** SQL condition: booking `b` held a seat when lesson `d` began. */
const heldSeat = sql`(b.state = ${BOOKING_STATUS.Booked}::int and ${seatSince} < d.held_at
  and (b.cancelled_at is null or b.cancelled_at::timestamp > d.held_at))`

/**
 * SQL condition: attendance of the person with booking `b` can be recorded at lesson `d`, because they held a seat when
 * it began or received one later on the same day.
 */
export const mayAttendLesson = sql`(${heldSeat} or b.state = ${BOOKING_STATUS.Booked}::int
  and ${seatSince} >= d.held_at and ${seatSince}::date = d.held_at::date)`

/**
 * SQL condition: the person with booking `b` belongs to lesson `d`, with the attendance record `a` (left-joined). Who
 * received the seat later on the same day belongs to it only if recorded as present. `belongsToLesson` in
 * contract/rules/money-rules.ts applies the same rule to one booking.
 */
export const belongsToLesson = sql`(${heldSeat} or ${mayAttendLesson} and coalesce(a.is_present, false))`

/**
 * SQL for `p`: everyone whose attendance can be recorded at the lessons that take place, once per lesson, with the
 * attendance record. All lists, counts and reports use it, so that they agree on every lesson.
 * @param condition condition on lesson `d` and booking `b`
 */
export const lessonParticipants = (condition: SqlFragment): SqlFragment => sql`(
  select distinct on (d.id, b.web_user_id) d.id as course_date_id, d.course_id, d.held_at, b.id as booking_id, b.web_user_id,
    a.is_present, ${belongsToLesson} as belongs
  from course_dates d join bookings b on b.course_id = d.course_id
    left join attendances a on a.course_date_id = d.id and a.web_user_id = b.web_user_id
  where d.state = 'planned' and ${mayAttendLesson} and ${condition}
  order by d.id, b.web_user_id, ${belongsToLesson} desc, (b.cancelled_at is null) desc, b.id desc) p`

/** SQL for the number of people present at a lesson; null if attendance was not recorded. */
export const presentAtLesson = (lessonId: SqlFragment): SqlFragment => sql`(
  select count(*) filter (where p.belongs and p.is_present)::int from ${lessonParticipants(sql`d.id = ${lessonId}`)}
  having exists (select from attendances r where r.course_date_id = ${lessonId} and r.is_present is not null))`
