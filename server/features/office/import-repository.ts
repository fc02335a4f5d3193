import { type Queryable, sql } from '#server/db/client.ts'

/** The courses that this very transaction wrote. */
export const listWrittenCourses = async (tx: Queryable): Promise<number[]> =>
  (await tx.query<{ id: number }>(sql`select id from courses where xmin = pg_current_xact_id()::xid`)).map(
    ({ id }) => id,
  )
