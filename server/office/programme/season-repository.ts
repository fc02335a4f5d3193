import type { ItemOf } from '#contract/endpoint.ts'
import type { listSeasonChecks } from '#contract/office/planning.ts'
import type { Language } from '#contract/values.ts'
import { effectiveLessons } from '#server/features/courses/lesson-repository.ts'
import { isLessonInClosedRoom } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { selectName } from '#server/platform/db/name-in-language.ts'

/** Data of the season to copy. `startsAt` as 'YYYY-MM-DD'. */
export const findSeasonToCopy = (
  tx: Queryable,
  seasonId: number,
): Promise<{ shortcut: string; startsAt: string | null; description: string; description2: string }> =>
  tx.one(sql`
    select shortcut, starts_at::date as "startsAt", description, description2 from seasons where id = ${seasonId}`)

export const isSeasonEndBeforeStart = async (tx: Queryable, seasonId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`select from seasons where id = ${seasonId} and ends_at < starts_at`)) !== null

/** @returns 0 if nothing changed */
export const updateSeasonDraft = (tx: Queryable, seasonId: number, isDraft: boolean): Promise<number> =>
  tx.execute(sql`update seasons set is_draft = ${isDraft} where id = ${seasonId} and is_draft <> ${isDraft}`)

/** Locks the courses of a season until the transaction ends, which blocks bookings. */
export const lockSeasonCourses = (tx: Queryable, seasonId: number): Promise<{ id: number; number: string }[]> =>
  tx.query(sql`select id, number from courses where season_id = ${seasonId} order by id for update`)

/** Whether any course of the season has ever been booked. */
export const wasSeasonBooked = async (tx: Queryable, seasonId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from bookings b join courses c on c.id = b.course_id where c.season_id = ${seasonId} limit 1`)) !== null

type Check = ItemOf<typeof listSeasonChecks>

/**
 * Courses of a season that are not over, and the kinds of data that each lacks. A complete course lacks none. A course
 * below its minimum is listed until the department has confirmed it.
 */
export const listCourseCompleteness = (
  db: Queryable,
  seasonId: number,
  language: Language,
): Promise<Pick<Check, 'courseId' | 'name' | 'kinds' | 'lessons' | 'before'>[]> =>
  db.query(sql`
    with lesson as (
      select l.course_id, bool_or(l.room_id is null and l.venue <> '') as is_unknown, bool_or(${isLessonInClosedRoom}) as is_closed
      from ${effectiveLessons} where l.season_id = ${seasonId} and l.takes_place and l.held_at > localtimestamp group by 1
    )
    select c.id as "courseId", c.number || ' ' || ${selectName(language, sql`c.name`, sql`c.name2`)} as name, d.lessons, c.copied_lessons as before, array_remove(array[
        case when d.lessons = 0 then 'withoutLessons' when d.lessons < c.copied_lessons then 'fewerLessons' end,
        case when l.is_closed then 'closed' end,
        case when c.instructor = '' and not exists (select from course_instructors i where i.course_id = c.id)
          then 'withoutInstructor' end,
        case when exists (
          select from course_instructors i join instructors t on t.email = i.email
          where i.course_id = c.id and t.licence_until < d.last) then 'licence' end,
        case when c.meeting_url = '' then case when c.venue = '' then 'withoutPlace' when l.is_unknown then 'withoutRoom' end end,
        case when not s.is_draft and not c.is_confirmed and c.taken < c.min_participants then 'belowMinimum' end,
        case when d.first < s.starts_at::date or d.last > s.ends_at::date then 'outsideSeason' end,
        case when c.name2 = '' or c.text_web <> '' and c.text_web2 = '' then 'withoutEnglish' end], null) as kinds
    from courses c join seasons s on s.id = c.season_id left join lesson l on l.course_id = c.id cross join lateral (
      select count(*)::int as lessons, min(d.held_at)::date as first, max(d.held_at)::date as last
      from course_dates d where d.course_id = c.id and d.state = 'planned') d
    where c.season_id = ${seasonId} and c.cancelled_at is null and coalesce(d.last >= current_date, true) order by c.number`)

/**
 * Stores the originals of copied courses, and how many lessons they had.
 * @param copies originals by course number of the copy
 */
export const updateOriginals = (
  tx: Queryable,
  seasonId: number,
  copies: readonly { number: string; fromId: number; before: number }[],
): Promise<number> =>
  tx.execute(sql`
    update courses c set copied_lessons = o.before, copied_from_id = o.from_id
    from unnest(${copies.map(({ number }) => number)}::text[], ${copies.map(({ fromId }) => fromId)}::int[],
      ${copies.map(({ before }) => before)}::int[]) o (number, from_id, before)
    where c.season_id = ${seasonId} and c.number = o.number`)

export const deleteSeason = (tx: Queryable, seasonId: number): Promise<number> =>
  tx.execute(sql`delete from seasons where id = ${seasonId}`)
