import { BOOKING_STATUS, type Language } from '#contract/values.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import type { BookingMail } from '#server/mail/kinds.ts'

const { Booked, Waitinglist } = BOOKING_STATUS
export type BookedState = typeof Booked | typeof Waitinglist

export type NewBooking = {
  courseId: number
  webUserId: number
  priceCents: number
  /** may take a spot on the waiting list */
  mayWait: boolean
  /** what the mail tells of a place, and of a waiting-list spot (the position is filled in) */
  mails: Record<'booking' | 'waiting-list', BookingMail>
}

export type InsertedBooking = {
  state: BookedState
  /** on the waiting list from 1; 0 for a place */
  position: number
  /** of the course, with this booking */
  taken: number
}

const isAlreadyBooked = (error: unknown) =>
  error instanceof Error && 'constraint' in error && error.constraint === 'bookings_active'

/**
 * Takes the next place of a course, or the next spot on its waiting list, with its mail: one statement, so that nobody waits
 * for the course's row longer than its execution takes, and the database's clock alone decides the opening. The account
 * cannot be deleted meanwhile.
 * @returns null when the course is not open or full for this person, or the account is gone; `known` when the person has a booking already
 */
export async function insertBooking(db: Queryable, booking: NewBooking): Promise<InsertedBooking | 'known' | null> {
  const { courseId, webUserId, priceCents, mayWait, mails } = booking
  try {
    return await db.maybeOne<InsertedBooking>(sql`
      with person as materialized (
        select id from web_users where id = ${webUserId} and deleted_at is null for key share
      ), course as (
        update courses c set taken = c.taken + 1, booking_seq = c.booking_seq + 1, revision = c.revision + 1
        from seasons s, person p
        where c.id = ${courseId} and s.id = c.season_id and s.viewable_from <= clock_timestamp()
          and c.opens_at <= clock_timestamp() and clock_timestamp() < c.closes_at
          and (c.taken < c.capacity or ${mayWait})
        returning c.id, p.id as web_user_id, c.booking_seq, c.taken, greatest(c.taken - c.capacity, 0) as position
      ), booking as (
        insert into bookings (course_id, web_user_id, seq, state, price_cents)
        select id, web_user_id, booking_seq, case position when 0 then ${Booked}::int else ${Waitinglist}::int end, ${priceCents}
        from course
        returning web_user_id, state
      ), booker as (
        update web_users u set last_booked_at = clock_timestamp() from booking b where u.id = b.web_user_id
        returning u.id, u.email, u.language
      ), mail as (
        insert into mails (web_user_id, recipient, language, kind, payload)
        select u.id, u.email, u.language, kind, ${mails}::jsonb -> kind || jsonb_build_object('position', c.position)
        from booker u, course c, lateral (select case c.position when 0 then 'booking' else 'waiting-list' end) k (kind)
      )
      select b.state, c.position, c.taken from booking b, course c`)
  } catch (error) {
    if (isAlreadyBooked(error)) return 'known'
    throw error
  }
}

export type LockedCourse = { isOver: boolean }

/** Keeps every booking and cancellation of a course waiting until the transaction ends; always taken before their rows. */
export const lockCourse = (tx: Queryable, courseId: number): Promise<LockedCourse | null> =>
  tx.maybeOne<LockedCourse>(sql`
    select closes_at <= clock_timestamp() as "isOver" from courses where id = ${courseId} for no key update`)

export type CancelledBooking = { state: BookedState; priceCents: number }

/**
 * Ends the active booking of a person in a locked course.
 * @param isPlaceReturnable false: only a waiting-list spot may be given back
 */
export const cancelBooking = (
  tx: Queryable,
  courseId: number,
  webUserId: number,
  isPlaceReturnable: boolean,
): Promise<CancelledBooking | null> =>
  tx.maybeOne<CancelledBooking>(sql`
    with cancelled as (
      update bookings set cancelled_at = clock_timestamp()
      where course_id = ${courseId} and web_user_id = ${webUserId} and cancelled_at is null
        and (state = ${Waitinglist} or ${isPlaceReturnable})
      returning course_id, state, price_cents
    ), course as (
      update courses c set taken = c.taken - 1, revision = c.revision + 1 from cancelled x where c.id = x.course_id
    )
    select state, price_cents as "priceCents" from cancelled`)

export type PromotedBooking = { webUserId: number; priceCents: number; language: Language }

/** Gives the free places of a locked course to the first of its waiting list, in their order. */
export const promoteBookings = (tx: Queryable, courseId: number): Promise<PromotedBooking[]> =>
  tx.query<PromotedBooking>(sql`
    with next as (
      select id from bookings where course_id = ${courseId} and state = ${Waitinglist} and cancelled_at is null
      order by seq
      limit greatest(0, (select capacity from courses where id = ${courseId}) - (
        select count(*) from bookings where course_id = ${courseId} and state = ${Booked} and cancelled_at is null))
    ), promoted as (
      update bookings b set state = ${Booked}, promoted_at = clock_timestamp() from next where b.id = next.id
      returning b.seq, b.web_user_id, b.price_cents
    )
    select p.web_user_id as "webUserId", p.price_cents as "priceCents", u.language
    from promoted p join web_users u on u.id = p.web_user_id order by p.seq`)

/** Ends the waiting list of a locked course. */
export const cancelWaitingList = (tx: Queryable, courseId: number): Promise<number> =>
  tx.execute(sql`
    with cancelled as (
      update bookings set cancelled_at = clock_timestamp()
      where course_id = ${courseId} and state = ${Waitinglist} and cancelled_at is null
      returning id
    )
    update courses set taken = taken - (select count(*) from cancelled), revision = revision + 1 where id = ${courseId}`)

/** The courses in which a person has a place or waits for one. */
export async function listBookedCourseIds(db: Queryable, webUserId: number): Promise<number[]> {
  const rows = await db.query<{ course_id: number }>(sql`
    select course_id from bookings where web_user_id = ${webUserId} and cancelled_at is null`)
  return rows.map(row => row.course_id)
}
