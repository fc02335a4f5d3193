import type { CANCELLATION_CHARGES } from '#contract/acts/bookings.ts'
import { CANCELLED_COURSE_DAYS } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { peoplePassedOver } from '#server/features/courses/repository.ts'
import type { Fee } from '#server/features/courses/rules.ts'
import { firstLessonOn, futureLessonCount, processingFeeCentsOf } from '#server/features/money/price-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { ActiveBookingState } from './repository.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

/** Amount charged for a cancelled seat. */
export type CancellationCharge = { kind: (typeof CANCELLATION_CHARGES)[number]; cents: number }

/**
 * Books a seat in a course whose row is locked, or adds the person to the waiting list if the course is full. Ignores
 * the booking rules; the waiting list does not pass over a person whom the department put into an on-site course.
 * @returns null for an unknown person
 */
export const insertStaffBooking = (
  tx: Queryable,
  courseId: number,
  webUserId: number,
  fee: Fee,
): Promise<{ state: ActiveBookingState; position: number; taken: number } | null> =>
  tx.maybeOne(sql`
    with person as (
      select id, employee_status, personnel_number, owner_personnel_number, billing_type, division_id, state = 'known' as is_known,
        exists (select from divisions d where d.id = division_id and d.is_online_only) as is_online_only
      from web_users where id = ${webUserId} and deleted_at is null for no key update
    ), course as (
      update courses set taken = taken + 1, booking_seq = booking_seq + 1, revision = revision + 1
      where id = ${courseId} and exists (select from person)
      returning id, taken, capacity, booking_seq, external_fee_cents, is_free_with_attendance,
        (select ${peoplePassedOver} from courses c where c.id = ${courseId}) as passed_over
    ), priced as (select ${fee.cents}::int as price_cents, ${fee.rule}::text as price_rule), booking as (
      insert into bookings (course_id, web_user_id, seq, state, price_cents, price_rule, energy_cents, price_cents_once_verified,
        employee_status, personnel_number, owner_personnel_number, billing_type, division_id, is_person_known,
        processing_cents, is_waiver_offered, promised_lessons, first_lesson_on, is_onsite_permitted)
      select ${courseId}, p.id, c.booking_seq, case when c.taken <= c.capacity then ${Booked}::int else ${Waitinglist}::int end,
        price_cents, price_rule, ${fee.energyCents}, ${fee.onceVerifiedCents}::int,
        p.employee_status, personnel_number, owner_personnel_number, billing_type, division_id, is_known,
        ${processingFeeCentsOf(sql`c.external_fee_cents`)}, c.is_free_with_attendance,
        case when c.taken <= c.capacity then ${futureLessonCount(sql`c.id`)} end,
        case when c.taken <= c.capacity then ${firstLessonOn(sql`c.id`)} end, p.is_online_only
      from person p, course c, priced
      returning state
    )
    select b.state, case when c.taken > c.capacity then c.taken - c.capacity + c.passed_over else 0 end as position, c.taken
    from booking b, course c`)

/** Processing fee of the person's active booking. */
export const findProcessingFee = async (tx: Queryable, courseId: number, webUserId: number): Promise<number> =>
  (
    await tx.maybeOne<{ cents: number }>(sql`
      select processing_cents as cents from bookings b
      where b.course_id = ${courseId} and b.web_user_id = ${webUserId} and b.cancelled_at is null`)
  )?.cents ?? 0

/** Stores the charge with the person's booking that has just been cancelled. After a merge, it need not be the newest. */
export const updateCancellationCharge = (
  tx: Queryable,
  courseId: number,
  webUserId: number,
  { kind, cents }: CancellationCharge,
): Promise<number> =>
  tx.execute(sql`
    update bookings set charge = ${kind}, charge_cents = ${cents} where id = (
      select id from bookings where course_id = ${courseId} and web_user_id = ${webUserId} order by cancelled_at desc limit 1)`)

/** All active bookings of locked courses, ordered by position. */
export const listActiveBookings = (
  tx: Queryable,
  courseIds: readonly number[],
): Promise<{ courseId: number; webUserId: number; state: ActiveBookingState }[]> =>
  tx.query(sql`
    select course_id as "courseId", web_user_id as "webUserId", state from bookings
    where course_id = any(${[...courseIds]}::int[]) and cancelled_at is null order by course_id, seq`)

export const listBookedPeople = async (
  tx: Queryable,
  courseId: number,
  states: readonly ActiveBookingState[],
): Promise<number[]> =>
  (await listActiveBookings(tx, [courseId])).flatMap(({ webUserId, state }) =>
    states.includes(state) ? webUserId : [],
  )

/**
 * Cancels all bookings and waiting-list entries of a locked course that is cancelled, without charge. The course remains
 * in the lists of the people affected.
 */
export const cancelAllBookings = (tx: Queryable, courseId: number): Promise<number> =>
  tx.execute(sql`
    with ended as (
      update bookings set cancelled_at = clock_timestamp(), listed_until = clock_timestamp() + ${CANCELLED_COURSE_DAYS} * interval '1 day'
      where course_id = ${courseId} and cancelled_at is null returning is_passed_over
    )
    update courses set taken = taken - (select count(*) from ended where not is_passed_over), revision = revision + 1 where id = ${courseId}`)

/** People whose booking or waiting-list entry ended because the course was cancelled, without those who booked again. */
export const listPeopleOfCancelledCourse = async (tx: Queryable, courseId: number): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      select distinct b.web_user_id as id from bookings b join web_users u on u.id = b.web_user_id
      where b.course_id = ${courseId} and b.listed_until is not null and u.deleted_at is null and not exists (
        select from bookings n where n.course_id = b.course_id and n.web_user_id = b.web_user_id and n.cancelled_at is null)
      order by 1`)
  ).map(({ id }) => id)

/**
 * Removes the charges of all bookings of a course.
 * @returns their sum in cents
 */
export const removeCancellationCharges = async (tx: Queryable, courseId: number): Promise<number> =>
  (
    await tx.one<{ cents: number }>(sql`
      with charged as materialized (
        select id, charge_cents from bookings where course_id = ${courseId} and charge <> 'none'
      ), removed as (
        update bookings b set charge = 'none', charge_cents = 0 from charged where b.id = charged.id
      )
      select coalesce(sum(charge_cents), 0)::int as cents from charged`)
  ).cents
