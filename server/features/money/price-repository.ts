import { EXTERNAL_SURCHARGE } from '#contract/values.ts'
import { isPersonVerified } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

export type CoursePrices = {
  number: string
  name: string
  name2: string
  feeCents: number
  energyCents: number
  externalFeeCents: number | null
}

export const findCoursePrices = (tx: Queryable, courseId: number): Promise<CoursePrices> =>
  tx.one(sql`
    select number, name, name2, fee_cents as "feeCents", energy_fee_cents as "energyCents", external_fee_cents as "externalFeeCents"
    from courses where id = ${courseId}`)

/** null: unchanged */
export const updateCoursePrices = (
  tx: Queryable,
  courseId: number,
  {
    feeCents,
    energyCents,
    externalFeeCents,
  }: { [Key in 'feeCents' | 'energyCents' | 'externalFeeCents']: number | null },
): Promise<number> =>
  tx.execute(sql`
    update courses set fee_cents = coalesce(${feeCents}::int, fee_cents), energy_fee_cents = coalesce(${energyCents}::int, energy_fee_cents),
      external_fee_cents = coalesce(${externalFeeCents}::int, external_fee_cents), revision = revision + 1
    where id = ${courseId}`)

/**
 * Lowers the prices stored with a course's active bookings to the current ones: the sum of fee and processing fee, and
 * the energy fee.
 * @returns people whose price fell, with the new price
 */
export const lowerBookingPrices = (tx: Queryable, courseId: number): Promise<{ webUserId: number; cents: number }[]> =>
  tx.query(sql`
    with price as (
      select b.id, case b.price_rule when 'fee' then c.fee_cents
          else coalesce(c.external_fee_cents, c.fee_cents + ${EXTERNAL_SURCHARGE * 100}::int) end as cents,
        case when b.price_rule = 'external' and c.external_fee_cents is null then ${EXTERNAL_SURCHARGE * 100}::int else 0 end as processing,
        c.energy_fee_cents as energy, c.fee_cents as own
      from bookings b join courses c on c.id = b.course_id where c.id = ${courseId} and b.cancelled_at is null
    )
    update bookings b set price_cents = least(b.price_cents, p.cents), energy_cents = least(b.energy_cents, p.energy),
      processing_cents = case when p.cents < b.price_cents then least(p.processing, p.cents) else b.processing_cents end,
      -- null: verifying the person changes nothing; least() alone would ignore the null
      price_cents_once_verified = case when b.price_cents_once_verified is not null then least(b.price_cents_once_verified, p.own) end
    from price p
    where p.id = b.id and (p.cents < b.price_cents or p.energy < b.energy_cents or p.own < b.price_cents_once_verified)
    returning b.web_user_id as "webUserId", b.price_cents + b.energy_cents as cents`)

/**
 * Lowers the prices of active bookings that people made before they were verified: they then pay the price of the
 * status group under which they booked. Call this wherever a person may have become verified.
 * @returns number of changed bookings
 */
export const updatePricesOfVerifiedPeople = (tx: Queryable, webUserIds: readonly number[]): Promise<number> =>
  tx.execute(sql`
    update bookings b set price_cents = least(b.price_cents, b.price_cents_once_verified), price_rule = 'fee',
      price_cents_once_verified = null, processing_cents = 0
    from web_users u
    where u.id = any(${[...webUserIds]}::int[]) and b.web_user_id = u.id and b.cancelled_at is null
      and b.price_cents_once_verified is not null and b.employee_status = u.employee_status and ${isPersonVerified}`)

/** SQL for the number of a course's future lessons, which is stored with a booking when it receives a seat. */
export const futureLessonCount = (courseId: SqlFragment): SqlFragment => sql`(
  select count(*)::smallint from course_dates d
  where d.course_id = ${courseId} and d.state = 'planned' and d.held_at > clock_timestamp()::timestamp)`

/** SQL for the day of the first lesson of a person who receives a seat in a course now. */
export const firstLessonOn = (courseId: SqlFragment): SqlFragment =>
  sql`first_lesson_at(${courseId}, clock_timestamp()::timestamp)::date`

/**
 * SQL for the processing fee that a price `price_cents` contains according to `price_rule`; 0 for a course with its own
 * external fee.
 */
export const processingFeeCentsOf = (externalFeeCents: SqlFragment): SqlFragment => sql`
  case when price_rule = 'external' and ${externalFeeCents} is null then least(price_cents, ${EXTERNAL_SURCHARGE * 100}::int) else 0 end`
