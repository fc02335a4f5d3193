import { BOOKING_STATUS } from '#contract/values.ts'
import { swapLeaves } from '#server/features/bookings/booking-order-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

/**
 * Locks the courses in which any of these people has an active booking until the transaction ends.
 * @returns their ids
 */
export const lockBookedCourses = async (tx: Queryable, webUserIds: readonly number[]): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      select id from courses where id in (
        select course_id from bookings where web_user_id = any(${webUserIds}::int[]) and cancelled_at is null)
      order by id for no key update`)
  ).map(({ id }) => id)

type Doubled = {
  courseId: number
  ownId: number
  otherId: number
  ownState: number
  otherState: number
  ownSeq: number
  otherSeq: number
}

/**
 * Swaps the sequence numbers of two bookings of a course if the second has the smaller number, so that the first has the
 * earlier position and the numbers within the course stay contiguous.
 * @returns whether they were swapped
 */
async function assignEarlierSequence(tx: Queryable, earlier: number, later: number): Promise<boolean> {
  const seq = await tx.maybeOne<{ earlier: number; later: number }>(sql`
    select a.seq as earlier, b.seq as later from bookings a join bookings b on b.id = ${later}
    where a.id = ${earlier} and b.course_id = a.course_id and b.seq < a.seq`)
  if (seq === null) return false
  await tx.execute(sql`update bookings set seq = -seq where id = ${earlier}`)
  await tx.execute(sql`update bookings set seq = ${seq.earlier} where id = ${later}`)
  await tx.execute(sql`update bookings set seq = ${seq.later} where id = ${earlier}`)
  await swapLeaves(tx, earlier, later)
  return true
}

/** A booking that a merge ended, because both people had one in the course. */
export type EndedBooking = {
  courseId: number
  keptId: number
  endedId: number
  /** time of its end, as text */
  endedAt: string
  /** whether the two bookings exchanged their sequence numbers, because the ended one was the earlier */
  isSwapped: boolean
  /** future lessons' freed places that were reassigned from the ended booking to the kept one; missing: none */
  freedPlaceIds?: string[]
}

/** Reassigns freed places of coming lessons to another booking, unless it has freed its own place of that lesson. */
const reassignFreedPlaces = async (tx: Queryable, fromId: number, toId: number): Promise<string[]> =>
  (
    await tx.query<{ id: string }>(sql`
      update freed_places f set booking_id = ${toId}
      where f.booking_id = ${fromId} and f.ended_at is null and f.held_at > localtimestamp and not exists (
        select from freed_places o
        where o.booking_id = ${toId} and o.course_date_id = f.course_date_id and o.ended_at is null)
      returning id::text`)
  ).map(({ id }) => id)

/**
 * Reassigns all bookings from the duplicate person to the remaining one. If both have an active booking in the same
 * course, the better one remains active (a seat rather than a waiting-list entry, then the earlier position) and the
 * other one is cancelled.
 * @returns the cancelled bookings
 */
export async function mergeBookings(tx: Queryable, fromId: number, intoId: number): Promise<EndedBooking[]> {
  const doubled = await tx.query<Doubled>(sql`
    select a.course_id as "courseId", b.id as "ownId", a.id as "otherId", b.state as "ownState", a.state as "otherState",
      b.seq as "ownSeq", a.seq as "otherSeq"
    from bookings a join bookings b on b.course_id = a.course_id
    where a.web_user_id = ${fromId} and b.web_user_id = ${intoId} and a.cancelled_at is null and b.cancelled_at is null`)
  const cancelled: EndedBooking[] = []
  for (const { courseId, ownId, otherId, ownState, otherState, ownSeq, otherSeq } of doubled) {
    const isOtherBetter = otherState < ownState || (otherState === ownState && otherSeq < ownSeq)
    const [kept, ended] = isOtherBetter ? [otherId, ownId] : [ownId, otherId]
    const { endedAt } = await tx.one<{ endedAt: string }>(sql`
      update bookings set cancelled_at = clock_timestamp() where id = ${ended} returning cancelled_at::text as "endedAt"`)
    await tx.execute(sql`
      update bookings k set web_user_id = ${intoId}, absence_days = e.absence_days || k.absence_days,
        announced_absences = array(select unnest(k.announced_absences) union select unnest(e.announced_absences))
      from bookings e where k.id = ${kept} and e.id = ${ended}`)
    const isSwapped = await assignEarlierSequence(tx, kept, ended)
    const freedPlaceIds = await reassignFreedPlaces(tx, ended, kept)
    cancelled.push({ courseId, keptId: kept, endedId: ended, endedAt, isSwapped, freedPlaceIds })
    await tx.execute(sql`
      update courses set taken = taken - (select count(*) from bookings where id = ${ended} and not is_passed_over),
        revision = revision + 1 where id = ${courseId}`)
  }
  await tx.execute(sql`update bookings set web_user_id = ${intoId} where web_user_id = ${fromId}`)
  return cancelled
}

/** Locks the courses in which a merge ended a booking until the transaction ends. */
export const lockCoursesOfMerge = (tx: Queryable, mergeId: number): Promise<number> =>
  tx.execute(sql`
    select from courses where id in (
      select (e ->> 'courseId')::int from merges, jsonb_array_elements(moved -> 'ended') e where merges.id = ${mergeId})
    order by id for no key update`)

/**
 * Reopens a booking of a locked course that a merge ended, unless its person has booked the course again or the course
 * was cancelled. Without a free seat it becomes an entry of the waiting list, at its former position.
 * @returns the person, and whether the seat was lost to another one; null if the booking remains cancelled
 */
export async function reopenEndedBooking(
  tx: Queryable,
  { courseId, keptId, endedId, endedAt, isSwapped, freedPlaceIds = [] }: EndedBooking,
): Promise<{ webUserId: number; isSeatLost: boolean } | null> {
  if (isSwapped) await assignEarlierSequence(tx, endedId, keptId)
  return tx.maybeOne(sql`
    with ended as (
      select b.id, b.state = ${Booked} and c.capacity <= (
        select count(*) from bookings o where o.course_id = c.id and o.state = ${Booked} and o.cancelled_at is null) as is_seat_lost
      from bookings b join courses c on c.id = b.course_id
      where b.id = ${endedId} and b.cancelled_at = ${endedAt}::timestamptz and c.cancelled_at is null and not exists (
        select from bookings n where n.course_id = c.id and n.web_user_id = b.web_user_id and n.cancelled_at is null)
        and (b.state = ${Booked} or c.closes_at > clock_timestamp())
    ), reopened as (
      update bookings b set cancelled_at = null, state = case when is_seat_lost then ${Waitinglist}::int else state end,
        -- later people may have got a seat
        passed_over_at = case when is_seat_lost or state = ${Waitinglist} then clock_timestamp() else passed_over_at end,
        promoted_at = case when is_seat_lost then null else promoted_at end,
        first_lesson_on = case when is_seat_lost then null else first_lesson_on end,
        promised_lessons = case when is_seat_lost then null else promised_lessons end
      from ended e where b.id = e.id returning b.id, b.web_user_id, e.is_seat_lost, b.is_passed_over
    ), freed as (
      update freed_places f set booking_id = r.id from reopened r
      where not r.is_seat_lost and f.booking_id = ${keptId} and f.id::text = any(${freedPlaceIds}::text[])
    ), counted as (
      update courses set taken = taken + (select count(*) from reopened where is_seat_lost or not is_passed_over),
        revision = revision + 1 where id = ${courseId} and exists (select from reopened)
    )
    select web_user_id as "webUserId", is_seat_lost as "isSeatLost" from reopened`)
}
