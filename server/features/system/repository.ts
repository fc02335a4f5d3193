import { type Database, sql } from '#server/db/client.ts'

/** Server time as 'YYYY-MM-DD HH:MM:SS' in the portal's zone, by the clock that decides the opening moment of a course. */
export async function findServerTime(db: Database): Promise<string> {
  const { now } = await db.one<{ now: string }>(sql`select clock_timestamp()::timestamp(0) as now`)
  return now
}

/** The ids of the courses that a visitor can see now. */
export async function listViewableCourseIds(db: Database): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select c.id from courses c join seasons s on s.id = c.season_id
    where s.viewable_from <= clock_timestamp() and not s.is_draft order by c.id`)
  return rows.map(row => row.id)
}
