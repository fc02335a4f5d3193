import { type Queryable, sql } from '#server/db/client.ts'
import type { LessonClash } from '#server/features/courses/lesson-repository.ts'

/** `heldAt` as 'YYYY-MM-DD HH:MM:SS' */
export const findDeskLesson = (
  tx: Queryable,
  courseDateId: number,
): Promise<{
  id: number
  courseId: number
  heldAt: string
  movedFrom: string | null
  isExtra: boolean
  state: 'planned' | 'cancelled'
  isAttended: boolean
  isPast: boolean
  isUrgent: boolean
  venue: string
  instructorEmail: string | null
} | null> =>
  tx.maybeOne(sql`
    select d.id, d.course_id as "courseId", d.held_at as "heldAt", d.moved_from as "movedFrom", d.is_extra as "isExtra", d.state,
      exists (select from attendances a where a.course_date_id = d.id and a.is_present is not null) as "isAttended",
      d.held_at < localtimestamp as "isPast",
      d.held_at between localtimestamp and localtimestamp + interval '24 hours' as "isUrgent",
      coalesce(d.venue, (select r.name from rooms r where r.id = d.room_id), c.venue) as venue,
      d.instructor_email as "instructorEmail"
    from course_dates d join courses c on c.id = d.course_id where d.id = ${courseDateId}`)

export const updateLessonState = (
  tx: Queryable,
  courseDateId: number,
  state: 'planned' | 'cancelled',
  { note, note2 }: { note: string; note2: string },
): Promise<number> =>
  tx.execute(sql`update course_dates set state = ${state}, note = ${note}, note2 = ${note2} where id = ${courseDateId}`)

/** @param heldAt 'YYYY-MM-DD HH:MM:SS' @returns null if the course already has a lesson at that time */
export const insertExtraLesson = (
  tx: Queryable,
  courseId: number,
  { heldAt, endTime }: { heldAt: string; endTime: string },
): Promise<{ id: number; isPast: boolean } | null> =>
  tx.maybeOne(sql`
    insert into course_dates (course_id, held_at, ends_at, is_extra) values (${courseId}, ${heldAt}, ${endTime}, true)
    on conflict do nothing returning id, held_at < localtimestamp as "isPast"`)

/** Undefined fields stay; null and '' reset a field to the course's own value. */
export type LessonChange = {
  heldAt?: string | undefined
  endTime?: string | undefined
  roomId?: number | null | undefined
  venue?: string | undefined
  instructorEmail?: string | null | undefined
  note: string
  note2: string
}

/** A lesson moved back to its original time no longer counts as moved. */
export const updateLesson = (
  tx: Queryable,
  courseDateId: number,
  { heldAt, endTime, roomId, venue, instructorEmail, note, note2 }: LessonChange,
): Promise<number> => {
  const sets = [
    ...(heldAt === undefined
      ? []
      : [
          sql`held_at = ${heldAt}, moved_from = case when is_extra then null else nullif(coalesce(moved_from, held_at), ${heldAt}) end`,
        ]),
    ...(endTime === undefined ? [] : [sql`ends_at = ${endTime}`]),
    ...(roomId === undefined ? [] : [sql`room_id = ${roomId}`]),
    ...(venue === undefined ? [] : [sql`venue = nullif(${venue}, '')`]),
    ...(instructorEmail === undefined ? [] : [sql`instructor_email = ${instructorEmail}`]),
    sql`note = ${note}, note2 = ${note2}`,
  ]
  return tx.execute(sql`update course_dates set ${sql.join(sets)} where id = ${courseDateId}`)
}

/** Whether another lesson of the course is held at that time. */
export const isTimeTaken = async (
  tx: Queryable,
  { courseId, heldAt, exceptId }: { courseId: number; heldAt: string; exceptId: number },
): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from course_dates where course_id = ${courseId} and held_at = ${heldAt} and id <> ${exceptId}`)) !== null

/** Times of the lessons up to `now`. Both 'YYYY-MM-DD HH:MM:SS'. */
export const listTimesUntil = async (tx: Queryable, courseId: number, now: string): Promise<string[]> =>
  (
    await tx.query<{ at: string }>(sql`
      select held_at as at from course_dates where course_id = ${courseId} and held_at <= ${now} order by 1`)
  ).map(({ at }) => at)

/** Whether attendance was ever recorded, even if it was withdrawn since. */
export const hasAttendance = async (tx: Queryable, courseDateIds: readonly number[]): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from attendances where course_date_id = any(${courseDateIds}::int[])
    union all select from attendance_changes where course_date_id = any(${courseDateIds}::int[]) limit 1`)) !== null

export const deleteLessons = (tx: Queryable, courseDateIds: readonly number[]): Promise<number> =>
  tx.execute(sql`delete from course_dates where id = any(${courseDateIds}::int[])`)

/** Substitutes of a course's future lessons. */
export const listSubstitutes = async (tx: Queryable, courseId: number): Promise<string[]> =>
  (
    await tx.query<{ email: string }>(sql`
      select distinct instructor_email as email from course_dates
      where course_id = ${courseId} and instructor_email is not null and held_at > localtimestamp order by 1`)
  ).map(({ email }) => email)

type Pair = { first: number; second: number; need: 'room' | 'instructor' }

const pairOf = ({ lessonId, otherLessonId, room }: LessonClash): Pair => ({
  first: Math.min(lessonId, otherLessonId),
  second: Math.max(lessonId, otherLessonId),
  need: room === null ? 'instructor' : 'room',
})

const pairsOf = (clashes: readonly LessonClash[]) => sql`
  jsonb_to_recordset(${JSON.stringify(clashes.map(pairOf))}::text::jsonb) as p (first int, second int, need text)`

/** Conflicts not yet accepted for the current times of both lessons. */
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
