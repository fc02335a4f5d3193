import type { ResponseOf } from '#contract/endpoint.ts'
import type { listClosureLessons } from '#contract/office/planning.ts'
import type { getOfficeGrid } from '#contract/office/programme.ts'
import type { Language } from '#contract/values.ts'
import { effectiveLessons, lessonCourseName } from '#server/features/courses/lesson-repository.ts'
import { isLessonInClosedRoom, siteOfLesson } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

/** Closed rooms, or a closed site, with the first and last day, 'YYYY-MM-DD'. */
export type Closure = { roomIds: readonly number[]; site: string; from: string; to: string }

/** Inserts a closure, or finds the one of the same rooms or site and the same days. */
export const insertClosure = (
  tx: Queryable,
  { roomIds, site, from, to }: Closure,
): Promise<{ closureId: number; isNew: boolean }> =>
  tx.one(sql`
    insert into closures (room_ids, site, starts_on, ends_on)
    values (array(select distinct unnest(${[...roomIds]}::int[]) order by 1), ${site}, ${from}, ${to})
    on conflict (room_ids, site, starts_on, ends_on) do update set ends_on = excluded.ends_on
    returning id as "closureId", xmax = 0 as "isNew"`)

/** Whether a room or a course is at this site. */
export const isSiteKnown = async (tx: Queryable, site: string): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from rooms where site = ${site} union all select from courses where city = ${site} limit 1`)) !== null

/**
 * Deletes a closure.
 * @returns the deleted closure; null if there is none
 */
export const deleteClosure = (tx: Queryable, closureId: number): Promise<Closure | null> =>
  tx.maybeOne(sql`
    delete from closures where id = ${closureId}
    returning room_ids as "roomIds", site, starts_on as "from", ends_on as "to"`)

type ListedClosure = ResponseOf<typeof getOfficeGrid>['closures'][number]

/** Closures that overlap these days, each with the names of its rooms or its site. */
export const listClosures = (db: Queryable, { from, to }: { from: string; to: string }): Promise<ListedClosure[]> =>
  db.query(sql`
    select x.id as "closureId", case when x.site = '' then x.room_ids else array(
        select r.id from rooms r where r.site = x.site order by r.id) end as "roomIds", x.site, x.starts_on as "from", x.ends_on as "to",
      case when x.site <> '' then x.site else coalesce((
        select string_agg(r.name, ', ' order by r.name) from rooms r where r.id = any(x.room_ids)), '') end as name
    from closures x where x.starts_on <= ${to} and x.ends_on >= ${from} order by x.starts_on, x.id`)

const heldIn = ({ roomIds, site, from, to }: Closure): SqlFragment => sql`
  l.takes_place and l.held_at >= ${from}::date and l.held_at < ${to}::date + 1
  and (l.room_id = any(${[...roomIds]}::int[]) or ${site} <> '' and ${siteOfLesson} = ${site})`

/** Ids of the lessons that take place in the rooms or at the site of a closure. */
export const listLessonIdsInClosure = async (tx: Queryable, closure: Closure): Promise<number[]> =>
  (await tx.query<{ id: number }>(sql`select l.id from ${effectiveLessons} where ${heldIn(closure)}`)).map(
    ({ id }) => id,
  )

/** Those of the given lessons that are planned in a closed room. */
export const listLessonsInClosedRooms = (
  tx: Queryable,
  scope: { lessonIds?: readonly number[]; courseIds?: readonly number[] } | null,
  language: Language,
): Promise<{ courseId: number; roomId: number | null; room: string; name: string; heldAt: string }[]> =>
  tx.query(sql`
    select l.course_id as "courseId", l.room_id as "roomId", coalesce(l.venue, '') as room, l.number || ' ' || ${lessonCourseName(language)} as name, l.held_at as "heldAt"
    from ${effectiveLessons}
    where (${scope === null} or l.id = any(${[...(scope?.lessonIds ?? [])]}::int[])
        or l.course_id = any(${[...(scope?.courseIds ?? [])]}::int[]))
      and l.takes_place and l.held_at > localtimestamp and ${isLessonInClosedRoom}
    order by l.held_at, l.id`)

type ClosureLesson = ResponseOf<typeof listClosureLessons>['lessons'][number]

/** Future lessons in the rooms or at the site of a closure, each with the rooms that are free at that time. */
export const listLessonsInClosure = (db: Queryable, closure: Closure): Promise<ClosureLesson[]> =>
  db.query(sql`
    with mine as materialized (
      select l.*, least(c.taken, c.capacity) as booked from ${effectiveLessons} join courses c on c.id = l.course_id
      where l.held_at > localtimestamp and ${heldIn(closure)}
    ), others as materialized (
      select l.* from ${effectiveLessons}
      where l.takes_place and l.held_at::date in (select d.day from mine m, unnest(array[m.held_at::date - 1, m.held_at::date]) d (day))
    )
    select m.id as "courseDateId", m.course_id as "courseId", m.number, m.course_name as name, m.course_name2 as name2,
      m.held_at::date as date, to_char(m.held_at, 'HH24:MI') as "startTime", to_char(m.ends_at, 'HH24:MI') as "endTime",
      coalesce(m.venue, '') as room, m.booked, (select d.room_id from course_dates d where d.id = m.id) as "roomId", coalesce((
        select jsonb_agg(jsonb_build_object('roomId', r.id, 'name', r.name, 'site', r.site, 'capacity', r.capacity)
          order by r.site = m.city desc, r.capacity = 0, abs(r.capacity - m.booked), r.name)
        from rooms r
        where r.id <> all(${[...closure.roomIds]}::int[]) and (${closure.site} = '' or r.site <> ${closure.site})
          and r.id is distinct from m.room_id and (r.capacity = 0 or r.capacity >= m.booked)
          and not exists (
            select from closures x where m.held_at::date between x.starts_on and x.ends_on
              and (r.id = any(x.room_ids) or x.site <> '' and x.site = r.site))
          and (r.is_shared or not exists (
            select from others o where o.room_id = r.id and o.id <> m.id and o.held_at < m.ends_at and m.held_at < o.ends_at))),
        '[]') as free
    from mine m order by m.held_at, m.id`)
