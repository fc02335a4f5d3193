import { BOOKING_STATUS } from '#contract/values.ts'
import { lessonEnd } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { acceptedProofs } from './proof-repository.ts'
import type { SettledBooking, SettledLesson, SettlementLine } from './rules.ts'

export type CourseToSettle = {
  courseId: number
  number: string
  name: string
  name2: string
  isCancelled: boolean
  /** whether the instructor has completed the attendance list */
  isClosed: boolean
  lessons: SettledLesson[]
  bookings: SettledBooking[]
  settlement: {
    id: number
    number: number
    factsHash: Buffer
    /** lines of the remaining bookings if accounts were deleted since the settlement; otherwise null */
    remaining: SettlementLine[] | null
  } | null
}

const wallClock = (expression: ReturnType<typeof sql>) => sql`to_char(${expression}, 'YYYY-MM-DD HH24:MI:SS')`
/** SQL for the time at which booking `b` received its seat. */
const placeSince = sql`coalesce(b.promoted_at, b.booked_at)`

/** Everything that a settlement needs, by course. Bookings of deleted accounts were settled at deletion. */
export async function listCoursesToSettle(tx: Queryable, courseIds: readonly number[]): Promise<CourseToSettle[]> {
  const ids = [...courseIds]
  const courses = await tx.query<Omit<CourseToSettle, 'bookings'>>(sql`
    select c.id as "courseId", c.number, c.name, c.name2, c.cancelled_at is not null as "isCancelled",
      c.is_participating_complete as "isClosed", (
        select coalesce(json_agg(json_build_object('id', d.id, 'heldAt', ${wallClock(sql`d.held_at`)},
          'endsAt', ${wallClock(lessonEnd)}, 'isCancelled', d.state = 'cancelled', 'isExcluded', d.is_excluded,
          'isRecorded', exists (select from attendances a where a.course_date_id = d.id and a.is_present is not null))
          order by d.held_at, d.id), '[]')
        from course_dates d where d.course_id = c.id) as lessons,
      case when s.id is not null then json_build_object('id', s.id, 'number', s.number, 'remaining', (
        select case when count(*) > count(b.id) then coalesce(json_agg(l.facts order by b.id) filter (where b.id is not null), '[]') end
        from settlement_lines l left join bookings b on b.course_id = c.id and b.id = l.booking_id where l.settlement_id = s.id)) end as settlement,
      s.facts_hash as "factsHash"
    from courses c left join lateral (
      select id, number, facts_hash from settlements where course_id = c.id order by number desc limit 1) s on true
    where c.id = any(${ids}::int[]) order by c.number`)
  const bookings = await tx.query<SettledBooking & { courseId: number }>(sql`
    with tick as (
      select d.course_id, a.web_user_id, json_agg(json_build_object('lessonId', d.id, 'isPresent', a.is_present) order by d.id) as presence
      from attendances a join course_dates d on d.id = a.course_date_id
      where d.course_id = any(${ids}::int[]) and a.is_present is not null group by 1, 2
    )
    select b.course_id as "courseId", b.id as "bookingId", b.web_user_id as "webUserId", b.cancelled_at is not null as "isEnded",
      b.charge_cents as "lateCents", b.price_cents - b.processing_cents as "feeCents", b.processing_cents as "processingCents",
      b.energy_cents as "energyCents", b.is_waiver_offered as "isWaiverOffered", b.employee_status as "employeeStatus",
      b.price_rule as rule, ${wallClock(placeSince)} as "placeSince", coalesce(t.presence, '[]') as presence,
      coalesce(b.promised_lessons, (select count(*) from course_dates d
        where d.course_id = b.course_id and not d.is_extra and d.held_at > ${placeSince}::timestamp))::int as promised,
      (select is_regular from attendance_decisions where booking_id = b.id) as decision, ${acceptedProofs} as proofs
    from bookings b join web_users u on u.id = b.web_user_id
      left join tick t on t.course_id = b.course_id and t.web_user_id = b.web_user_id
    where b.course_id = any(${ids}::int[]) and b.state = ${BOOKING_STATUS.Booked} and u.deleted_at is null
    order by b.course_id, b.id`)
  const byCourse = Map.groupBy(bookings, ({ courseId }) => courseId)
  return courses.map(({ settlement, ...course }) => {
    const { factsHash, ...rest } = course as typeof course & { factsHash: Buffer }
    return {
      ...rest,
      settlement: settlement && { ...settlement, factsHash },
      bookings: (byCourse.get(course.courseId) ?? []).map(({ courseId, ...booking }) => booking),
    }
  })
}

export const insertSettlement = async (
  tx: Queryable,
  settlement: { courseId: number; number: number; madeBy: number | null; factsHash: Buffer },
  lines: readonly (SettlementLine & { accountId: number })[],
): Promise<number> => {
  const { courseId, number, madeBy, factsHash } = settlement
  const { id } = await tx.one<{ id: number }>(sql`
    insert into settlements (course_id, number, made_by, facts_hash)
    values (${courseId}, ${number}, ${madeBy}, ${factsHash}) returning id`)
  await tx.execute(sql`
    insert into settlement_lines (settlement_id, booking_id, account_id, facts)
    select ${id}, * from unnest(${lines.map(line => line.bookingId)}::bigint[], ${lines.map(line => line.accountId)}::int[],
      ${lines.map(({ accountId, ...line }) => JSON.stringify(line))}::jsonb[])`)
  return id
}

/**
 * Locks the accounts of everyone with a booking of a seat, so that none is deleted between the calculation and the ledger
 * entries. A deletion that has begun ends first; its booking then belongs to no account.
 */
export const lockParticipants = (tx: Queryable, courseId: number): Promise<number> =>
  tx.execute(sql`
    select from web_users u where u.id in (
      select web_user_id from bookings where course_id = ${courseId} and state = ${BOOKING_STATUS.Booked})
    order by u.id for no key update`)

/** Ids of people whose booking in a course becomes cheaper once they are verified. */
export const listVerificationDiscounts = async (tx: Queryable, courseId: number): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      select web_user_id as id from bookings where course_id = ${courseId} and price_cents_once_verified is not null`)
  ).map(({ id }) => id)

/**
 * Removes the lower prices that people in a course would pay once they are verified, because settling the course
 * finalizes its prices.
 */
export const endVerificationDiscount = (tx: Queryable, courseId: number): Promise<number> =>
  tx.execute(sql`
    update bookings set price_cents_once_verified = null where course_id = ${courseId} and price_cents_once_verified is not null`)

/** Courses that can be settled or are settled, in a season or in all seasons. */
export const listSettleableCourses = async (db: Queryable, seasonId: number | null): Promise<number[]> =>
  (
    await db.query<{ id: number }>(sql`
      select c.id from courses c
      where (${seasonId}::int is null or c.season_id = ${seasonId}::int) and (
        exists (select from settlements s where s.course_id = c.id)
        or c.cancelled_at is null and c.closes_at <= clock_timestamp()
          and exists (select from bookings b where b.course_id = c.id and b.state = ${BOOKING_STATUS.Booked}))
      order by c.id`)
  ).map(({ id }) => id)

export const upsertAttendanceDecision = (
  tx: Queryable,
  bookingId: number,
  isRegular: boolean,
  decidedBy: number | null,
): Promise<number> =>
  tx.execute(sql`
    insert into attendance_decisions (booking_id, is_regular, decided_by) values (${bookingId}, ${isRegular}, ${decidedBy})
    on conflict (booking_id) do update set is_regular = excluded.is_regular, decided_by = excluded.decided_by,
      decided_at = excluded.decided_at`)

/**
 * Excludes a lesson without recorded attendance, so that it is ignored in the attendance of all participants, or
 * includes it again.
 */
export const updateLessonExcluded = (tx: Queryable, courseDateId: number, isExcluded: boolean): Promise<number> =>
  tx.execute(sql`update course_dates set is_excluded = ${isExcluded} where id = ${courseDateId}`)
