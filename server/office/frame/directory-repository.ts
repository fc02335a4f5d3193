import { type Queryable, sql } from '#server/platform/db/client.ts'

type Removals = { active: number; removed: number }

/**
 * Number of active people in the SCIM directory, and number of people whom SCIM removed from the HR list within the
 * past 24 hours.
 */
export const countHrListRemovals = (tx: Queryable): Promise<Removals> =>
  tx.one(sql`
    select (select count(*)::int from scim_users where is_active) as active, (
      select count(*)::int from office_record
      where acted_at > clock_timestamp() - interval '1 day' and kind in ('scim-change', 'scim-remove')
        and (line::jsonb -> 'after' ->> 'isRemoval')::boolean) as removed`)

/** Number of people from which the daily limit on removals applies; a smaller directory may remove everyone. */
const FEWEST_COUNTED = 10
const MOST_REMOVED_A_DAY = 0.5

/** Whether SCIM may remove no more people today. Protects against a directory emptied by mistake. */
export function isHrListRemovalLimitReached({ active, removed }: Removals): boolean {
  const people = active + removed
  return people >= FEWEST_COUNTED && removed + 1 > people * MOST_REMOVED_A_DAY
}
