import { type Database, sql } from '#server/platform/db/client.ts'

/** Ids of the courses that visitors can currently see. */
export async function listViewableCourseIds(db: Database): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select c.id from courses c join seasons s on s.id = c.season_id
    where s.viewable_from <= clock_timestamp() and not s.is_draft order by c.id`)
  return rows.map(row => row.id)
}
