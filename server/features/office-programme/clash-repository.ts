import { type Queryable, sql } from '#server/db/client.ts'
import type { LessonClash } from '#server/features/courses/lesson-repository.ts'

type Pair = { first: number; second: number; need: 'room' | 'instructor' }

const pairOf = ({ lessonId, otherLessonId, room }: LessonClash): Pair => ({
  first: Math.min(lessonId, otherLessonId),
  second: Math.max(lessonId, otherLessonId),
  need: room === null ? 'instructor' : 'room',
})

const pairsOf = (clashes: readonly LessonClash[]) => sql`
  jsonb_to_recordset(${JSON.stringify(clashes.map(pairOf))}::text::jsonb) as p (first int, second int, need text)`

/** Those of the clashes that nobody has accepted as the lessons are held now. */
export async function listUnaccepted(tx: Queryable, clashes: readonly LessonClash[]): Promise<LessonClash[]> {
  if (clashes.length === 0) return []
  const rows = await tx.query<Pair>(sql`
    select p.first, p.second, p.need from ${pairsOf(clashes)}
      join accepted_clashes a on (a.course_date_id, a.other_id, a.need) = (p.first, p.second, p.need)
      join course_dates d on d.id = a.course_date_id and d.held_at = a.held_at
      join course_dates o on o.id = a.other_id and o.held_at = a.other_held_at`)
  const keyOf = ({ first, second, need }: Pair) => `${first} ${second} ${need}`
  const accepted = new Set(rows.map(keyOf))
  return clashes.filter(clash => !accepted.has(keyOf(pairOf(clash))))
}

export const acceptClashes = async (tx: Queryable, clashes: readonly LessonClash[]): Promise<void> => {
  if (clashes.length === 0) return
  await tx.execute(sql`
    insert into accepted_clashes (course_date_id, other_id, need, held_at, other_held_at)
    select distinct p.first, p.second, p.need, d.held_at, o.held_at from ${pairsOf(clashes)}
      join course_dates d on d.id = p.first join course_dates o on o.id = p.second
    on conflict (course_date_id, other_id, need) do update set held_at = excluded.held_at, other_held_at = excluded.other_held_at`)
}
