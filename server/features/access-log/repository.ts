import type { ItemOf } from '#contract/endpoint.ts'
import type * as contract from '#contract/office/office.ts'
import { fullName } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import type { KeysetPage } from '#server/platform/http/pagination.ts'

/**
 * Logs whose data a caller has read. The entry names the staff member and the rights used, or the instructor. One line
 * is written per person shown; a search (`null`) is logged at most once a minute. People who were deleted or merged
 * concurrently are omitted.
 */
export async function logAccess(
  db: Queryable,
  { id, rights, service }: SessionUser,
  { call, isOffice }: { call: string; isOffice: boolean },
  people: (number | null)[],
): Promise<void> {
  if (people.length === 0) return
  const reader = service?.name ?? (isOffice ? rights.join(', ') : null)
  const readerId = service === undefined ? id : null
  await db.execute(sql`
    insert into office_reads (reader, reader_id, web_user_id, call)
    select coalesce(${reader}, (select ${fullName} from web_users u where u.id = ${readerId})), ${readerId}::int, p, ${call}
    from (
      select id from (
        select id from web_users where id = any(${people}::int[]) order by id for key share) existing
      union all
      select null where array_position(${people}::int[], null) is not null and not exists (
        select from office_reads r where r.reader_id = ${readerId} and r.web_user_id is null and r.call = ${call}
          and r.read_at > clock_timestamp() - interval '1 minute')
    ) shown (p)`)
}

export const listOwnDataAccesses = (
  db: Queryable,
  webUserId: number,
  { limit, after }: KeysetPage<number>,
): Promise<(ItemOf<typeof contract.listOwnReads> & { id: number })[]> =>
  db.query(sql`
    select id, to_char(read_at, 'YYYY-MM-DD"T"HH24:MI:SS') as at, reader as by, call from office_reads
    where web_user_id = ${webUserId} and (${after} = 0 or id < ${after}) order by id desc limit ${limit + 1}`)
