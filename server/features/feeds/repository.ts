import type { Language } from '#contract/values.ts'
import { lessonCity, lessonEnd, lessonVenue } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'

export type FeedLesson = {
  id: number
  courseId: number
  startsAt: Date
  endsAt: Date
  isCancelled: boolean
  sequence: number
  changedAt: Date
  /** null: the place of the course */
  venue: string | null
  city: string
}

export const listFeedLessons = (db: Queryable, courseIds: number[], language: Language): Promise<FeedLesson[]> =>
  db.query(sql`
    select d.id, d.course_id as "courseId", d.held_at::timestamptz as "startsAt",
      ${lessonEnd}::timestamptz as "endsAt", d.state = 'cancelled' or c.cancelled_at is not null as "isCancelled",
      ${lessonVenue} as venue, ${lessonCity} as city,
      greatest(d.calendar_sequence, case when ${language === 'en'}::boolean then c.calendar_sequence2 else c.calendar_sequence end) as sequence,
      greatest(d.calendar_changed_at, case when ${language === 'en'}::boolean then c.calendar_changed_at2 else c.calendar_changed_at end) as "changedAt"
    from course_dates d join courses c on c.id = d.course_id
    where d.course_id = any(${courseIds}::int[]) and d.held_at > localtimestamp - interval '1 day'
    order by d.held_at, d.id`)

/** Serializes updates of the feed across servers. */
export const lockFeedItems = (tx: Queryable): Promise<number> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('feed_items'))`)

export const listItemFingerprints = (tx: Queryable): Promise<{ courseId: number; fingerprint: Buffer | null }[]> =>
  tx.query(sql`select course_id as "courseId", fingerprint from feed_items`)

/** Saves changed items with strictly increasing timestamps. */
export const saveFeedItems = (
  tx: Queryable,
  items: { courseId: number; fingerprint: Buffer | null }[],
): Promise<number> =>
  tx.execute(sql`
    with base as (
      select greatest(coalesce(max(modified), 0), (extract(epoch from clock_timestamp()) * 1000)::bigint) as at from feed_items
    )
    insert into feed_items (course_id, modified, fingerprint)
    select i.course_id, base.at + i.nth, i.fingerprint
    from base, unnest(${items.map(({ courseId }) => courseId)}::int[], ${items.map(({ fingerprint }) => fingerprint)}::bytea[])
      with ordinality as i (course_id, fingerprint, nth)
    on conflict (course_id) do update set modified = excluded.modified, fingerprint = excluded.fingerprint`)

export const listFeedItems = (
  db: Queryable,
  { modified, courseId, limit }: { modified: number; courseId: number; limit: number },
): Promise<{ courseId: number; modified: number; fingerprint: Buffer | null }[]> =>
  db.query(sql`
    select course_id as "courseId", modified, fingerprint from feed_items
    where (modified, course_id) > (${modified}::bigint, ${courseId}::int) order by modified, course_id limit ${limit}`)
