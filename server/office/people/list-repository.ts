import type { LISTED_BOOKING_STATES } from '#contract/office/people.ts'
import { BOOKING_STATUS, type EmployeeStatus } from '#contract/values.ts'
import { isEndedByMerge } from '#server/features/bookings/repository.ts'
import { effectiveLessons, roomOfVenue } from '#server/features/courses/lesson-repository.ts'
import type { Booking, Fee, Lesson } from '#server/features/courses/rules.ts'
import { isCourseCurrent, peopleWaiting, waitingPosition } from '#server/features/courses/view-repository.ts'
import {
  belongsToLesson,
  lessonParticipants,
  presentAtLesson,
} from '#server/features/lessons/participant-repository.ts'
import { lessonEnd } from '#server/features/lessons/repository.ts'
import { acceptedProofs } from '#server/features/money/proof-repository.ts'
import type { AttendanceProof } from '#server/features/money/proof-rules.ts'
import {
  emailOrEmpty,
  isOnPayroll,
  isPersonVerified,
  phoneNumber,
} from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { byName } from '#server/platform/db/name-order.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

export type OfCourse = {
  season: string
  season2: string
  number: string
  course: string
  course2: string
  start: string
  end: string
}
const ofCourse = sql`
  s.name as season, s.name2 as season2, c.number, c.name as course, c.name2 as course2, c.starts_on as start, c.ends_on as "end"`
type OfPerson = { webUserId: number; familyName: string; givenName: string; email: string; phone: string }
const ofPerson = sql`
  u.id as "webUserId", u.family_name as "familyName", u.given_name as "givenName", ${emailOrEmpty} as email,
  ${phoneNumber} as phone`
const at = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD HH24:MI')`
const ofSeason = (seasonId: number | null) => sql`(${seasonId}::int is null or c.season_id = ${seasonId}::int)`
/** SQL for bookings, active or cancelled, joined with course, season and person. */
const bookingsWithCourse = sql`
  bookings b join courses c on c.id = b.course_id join seasons s on s.id = c.season_id join web_users u on u.id = b.web_user_id`
/**
 * SQL for `seen`, the person's attendance in the recorded lessons of a course. As in a settlement, who has no record in
 * a recorded lesson was absent.
 * @param bookingIds only these bookings; null: all
 */
const seenOf = (bookingIds: number[] | null) => sql`
  recorded as materialized (
    select d.id, d.course_id from course_dates d
    where exists (select from attendances a where a.course_date_id = d.id and a.is_present is not null)
      and (${bookingIds}::int[] is null or d.course_id in (select course_id from bookings where id = any(${bookingIds}::int[])))
  ), seen as (
    select b.course_id, b.web_user_id,
      json_agg(json_build_object('lessonId', d.id, 'isPresent', coalesce(a.is_present, false))) as presence
    from (select distinct course_id, web_user_id from bookings
        where ${bookingIds}::int[] is null or id = any(${bookingIds}::int[])) b
      join recorded d on d.course_id = b.course_id
      left join attendances a on a.course_date_id = d.id and a.web_user_id = b.web_user_id
    group by 1, 2
  )`
const seen = seenOf(null)
/**
 * SQL for the time at which booking `b` received its seat: when it was made, or when the person was promoted from the
 * waiting list.
 */
const placeSince = sql`to_char(coalesce(b.promoted_at, b.booked_at), 'YYYY-MM-DD HH24:MI:SS')`
/** `proofs`: accepted sick notes and shift certificates of the person `u` */
type Recorded = Pick<Booking, 'presence'> & { placeSince: string; proofs: AttendanceProof[] }
const inOrder = sql`s.starts_at nulls first, c.number, ${byName('u')}, b.seq`

export type ListedBooking = OfCourse &
  OfPerson &
  Recorded & {
    bookingId: number
    courseId: number
    state: 1 | 2
    employeeStatus: EmployeeStatus | null
    personnelNumber: string
    ownerPersonnelNumber: string
    bkkNumber: string
    division: string
    billingType: number | null
    street: string
    zip: string
    city: string
    isEnded: boolean
    since: string
    endedAt: string | null
    feeCents: number
    priceRule: Fee['rule']
    energyCents: number
    charge: string
    chargeCents: number
    /** amount charged for the booking in the ledger, in cents; null if not settled or nothing was charged */
    settledCents: number | null
    freeWithAttendance: boolean
    isClosed: boolean
    isVerified: boolean
    isOnPayroll: boolean
  }

/** Bookings with the billing data stored at the time of booking. */
const listBookings = (
  db: Queryable,
  bookingIds: number[] | null,
  isWanted: ReturnType<typeof sql>,
): Promise<ListedBooking[]> =>
  db.query(sql`
    with ${seenOf(bookingIds)}, person as materialized (
      select u.id, ${isPersonVerified} as is_verified, ${isOnPayroll} as is_on_payroll from web_users u
      where u.id in (select web_user_id from bookings where ${bookingIds}::int[] is null or id = any(${bookingIds}::int[]))
    )
    select ${ofCourse}, ${ofPerson}, b.id as "bookingId", c.id as "courseId", b.state,
      coalesce(b.employee_status, u.employee_status) as "employeeStatus",
      coalesce(nullif(b.personnel_number, ''), u.personnel_number) as "personnelNumber",
      coalesce(nullif(b.owner_personnel_number, ''), u.owner_personnel_number) as "ownerPersonnelNumber", u.bkk_number as "bkkNumber",
      coalesce((select name from divisions where id = b.division_id), '') as division, coalesce(b.billing_type, u.billing_type) as "billingType",
      u.street, u.zip, u.city, b.cancelled_at is not null as "isEnded", ${at(sql`coalesce(b.promoted_at, b.booked_at)`)} as since,
      ${at(sql`b.cancelled_at`)} as "endedAt", b.price_cents as "feeCents", b.price_rule as "priceRule", b.energy_cents as "energyCents", b.charge,
      b.charge_cents as "chargeCents", case when exists (select from settlements s where s.course_id = c.id) then (
        select sum(e.cents)::int from ledger_entries e where e.course_id = c.id and e.booking_id = b.id) end as "settledCents",
      b.is_waiver_offered as "freeWithAttendance", c.is_participating_complete as "isClosed",
      coalesce(seen.presence, '[]') as presence, ${acceptedProofs} as proofs, ${placeSince} as "placeSince", p.is_verified as "isVerified", p.is_on_payroll as "isOnPayroll"
    from ${bookingsWithCourse} join person p on p.id = u.id
      left join seen on seen.course_id = c.id and seen.web_user_id = u.id
    where ${isWanted} order by ${inOrder}`)

/** All bookings of seats, active and cancelled. Waiting-list entries are excluded. */
export const listSeatBookings = (db: Queryable, seasonId: number | null): Promise<ListedBooking[]> =>
  listBookings(db, null, sql`b.state = ${Booked} and ${ofSeason(seasonId)} and not ${isEndedByMerge}`)

/** Bookings with the other bookings of the same people in the same courses, which limit the amount due. */
export const listBookingsOfSamePeople = (db: Queryable, bookingIds: number[]): Promise<ListedBooking[]> =>
  listBookings(
    db,
    bookingIds,
    sql`b.id = any(array(
      select s.id from bookings o join bookings s on s.course_id = o.course_id and s.web_user_id = o.web_user_id
      where o.id = any(${bookingIds}::int[])))`,
  )

/**
 * Position in the sequence of changes. `cluster` is required, because transaction ids of different clusters are not
 * comparable. `transaction` is a 64-bit number.
 */
export type BookingChangeCursor = { cluster: string; transaction: string; bookingId: number }

export type BookingFilters = {
  state?: (typeof LISTED_BOOKING_STATES)[number] | undefined
  seasonId?: number | undefined
  courseId?: number | undefined
  /** 'YYYY-MM-DD' */
  from?: string | undefined
  /** 'YYYY-MM-DD' */
  to?: string | undefined
  current?: '1' | undefined
}

/** SQL condition on booking `b` of course `c` and season `s`. */
const matchesFilters = ({ state, seasonId, courseId, from, to, current }: BookingFilters) => {
  const conditions = [
    state === 'ended' && sql`b.cancelled_at is not null`,
    state === 'booked' && sql`b.cancelled_at is null and b.state = ${Booked}`,
    state === 'waiting' && sql`b.cancelled_at is null and b.state = ${Waitinglist}`,
    seasonId !== undefined && sql`c.season_id = ${seasonId}`,
    courseId !== undefined && sql`c.id = ${courseId}`,
    from !== undefined && sql`b.booked_at >= ${from}::date`,
    to !== undefined && sql`b.booked_at < ${to}::date + 1`,
    current !== undefined && isCourseCurrent,
  ].filter(condition => condition !== false)
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`, sql`true`)
}

/**
 * Bookings written after a position, ordered by the transactions that wrote them; all bookings if the position is from
 * another cluster. The list ends before the first unfinished transaction, so that none of its rows is skipped. With
 * `isNewestFirst`, it begins with the newest change, and ends before the position.
 */
export const listChangedBookings = (
  db: Queryable,
  { cluster, transaction, bookingId }: BookingChangeCursor,
  { filters, isNewestFirst, limit }: { filters: BookingFilters; isNewestFirst: boolean; limit: number },
): Promise<BookingChangeCursor[]> => {
  const order = sql.raw(isNewestFirst ? 'desc' : 'asc')
  return db.query(sql`
    select system_identifier::text as cluster, b.changed_in::text as transaction, b.id as "bookingId"
    from pg_control_system(), bookings b join courses c on c.id = b.course_id join seasons s on s.id = c.season_id
    where (${isNewestFirst}::boolean or b.changed_in < pg_snapshot_xmin(pg_current_snapshot()))
      and (system_identifier::text <> ${cluster}
        or (b.changed_in, b.id) ${sql.raw(isNewestFirst ? '<' : '>')} (${transaction}::xid8, ${bookingId}))
      and ${matchesFilters(filters)}
    order by b.changed_in ${order}, b.id ${order} limit ${limit}`)
}

/**
 * Lesson times of each course, excluding cancelled lessons.
 * @param courseIds only these courses; null: all
 */
export const listLessonTimes = (
  db: Queryable,
  seasonId: number | null,
  courseIds: number[] | null = null,
): Promise<{ courseId: number; lessons: Pick<Lesson, 'id' | 'heldAt' | 'endsAt' | 'isExcluded'>[] }[]> =>
  db.query(sql`
    select c.id as "courseId", json_agg(json_build_object('id', d.id, 'heldAt', d.held_at::text, 'endsAt', ${lessonEnd}::text,
      'isExcluded', d.is_excluded)
      order by d.held_at) as lessons
    from course_dates d join courses c on c.id = d.course_id where d.state = 'planned' and ${ofSeason(seasonId)}
      and (${courseIds}::int[] is null or c.id = any(${courseIds}::int[])) group by c.id`)

export type ListedWaitingListEntry = OfCourse & OfPerson & { position: number; since: string }
export const listWaitingListEntries = (db: Queryable, seasonId: number | null): Promise<ListedWaitingListEntry[]> =>
  db.query(sql`
    select ${ofCourse}, ${ofPerson}, ${at(sql`b.booked_at`)} as since,
      ${waitingPosition} as position
    from ${bookingsWithCourse}
    where b.state = ${Waitinglist} and b.cancelled_at is null and ${ofSeason(seasonId)} order by s.starts_at nulls first, c.number, b.seq`)

export type BookingListRow = OfCourse &
  OfPerson &
  Recorded & {
    courseId: number
    /** when the seat was cancelled, 'YYYY-MM-DD HH:MM:SS'; null if it was not */
    placeUntil: string | null
    employeeStatus: EmployeeStatus | null
    isClosed: boolean
    isVerified: boolean
  }
/**
 * SQL for the presence of booking `b`. If the person booked the course several times, each lesson belongs to one booking
 * only, so that it is counted once.
 */
const ownPresence = sql`case when exists (
    select from bookings o where o.course_id = b.course_id and o.web_user_id = b.web_user_id and o.state = ${Booked} and o.id <> b.id)
  then (
    select coalesce(json_agg(json_build_object('lessonId', p.course_date_id, 'isPresent', coalesce(p.is_present, false))), '[]')
    from ${lessonParticipants(sql`d.course_id = c.id and b.web_user_id = u.id`)} join recorded r on r.id = p.course_date_id
    where p.booking_id = b.id)
  else coalesce(seen.presence, '[]') end`

/**
 * SQL condition: a lesson belongs to booking `b` and to no other booking of the person. After a merge, this is a seat of
 * the other account that was held when the remaining booking had not been made yet.
 */
const hasOwnLesson = sql`exists (
  select from ${lessonParticipants(sql`d.course_id = c.id and b.web_user_id = u.id`)} where p.booking_id = b.id and p.belongs)`

/**
 * Bookings of seats.
 * @param states `active`, or `attending` to include ended ones whose person belongs to a lesson that has begun
 */
export const listSeats = (
  db: Queryable,
  seasonId: number | null,
  states: 'active' | 'attending',
): Promise<BookingListRow[]> =>
  db.query(sql`
    with ${seen}
    select ${ofCourse}, ${ofPerson}, c.id as "courseId", coalesce(b.employee_status, u.employee_status) as "employeeStatus",
      ${ownPresence} as presence, ${acceptedProofs} as proofs, ${placeSince} as "placeSince",
      to_char(b.cancelled_at, 'YYYY-MM-DD HH24:MI:SS') as "placeUntil", c.is_participating_complete as "isClosed",
      ${isPersonVerified} as "isVerified"
    from ${bookingsWithCourse}
      left join seen on seen.course_id = c.id and seen.web_user_id = u.id
    where b.state = ${Booked} and ${ofSeason(seasonId)} and (b.cancelled_at is null or ${states === 'attending'}::boolean and (not ${isEndedByMerge} or ${hasOwnLesson}) and exists (
        select from course_dates d left join attendances a on a.course_date_id = d.id and a.web_user_id = u.id
        where d.course_id = c.id and d.state = 'planned' and d.held_at <= localtimestamp and c.cancelled_at is null and ${belongsToLesson}))
    order by ${inOrder}`)

export type CourseOccupancy = Omit<OfCourse, 'end'> & {
  end: string
  categoryId: number
  category: string
  category2: string
  site: string
  venue: string
  weekdays: number[]
  startTime: string
  endTime: string
  places: number
  booked: number
  waiting: number
  lessons: number
  held: number
  present: number
}
export const listCourseOccupancy = (db: Queryable, seasonId: number | null): Promise<CourseOccupancy[]> =>
  db.query(sql`
    with lesson as (
      select d.course_id, count(*) as lessons, count(*) filter (where d.held_at <= localtimestamp) as held
      from course_dates d where d.state = 'planned' group by 1
    ), seen as (
      select p.course_id, count(*) filter (where p.belongs and p.is_present) as present from ${lessonParticipants(
        sql`(${seasonId}::int is null or d.course_id in (select id from courses where season_id = ${seasonId}))`,
      )} group by 1
    )
    select ${ofCourse}, k.id as "categoryId", k.name as category, k.name2 as category2, coalesce(nullif(c.city, ''), (select r.site from rooms r where r.id = ${roomOfVenue(sql`c.venue`)}), '') as site, c.venue,
      c.weekdays, to_char(c.start_time, 'HH24:MI') as "startTime", to_char(c.end_time, 'HH24:MI') as "endTime",
      c.capacity as places, least(c.taken, c.capacity) as booked, ${peopleWaiting} as waiting,
      coalesce(l.lessons, 0) as lessons, coalesce(l.held, 0) as held, coalesce(seen.present, 0) as present
    from courses c join seasons s on s.id = c.season_id join categories k on k.id = c.category_id
      left join lesson l on l.course_id = c.id left join seen on seen.course_id = c.id
    where c.cancelled_at is null and ${ofSeason(seasonId)} order by s.starts_at nulls first, c.number`)

export type TaughtLesson = {
  season: string
  season2: string
  number: string
  course: string
  course2: string
  familyName: string
  givenName: string
  email: string
  date: string
  startTime: string
  endTime: string
  minutes: number
  /** 0: no fee is agreed */
  hourlyFeeCents: number
  /** whether the instructor substitutes for the course's regular instructors */
  isSubstitute: boolean
  /** number of people present; null: attendance was not recorded */
  present: number | null
}

/** Past lessons, one row per instructor, including those that were held before their course was cancelled. */
export const listTaughtLessons = (db: Queryable, seasonId: number | null): Promise<TaughtLesson[]> =>
  db.query(sql`
    select i.family_name as "familyName", i.given_name as "givenName", i.email, s.name as season, s.name2 as season2, l.number,
      l.course_name as course, l.course_name2 as course2, l.held_at::date as date, to_char(l.held_at, 'HH24:MI') as "startTime",
      to_char(l.ends_at, 'HH24:MI') as "endTime", (extract(epoch from l.ends_at - l.held_at) / 60)::int as minutes,
      i.hourly_fee_cents as "hourlyFeeCents", l.substitute is not null and not exists (
        select from course_instructors r where r.course_id = l.course_id and r.email = e.email) as "isSubstitute", ${presentAtLesson(sql`l.id`)} as present
    from ${effectiveLessons} cross join lateral unnest(l.instructors) e (email) join instructors i on i.email = e.email
      join seasons s on s.id = l.season_id join courses c on c.id = l.course_id
    where l.state = 'planned' and l.ends_at <= least(localtimestamp, c.cancelled_at::timestamp) and (${seasonId}::int is null or l.season_id = ${seasonId}::int)
    order by ${byName('i')}, i.email, l.held_at, l.number`)

export type YearlySum = Pick<OfPerson, 'familyName' | 'givenName' | 'email'> & {
  /** null for a deleted account */
  webUserId: number | null
  personnelNumber: string
  year: number
  /** fees and charges for late cancellations; null: none, as in the following */
  chargedCents: number | null
  reducedCents: number | null
  waivedCents: number | null
  totalCents: number
}

/**
 * Sums of each person's ledger entries by the calendar year in which they were made. Merged people have several accounts,
 * and each account without a person is a payer of its own.
 */
export const listYearlySums = (db: Queryable, seasonId: number | null): Promise<YearlySum[]> =>
  db.query(sql`
    select u.id as "webUserId", coalesce(u.family_name, min(a.name)) as "familyName", coalesce(u.given_name, '') as "givenName",
      case when u.id is null then '' else ${emailOrEmpty} end as email, coalesce(u.personnel_number, min(a.personnel_number)) as "personnelNumber",
      extract(year from e.made_at)::int as year,
      sum(e.cents) filter (where e.kind in ('fee', 'processing-fee', 'energy-fee', 'late-cancellation'))::int as "chargedCents",
      sum(e.cents) filter (where e.kind not in ('fee', 'processing-fee', 'energy-fee', 'late-cancellation', 'waiver'))::int as "reducedCents",
      sum(e.cents) filter (where e.kind = 'waiver')::int as "waivedCents", sum(e.cents)::int as "totalCents"
    from ledger_entries e join ledger_accounts a on a.id = e.account_id left join web_users u on u.id = a.web_user_id and u.deleted_at is null
      left join courses c on c.id = e.course_id
    where ${ofSeason(seasonId)}
    group by u.id, coalesce(u.id, -a.id), 6 order by 6, ${byName('u')}, 2, min(a.id)`)
