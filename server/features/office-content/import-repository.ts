import { type Queryable, sql } from '#server/db/client.ts'

/** The courses that this very transaction wrote. */
export const listWrittenCourses = async (tx: Queryable): Promise<number[]> =>
  (await tx.query<{ id: number }>(sql`select id from courses where xmin = pg_current_xact_id()::xid`)).map(
    ({ id }) => id,
  )

export type LessonCount = { id: number; number: string; name: string; lessons: number }

/** How many lessons each course has that is not cancelled; cancelled lessons do not count. */
export const listLessonCounts = (tx: Queryable): Promise<LessonCount[]> =>
  tx.query(sql`
    select c.id, c.number, c.name, count(d.id)::int as lessons
    from courses c left join course_dates d on d.course_id = c.id and d.state = 'planned'
    where c.cancelled_at is null group by c.id order by c.number`)
