import { BOOKING_STATUS } from '#contract/values.ts'
import { type Queryable, sql } from '#server/db/client.ts'

export type DoorGuestRow = { id: string; courseDateId: number; name: string }

/** Whether the guest entry exists already, and how many guests the lesson has. */
export const findGuestFacts = (
  tx: Queryable,
  guestId: string,
  courseDateId: number,
): Promise<{ knownLessonId: number | null; isWithdrawn: boolean; count: number }> =>
  tx.one(sql`
    select (select course_date_id from door_guests where id = ${guestId}) as "knownLessonId",
      coalesce((select withdrawn_at is not null from door_guests where id = ${guestId}), false) as "isWithdrawn",
      (select count(*) from door_guests where course_date_id = ${courseDateId} and withdrawn_at is null) as count`)

/** Idempotent: an existing entry stays unchanged. */
export const insertGuest = (tx: Queryable, { id, courseDateId, name }: DoorGuestRow): Promise<number> =>
  tx.execute(sql`
    insert into door_guests (id, course_date_id, name)
    values (${id}, ${courseDateId}, ${name}) on conflict (id) do nothing`)

/** Removes the name; the remaining row rejects late repetitions of the entry. */
export const withdrawGuest = (tx: Queryable, { id, courseDateId }: Omit<DoorGuestRow, 'name'>): Promise<number> =>
  tx.execute(sql`
    insert into door_guests (id, course_date_id, name, withdrawn_at)
    values (${id}, ${courseDateId}, '', clock_timestamp())
    on conflict (id) do update set name = '', withdrawn_at = excluded.withdrawn_at
      where door_guests.withdrawn_at is null`)

/** Guests of a course's lessons, in the order in which they were recorded. */
export const listGuests = (db: Queryable, courseId: number): Promise<DoorGuestRow[]> =>
  db.query(sql`
    select g.id, g.course_date_id as "courseDateId", g.name
    from door_guests g join course_dates d on d.id = g.course_date_id
    where d.course_id = ${courseId} and g.withdrawn_at is null order by g.noted_at, g.id`)

export type WaitingGuest = {
  guestId: string
  name: string
  courseId: number
  courseName: string
  courseDateId: number
  /** start of the lesson, 'YYYY-MM-DD HH:MM:SS' */
  heldAt: string
  freePlaces: number
  /** accounts with that name and without a booking in the course, which can be booked directly */
  accounts: { webUserId: number; name: string; email: string }[]
}

/** For the page *Today*: guests of the last week without an act or booking since, newest lesson first. */
export const listWaitingGuests = (db: Queryable): Promise<WaitingGuest[]> =>
  db.query(sql`
    with named as (
      select g.*, regexp_replace(lower(g.name), '[\\s,]+', ' ', 'g') as folded
      from door_guests g
      where g.withdrawn_at is null and g.noted_at > clock_timestamp() - interval '7 days'
    ), found as (
      select g.id as guest_id, u.id, u.family_name, u.given_name, u.email, exists (
        select from bookings b join course_dates d on d.course_id = b.course_id
        where d.id = g.course_date_id and b.web_user_id = u.id and b.cancelled_at is null) as is_booked
      from named g join web_users u on u.deleted_at is null and u.confirmed_at is not null and (
        lower(u.given_name || ' ' || u.family_name) = g.folded or lower(u.family_name || ' ' || u.given_name) = g.folded)
    )
    select g.id as "guestId", g.name, c.id as "courseId", c.name as "courseName", d.id as "courseDateId",
      d.held_at as "heldAt", greatest(0, c.capacity - (
        select count(*) from bookings b
        where b.course_id = c.id and b.state = ${BOOKING_STATUS.Booked} and b.cancelled_at is null))::integer as "freePlaces",
      coalesce((
        select json_agg(json_build_object('webUserId', f.id, 'name', f.family_name || ', ' || f.given_name,
          'email', coalesce(f.email, '')) order by f.id)
        from found f where f.guest_id = g.id), '[]') as accounts
    from named g join course_dates d on d.id = g.course_date_id join courses c on c.id = d.course_id
    where not exists (select from found f where f.guest_id = g.id and f.is_booked)
    order by d.held_at desc, g.noted_at`)
