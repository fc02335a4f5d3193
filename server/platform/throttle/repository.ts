import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import { RATE_LIMITS, type RateLimit, type ThrottleCase, type ThrottleKind } from './rate-limits.ts'

export type { ThrottleCase, ThrottleKind } from './rate-limits.ts'

const isAbout = ({ per }: RateLimit, { subject, address }: ThrottleCase) => {
  if (per === 'subject') return sql`subject = ${subject}`
  if (per === 'address') return sql`address = ${address}`
  return sql`subject = ${subject} and address = ${address}`
}

/**
 * Returns the number of whole seconds until the rate limits for this kind of event allow another one; 0 if they allow
 * it now.
 */
export async function findWaitSeconds(db: Queryable, kind: ThrottleKind, about: ThrottleCase): Promise<number> {
  const limits: readonly RateLimit[] = RATE_LIMITS[kind]
  if (limits.length === 0) return 0
  // One more event is allowed when the `max`th newest event leaves the window. Events with a future timestamp result
  // from a wrong clock and are ignored.
  const waits = limits.map(
    limit => sql`(
      select happened_at + ${limit.withinS} * interval '1 second' as free_at from throttle_events
      where kind = ${kind} and ${isAbout(limit, about)}
        and happened_at between clock_timestamp() - ${limit.withinS} * interval '1 second' and clock_timestamp()
      order by happened_at desc offset ${limit.max - 1} limit 1)`,
  )
  const { wait } = await db.one<{ wait: number }>(sql`
    select coalesce(max(ceil(extract(epoch from free_at - clock_timestamp()))), 0) as wait
    from (${sql.join(waits, sql` union all `)}) as limits`)
  return Math.max(wait, 0)
}

/**
 * Records an event unless a limit has been reached. See docs/decisions/0008.
 * @returns 0 if it was recorded, otherwise the number of seconds to wait
 */
export const recordThrottleEvent = (db: Database, kind: ThrottleKind, about: ThrottleCase): Promise<number> =>
  db.transaction(tx => recordThrottleEventInTx(tx, kind, about))

/**
 * Records an event like `recordThrottleEvent`, but within the caller's transaction. Locks the subject on all servers until the
 * transaction ends, so that concurrent events cannot exceed the limit. Concurrent transactions may exceed limits that
 * apply per address only, because their callers are delayed anyway.
 */
export async function recordThrottleEventInTx(tx: Queryable, kind: ThrottleKind, about: ThrottleCase): Promise<number> {
  const limits: readonly RateLimit[] = RATE_LIMITS[kind]
  if (limits.some(({ per }) => per !== 'address')) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} subject ${about.subject}`}, 0))`)
  }
  const waitS = await findWaitSeconds(tx, kind, about)
  if (waitS > 0) return waitS
  await tx.execute(sql`
    insert into throttle_events (kind, subject, address) values (${kind}, ${about.subject}, ${about.address})`)
  return 0
}

/** Number of events by kind from one network address within the last hour. */
export const countThrottleEvents = async (
  db: Queryable,
  kinds: ThrottleKind[],
  address: string,
): Promise<Map<string, number>> => {
  const rows = await db.query<{ kind: string; count: number }>(sql`
    select kind, count(*)::int as count from throttle_events
    where kind = any(${kinds}::text[]) and address = ${address}
      and happened_at between clock_timestamp() - interval '1 hour' and clock_timestamp()
    group by kind`)
  return new Map(rows.map(({ kind, count }) => [kind, count]))
}

export const deleteThrottleEvents = (
  db: Queryable,
  kind: ThrottleKind,
  { subject, address }: ThrottleCase,
): Promise<number> =>
  db.execute(sql`
    delete from throttle_events where kind = ${kind} and subject = ${subject} and address = ${address}`)

/**
 * Number of failed logins within the last ten minutes, the number of network addresses from which they originate, and
 * the number of failed logins on the preceding day.
 */
export const countFailedLogins = (db: Queryable): Promise<{ recent: number; addresses: number; before: number }> =>
  db.one(sql`
    select count(*) filter (where is_recent)::int as recent, count(*) filter (where not is_recent)::int as before,
      count(distinct address) filter (where is_recent)::int as addresses
    from (
      select address, happened_at > clock_timestamp() - interval '10 minutes' as is_recent from throttle_events
      where kind in ('spray', 'device')
        and happened_at between clock_timestamp() - interval '1 day' and clock_timestamp()
    ) as failures`)
