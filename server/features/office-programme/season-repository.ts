import { type Queryable, sql } from '#server/db/client.ts'

/** Course data for copying a season. `startsAt` 'YYYY-MM-DD' */
export const findSeason = (
  tx: Queryable,
  seasonId: number,
): Promise<{ shortcut: string; startsAt: string | null; description: string; description2: string }> =>
  tx.one(sql`
    select shortcut, starts_at::date as "startsAt", description, description2 from seasons where id = ${seasonId}`)

export const endsBeforeStart = async (tx: Queryable, seasonId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`select from seasons where id = ${seasonId} and ends_at < starts_at`)) !== null

export const updateDraft = (tx: Queryable, seasonId: number, isDraft: boolean): Promise<number> =>
  tx.execute(sql`update seasons set is_draft = ${isDraft} where id = ${seasonId}`)

/** Locks the courses of a season until the transaction ends, which blocks bookings. */
export const lockCourses = (tx: Queryable, seasonId: number): Promise<{ id: number; number: string }[]> =>
  tx.query(sql`select id, number from courses where season_id = ${seasonId} order by id for update`)

/** Whether a course of the season was ever booked. */
export const wasBooked = async (tx: Queryable, seasonId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from bookings b join courses c on c.id = b.course_id where c.season_id = ${seasonId} limit 1`)) !== null

export const deleteSeason = (tx: Queryable, seasonId: number): Promise<number> =>
  tx.execute(sql`delete from seasons where id = ${seasonId}`)
