import { type Queryable, sql } from '#server/db/client.ts'

type Removals = { active: number; removed: number }

/** Number of active people, and of those removed from the HR list by SCIM within the last 24 hours. */
export const countRemovals = (tx: Queryable): Promise<Removals> =>
  tx.one(sql`
    select (select count(*)::int from scim_users where is_active) as active, (
      select count(*)::int from office_record
      where acted_at > clock_timestamp() - interval '1 day' and kind in ('scim-change', 'scim-remove')
        and (line::jsonb -> 'after' ->> 'isRemoval')::boolean) as removed`)

/** Minimum number of people for which the limit applies. */
const FEWEST_COUNTED = 10
const MOST_REMOVED_A_DAY = 0.5

/** Whether SCIM may not remove more people today, which protects against a directory that was emptied by mistake. */
export function isRemovalLimitReached({ active, removed }: Removals): boolean {
  const people = active + removed
  return people >= FEWEST_COUNTED && removed + 1 > people * MOST_REMOVED_A_DAY
}
