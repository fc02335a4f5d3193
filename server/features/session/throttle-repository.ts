import { type Database, type Queryable, sql } from '#server/db/client.ts'
import { LIMITS, type Limit, type ThrottleCase, type ThrottleKind } from './throttle-rules.ts'

export type { ThrottleKind } from './throttle-rules.ts'

const isAbout = ({ per }: Limit, { subject, address }: ThrottleCase) => {
  if (per === 'subject') return sql`subject = ${subject}`
  if (per === 'address') return sql`address = ${address}`
  return sql`subject = ${subject} and address = ${address}`
}

/** Whole seconds until the limits of a kind allow one more event; 0: now. */
export async function findWaitS(db: Queryable, kind: ThrottleKind, about: ThrottleCase): Promise<number> {
  // The event that has to grow old first is the newest but max - 1. Events in the future are of a clock that was wrong.
  const waits = LIMITS[kind].map(
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

/** Notes an event, unless a limit is reached. @returns 0 when it is noted, else whole seconds to wait */
export const insertEvent = (db: Database, kind: ThrottleKind, about: ThrottleCase): Promise<number> =>
  db.transaction(tx => insertEventIn(tx, kind, about))

/**
 * As insertEvent, in a transaction of the caller. Until that ends, events of the same subject (and of the same address, where
 * that has a limit of its own) wait on all servers, so that many at once do not slip through.
 */
export async function insertEventIn(tx: Queryable, kind: ThrottleKind, about: ThrottleCase): Promise<number> {
  const limits: readonly Limit[] = LIMITS[kind]
  const counters = [
    ...(limits.some(({ per }) => per !== 'address') ? [`${kind} subject ${about.subject}`] : []),
    ...(limits.some(({ per }) => per === 'address') ? [`${kind} address ${about.address}`] : []),
  ]
  for (const counter of counters) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${counter}, 0))`)
  }
  const waitS = await findWaitS(tx, kind, about)
  if (waitS > 0) return waitS
  await tx.execute(sql`
    insert into throttle_events (kind, subject, address) values (${kind}, ${about.subject}, ${about.address})`)
  return 0
}
