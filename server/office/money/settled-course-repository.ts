import type { ItemOf } from '#contract/endpoint.ts'
import type { listSettlements } from '#contract/office/money.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { KeysetPage } from '#server/platform/http/pagination.ts'

/** Settled courses of a season, or of all seasons, in the order of their last settlements. */
export const listSettledCourses = (
  db: Queryable,
  seasonId: number | null,
  { limit, after }: KeysetPage<number>,
): Promise<ItemOf<typeof listSettlements>[]> =>
  db.query(sql`
    select s.id, c.id as "courseId", c.number, c.name, c.name2, to_char(s.made_at, 'YYYY-MM-DD"T"HH24:MI') as "settledAt",
      (select count(distinct l.account_id)::int from settlement_lines l where l.settlement_id = s.id) as people,
      (select coalesce(sum(e.cents), 0) / 100.0 from ledger_entries e where e.course_id = c.id) as amount
    from courses c cross join lateral (
      select id, made_at from settlements where course_id = c.id order by number desc limit 1) s
    where (${seasonId}::int is null or c.season_id = ${seasonId}) and s.id > ${after} order by s.id limit ${limit + 1}`)
