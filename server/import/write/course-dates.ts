import { type Queryable, sql } from '#server/db/client.ts'
import type { ExistingCourse } from '../existing.ts'
import type { Schedule } from '../schedule.ts'
import type { Counts } from './upsert.ts'

type Stored = { id: number; course_id: number; held_at: string }
type Wanted = { course_id: number; held_at: string }

const dayOf = ({ course_id, held_at }: Wanted) => `${course_id} ${held_at.slice(0, 10)}`

/**
 * Brings the dates of the courses to their schedules. A lesson whose time of day changed keeps its attendance; a date with
 * recorded attendance is never removed (`notes` names it).
 */
export async function writeCourseDates(
  tx: Queryable,
  schedules: Map<string, Schedule>,
  existing: Map<string, ExistingCourse>,
  notes: string[],
): Promise<Counts> {
  const numbers = [...schedules.keys()]
  const ids = await tx.query<{ id: number; number: string; start_time: string }>(sql`
    select id, number, start_time from courses where number = any(${numbers})`)
  const wanted = ids.flatMap(({ id, number }) =>
    (schedules.get(number)?.heldAt ?? []).map(held_at => ({ course_id: id, held_at })),
  )
  const replaced = ids.filter(({ number }) => schedules.get(number)?.heldAt).map(({ id }) => id)
  const differences = await findDifferences(tx, wanted, replaced)
  const shifted = await moveToNewTime(
    tx,
    ids.filter(({ number }) => !schedules.get(number)?.heldAt),
    existing,
  )
  const { moved, gone, added } = pairByDay(differences)

  await tx.execute(sql`
    update course_dates d set held_at = m.held_at
    from unnest(${moved.map(({ id }) => id)}::int[], ${moved.map(({ held_at }) => held_at)}::timestamp[]) as m (id, held_at)
    where d.id = m.id`)
  const removed = await removeDates(tx, gone)
  await tx.execute(sql`
    insert into course_dates (course_id, held_at)
    select * from unnest(${added.map(date => date.course_id)}::int[], ${added.map(date => date.held_at)}::timestamp[]) order by 1, 2`)

  const numberOf = new Map(ids.map(({ id, number }) => [id, number]))
  const touched = new Set(
    [...moved, ...added, ...gone.filter(({ id }) => removed.has(id)), ...shifted].map(d => d.course_id),
  )
  await tx.execute(sql`update courses set revision = revision + 1 where id = any(${[...touched]})`)
  for (const { course_id, held_at } of gone.filter(({ id }) => !removed.has(id)))
    notes.push(
      `Course ${numberOf.get(course_id)}: ${held_at} is no longer a date but stays, since attendance was recorded`,
    )
  return {
    created: added.length,
    updated: moved.length + shifted.length,
    unchanged: wanted.length - added.length - moved.length,
    removed: removed.size,
  }
}

/** Stored dates that no schedule has any more, and dates of the schedules that are not stored. */
async function findDifferences(tx: Queryable, wanted: Wanted[], courseIds: number[]) {
  const rows = await tx.query<{ id: number | null; course_id: number; held_at: string }>(sql`
    with wanted as materialized (
      select * from unnest(
        ${wanted.map(date => date.course_id)}::int[], ${wanted.map(date => date.held_at)}::timestamp[]) as w (course_id, held_at)
    ), stored as materialized (
      select id, course_id, held_at from course_dates where course_id = any(${courseIds})
    )
    select s.id, coalesce(s.course_id, w.course_id) as course_id, coalesce(s.held_at, w.held_at) as held_at
    from stored s full join wanted w on w.course_id = s.course_id and w.held_at = s.held_at
    where s.id is null or w.course_id is null`)
  const isStored = (row: (typeof rows)[number]): row is Stored => row.id !== null
  return { gone: rows.filter(isStored), added: rows.filter(row => !isStored(row)) }
}

/** A lesson gone and a lesson added on one day are the same lesson at another time. */
function pairByDay({ gone, added }: { gone: Stored[]; added: Wanted[] }) {
  const byDay = new Map(added.map(date => [dayOf(date), date]))
  const moved: Stored[] = []
  const rest: Stored[] = []
  for (const date of gone) {
    const target = byDay.get(dayOf(date))
    if (target) moved.push({ ...date, held_at: target.held_at })
    else rest.push(date)
    byDay.delete(dayOf(date))
  }
  const taken = new Set(moved.map(date => `${date.course_id} ${date.held_at}`))
  return { moved, gone: rest, added: added.filter(date => !taken.has(`${date.course_id} ${date.held_at}`)) }
}

/** Dates that stay as they are follow their course's start time, where they had it. */
async function moveToNewTime(
  tx: Queryable,
  courses: { id: number; number: string; start_time: string }[],
  existing: Map<string, ExistingCourse>,
): Promise<Wanted[]> {
  const changed = courses.filter(({ number, start_time }) => existing.get(number)?.start_time !== start_time)
  return tx.query<Wanted>(sql`
    update course_dates d set held_at = d.held_at::date + c.start_time
    from courses c join unnest(
      ${changed.map(({ id }) => id)}::int[], ${changed.map(({ number }) => existing.get(number)?.start_time ?? null)}::time[]
    ) as before (id, start_time) on before.id = c.id
    where d.course_id = c.id and d.held_at::time = before.start_time
      and not exists (select from course_dates o where o.course_id = c.id and o.held_at = d.held_at::date + c.start_time)
    returning d.course_id, d.held_at`)
}

async function removeDates(tx: Queryable, gone: Stored[]): Promise<Set<number>> {
  const ids = gone.map(({ id }) => id)
  await tx.query(sql`select id from course_dates where id = any(${ids}) order by id for update`)
  const removed = await tx.query<{ id: number }>(sql`
    delete from course_dates d where id = any(${ids})
      and not exists (select from attendances a where a.course_date_id = d.id)
      and not exists (select from attendance_changes c where c.course_date_id = d.id)
    returning id`)
  return new Set(removed.map(({ id }) => id))
}
