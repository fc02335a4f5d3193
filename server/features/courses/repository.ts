import type { Course, LessonChange, Season } from '#contract/endpoints/courses.ts'
import { keysOf, pick } from '#contract/records.ts'
import { COURSE_FIELDS } from '#contract/tables/course.ts'
import type { FieldNamesWith } from '#contract/tables/fields.ts'
import { SEASON_FIELDS } from '#contract/tables/programme.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { lessonCity, lessonEnd, lessonVenue, substitutesOfCourse } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import {
  columnOfField,
  type ResponseRow,
  responseSelectList,
  toResponseFields,
} from '#server/platform/db/field-columns.ts'
import { byName } from '#server/platform/db/name-order.ts'
import {
  type CourseCounters,
  type CourseFacts,
  externalFeeCentsOf,
  INITIAL_COURSE_STATE,
  type Lesson,
  namesOfVenues,
  type ServerTime,
} from './rules.ts'

/** SQL for the current time in three formats. */
export const serverTimeColumns = sql`t.now, t.now::date as today, t.now::timestamp(0) as "wallClock"`
export const databaseClock = sql`(select clock_timestamp() as now) t`

/** Revision counters, which show whether anything in the course list has changed. */
export type RevisionCounters = ServerTime & {
  programmeRevision: number
  /**
   * snapshot of the current transactions and start time of the database server; if both are unchanged, nothing in the
   * database has changed
   */
  moment: string
  /** null if nothing has changed since the caller's version */
  changes: string | null
}

/**
 * Reads the revision counters. This is fast enough to run before every response, because courses are aggregated only if
 * a transaction has written to the database since the earlier version.
 * @param known `moment` of the earlier version
 */
export async function findRevisionCounters(db: Queryable, known: string | null): Promise<RevisionCounters> {
  type Row = ServerTime & { programme_revision: number; moment: string; revisions: string | null }
  const row = await db.one<Row>(sql`
    select ${serverTimeColumns}, p.revision as programme_revision, m.moment,
      case when m.moment is distinct from ${known}::text then (
        select count(*) || '.' || coalesce(sum(revision), 0) from courses) end as revisions
    from programme p, ${databaseClock}, (select pg_current_snapshot() || ' ' || pg_postmaster_start_time() as moment) m`)
  const { now, today, wallClock, programme_revision: programmeRevision, moment, revisions } = row
  const changes = revisions === null ? null : `${programmeRevision}.${revisions}`
  return { now, today, wallClock, programmeRevision, moment, changes }
}

export async function findProgrammeRevision(db: Queryable): Promise<number> {
  const { revision } = await db.one<{ revision: number }>(sql`select revision from programme`)
  return revision
}

export async function listSeasons(db: Queryable): Promise<Season[]> {
  const rows = await db.query<ResponseRow<typeof SEASON_FIELDS> & { id: number }>(sql`
    select s.id, ${responseSelectList(SEASON_FIELDS, 's')} from seasons s
    where s.viewable_from <= clock_timestamp() and not s.is_draft order by s.starts_at, s.id`)
  return rows.map(row => ({ id: row.id, ...toResponseFields(SEASON_FIELDS, row) }))
}

type StoredField = Exclude<
  keyof typeof COURSE_FIELDS,
  FieldNamesWith<typeof COURSE_FIELDS, { isComputed: true } | { isInternal: true } | { column: null }>
>
/** Fields shown as stored. */
const SHOWN_AS_STORED = pick(
  COURSE_FIELDS,
  keysOf(COURSE_FIELDS).filter(
    (field): field is StoredField =>
      !('isComputed' in COURSE_FIELDS[field]) &&
      !('isInternal' in COURSE_FIELDS[field]) &&
      columnOfField(field, COURSE_FIELDS[field]) !== '',
  ),
)

type OfOtherTables = 'instructor' | 'courseCategory' | 'courseCategory2' | 'categoryIcon' | 'season' | 'season2'
type FactsRow = ResponseRow<typeof SHOWN_AS_STORED> &
  Pick<Course, 'id' | 'day' | 'weekdays' | OfOtherTables> & {
    starts_on: string
    ends_on: string
    fee_cents: number
    external_fee_cents: number | null
    opens_at: Date
    closes_at: Date
    closes_at_local: string
    bookable_from: string
    is_draft: boolean
    viewable_from: Date
    is_cancelled: boolean
    note: string
    note2: string
    lessons: HeldLesson[]
    touched: TouchedLesson[]
    instructor_emails: string[]
    substitute_emails: string[]
  }

/** SQL for the instructor text of course `c`, or the names of its instructors if there is no text. */
export const instructorNames = sql`coalesce(nullif(c.instructor, ''), (
  select string_agg(concat_ws(' ', nullif(i.given_name, ''), i.family_name), ', ' order by ${byName('i')})
  from course_instructors ci join instructors i on i.email = ci.email where ci.course_id = c.id), '')`

/**
 * All courses, or one, including those not visible yet; earliest first.
 * @param region region whose public holidays are considered
 */
export async function listCourseFacts(
  db: Queryable,
  region: string,
  courseId: number | null = null,
): Promise<CourseFacts[]> {
  const rows = await db.query<FactsRow>(sql`
    select c.id, ${responseSelectList(SHOWN_AS_STORED, 'c')}, ${instructorNames} as instructor, c.day, c.weekdays,
      k.name as "courseCategory", k.name2 as "courseCategory2", k.icon as "categoryIcon", s.name as season, s.name2 as season2,
      c.starts_on, c.ends_on, c.fee_cents, c.external_fee_cents,
      c.opens_at, c.closes_at, c.closes_at::timestamp(0) as closes_at_local, c.opens_at::timestamp as bookable_from,
      s.is_draft, s.viewable_from,
      c.cancelled_at is not null as is_cancelled, c.note, c.note2,
      (select coalesce(json_agg(json_build_object('id', d.id, 'heldAt', to_char(d.held_at, 'YYYY-MM-DD HH24:MI:SS'),
          'endsAt', to_char(${lessonEnd}, 'YYYY-MM-DD HH24:MI:SS'), 'substitute', d.instructor_email,
          'isExcluded', d.is_excluded) order by d.held_at), '[]')
        from course_dates d where d.course_id = c.id and d.state = 'planned') as lessons,
      (select coalesce(json_agg(json_build_object('heldAt', to_char(d.held_at, 'YYYY-MM-DD HH24:MI:SS'), 'state', d.state,
          'movedFrom', to_char(d.moved_from, 'YYYY-MM-DD HH24:MI:SS'), 'isExtra', d.is_extra, 'note', d.note, 'note2', d.note2,
          'venue', ${lessonVenue}, 'city', ${lessonCity},
          'substitute', (select concat_ws(' ', nullif(i.given_name, ''), i.family_name) from instructors i where i.email = d.instructor_email)
        ) order by d.held_at), '[]')
        from course_dates d where d.course_id = c.id and (d.state <> 'planned' or d.moved_from is not null or d.is_extra
          or d.venue is not null or d.room_id is not null or d.instructor_email is not null)) as touched,
      array(select i.email from course_instructors i where i.course_id = c.id) as instructor_emails,
      ${substitutesOfCourse} as substitute_emails
    from courses c join seasons s on s.id = c.season_id join categories k on k.id = c.category_id
    where ${courseId}::int is null or c.id = ${courseId}
    order by c.starts_on, c.start_time, c.id`)
  return rows.map(row => toCourseFacts(row, region))
}

/** A lesson that staff have changed; times as 'YYYY-MM-DD HH:MM:SS'. */
type TouchedLesson = {
  heldAt: string
  state: 'planned' | 'cancelled'
  movedFrom: string | null
  isExtra: boolean
  venue: string | null
  city: string
  substitute: string | null
  note: string
  note2: string
}

type HeldLesson = Pick<Lesson, 'id' | 'heldAt' | 'endsAt' | 'substitute'> & { isExcluded: boolean }

const toLesson = ({ isExcluded, ...held }: HeldLesson): Lesson => ({ ...held, ...(isExcluded && { isExcluded }) })

/** Differences between a changed lesson and the original. A cancelled lesson has no other differences. */
function changesOf(
  { heldAt, state, movedFrom, isExtra, venue, city, substitute, note, note2 }: TouchedLesson,
  course: Pick<Course, 'venue' | 'city' | 'instructor'>,
): CourseFacts['changes'] {
  const at = toDateTimeValue(heldAt)
  const change = (kind: LessonChange['kind'], from: LessonChange['from'] = null, to: LessonChange['to'] = null) => ({
    at: heldAt,
    change: { at, kind, from, to, note, note2 },
  })
  if (state === 'cancelled') return [change('cancelled')]
  const [from, to] = namesOfVenues(course, { venue: venue ?? course.venue, city })
  return [
    ...(isExtra ? [change('extra')] : []),
    ...(movedFrom !== null && movedFrom !== heldAt ? [change('moved', toDateTimeValue(movedFrom), at)] : []),
    ...(from !== to ? [change('room', from, to)] : []),
    ...(substitute !== null ? [change('instructor', course.instructor, substitute)] : []),
  ]
}

function toCourseFacts(row: FactsRow, region: string): CourseFacts {
  const { id, instructor, day, weekdays, courseCategory, courseCategory2, categoryIcon, season, season2, touched } = row
  const externalFeeCents = externalFeeCentsOf(row.fee_cents, row.external_fee_cents)
  const lessons = row.lessons.map(toLesson)
  const stored = toResponseFields(SHOWN_AS_STORED, row)
  const { meetingURL, meetingID, meetingCode } = stored
  return {
    isDraft: row.is_draft,
    viewableFrom: row.viewable_from,
    opensAt: row.opens_at,
    closesAt: row.closes_at,
    closesAtLocal: row.closes_at_local,
    isCancelled: row.is_cancelled,
    cancellationNote: { note: row.note, note2: row.note2 },
    changes: touched.flatMap(lesson => changesOf(lesson, { venue: stored.venue, city: stored.city, instructor })),
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    region,
    lessons,
    feeCents: row.fee_cents,
    externalFeeCents,
    meeting: { meetingURL, meetingID, meetingCode },
    instructorEmails: row.instructor_emails,
    substituteEmails: row.substitute_emails,
    course: {
      id,
      ...stored,
      instructor,
      day,
      weekdays,
      courseCategory,
      courseCategory2,
      categoryIcon,
      season,
      season2,
      cancelled: row.is_cancelled,
      start: toDateTimeValue(row.starts_on),
      end: toDateTimeValue(row.ends_on),
      dates: lessons.map(({ heldAt }) => toDateTimeValue(heldAt)),
      bookableFrom: toDateTimeValue(row.bookable_from),
      externalFee: externalFeeCents / 100,
      ...INITIAL_COURSE_STATE,
    },
  }
}

/**
 * SQL for the number of people on the waiting list of course `c` who are passed over. `taken` does not count them. As
 * `isActiveBooking`, the condition matches no index of all active bookings, only that of the few who are passed over.
 */
export const peoplePassedOver = sql`(
  select count(*)::int from bookings w where w.course_id = c.id and w.is_passed_over
    and w.state = ${BOOKING_STATUS.Waitinglist} and isfinite(w.cancelled_at) is null)`

export type CourseCountersRow = { id: number; taken: number; passed_over: number; is_participating_complete: boolean }
export type CourseCountersById = Map<number, CourseCounters>

export const toCourseCounters = ({
  taken,
  passed_over,
  is_participating_complete,
}: CourseCountersRow): CourseCounters => ({
  taken,
  passedOver: passed_over,
  isParticipatingComplete: is_participating_complete,
})

export async function listCourseCounters(db: Queryable): Promise<CourseCountersById> {
  const rows = await db.query<CourseCountersRow>(sql`
    select c.id, c.taken, coalesce(p.people, 0) as passed_over, c.is_participating_complete
    from courses c left join (
      select course_id, count(*)::int as people from bookings
      where is_passed_over and state = ${BOOKING_STATUS.Waitinglist} and isfinite(cancelled_at) is null group by course_id
    ) p on p.course_id = c.id`)
  return new Map(rows.map(row => [row.id, toCourseCounters(row)]))
}

export async function listCourseIdsOfInstructor(db: Queryable, email: string): Promise<number[]> {
  const rows = await db.query<{ course_id: number }>(
    sql`select course_id from course_instructors where email = ${email}
      union select course_id from course_dates where instructor_email = ${email}`,
  )
  return rows.map(row => row.course_id)
}
