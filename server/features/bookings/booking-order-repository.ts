import { type BookingOrder, COUNTED_SECONDS } from '#contract/endpoints/booking-order.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'

const isoTime = (at: string, pattern: string) => sql`to_char(${sql.raw(at)} at time zone 'UTC', ${pattern})`
const MILLISECONDS = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'

/** SQL: text of leaf `l`, which its person receives: course id, number, time and token, separated by |. */
export const leafText = sql`concat_ws('|', l.course_id, l.number, ${isoTime('l.asked_at', MILLISECONDS)}, l.token)`
/** SQL: hash of leaf `l` (RFC 9162, section 2.1.1). */
export const leafHash = sql`sha256('\\x00'::bytea || convert_to(${leafText}, 'UTF8'))`

/**
 * Stores a leaf for each booking request of a season’s courses.
 * @returns hashes in hexadecimal digits by course, in the order of the requests
 */
export const insertLeaves = (tx: Queryable, seasonId: number): Promise<{ courseId: number; hashes: string[] }[]> =>
  tx.query(sql`
    with l as materialized (
      select b.course_id, b.id as booking_id, row_number() over (partition by b.course_id order by b.seq) as number,
        date_trunc('milliseconds', b.booked_at) as asked_at, gen_random_uuid() as token
      from bookings b join courses c on c.id = b.course_id where c.season_id = ${seasonId}
    ), leaf as (
      insert into booking_order_leaves (course_id, number, booking_id, asked_at, token, hash)
      select course_id, number, booking_id, asked_at, token, ${leafHash} from l
      returning course_id, number, hash
    )
    select course_id as "courseId", array_agg(encode(hash, 'hex') order by number) as hashes
    from leaf group by course_id order by course_id`)

export async function insertOrders(tx: Queryable, seasonId: number, roots: ReadonlyMap<number, string>): Promise<void> {
  await tx.execute(sql`
    insert into booking_orders (course_id, season_id, places, root)
    select c.id, ${seasonId}, c.capacity, decode(r.root, 'hex')
    from unnest(${[...roots.keys()]}::int[], ${[...roots.values()]}::text[]) r (course_id, root) join courses c on c.id = r.course_id`)
}

export type PublishedCourse = BookingOrder['courses'][number]

/** @returns null if the order of the season is not published */
export const findPublication = (
  db: Queryable,
  seasonId: number,
): Promise<{ name: string; name2: string; publishedAt: string } | null> =>
  db.maybeOne(sql`
    select s.name, s.name2, ${isoTime('o.published_at', MILLISECONDS)} as "publishedAt"
    from booking_orders o join seasons s on s.id = o.season_id where o.season_id = ${seasonId} limit 1`)

/** Courses by ascending id. */
export const listPublishedCourses = (db: Queryable, seasonId: number): Promise<PublishedCourse[]> =>
  db.query<PublishedCourse>(sql`
    select o.course_id as "courseId", c.number, c.name, c.name2, o.places, encode(o.root, 'hex') as root,
      (select count(*)::int from booking_order_leaves l where l.course_id = o.course_id) as requests
    from booking_orders o join courses c on c.id = o.course_id where o.season_id = ${seasonId} order by o.course_id`)

/** Requests of the first seconds since the first course of the season opened. */
export const listCountedSeconds = (db: Queryable, seasonId: number): Promise<BookingOrder['seconds']> =>
  db.query(sql`
    with opening as (
      select min(c.opens_at) as at from booking_orders o join courses c on c.id = o.course_id where o.season_id = ${seasonId}
    ), request as (
      select date_trunc('second', l.asked_at) as second, 1 as requests, 0 as refused
      from booking_orders o join booking_order_leaves l on l.course_id = o.course_id where o.season_id = ${seasonId}
      union all
      select r.second, 0, r.requests
      from booking_orders o join refused_requests r on r.course_id = o.course_id where o.season_id = ${seasonId}
    )
    select ${isoTime('r.second', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')} as second, sum(r.requests)::int as requests,
      sum(r.refused)::int as refused
    from request r, opening o where r.second >= o.at and r.second < o.at + ${COUNTED_SECONDS} * interval '1 second'
    group by r.second order by r.second`)

export const listLeafHashes = (
  db: Queryable,
  seasonId: number,
): Promise<{ courseId: number; number: number; hash: string }[]> =>
  db.query(sql`
    select l.course_id as "courseId", l.number, encode(l.hash, 'hex') as hash
    from booking_orders o join booking_order_leaves l on l.course_id = o.course_id
    where o.season_id = ${seasonId} order by l.course_id, l.number`)

type StoredRequest = {
  number: number
  requests: number
  askedAt: string
  places: number
  /** null: the request is not in a published order */
  leaf: { seasonId: number; text: string; number: number; hashes: string[] } | null
}

/** The person’s active booking of a course within the order of its requests; null without one. */
export const findRequest = (db: Queryable, courseId: number, webUserId: number): Promise<StoredRequest | null> =>
  db.maybeOne<StoredRequest>(sql`
    select coalesce(l.number, (select count(*) from bookings e where e.course_id = b.course_id and e.seq <= b.seq))::int as number,
      (case when l.number is null then (select count(*) from bookings e where e.course_id = b.course_id)
        else (select count(*) from booking_order_leaves e where e.course_id = b.course_id) end)::int as requests,
      ${isoTime('coalesce(l.asked_at, b.booked_at)', MILLISECONDS)} as "askedAt", coalesce(o.places, c.capacity) as places,
      case when l.number is not null then json_build_object('seasonId', o.season_id, 'text', ${leafText}, 'number', l.number,
        'hashes', (select json_agg(encode(e.hash, 'hex') order by e.number) from booking_order_leaves e where e.course_id = b.course_id)) end as leaf
    from bookings b join courses c on c.id = b.course_id
      left join booking_order_leaves l on l.booking_id = b.id left join booking_orders o on o.course_id = l.course_id
    where b.course_id = ${courseId} and b.web_user_id = ${webUserId} and b.cancelled_at is null`)

/**
 * Swaps the leaves of two bookings whose sequence numbers are swapped, so that a person keeps the earlier request in the
 * published order.
 */
export async function swapLeaves(tx: Queryable, one: number, other: number): Promise<void> {
  await tx.execute(sql`
    update booking_order_leaves set booking_id = case booking_id when ${one} then ${other}::bigint else ${one}::bigint end
    where booking_id in (${one}, ${other})`)
}

/** Deletes what connects the leaves of a person with the person. Their hashes remain, so that the roots stay provable. */
export async function anonymizeLeaves(tx: Queryable, webUserId: number): Promise<void> {
  await tx.execute(sql`
    update booking_order_leaves l set booking_id = null, asked_at = null, token = null
    from bookings b where b.id = l.booking_id and b.web_user_id = ${webUserId}`)
}

/** @returns findings about leaves that do not match their hash, or the bookings of their course */
export const listChangedLeaves = async (db: Queryable): Promise<string[]> =>
  (
    await db.query<{ finding: string }>(sql`
      select format('course %s: request %s of the published order has changed', c.number, l.number) as finding
      from (
        select l.*, b.booked_at, b.seq, lag(b.seq) over (partition by l.course_id order by l.number) as seq_before
        from booking_order_leaves l left join bookings b on b.id = l.booking_id
      ) l join courses c on c.id = l.course_id
      where l.token is not null and ${leafHash} <> l.hash or l.seq < l.seq_before
        -- After a merge, a booking has the earlier request of the two.
        or date_trunc('milliseconds', l.booked_at) <> l.asked_at and not exists (
          select from office_record_courses o join office_record r on r.number = o.record_number
          where o.course_id = l.course_id and r.kind = 'merge-people')
      order by c.number, l.number`)
  ).map(({ finding }) => finding)

export const listOrderedHashes = (db: Queryable): Promise<{ course: string; root: string; hashes: string[] }[]> =>
  db.query(sql`
    select c.number as course, encode(o.root, 'hex') as root,
      array(select encode(l.hash, 'hex') from booking_order_leaves l where l.course_id = o.course_id order by l.number) as hashes
    from booking_orders o join courses c on c.id = o.course_id order by c.number`)

/** Digests in the audit log, with the roots that are stored now. */
export const listRecordedDigests = (db: Queryable): Promise<{ season: string; digest: string; roots: string[] }[]> =>
  db.query(sql`
    select s.name as season, r.line::jsonb -> 'after' ->> 'digest' as digest,
      array(select encode(o.root, 'hex') from booking_orders o where o.season_id = s.id order by o.course_id) as roots
    from office_record r join seasons s on s.id = (r.line::jsonb -> 'objects' ->> 'seasonId')::int
    where r.kind = 'publish-booking-order'`)
