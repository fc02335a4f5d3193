import { BOOKING_STATUS, type EmployeeStatus } from '#contract/values.ts'
import { peoplePassedOver } from '#server/features/courses/repository.ts'
import type { Fee } from '#server/features/courses/rules.ts'
import { firstLessonOn, futureLessonCount, processingFeeCentsOf } from '#server/features/money/price-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { ActiveBookingState } from './repository.ts'
import { MAX_BOOKING_CHANGES, WAITING_LIST_MAIL_FIELDS } from './rules.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

export type NewBooking = {
  courseId: number
  webUserId: number
  fee: Fee
  /**
   * employee status for which the fee was calculated; if the person's status differs, the booking must be priced again
   */
  employeeStatus: EmployeeStatus | null
  /** whether the person may join the waiting list */
  mayWait: boolean
  /**
   * data of the e-mail that confirms a seat, as JSON; for a waiting-list entry, the SQL statement changes the fields
   * that differ
   */
  mail: string
}

/**
 * Result if no seat is available and the person may not join the waiting list. `taken` is the number of occupied seats
 * and waiting-list entries.
 */
export type SoldOutResult = { isSoldOut: true; taken: number }

export type InsertedBooking = {
  isSoldOut?: false
  state: ActiveBookingState
  /** position on the waiting list, starting at 1; 0 for a seat */
  position: number
  /** number of the course's occupied seats and waiting-list entries, including this booking */
  taken: number
}

/**
 * SQL for the number of bookings and cancellations of person `a.web_user_id` in course `a.course_id` within the past
 * hour.
 */
const countChanges = sql`
  select count(*) filter (where b.booked_at > clock_timestamp() - interval '1 hour')
    + count(*) filter (where b.cancelled_at > clock_timestamp() - interval '1 hour')
  from bookings b where b.web_user_id = a.web_user_id and b.course_id = a.course_id`

type Fragment = ReturnType<typeof sql>

const anHourAgo = sql`clock_timestamp() - interval '1 hour'`

/**
 * SQL for the number of bookings and cancellations that staff made for a person in a course within the past hour, or
 * since another time. They are subtracted, because only changes that people make themselves are limited.
 */
const countDeskChanges = (courseId: number | Fragment, webUserId: number | Fragment, since = anHourAgo) => sql`
  select count(*) from office_record_people p join office_record r on r.number = p.record_number
    join office_record_courses rc on rc.record_number = r.number
  where p.web_user_id = ${webUserId} and rc.course_id = ${courseId} and r.acted_at > ${since}
    and r.kind in ('book', 'cancel-booking', 'move-booking')
    and (r.line::json #>> '{counts,booked}')::int + (r.line::json #>> '{counts,ended}')::int > 0`

/** The audit log entry of a change `c` by staff is slightly later than the change. */
const shortlyAfter = sql`c.changed_at + interval '1 second'`

/** Seconds until a person who booked and cancelled too often may book the course again; 0 if they may book now. */
export const findBookingWaitSeconds = async (db: Queryable, courseId: number, webUserId: number): Promise<number> =>
  (
    await db.maybeOne<{ wait: number }>(sql`
      with change as (
        select changed_at from bookings b, unnest(array[b.booked_at, b.cancelled_at]) as changed_at
        where b.web_user_id = ${webUserId} and b.course_id = ${courseId} and changed_at > ${anHourAgo}
      )
      select ceil(extract(epoch from c.changed_at + interval '1 hour' - clock_timestamp()))::int as wait from change c
      where (select count(*) from change) - (${countDeskChanges(courseId, webUserId)}) >= ${MAX_BOOKING_CHANGES}
        and (select count(*) from change n where n.changed_at > ${shortlyAfter})
          - (${countDeskChanges(courseId, webUserId, shortlyAfter)}) < ${MAX_BOOKING_CHANGES}
      order by c.changed_at limit 1`)
  )?.wait ?? 0

const isAlreadyBooked = (error: unknown) =>
  error instanceof Error && 'constraint' in error && error.constraint === 'bookings_active'

/**
 * Books seats in the given order, or adds people to the waiting list if a course is full, and queues an e-mail for
 * each. One statement and one commit cover all bookings, so that course rows are locked only while it executes, and
 * only the database's clock decides whether booking is open. Locks the accounts against concurrent deletion. Price and
 * billing data are copied to the booking.
 * @param bookings at most one per person and course
 * @param rivals how to treat rows locked by other transactions: `leave` skips them, `await` waits
 * @returns results in the same order; SoldOutResult; null if the person booked and cancelled too often, or if their employee
 * status or its verification has changed since the price was calculated; `left` if the course or person is locked, or
 * the course is deleted or not open
 * @throws if one of the people already has a booking; the whole batch is then rolled back
 */
async function insertTogether(
  db: Queryable,
  bookings: NewBooking[],
  rivals: 'leave' | 'await',
): Promise<(InsertedBooking | SoldOutResult | 'left' | null)[]> {
  const columnOf = <Key extends keyof NewBooking>(key: Key) => bookings.map(booking => booking[key])
  const [courseIds, webUserIds] = [columnOf('courseId'), columnOf('webUserId')]
  const fees = columnOf('fee')
  // E-mails are deduplicated, because in a burst most bookings are for the same courses.
  const mails = [...new Set(columnOf('mail'))]
  const mailNumbers = new Map(mails.map((mail, number) => [mail, number]))
  const skipLocked = rivals === 'leave' ? sql`skip locked` : sql.empty
  const rows = await db.query<InsertedBooking & { isPlaced: boolean; isLeft: boolean; soldOutWith: number | null }>(sql`
    with asked as materialized (
      select * from unnest(${courseIds}::int[], ${webUserIds}::int[], ${fees.map(({ cents }) => cents)}::int[],
        ${fees.map(({ rule }) => rule)}::text[], ${fees.map(({ energyCents }) => energyCents)}::int[],
        ${fees.map(({ onceVerifiedCents }) => onceVerifiedCents)}::int[], ${columnOf('employeeStatus')}::smallint[], ${columnOf('mayWait')}::boolean[],
        ${bookings.map(({ mail }) => mailNumbers.get(mail))}::int[]
      ) with ordinality as a (course_id, web_user_id, price_cents, price_rule, energy_cents, price_cents_once_verified, employee_status, may_wait,
        mail_number, number)
    ), person as materialized (
      select id, email, language, employee_status, personnel_number, owner_personnel_number, billing_type, division_id,
        state = 'known' as is_known
      from web_users where id = any(${webUserIds}::int[]) and deleted_at is null order by id
      for no key update ${skipLocked}
    ), course as materialized (
      select c.id, c.capacity, c.taken, c.booking_seq, c.external_fee_cents, c.is_free_with_attendance,
        ${peoplePassedOver} as passed_over, ${futureLessonCount(sql`c.id`)} as lessons_ahead, ${firstLessonOn(sql`c.id`)} as first_lesson_on
      from courses c join seasons s on s.id = c.season_id
      where c.id = any(${courseIds}::int[]) and exists (select from person) and s.viewable_from <= clock_timestamp()
        and c.opens_at <= clock_timestamp() and clock_timestamp() < c.closes_at
      order by c.id for no key update of c ${skipLocked}
    ), seen as materialized (
      -- materialized: the planner does not know the lengths of these lists and would use nested loops
      select a.*, c.id is null or p.id is null as is_left, c.capacity, c.taken, c.booking_seq, c.external_fee_cents, c.is_free_with_attendance,
        c.passed_over, c.lessons_ahead, c.first_lesson_on, p.employee_status as current_status, p.email, p.language, personnel_number, owner_personnel_number, billing_type, division_id, is_known
      from asked a left join course c on c.id = a.course_id left join person p on p.id = a.web_user_id
    ), allowed as (
      select *, row_number() over (partition by course_id order by number) as turn
      from (select a.*, (${countChanges}) as changes from seen a) a
      where not is_left and current_status is not distinct from employee_status
        -- reads the audit log only for people who reach the limit
        and case when changes < ${MAX_BOOKING_CHANGES} then true
          else changes - (${countDeskChanges(sql`a.course_id`, sql`a.web_user_id`)}) < ${MAX_BOOKING_CHANGES} end
        -- excludes people who were verified after the price was shown
        and not (is_known and price_cents_once_verified is not null)
    ), granted as materialized (
      select *, row_number() over (partition by course_id order by number) as nth from allowed
      where taken + turn <= capacity or may_wait
    ), placed as materialized (
      select *, taken + nth as taken_with, case when taken + nth > capacity then taken + nth - capacity + passed_over else 0 end as position
      from granted
    ), counted as (
      update courses c set taken = g.taken, booking_seq = c.booking_seq + g.count, revision = c.revision + 1
      from (select course_id, count(*), max(taken_with) as taken from placed group by course_id) g where c.id = g.course_id
    ), booking as (
      insert into bookings (course_id, web_user_id, seq, state, price_cents, price_rule, energy_cents, price_cents_once_verified,
        employee_status, personnel_number, owner_personnel_number, billing_type, division_id, is_person_known,
        processing_cents, is_waiver_offered, promised_lessons, first_lesson_on)
      select course_id, web_user_id, booking_seq + nth, case position when 0 then ${Booked}::int else ${Waitinglist}::int end,
        price_cents, price_rule, energy_cents, price_cents_once_verified,
        employee_status, personnel_number, owner_personnel_number, billing_type, division_id, is_known,
        ${processingFeeCentsOf(sql`external_fee_cents`)}, is_free_with_attendance, case position when 0 then lessons_ahead end,
        case position when 0 then first_lesson_on end
      from placed order by number
    ), mail as (
      insert into mails (web_user_id, recipient, language, kind, payload)
      select web_user_id, email, language, case position when 0 then 'booking' else 'waiting-list' end,
        case position when 0 then mail else mail || jsonb_build_object('position', position) || ${WAITING_LIST_MAIL_FIELDS}::jsonb end
      from (select *, ${`[${mails.join(',')}]`}::jsonb -> mail_number as mail from placed) placed order by number
    )
    select case position when 0 then ${Booked}::int else ${Waitinglist}::int end as state,
      position::int, taken_with::int as taken, g.number is not null as "isPlaced", s.is_left as "isLeft",
      case when g.number is null and not s.may_wait then (
        select taken from (select greatest(s.taken, max(taken_with))::int as taken from placed where course_id = s.course_id) t
        where t.taken >= s.capacity) end as "soldOutWith"
    from seen s left join placed g using (number)
    order by number`)
  return rows.map(({ isPlaced, isLeft, soldOutWith, state, position, taken }) => {
    if (isPlaced) return { state, position, taken }
    if (isLeft) return 'left'
    return soldOutWith === null ? null : { isSoldOut: true, taken: soldOutWith }
  })
}

/**
 * Creates all bookings whose course and account are not locked by other transactions.
 * @returns results in the same order; SoldOutResult; `left` for bookings that must be retried individually with
 * insertBooking; null if the person booked and cancelled too often, or if their employee status or its verification has
 * changed since the price was calculated
 */
export async function insertBookings(
  db: Queryable,
  bookings: NewBooking[],
): Promise<(InsertedBooking | SoldOutResult | 'left' | null)[]> {
  try {
    return await insertTogether(db, bookings, 'leave')
  } catch (error) {
    if (isAlreadyBooked(error)) return bookings.map(() => 'left')
    throw error
  }
}

/**
 * Books a seat in a course, or adds the person to the waiting list if the course is full. Waits for concurrent
 * transactions.
 * @returns SoldOutResult; null if the course is not open, the account is deleted, the person booked and cancelled too often,
 * or their employee status or its verification has changed since the price was calculated; `known` if the person
 * already has a booking
 */
export async function insertBooking(
  db: Queryable,
  booking: NewBooking,
): Promise<InsertedBooking | SoldOutResult | 'known' | null> {
  try {
    const [inserted] = await insertTogether(db, [booking], 'await')
    return inserted === undefined || inserted === 'left' ? null : inserted
  } catch (error) {
    if (isAlreadyBooked(error)) return 'known'
    throw error
  }
}
