import { instructorNames } from '#server/features/courses/repository.ts'
import { lessonCity, lessonEnd, lessonVenue } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'

/** Lesson as staff see it; `heldAt` and `movedFrom` as 'YYYY-MM-DD HH:MM:SS'. */
export type OfficeLessonRow = {
  id: number
  courseId: number
  heldAt: string
  movedFrom: string | null
  isExtra: boolean
  state: 'planned' | 'cancelled'
  isAttended: boolean
  isPast: boolean
  isExcluded: boolean
  isUrgent: boolean
  venue: string
  city: string
  /** end, 'HH:mm' */
  until: string
  /** values of the lesson itself; null if those of the course apply */
  ownEndsAt: string | null
  ownRoomId: number | null
  ownVenue: string | null
  instructorEmail: string | null
  note: string
  note2: string
  /** name of the substitute, or of the course's instructors if there is none */
  instructor: string
}

export const listOfficeLessonRows = (tx: Queryable, courseDateIds: readonly number[]): Promise<OfficeLessonRow[]> =>
  tx.query(sql`
    select d.id, d.course_id as "courseId", d.held_at as "heldAt", d.moved_from as "movedFrom", d.is_extra as "isExtra", d.state,
      exists (select from attendances a where a.course_date_id = d.id and a.is_present is not null) as "isAttended",
      d.held_at < localtimestamp as "isPast", d.is_excluded as "isExcluded",
      d.held_at between localtimestamp and localtimestamp + interval '24 hours' as "isUrgent",
      coalesce(${lessonVenue}, c.venue) as venue, ${lessonCity} as city,
      to_char(${lessonEnd}, 'HH24:MI') as until, d.ends_at::text as "ownEndsAt", d.room_id as "ownRoomId", d.venue as "ownVenue", d.instructor_email as "instructorEmail",
      d.note, d.note2,
      case when d.instructor_email is null then ${instructorNames} else coalesce((
        select concat_ws(' ', nullif(i.given_name, ''), i.family_name) from instructors i where i.email = d.instructor_email), '')
      end as instructor
    from course_dates d join courses c on c.id = d.course_id where d.id = any(${[...courseDateIds]}::int[]) order by d.held_at, d.id`)

export const findOfficeLessonRow = async (tx: Queryable, courseDateId: number): Promise<OfficeLessonRow | null> =>
  (await listOfficeLessonRows(tx, [courseDateId]))[0] ?? null

/**
 * Adds a lesson to a course.
 * @param heldAt 'YYYY-MM-DD HH:MM:SS'
 * @returns null if the course already has a lesson at that time
 */
export const insertExtraLesson = (
  tx: Queryable,
  courseId: number,
  { heldAt, endTime }: { heldAt: string; endTime: string },
): Promise<{ id: number; isPast: boolean } | null> =>
  tx.maybeOne(sql`
    insert into course_dates (course_id, held_at, ends_at, is_extra) values (${courseId}, ${heldAt}, ${endTime}, true)
    on conflict do nothing returning id, held_at < localtimestamp as "isPast"`)

/** Values of a lesson that an action replaces and its undo restores. */
type ReplacedValues = Pick<
  OfficeLessonRow,
  'movedFrom' | 'state' | 'ownEndsAt' | 'ownRoomId' | 'ownVenue' | 'isExcluded' | 'note' | 'note2'
>
/** Values of a lesson after an edit. */
export type LessonValues = ReplacedValues & Pick<OfficeLessonRow, 'id' | 'heldAt' | 'instructorEmail'>

/**
 * Stores what an action is about to replace: values of lessons, notes of courses, and the first lessons of those who
 * have booked them.
 */
export const storeReplacedValues = (
  tx: Queryable,
  actId: string,
  { lessonIds = [], courseIds }: { lessonIds?: readonly number[]; courseIds: readonly number[] },
): Promise<number> =>
  tx.execute(sql`
    update office_acts set replaced = jsonb_build_object(
      'lessons', (select coalesce(jsonb_object_agg(d.id, jsonb_build_object('movedFrom', to_char(d.moved_from, 'YYYY-MM-DD HH24:MI:SS'), 'state', d.state,
        'ownEndsAt', d.ends_at, 'ownRoomId', d.room_id, 'ownVenue', d.venue, 'isExcluded', d.is_excluded, 'note', d.note, 'note2', d.note2)), '{}')
        from course_dates d where d.id = any(${[...lessonIds]}::int[])),
      'courses', (select jsonb_object_agg(c.id, jsonb_build_object('note', c.note, 'note2', c.note2))
        from courses c where c.id = any(${[...courseIds]}::int[])),
      'firstLessons', (select coalesce(jsonb_object_agg(b.id, b.first_lesson_on), '{}') from bookings b
        where b.course_id = any(${[...courseIds]}::int[]) and b.cancelled_at is null and b.first_lesson_on is not null))
    where act_id = ${actId}`)

/** Values of lessons, by id, that an action replaced and nothing has changed since. */
export const listReplacedLessons = async (tx: Queryable, actId: string): Promise<Map<number, ReplacedValues>> =>
  new Map(
    (
      await tx.query<{ id: number; values: ReplacedValues }>(sql`
        select d.id, v.value as values from office_acts a cross join lateral jsonb_each(a.replaced -> 'lessons') v
          join course_dates d on d.id = v.key::int and d.xmin = a.xmin where a.act_id = ${actId}`)
    ).map(({ id, values }) => [id, values]),
  )

export const findReplacedNotes = (
  tx: Queryable,
  actId: string,
  courseId: number,
): Promise<{ note: string; note2: string } | null> =>
  tx.maybeOne(sql`
    select v.value ->> 'note' as note, v.value ->> 'note2' as note2
    from office_acts a cross join lateral jsonb_each(a.replaced -> 'courses') v
    where a.act_id = ${actId} and v.key::int = ${courseId}`)

/**
 * Restores the first lessons, from whose days the free cancellation counts, that an undone action has raised. A seat
 * that was changed since is skipped.
 */
export const restoreFirstLessons = (tx: Queryable, actId: string): Promise<number> =>
  tx.execute(sql`
    update bookings b set first_lesson_on = v.value::date
    from office_acts a cross join lateral jsonb_each_text(a.replaced -> 'firstLessons') v
    where a.act_id = ${actId} and b.id = v.key::int and b.xmin = a.xmin`)

/**
 * Moves lessons to temporary times, because a course must not have two lessons at the same time, even within a
 * statement.
 */
export const moveLessonsToTemporaryTimes = (tx: Queryable, courseDateIds: readonly number[]): Promise<number> =>
  tx.execute(sql`
    update course_dates set held_at = held_at + interval '1000 years' where id = any(${[...courseDateIds]}::int[])`)

export const updateLessons = (tx: Queryable, lessons: readonly LessonValues[]): Promise<number> =>
  tx.execute(sql`
    update course_dates d set held_at = v."heldAt", moved_from = v."movedFrom", state = v.state, ends_at = v."ownEndsAt",
      room_id = v."ownRoomId", venue = v."ownVenue", instructor_email = v."instructorEmail", note = v.note, note2 = v.note2,
      -- only past lessons can be excluded; one that is held after all counts again
      is_excluded = v."isExcluded" and v."heldAt" <= localtimestamp
    from jsonb_to_recordset(${JSON.stringify(lessons)}::text::jsonb) as v (id int, "heldAt" timestamp, "movedFrom" timestamp,
      state text, "ownEndsAt" time, "ownRoomId" int, "ownVenue" text, "instructorEmail" text, "isExcluded" boolean, note text, note2 text)
    where d.id = v.id`)

/**
 * Lessons of these courses at these times, except the given ones.
 * @param times 'YYYY-MM-DD HH:MM:SS'
 */
export const listLessonsAtTimes = (
  tx: Queryable,
  wanted: readonly { courseId: number; heldAt: string }[],
  exceptIds: readonly number[],
): Promise<{ courseId: number; heldAt: string }[]> =>
  tx.query(sql`
    select d.course_id as "courseId", d.held_at as "heldAt"
    from jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as w ("courseId" int, "heldAt" timestamp)
    join course_dates d on d.course_id = w."courseId" and d.held_at = w."heldAt" where d.id <> all(${[...exceptIds]}::int[])`)

/** Start times of the lessons up to `now`. Both are 'YYYY-MM-DD HH:MM:SS'. */
export const listLessonTimesUntil = async (tx: Queryable, courseId: number, now: string): Promise<string[]> =>
  (
    await tx.query<{ at: string }>(sql`
      select held_at as at from course_dates where course_id = ${courseId} and held_at <= ${now} order by 1`)
  ).map(({ at }) => at)

/** Whether attendance was ever recorded for any of these lessons, even if it has been withdrawn. */
export const hasRecordedAttendance = async (tx: Queryable, courseDateIds: readonly number[]): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from attendances where course_date_id = any(${courseDateIds}::int[])
    union all select from attendance_changes where course_date_id = any(${courseDateIds}::int[]) limit 1`)) !== null

export const deleteLessons = (tx: Queryable, courseDateIds: readonly number[]): Promise<number> =>
  tx.execute(sql`delete from course_dates where id = any(${courseDateIds}::int[])`)

/** Substitutes of future lessons, by course. */
export const listSubstitutesByCourse = async (
  tx: Queryable,
  courseIds: readonly number[],
): Promise<Map<number, string[]>> => {
  const rows = await tx.query<{ courseId: number; emails: string[] }>(sql`
    select course_id as "courseId", array_agg(distinct instructor_email order by instructor_email) as emails from course_dates
    where course_id = any(${[...courseIds]}::int[]) and instructor_email is not null and held_at > localtimestamp group by 1`)
  return new Map(rows.map(({ courseId, emails }) => [courseId, emails]))
}

export const listSubstitutes = async (tx: Queryable, courseId: number): Promise<string[]> =>
  (await listSubstitutesByCourse(tx, [courseId])).get(courseId) ?? []
