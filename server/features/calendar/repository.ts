import { BOOKING_STATUS, type Language } from '#contract/values.ts'
import { isGuestPlace } from '#server/features/lessons/participant-repository.ts'
import { isPublished, lessonCity, lessonVenue } from '#server/features/lessons/repository.ts'
import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

export type CalendarLessonRow = {
  id: number
  /** freed place of which the person is the guest at this lesson, without a seat in the course */
  placeId?: number | null
  startsAt: Date
  endsAt: Date
  /** SEQUENCE property, which rises with every change that the reader of this language sees */
  sequence: number
  changedAt: Date
  isCancelled: boolean
  /** on the waiting list */
  isWaiting: boolean
  courseId: number
  number: string
  name: string
  name2: string
  venue: string
  city: string
  location: string
  location2: string
  /** URL of the online meeting; '' for people on the waiting list */
  meetingUrl: string
  meetingId: string
  meetingCode: string
}

/** Period for which a feed retains past lessons. */
const PAST = sql`interval '1 year'`

/**
 * SQL for lessons of courses that a person has booked, is on the waiting list for, or teaches, including cancelled and
 * deleted lessons, and for lessons at which the person is a guest.
 * @param courseId null: all recent and future lessons
 * @param isEnglish whether the calendar is in the second language
 */
const lessonsOf = (webUserId: SqlFragment, courseId: SqlFragment, isEnglish: SqlFragment): SqlFragment => sql`
    with own as (
      select c.*, mine.is_waiting, mine.teacher, mine.is_regular, mine.sequence, mine.place_id, mine.place_lesson,
        case when ${isEnglish} then c.calendar_sequence2 else c.calendar_sequence end as shown_sequence,
        greatest(mine.changed_at, case when ${isEnglish} then c.calendar_changed_at2 else c.calendar_changed_at end) as changed_at
      from courses c join (
        -- Each booking counts twice, so that a promotion from the waiting list can increment the sequence by one.
        select b.course_id, bool_or(b.state = ${BOOKING_STATUS.Waitinglist}) filter (where b.cancelled_at is null) as is_waiting,
          2 * count(*) + bool_or(b.promoted_at is not null)::int as sequence, max(greatest(b.booked_at, b.promoted_at)) as changed_at,
          null as teacher, false as is_regular, null::bigint as place_id, null::int as place_lesson
        from bookings b join courses k on k.id = b.course_id where b.web_user_id = ${webUserId} group by b.course_id
        -- After a course is cancelled, its lessons stay in the calendars of its participants as cancelled.
        having bool_or(b.cancelled_at is null) or bool_or(b.cancelled_at >= k.cancelled_at - interval '1 minute')
        union all
        select t.course_id, false, 0, '-infinity', u.email, bool_or(t.is_regular), null, null from (
          select course_id, email, true as is_regular from course_instructors
          union all select course_id, instructor_email, false from course_dates where instructor_email is not null
        ) t join web_users u on u.email = t.email
        where u.id = ${webUserId} and not exists (
          select from bookings b where b.web_user_id = u.id and b.course_id = t.course_id and b.cancelled_at is null)
        group by t.course_id, u.email
        union all
        select d.course_id, false, 0, f.taken_at, null, false, f.id, d.id
        from freed_places f join course_dates d on ${isGuestPlace} where f.guest_id = ${webUserId} and d.state = 'planned'
      ) mine on mine.course_id = c.id
      where (${courseId}::bigint is null and c.closes_at > clock_timestamp() - ${PAST} or c.id = ${courseId}) and ${isPublished}
    ), lesson as (
      select d.course_id, d.id, d.held_at, d.calendar_sequence, d.calendar_changed_at, d.state = 'cancelled' as is_cancelled, d.ends_at,
        ${lessonVenue} as venue, ${lessonCity} as city, d.instructor_email
      from course_dates d join courses c on c.id = d.course_id
      union all
      select course_id, course_date_id, held_at, calendar_sequence, removed_at, true, null, null, null, null from removed_lessons
    )
    select l.id, o.place_id as "placeId", l.held_at::timestamptz as "startsAt",
      case when l.ends_at > l.held_at::time then l.held_at::date + l.ends_at
        else l.held_at + case when o.end_time > o.start_time then o.end_time - o.start_time else interval '1 hour' end
      end::timestamptz as "endsAt",
      (o.sequence + greatest(o.shown_sequence, l.calendar_sequence))::int as sequence, greatest(o.changed_at, l.calendar_changed_at) as "changedAt",
      l.is_cancelled or o.cancelled_at is not null as "isCancelled", coalesce(o.is_waiting, false) as "isWaiting",
      o.id as "courseId", o.number, o.name, o.name2, coalesce(l.venue, o.venue) as venue, coalesce(l.city, o.city) as city,
      case when l.venue is null then o.location else '' end as location, case when l.venue is null then o.location2 else '' end as location2,
      case when o.is_waiting then '' else o.meeting_url end as "meetingUrl",
      case when o.is_waiting then '' else o.meeting_id end as "meetingId",
      case when o.is_waiting then '' else o.meeting_code end as "meetingCode"
    from own o join lesson l on l.course_id = o.id and l.id = coalesce(o.place_lesson, l.id)
    -- A substitute teaches only the substituted lessons.
    where o.teacher is null or case when l.instructor_email is null then o.is_regular else l.instructor_email = o.teacher end
    order by l.held_at, l.id, o.place_id nulls first`

/** All recent and future lessons of a person's courses. */
export const listLessons = (db: Queryable, webUserId: number, language: Language): Promise<CalendarLessonRow[]> =>
  db.query(lessonsOf(sql`${webUserId}`, sql`null`, sql`${language === 'en'}::boolean`))

export type CourseOfPerson = { webUserId: number; courseId: number; language: Language }

/** Lessons of one course for each of several people, in request order. */
export async function listLessonsOfCourses(db: Queryable, questions: CourseOfPerson[]): Promise<CalendarLessonRow[][]> {
  const people = questions.map(({ webUserId }) => webUserId)
  const courses = questions.map(({ courseId }) => courseId)
  const english = questions.map(({ language }) => language === 'en')
  const rows = await db.query<CalendarLessonRow & { index: number }>(sql`
    select q.index::int as index, l.*
    from unnest(${people}::bigint[], ${courses}::bigint[], ${english}::boolean[])
        with ordinality as q (web_user_id, course_id, is_english, index)
      cross join lateral (${lessonsOf(sql`q.web_user_id`, sql`q.course_id`, sql`q.is_english`)}) l
    order by q.index, l."startsAt", l.id, l."placeId" nulls first`)
  return questions.map((_, index) => rows.filter(row => row.index === index + 1))
}

export type BookingStartRow = {
  kind: 'course' | 'category' | 'season'
  id: number
  name: string
  name2: string
  opensAt: Date
  followedAt: Date
}

export const listFollowedBookingStarts = (db: Queryable, webUserId: number): Promise<BookingStartRow[]> =>
  db.query(sql`
    select case when f.course_id is not null then 'course' when f.category_id is not null then 'category' else 'season' end as kind,
      coalesce(f.course_id, f.category_id, f.season_id) as id,
      case when f.course_id is not null then c.name when f.category_id is not null then k.name else s.name end as name,
      case when f.course_id is not null then c.name2 when f.category_id is not null then k.name2 else s.name2 end as name2,
      c.opens_at as "opensAt", f.created_at as "followedAt"
    from follows f join courses c on c.id = f.course_id or c.category_id = f.category_id or c.season_id = f.season_id
      join seasons s on s.id = c.season_id join categories k on k.id = c.category_id
    where f.web_user_id = ${webUserId} and s.viewable_from <= clock_timestamp() and not s.is_draft and c.cancelled_at is null
      and c.opens_at > clock_timestamp() - interval '1 month'
    group by 1, 2, 3, 4, 5, 6 order by c.opens_at, 1, 2`)

/** 'YYYY-MM-DD' */
export type AbsenceRow = { id: number; from: string; to: string }

export const listAbsences = (db: Queryable, webUserId: number): Promise<AbsenceRow[]> =>
  db.query(sql`
    select a.id, a.starts_on as "from", a.ends_on as "to" from absences a join web_users u on u.email = a.instructor_email
    where u.id = ${webUserId} order by a.starts_on, a.id`)

export type CalendarFeed = { webUserId: number; language: Language }

const FEED_SECRET = 'calendar-feeds'

export const findFeedSecret = async (db: Queryable): Promise<Buffer> =>
  (await db.one<{ value: Buffer }>(sql`select value from secrets where name = ${FEED_SECRET}`)).value

export const findFeedNonce = async (db: Queryable, webUserId: number): Promise<Buffer | null> =>
  (await db.maybeOne<{ nonce: Buffer }>(sql`select nonce from calendar_feeds where web_user_id = ${webUserId}`))
    ?.nonce ?? null

/** Creates a calendar feed, or replaces its URL. */
export const saveCalendarFeed = (
  db: Queryable,
  { webUserId, nonce, tokenHash }: { webUserId: number; nonce: Buffer; tokenHash: Buffer },
): Promise<number> =>
  db.execute(sql`
    insert into calendar_feeds (web_user_id, nonce, token_hash) values (${webUserId}, ${nonce}, ${tokenHash})
    on conflict (web_user_id) do update
    set nonce = excluded.nonce, token_hash = excluded.token_hash, created_at = clock_timestamp()`)

export const deleteCalendarFeed = (db: Queryable, webUserId: number): Promise<number> =>
  db.execute(sql`delete from calendar_feeds where web_user_id = ${webUserId}`)

/** Finds the owner of the feed with this token; null if there is none. */
export const findCalendarFeed = (db: Database, tokenHash: Buffer): Promise<CalendarFeed | null> =>
  db.maybeOne(sql`
    select u.id as "webUserId", u.language from calendar_feeds f join web_users u on u.id = f.web_user_id
    where f.token_hash = ${tokenHash} and u.state in ('proved', 'known')`)
