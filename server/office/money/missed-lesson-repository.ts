import { BOOKING_STATUS } from '#contract/values.ts'
import { effectiveLessons } from '#server/features/courses/lesson-repository.ts'
import type { DateSpan } from '#server/features/money/proof-rules.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'

/** Lessons of a person's seats within these days at which the person was not present, in order. */
export const listMissedLessons = (
  tx: Queryable,
  webUserId: number,
  { from, to }: DateSpan,
): Promise<{ number: string; name: string; name2: string; at: string }[]> =>
  tx.query(sql`
    select l.number, l.course_name as name, l.course_name2 as name2, to_char(l.held_at, 'YYYY-MM-DD"T"HH24:MI') as at
    from bookings b join ${effectiveLessons} on l.course_id = b.course_id
    where b.web_user_id = ${webUserId} and b.state = ${BOOKING_STATUS.Booked} and b.cancelled_at is null and l.takes_place
      and l.held_at::date between ${from}::date and ${to}::date
      and l.held_at >= coalesce(b.promoted_at, b.booked_at)::timestamp and not exists (
        select from attendances a where a.course_date_id = l.id and a.web_user_id = b.web_user_id and a.is_present)
    order by l.held_at, l.id`)
