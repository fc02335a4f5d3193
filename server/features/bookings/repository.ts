import { TRAVEL_MINUTES } from '#contract/lessons.ts'
import { BOOKING_STATUS, EMPLOYEE_STATUS, type Language } from '#contract/values.ts'
import { isActiveBooking } from '#server/features/courses/view-repository.ts'
import { isAbsenceAnnounced } from '#server/features/lessons/participant-repository.ts'
import { lessonCity, lessonVenue } from '#server/features/lessons/repository.ts'
import { firstLessonOn, futureLessonCount } from '#server/features/money/price-repository.ts'
import { FEE_WAIVER_GROUPS } from '#server/features/money/rules.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { BookingMail } from '#server/platform/outbox/mail-kinds.ts'

const { Booked, Waitinglist } = BOOKING_STATUS
export type ActiveBookingState = typeof Booked | typeof Waitinglist

/** E-mail and inbox message to a person promoted from the waiting list. */
export type PromotionNotice = {
  mail: BookingMail
  message: Record<Language, { title: string; text: string }>
}

/**
 * SQL for the other courses of person `p.web_user_id` with a future lesson that overlaps with one of course
 * `p.course_id` or leaves too little time to travel, according to the rules in contract/lessons.ts, but from the lesson's
 * own room if it has one. The result is a JSON array.
 */
const clashes = sql`
  select coalesce(jsonb_agg(
    jsonb_build_object('name', name, 'name2', name2, 'kind', kind, 'at', to_char(at, 'YYYY-MM-DD HH24:MI:SS')) order by at), '[]')
  from (
    select distinct on (o.id) o.name, o.name2, d.held_at as at, case when span.is_same_time then 'time' else 'travel' end as kind
    from courses c join course_dates d on d.course_id = c.id,
      bookings b join courses o on o.id = b.course_id join course_dates l on l.course_id = o.id,
      lateral (select coalesce(${lessonVenue}, c.venue) as venue, ${lessonCity} as city) here,
      lateral (select coalesce(${lessonVenue}, c.venue) as venue, ${lessonCity} as city
        from (select l.venue, l.room_id) d, (select o.venue, o.city) c) there,
      lateral (select greatest(c.end_time - c.start_time, interval '1 minute') as own,
        greatest(o.end_time - o.start_time, interval '1 minute') as other,
        make_interval(mins => case
          when here.city <> '' and there.city <> '' and here.city <> there.city then ${TRAVEL_MINUTES.city}::int
          when here.venue <> '' and there.venue <> '' and here.venue <> there.venue then ${TRAVEL_MINUTES.venue}::int else 0 end) as way) length,
      lateral (select d.held_at < l.held_at + other and l.held_at < d.held_at + own as is_same_time) span
    where c.id = p.course_id and b.web_user_id = p.web_user_id and b.cancelled_at is null and o.id <> c.id
      and d.state = 'planned' and l.state = 'planned'
      and d.held_at > localtimestamp and l.held_at > localtimestamp
      and d.held_at < l.held_at + other + way and l.held_at < d.held_at + own + way
    order by o.id, span.is_same_time desc, d.held_at
  ) x`

/**
 * SQL that sets the columns of booking `b` when it receives a seat, including all data needed to charge for it
 * (money.md section 1).
 */
const placed = sql`
  state = ${Booked}, promoted_at = clock_timestamp(), first_lesson_on = ${firstLessonOn(sql`b.course_id`)}, promised_lessons = ${futureLessonCount(sql`b.course_id`)},
  is_waiver_offered = b.is_waiver_offered or (select is_free_with_attendance from courses where id = b.course_id)`

/**
 * Final part of a `with` statement. Creates e-mails and messages to the people in `promoted (web_user_id, course_id,
 * price_cents, …)`.
 */
const notifyPromoted = ({ mail, message }: PromotionNotice) => sql`
  told as (
    insert into mails (web_user_id, recipient, language, kind, payload)
    select u.id, u.email, u.language, 'promotion', ${mail}::jsonb || jsonb_build_object('priceCents', p.price_cents,
      'priceRule', p.price_rule, 'energyFeeCents', p.energy_cents, 'priceCentsOnceVerified', p.price_cents_once_verified, 'clashes', (${clashes}),
      'freeWithAttendance', p.is_waiver_offered and p.price_rule = 'fee' and coalesce(p.employee_status = any(${FEE_WAIVER_GROUPS}::int[]), false))
    from promoted p join web_users u on u.id = p.web_user_id
  ), noted as (
    insert into inbox_items (web_user_id, title, text)
    select u.id, m.value ->> 'title', m.value ->> 'text'
    from promoted p join web_users u on u.id = p.web_user_id
    join jsonb_each(${message}::jsonb) m on m.key = u.language
  )`

/**
 * SQL condition: the person of waiting-list entry `row` has become external since. Externals never wait, unless the
 * department has put them on the list.
 */
const hasBecomeExternal = (row: string) =>
  sql.raw(`(${row}.employee_status is distinct from ${EMPLOYEE_STATUS.External} and exists (
  select from web_users u where u.id = ${row}.web_user_id and u.employee_status = ${EMPLOYEE_STATUS.External}))`)

/**
 * SQL condition: the person of waiting-list entry `row` can take no place, because the account is locked, or because
 * the division has become online-only and the course is not.
 */
const isUnableToAttend = (row: string) =>
  sql.raw(`exists (
  select from web_users u left join divisions d on d.id = u.division_id join courses o on o.id = ${row}.course_id
  where u.id = ${row}.web_user_id and (u.locked_at is not null
    or d.is_online_only and o.meeting_url = '' and not ${row}.is_onsite_permitted))`)

/** SQL condition: waiting-list entry `row` is promoted when it is its turn. */
const isPromotable = (row: string) =>
  sql`not ${sql.raw(row)}.is_passed_over and not ${isUnableToAttend(row)} and not ${hasBecomeExternal(row)}`

/**
 * Passes over the people on the waiting list of a locked course who can take no place, and counts those again who can.
 */
export const updatePassedOver = (tx: Queryable, courseId: number): Promise<number> =>
  tx.execute(sql`
    with changed as (
      update bookings b set is_passed_over = not b.is_passed_over,
        passed_over_at = case when b.is_passed_over then b.passed_over_at else clock_timestamp() end
      where b.course_id = ${courseId} and b.state = ${Waitinglist} and b.cancelled_at is null
        and b.is_passed_over <> ${isUnableToAttend('b')}
      returning case when is_passed_over then -1 else 1 end as step
    )
    update courses set taken = taken + (select sum(step) from changed)::int, revision = revision + 1
    where id = ${courseId} and exists (select from changed)`)

/**
 * SQL condition: booking `b` ended because two accounts of one person were merged, both of which had booked the course:
 * at its end the person had another booking there. Nobody cancelled it, so that it is counted and listed nowhere.
 */
export const isEndedByMerge = sql`exists (
  select from bookings o where o.course_id = b.course_id and o.web_user_id = b.web_user_id and o.id <> b.id
    and o.booked_at < b.cancelled_at and coalesce(o.cancelled_at, 'infinity') > b.cancelled_at)`

export type Cancellation = {
  courseId: number
  webUserId: number
  /** if false, only a waiting-list entry may be cancelled */
  isPlaceReturnable: boolean
  /** data of the e-mails about a cancelled seat and about a cancelled waiting-list entry */
  mails: Record<ActiveBookingState, BookingMail>
  promotion: PromotionNotice
}

export type CancelledBooking = {
  state: ActiveBookingState
  /** number of occupied seats and waiting-list entries after the cancellation, except those that are passed over */
  taken: number
  /** whether the waiting-list entry was passed over */
  isPassedOver: boolean
}

/**
 * Cancels a person's active booking and promotes the first person on the waiting list. Everyone affected gets an
 * e-mail, and the promoted person also gets a message. This is a single statement, so that the course's row is locked
 * only while it executes. Because its snapshot may predate the lock, it does nothing if it would skip a person who
 * joined the waiting list concurrently, or if the course is over (see closeWaitingList). See docs/decisions/0003.
 * @param isLocked whether the transaction has already locked the course, so that the snapshot is current; seats of a
 * course that is over are cancelled only then
 * @returns null if nothing was cancelled
 */
export const cancelBooking = (
  db: Queryable,
  { courseId, webUserId, isPlaceReturnable, mails, promotion }: Cancellation,
  isLocked: boolean,
): Promise<CancelledBooking | null> =>
  db.maybeOne<CancelledBooking>(sql`
    with course as materialized (
      select id, closes_at <= clock_timestamp() as is_over, greatest(taken - capacity, 0) as waiting
      from courses where id = ${courseId} for no key update
    ), own as materialized (
      select b.id, case when b.state = ${Waitinglist} then 0 else least(c.waiting, 1) end as moving
      from course c join bookings b on b.course_id = c.id
      where (b.state = ${Waitinglist} or not c.is_over or ${isLocked} and c.waiting = 0) and b.web_user_id = ${webUserId} and b.cancelled_at is null and (b.state = ${Waitinglist} or ${isPlaceReturnable})
      for update of b
    ), next as materialized (
      select w.id from own o join bookings w on w.course_id = ${courseId}
      where w.state = ${Waitinglist} and w.cancelled_at is null and o.moving > 0 and ${isPromotable('w')}
      order by w.seq limit (select moving from own) for update of w
    ), allowed as materialized (
      select id from own where ${isLocked} or moving = (select count(*) from next)
    ), cancelled as (
      update bookings b set cancelled_at = clock_timestamp() from allowed a where b.id = a.id
      returning b.course_id, b.web_user_id, b.state, b.state = ${Waitinglist} and b.is_passed_over as is_passed_over
    ), promoted as (
      update bookings b set ${placed}
      from next, allowed a where b.id = next.id
      returning b.web_user_id, b.course_id, b.employee_status, b.price_cents, b.price_rule, b.energy_cents, b.price_cents_once_verified,
        b.is_waiver_offered
    ), counters as (
      update courses c set taken = c.taken - case when x.is_passed_over then 0 else 1 end, revision = c.revision + 1
      from cancelled x where c.id = x.course_id
      returning c.taken
    ), mail as (
      insert into mails (web_user_id, recipient, language, kind, payload)
      select u.id, u.email, u.language, 'cancellation',
        ${mails}::jsonb -> x.state::text
      from cancelled x join web_users u on u.id = x.web_user_id
    ), ${notifyPromoted(promotion)}
    select x.state, c.taken, x.is_passed_over as "isPassedOver" from cancelled x, counters c`)

export type LockedCourse = {
  isOver: boolean
  /** now, 'YYYY-MM-DD HH:MM:SS' */
  wallClock: string
}

/**
 * Blocks bookings and cancellations in a course until the transaction ends. The course is always locked before its
 * bookings, which prevents deadlocks.
 */
export const lockCourse = (tx: Queryable, courseId: number): Promise<LockedCourse | null> =>
  tx.maybeOne<LockedCourse>(sql`
    select closes_at <= clock_timestamp() as "isOver", clock_timestamp()::timestamp(0) as "wallClock" from courses where id = ${courseId} for no key update`)

/**
 * Promotes people from a locked course's waiting list to its free seats, in order.
 * @returns ids of their bookings
 */
export const promoteFromWaitingList = async (tx: Queryable, courseId: number): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      with next as (
        select w.id from bookings w
        where w.course_id = ${courseId} and w.state = ${Waitinglist} and w.cancelled_at is null and ${isPromotable('w')}
        order by w.seq
        limit greatest(0, (select capacity from courses where id = ${courseId}) - (
          select count(*) from bookings where course_id = ${courseId} and state = ${Booked} and cancelled_at is null))
      )
      update bookings b set ${placed} from next where b.id = next.id
      returning b.id`)
  ).map(({ id }) => id)

export const insertPromotionNotices = (tx: Queryable, bookingIds: number[], news: PromotionNotice): Promise<number> =>
  tx.execute(sql`
    with promoted as (
      select web_user_id, course_id, employee_status, price_cents, price_rule, energy_cents, price_cents_once_verified,
          is_waiver_offered
        from bookings where id = any(${bookingIds}) order by seq
    ), ${notifyPromoted(news)}
    select from promoted`)

/**
 * Cancels the waiting-list entries of a locked course, or only those of people who have become external.
 * @returns ids of the people
 */
export const cancelWaitingListEntries = async (
  tx: Queryable,
  courseId: number,
  isForExternals: boolean,
): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      with cancelled as (
        update bookings b set cancelled_at = clock_timestamp()
        where course_id = ${courseId} and state = ${Waitinglist} and cancelled_at is null
          and (not ${isForExternals}::boolean or ${hasBecomeExternal('b')})
        returning web_user_id, is_passed_over
      ), counted as (
        update courses set taken = taken - (select count(*) from cancelled where not is_passed_over), revision = revision + 1
        where id = ${courseId} and exists (select from cancelled)
      )
      select web_user_id as id from cancelled`)
  ).map(({ id }) => id)

/**
 * Finds courses whose last lesson has started and whose waiting list has not been closed. Cancelled courses are
 * excluded, because cancelling a course closes its waiting list.
 */
export const listExpiredWaitingLists = async (db: Queryable): Promise<number[]> =>
  (
    await db.query<{ id: number }>(sql`
      select c.id from courses c where c.closes_at <= clock_timestamp() and exists (select from bookings b where b.course_id = c.id and b.state = ${Waitinglist} and b.cancelled_at is null)
      order by c.id`)
  ).map(({ id }) => id)

/**
 * Finds waiting-list entries of people who have become external, who can take no place any more, or who can take one
 * again.
 */
export const listOutdatedWaitingListEntries = (db: Queryable): Promise<{ id: number; courseId: number }[]> =>
  db.query(sql`
    select b.id, b.course_id as "courseId" from bookings b
    where b.state = ${Waitinglist} and b.cancelled_at is null
      and (${hasBecomeExternal('b')} or b.is_passed_over <> ${isUnableToAttend('b')})
    order by b.course_id`)

/** Notifies people by e-mail and inbox message that their waiting-list entry ended before they got a seat. */
export const insertWaitingListEndedNotices = (
  tx: Queryable,
  webUserIds: number[],
  { mail, message }: Pick<PromotionNotice, 'mail' | 'message'>,
): Promise<number> =>
  tx.execute(sql`
    with person as (
      select id, email, language from web_users where id = any(${webUserIds}::int[]) and deleted_at is null
    ), mailed as (
      insert into mails (web_user_id, recipient, language, kind, payload)
      select id, email, language, 'cancellation', ${mail}::jsonb from person order by id
    )
    insert into inbox_items (web_user_id, title, text)
    select p.id, m.value ->> 'title', m.value ->> 'text'
    from person p join jsonb_each(${message}::jsonb) m on m.key = p.language order by p.id`)

/** SQL condition: booking `b` is shown in the person's list. */
const isListed = sql`(${isActiveBooking} or listed_until > clock_timestamp() and exists (
  select from courses c where c.id = b.course_id and c.cancelled_at is not null))`

/** Ids of the courses in which a person has a booking, and that had not ended at a time. */
export const listCurrentBookedCourseIds = async (db: Queryable, webUserId: number, at: Date): Promise<number[]> =>
  (
    await db.query<{ id: number }>(sql`
      select c.id from bookings b join courses c on c.id = b.course_id
      where b.web_user_id = ${webUserId} and b.cancelled_at is null and c.closes_at > ${at} order by c.id`)
  ).map(({ id }) => id)

export type OwnLessons = { absences: string[]; freedPlaces: { at: string; isTaken: boolean }[] }

/**
 * Courses in which a person has a booking, and the cancelled courses that remain in the person's list, each with the
 * starts of the lessons that the person has announced not to attend, and those whose place the person has freed.
 */
export async function listBookedCourses(db: Queryable, webUserId: number): Promise<Map<number, OwnLessons>> {
  const rows = await db.query<OwnLessons & { courseId: number }>(sql`
    select b.course_id as "courseId", coalesce(array_agg(d.held_at::text order by d.held_at) filter (where d.id is not null), '{}')
      as absences, coalesce(json_agg(json_build_object('at', d.held_at::text, 'isTaken', f.guest_id is not null) order by d.held_at)
        filter (where f.id is not null), '[]') as "freedPlaces"
    from bookings b left join course_dates d on ${isActiveBooking} and d.course_id = b.course_id and ${isAbsenceAnnounced}
      left join freed_places f on f.course_date_id = d.id and f.booking_id = b.id and f.ended_at is null
    where b.web_user_id = ${webUserId} and ${isListed} group by 1`)
  return new Map(rows.map(({ courseId, ...own }) => [courseId, own]))
}

/** Courses of the same category that are visible, open for booking and have free seats, earliest first. */
export const listAlternativeCandidates = async (db: Queryable, courseId: number): Promise<number[]> =>
  (
    await db.query<{ id: number }>(sql`
      select c.id from courses c join seasons s on s.id = c.season_id
      where c.category_id = (select category_id from courses where id = ${courseId}) and c.id <> ${courseId}
        and c.taken < c.capacity and not s.is_draft and s.viewable_from <= clock_timestamp()
        and c.opens_at <= clock_timestamp() and c.closes_at > clock_timestamp()
      order by c.starts_on, c.start_time, c.id limit 30`)
  ).map(({ id }) => id)

/**
 * Adds to the number of requests that were refused because a course was full. The database's clock decides the second,
 * as it does for bookings.
 * @param refused number of requests by course
 * @param ageMs time since the first of them
 */
export const insertRefusedRequests = (
  db: Queryable,
  refused: ReadonlyMap<number, number>,
  ageMs: number,
): Promise<number> =>
  db.execute(sql`
    insert into refused_requests (course_id, second, requests)
    select c.id, date_trunc('second', clock_timestamp() - ${ageMs}::int * interval '1 ms'), r.requests
    from unnest(${[...refused.keys()]}::int[], ${[...refused.values()]}::int[]) r (course_id, requests)
      join courses c on c.id = r.course_id
    on conflict (course_id, second) do update set requests = refused_requests.requests + excluded.requests`)
