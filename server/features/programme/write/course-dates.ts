import { type Queryable, sql } from '#server/platform/db/client.ts'
import { message, type TranslatableMessage } from '#server/platform/files/messages.ts'
import type { ExistingCourse } from '../existing-programme.ts'
import type { LessonRow, Schedule } from '../schedule.ts'
import type { RowCounts } from './upsert.ts'

type WantedLesson = {
  course_id: number
  /** 'YYYY-MM-DD HH:MM:SS' */
  held_at: string
  row: LessonRow | null
}

type StoredLesson = {
  id: number
  course_id: number
  held_at: string
  /** start of the lesson before staff moved it */
  moved_from: string | null
  /** added by staff */
  is_extra: boolean
  /** modified by staff */
  is_touched: boolean
  is_attended: boolean
}

type Differences = {
  /** stored but not scheduled */
  gone: StoredLesson[]
  /** scheduled but not stored */
  added: WantedLesson[]
  /** all lessons that staff have moved */
  moved: StoredLesson[]
}

/**
 * Matches scheduled lessons with stored ones that differ. A moved lesson matches the schedule at its original start,
 * and lessons on the same day match even if their times differ. Lessons moved by staff keep their time unless the row
 * specifies one.
 * @returns `moved`: lessons with their new start; `placed`: actual start by scheduled lesson, null if the stored lesson
 * is already covered by another row
 */
function pairLessons({ gone, added, moved }: Differences) {
  const left = new Map(gone.map(lesson => [lesson.id, lesson]))
  const rest = new Set(added)
  const moves: StoredLesson[] = []
  const placed = new Map<WantedLesson, string | null>()
  const joined = new Set<number>()

  const join = (wanted: WantedLesson, lesson: StoredLesson) => {
    rest.delete(wanted)
    joined.add(lesson.id)
    const isElsewhere = !left.delete(lesson.id)
    if (isElsewhere) placed.set(wanted, null)
    else if (lesson.moved_from !== null && !wanted.row?.startTime) placed.set(wanted, lesson.held_at)
    else moves.push({ ...lesson, held_at: wanted.held_at })
  }
  const joinBy = (
    lessons: StoredLesson[],
    placeOf: (lesson: StoredLesson) => string,
    cut: (at: string) => string = at => at,
  ) => {
    const free = lessons.filter(({ id }) => !joined.has(id))
    const byPlace = Map.groupBy(free, lesson => `${lesson.course_id} ${cut(placeOf(lesson))}`)
    for (const wanted of [...rest]) {
      const lesson = byPlace.get(`${wanted.course_id} ${cut(wanted.held_at)}`)?.shift()
      // If another row already covers the moved lesson, a row with its own start time describes a separate lesson.
      if (lesson && (left.has(lesson.id) || !wanted.row?.startTime)) join(wanted, lesson)
    }
  }
  const toDay = (at: string) => at.slice(0, 10)
  joinBy(moved, lesson => lesson.moved_from ?? '')
  joinBy(moved, lesson => lesson.moved_from ?? '', toDay)
  joinBy(
    [...left.values()].filter(({ is_extra }) => !is_extra),
    ({ held_at }) => held_at,
    toDay,
  )
  return { moved: moves, gone: [...left.values()], added: [...rest], placed }
}

type LessonToSay = LessonRow & { course_id: number; held_at: string }

/**
 * Updates lessons with the data in their rows of course-dates.csv. Values that are equal to the course's values are
 * stored as null.
 * @returns the changed lessons
 */
const writeLessonRows = (tx: Queryable, lessons: LessonToSay[]): Promise<{ id: number; course_id: number }[]> =>
  tx.query(sql`
    with said as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(lessons)}::jsonb) as r (course_id int, held_at timestamp, "endTime" time,
        state text, venue text, "instructorEmail" text, note text, note2 text)
    ), wanted as (
      select d.id,
        coalesce(s.state, d.state) as state,
        case when s."endTime" is null then d.ends_at
          when s."endTime" = (d.held_at + (c.end_time - c.start_time))::time and c.end_time > c.start_time then null
          else s."endTime" end as ends_at,
        case when s.venue is null or s.venue = coalesce(d.venue, r.name, c.venue) then d.room_id end as room_id,
        case when s.venue is null or s.venue = coalesce(d.venue, r.name, c.venue) then d.venue
          else nullif(s.venue, c.venue) end as venue,
        case when s."instructorEmail" is null then d.instructor_email
          when array[s."instructorEmail"] = array(select i.email from course_instructors i where i.course_id = c.id) then null
          else s."instructorEmail" end as instructor_email,
        coalesce(s.note, case when d.state = 'cancelled' and s.state = 'planned' then '' else d.note end) as note,
        coalesce(s.note2, case when d.state = 'cancelled' and s.state = 'planned' then '' else d.note2 end) as note2
      from said s join course_dates d on d.course_id = s.course_id and d.held_at = s.held_at
        join courses c on c.id = d.course_id left join rooms r on r.id = d.room_id
    )
    update course_dates d set state = w.state, ends_at = w.ends_at, room_id = w.room_id, venue = w.venue,
      instructor_email = w.instructor_email, note = w.note, note2 = w.note2
    from wanted w
    where d.id = w.id and (d.state, d.ends_at, d.room_id, d.venue, d.instructor_email, d.note, d.note2)
      is distinct from (w.state, w.ends_at, w.room_id, w.venue, w.instructor_email, w.note, w.note2)
    returning d.id, d.course_id`)

/**
 * Synchronizes the dates of courses with their schedules. A lesson keeps its attendance when its time of day changes.
 * Dates with recorded attendance or changes by staff are never removed; `notes` lists those that are kept although the
 * schedule no longer contains them.
 */
export async function syncCourseDates(
  tx: Queryable,
  schedules: Map<string, Schedule>,
  existing: Map<string, ExistingCourse>,
  notes: TranslatableMessage[],
): Promise<RowCounts> {
  const numbers = [...schedules.keys()]
  const ids = await tx.query<{ id: number; number: string; start_time: string }>(sql`
    select id, number, start_time from courses where number = any(${numbers})`)
  const wanted = ids.flatMap(({ id, number }) => {
    const { heldAt, rows } = schedules.get(number) ?? {}
    return (heldAt ?? []).map(held_at => ({ course_id: id, held_at, row: rows?.get(held_at) ?? null }))
  })
  const replaced = ids.filter(({ number }) => schedules.get(number)?.heldAt).map(({ id }) => id)
  const shifted = await moveToNewTime(
    tx,
    ids.filter(({ number }) => !schedules.get(number)?.heldAt),
    existing,
  )
  const { moved, gone, added, placed } = pairLessons(await findDifferences(tx, wanted, replaced))

  await tx.execute(sql`
    update course_dates d set held_at = m.held_at, moved_from = nullif(d.moved_from, m.held_at)
    from unnest(${moved.map(({ id }) => id)}::int[], ${moved.map(({ held_at }) => held_at)}::timestamp[]) as m (id, held_at)
    where d.id = m.id`)
  const created = await tx.query<{ id: number; course_id: number }>(sql`
    insert into course_dates (course_id, held_at)
    select * from unnest(${added.map(date => date.course_id)}::int[], ${added.map(date => date.held_at)}::timestamp[]) order by 1, 2
    returning id, course_id`)
  // After the new dates, because people may cancel for longer if their first lesson is removed without a replacement.
  const removed = await removeDates(tx, gone)
  const worded = await writeLessonRows(tx, toSay(wanted, placed))

  const numberOf = new Map(ids.map(({ id, number }) => [id, number]))
  const touched = new Set(
    [...moved, ...created, ...gone.filter(({ id }) => removed.has(id)), ...shifted, ...worded].map(d => d.course_id),
  )
  await tx.execute(sql`
    update courses set revision = revision + 1, version = version + 1 where id = any(${[...touched]})`)
  for (const { course_id, held_at, is_attended, is_extra } of gone.filter(({ id }) => !removed.has(id))) {
    const why = is_attended ? message`attendance was recorded` : message`the desk changed it`
    if (is_attended || !is_extra)
      notes.push(
        message`Course ${numberOf.get(course_id) ?? ''}: ${held_at} is no longer a date but stays, since ${why}`,
      )
  }
  const changed = new Set([...moved, ...worded].map(({ id }) => id))
  for (const { id } of created) changed.delete(id)
  return {
    created: created.length,
    updated: changed.size + shifted.length,
    unchanged: wanted.length - created.length - changed.size,
    removed: removed.size,
  }
}

/** Rows of course-dates.csv for the scheduled lessons, each with the current start of its lesson. */
const toSay = (wanted: WantedLesson[], placed: Map<WantedLesson, string | null>): LessonToSay[] =>
  wanted.flatMap(lesson => {
    const held_at = placed.has(lesson) ? placed.get(lesson) : lesson.held_at
    return lesson.row && held_at ? [{ ...lesson.row, course_id: lesson.course_id, held_at }] : []
  })

/** Compares stored and scheduled dates and finds obsolete ones, missing ones, and those moved by staff. */
async function findDifferences(tx: Queryable, wanted: WantedLesson[], courseIds: number[]): Promise<Differences> {
  const rows = await tx.query<{ place: number | null; lesson: StoredLesson | null }>(sql`
    with wanted as materialized (
      select * from unnest(${wanted.map(date => date.course_id)}::int[], ${wanted.map(date => date.held_at)}::timestamp[])
        with ordinality as w (course_id, held_at, place)
    ), stored as materialized (
      select id, course_id, held_at::text, moved_from::text, is_extra, is_extra or moved_from is not null or state = 'cancelled'
          or instructor_email is not null or room_id is not null or venue is not null or ends_at is not null
          or note <> '' or note2 <> '' as is_touched,
        exists (select from attendances a where a.course_date_id = d.id)
          or exists (select from attendance_changes c where c.course_date_id = d.id) as is_attended
      from course_dates d where course_id = any(${courseIds})
    )
    select w.place::int, case when s.id is not null then to_jsonb(s) end as lesson
    from stored s full join wanted w on w.course_id = s.course_id and w.held_at = s.held_at::timestamp
    where s.id is null or w.course_id is null or s.moved_from is not null
    order by s.id`)
  return {
    gone: rows.filter(({ place }) => place === null).flatMap(({ lesson }) => lesson ?? []),
    added: rows.flatMap(({ place, lesson }) => (lesson === null && place !== null ? (wanted[place - 1] ?? []) : [])),
    moved: rows.flatMap(({ lesson }) => (lesson?.moved_from ? [lesson] : [])),
  }
}

/**
 * Updates the start time of dates that have the course's previous start time and were neither moved nor added by staff.
 */
async function moveToNewTime(
  tx: Queryable,
  courses: { id: number; number: string; start_time: string }[],
  existing: Map<string, ExistingCourse>,
): Promise<{ id: number; course_id: number }[]> {
  const changed = courses.filter(({ number, start_time }) => existing.get(number)?.start_time !== start_time)
  return tx.query(sql`
    update course_dates d set held_at = d.held_at::date + c.start_time
    from courses c join unnest(
      ${changed.map(({ id }) => id)}::int[], ${changed.map(({ number }) => existing.get(number)?.start_time ?? null)}::time[]
    ) as before (id, start_time) on before.id = c.id
    where d.course_id = c.id and d.held_at::time = before.start_time and d.moved_from is null and not d.is_extra
      and not exists (select from course_dates o where o.course_id = c.id and o.held_at = d.held_at::date + c.start_time)
    returning d.id, d.course_id`)
}

async function removeDates(tx: Queryable, gone: StoredLesson[]): Promise<Set<number>> {
  const ids = gone.filter(({ is_touched }) => !is_touched).map(({ id }) => id)
  await tx.query(sql`select id from course_dates where id = any(${ids}) order by id for update`)
  const removed = await tx.query<{ id: number }>(sql`
    delete from course_dates d where id = any(${ids})
      and not exists (select from attendances a where a.course_date_id = d.id)
      and not exists (select from attendance_changes c where c.course_date_id = d.id)
    returning id`)
  return new Set(removed.map(({ id }) => id))
}
