import { BOOKING_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

/** SQL for the local time at which booking `b` received its seat: when it was made, or promoted from the waiting list. */
export const seatSince = sql`coalesce(b.promoted_at, b.booked_at)::timestamp`

/** SQL condition: booking `b` held a seat when lesson `d` began. */
const heldSeat = sql`(b.state = ${BOOKING_STATUS.Booked}::int and ${seatSince} < d.held_at
  and (b.cancelled_at is null or b.cancelled_at::timestamp > d.held_at))`

/**
 * SQL condition: the person with booking `b` has announced not to attend lesson `d`. An announcement is for the day that
 * the lesson had then: it does not apply while the lesson is on another day.
 */
export const isAbsenceAnnounced = sql`(d.id = any(b.announced_absences)
  and coalesce(b.absence_days ->> d.id::text = d.held_at::date::text, true))`

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
 * SQL condition: a person is the guest of lesson `d` in freed place `f`, because the booking that freed it holds its
 * seat. The place therefore ends with that booking, whoever ends it. See docs/decisions/0148.
 */
export const isGuestPlace = sql`(f.course_date_id = d.id and f.guest_id is not null and f.ended_at is null
  and exists (select from bookings b where b.id = f.booking_id and ${heldSeat}))`

/** SQL condition: this person is a guest of lesson `d`. */
export const isLessonGuest = (webUserId: SqlFragment): SqlFragment =>
  sql`exists (select from freed_places f where f.guest_id = ${webUserId} and ${isGuestPlace})`

/** SQL for the last time at which a person took a place for a lesson that has begun; null: never. */
export const lastGuestAt = (webUserId: SqlFragment): SqlFragment =>
  sql`(select max(f.taken_at) from freed_places f where f.guest_id = ${webUserId} and f.held_at <= localtimestamp)`

/**
 * SQL for `p`: everyone whose attendance can be recorded at the lessons that take place, once per lesson, with the
 * attendance record. All lists, counts and reports use it, so that they agree on every lesson. Guests of a lesson belong
 * to it without a booking (`booking_id` is null).
 * @param condition condition on lesson `d` and booking `b`; of guests, `b` has only the person
 */
export const lessonParticipants = (condition: SqlFragment): SqlFragment => sql`(
  select distinct on (m.course_date_id, m.web_user_id) m.* from (
    select d.id as course_date_id, d.course_id, d.held_at, b.id as booking_id, b.web_user_id, a.is_present,
      ${belongsToLesson} as belongs, b.cancelled_at is null as is_active
    from course_dates d join bookings b on b.course_id = d.course_id
      left join attendances a on a.course_date_id = d.id and a.web_user_id = b.web_user_id
    where d.state = 'planned' and ${mayAttendLesson} and ${condition}
    union all
    select d.id, d.course_id, d.held_at, null, f.guest_id, a.is_present, true, true
    from course_dates d join freed_places f on ${isGuestPlace}
      cross join lateral (select f.guest_id as web_user_id) b
      left join attendances a on a.course_date_id = d.id and a.web_user_id = f.guest_id
    where d.state = 'planned' and ${condition}
  ) m
  order by m.course_date_id, m.web_user_id, m.belongs desc, m.booking_id is null, m.is_active desc, m.booking_id desc) p`

/** SQL for the number of people present at a lesson; null if attendance was not recorded. */
export const presentAtLesson = (lessonId: SqlFragment): SqlFragment => sql`(
  select count(*) filter (where p.belongs and p.is_present)::int from ${lessonParticipants(sql`d.id = ${lessonId}`)}
  having exists (select from attendances r where r.course_date_id = ${lessonId} and r.is_present is not null))`
