import type { Course, Season } from '#contract/courses.ts'
import { BOOKING_STATUS, type EmployeeStatus, type Language } from '#contract/values.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import {
  type Booking,
  type CourseCounters,
  type CourseFacts,
  externalFeeOf,
  lastCancellationDay,
  type Moment,
  type Viewer,
} from './rules.ts'

const moment = sql`clock_timestamp() as now, clock_timestamp()::date as today`

/** What tells whether anything that the course list shows has changed. */
export type Version = Moment & { programmeRevision: number; changes: string }

/** Cheap enough to ask before every answer. */
export async function findVersion(db: Queryable): Promise<Version> {
  const row = await db.one<Moment & { programme_revision: number; count: number; revision: number }>(sql`
    select ${moment}, p.revision as programme_revision, c.count, c.revision
    from programme p, (select count(*), coalesce(sum(revision), 0)::bigint as revision from courses) c`)
  const { now, today, programme_revision: programmeRevision } = row
  return { now, today, programmeRevision, changes: `${programmeRevision}.${row.revision}.${row.count}.${today}` }
}

export async function findProgrammeRevision(db: Queryable): Promise<number> {
  const { revision } = await db.one<{ revision: number }>(sql`select revision from programme`)
  return revision
}

export async function listSeasons(db: Queryable): Promise<Season[]> {
  type Row = Omit<Season, 'bookableFrom' | 'viewableFrom' | 'startsAt' | 'endsAt'> &
    Record<'bookable_from' | 'viewable_from', string> &
    Record<'starts_at' | 'ends_at', string | null>
  const rows = await db.query<Row>(sql`
    select id, name, name2, description, description2, shortcut, bookable_from::timestamp, viewable_from::timestamp, starts_at, ends_at
    from seasons where viewable_from <= clock_timestamp() order by starts_at, id`)
  return rows.map(({ bookable_from, viewable_from, starts_at, ends_at, ...season }) => ({
    ...season,
    bookableFrom: toDateTimeValue(bookable_from),
    viewableFrom: toDateTimeValue(viewable_from),
    startsAt: toDateTimeValue(starts_at),
    endsAt: toDateTimeValue(ends_at),
  }))
}

type SameAsOnTheWire = Pick<
  Course,
  | 'id'
  | 'number'
  | 'name'
  | 'name2'
  | 'conditions'
  | 'conditions2'
  | 'venue'
  | 'city'
  | 'location'
  | 'location2'
  | 'instructor'
  | 'day'
  | 'season'
  | 'season2'
>

type FactsRow = SameAsOnTheWire & {
  text_web: string
  text_web2: string
  booking_selection: string
  start_time: string
  end_time: string
  starts_on: string
  ends_on: string
  total_hours: number
  fee_cents: number
  energy_fee_cents: number
  external_fee_cents: number | null
  capacity: number
  is_confirmed: boolean
  meeting_url: string
  meeting_id: string
  meeting_code: string
  central_test_institute: string
  opens_at: Date
  closes_at: Date
  bookable_from: string
  viewable_from: Date
  season_id: number
  category_id: number
  category: string
  category2: string
  icon: string
  dates: string[]
  instructor_emails: string[]
}

/**
 * Every course of the programme, or one of them, also those that cannot be seen yet, the soonest first.
 * @param region decides the working days on which a place can be given back
 */
export async function listCourseFacts(
  db: Queryable,
  region: string,
  courseId: number | null = null,
): Promise<CourseFacts[]> {
  const rows = await db.query<FactsRow>(sql`
    select c.id, c.number, c.name, c.name2, c.text_web, c.text_web2, c.conditions, c.conditions2, c.venue, c.city, c.location,
      c.location2, c.instructor, c.day, c.booking_selection, c.start_time, c.end_time, c.starts_on, c.ends_on, c.total_hours,
      c.fee_cents, c.energy_fee_cents, c.external_fee_cents, c.capacity, c.is_confirmed, c.meeting_url, c.meeting_id,
      c.meeting_code, c.central_test_institute, c.opens_at, c.closes_at, c.opens_at::timestamp as bookable_from,
      s.viewable_from, c.season_id, s.name as season, s.name2 as season2,
      c.category_id, k.name as category, k.name2 as category2, k.icon,
      array(select d.held_at from course_dates d where d.course_id = c.id order by d.held_at) as dates,
      array(select i.email from course_instructors i where i.course_id = c.id) as instructor_emails
    from courses c join seasons s on s.id = c.season_id join categories k on k.id = c.category_id
    where ${courseId}::int is null or c.id = ${courseId}
    order by c.starts_on, c.start_time, c.id`)
  return rows.map(row => toCourseFacts(row, region))
}

function toCourseFacts(row: FactsRow, region: string): CourseFacts {
  const externalFeeCents = externalFeeOf(row.fee_cents, row.external_fee_cents)
  return {
    viewableFrom: row.viewable_from,
    opensAt: row.opens_at,
    closesAt: row.closes_at,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    cancelUntil: lastCancellationDay(region, row.dates[0]?.slice(0, 10) ?? row.starts_on),
    feeCents: row.fee_cents,
    externalFeeCents,
    meeting: { meetingURL: row.meeting_url, meetingID: row.meeting_id, meetingCode: row.meeting_code },
    instructorEmails: row.instructor_emails,
    course: {
      id: row.id,
      number: row.number,
      name: row.name,
      name2: row.name2,
      textWeb: row.text_web,
      textWeb2: row.text_web2,
      conditions: row.conditions,
      conditions2: row.conditions2,
      venue: row.venue,
      city: row.city,
      location: row.location,
      location2: row.location2,
      instructor: row.instructor,
      day: row.day,
      bookingSelection: row.booking_selection,
      startTime: toDateTimeValue(row.start_time),
      endTime: toDateTimeValue(row.end_time),
      start: toDateTimeValue(row.starts_on),
      end: toDateTimeValue(row.ends_on),
      dates: row.dates.map(toDateTimeValue),
      totalHours: row.total_hours,
      bookableFrom: toDateTimeValue(row.bookable_from),
      running: false,
      fee: row.fee_cents / 100,
      energyFee: row.energy_fee_cents / 100,
      externalFee: externalFeeCents / 100,
      participants: row.capacity,
      currentParticipants: 0,
      currentWaiting: 0,
      currentBooked: 0,
      confirmed: row.is_confirmed,
      directlyBookable: false,
      bookable: false,
      cancellabel: false,
      bookingStatus: BOOKING_STATUS.NotBooked,
      waitingListPosition: 0,
      participation: 0,
      participatingComplete: false,
      courseCategory: row.category,
      courseCategory2: row.category2,
      courseCategoryId: row.category_id,
      categoryIcon: row.icon,
      seasonId: row.season_id,
      season: row.season,
      season2: row.season2,
      seasonBookable: false,
      meetingURL: '',
      meetingID: '',
      meetingCode: '',
      centralTestInstitute: row.central_test_institute,
      status: 'Ok',
      message: '',
    },
  }
}

type CountersRow = { id: number; taken: number; is_participating_complete: boolean }
export type CountersById = Map<number, CourseCounters>

const toCounters = (rows: CountersRow[]): CountersById =>
  new Map(
    rows.map(row => [row.id, { taken: row.taken, isParticipatingComplete: row.is_participating_complete }] as const),
  )

export async function listCounters(db: Queryable): Promise<CountersById> {
  return toCounters(await db.query<CountersRow>(sql`select id, taken, is_participating_complete from courses`))
}

export type CountersNow = { moment: Moment; programmeRevision: number; counters: CountersById }

/** The counters of some courses and the moment at which they are true. Unknown ids are left out. */
export async function listCountersNow(db: Queryable, courseIds: number[]): Promise<CountersNow> {
  const row = await db.one<Moment & { programme_revision: number; courses: CountersRow[] }>(sql`
    select ${moment}, p.revision as programme_revision, (
      select coalesce(json_agg(c), '[]') from (
        select id, taken, is_participating_complete from courses where id = any(${courseIds}::int[])
      ) c
    ) as courses
    from programme p`)
  return {
    moment: { now: row.now, today: row.today },
    programmeRevision: row.programme_revision,
    counters: toCounters(row.courses),
  }
}

export async function listCourseIdsOfInstructor(db: Queryable, email: string): Promise<number[]> {
  const rows = await db.query<{ course_id: number }>(
    sql`select course_id from course_instructors where email = ${email}`,
  )
  return rows.map(row => row.course_id)
}

type ViewerRow = {
  email: string
  language: Language
  employee_status: EmployeeStatus | null
  year_of_birth: number | null
  is_online_only: boolean
  course_id: number | null
  state: Booking['state']
  position: number
  present_dates: number
}

/** A person and their active bookings: all of them, or only that of one course. */
export async function findViewer(
  db: Queryable,
  webUserId: number,
  courseId: number | null = null,
): Promise<Viewer | null> {
  const rows = await db.query<ViewerRow>(sql`
    select u.email, u.language, u.employee_status, u.year_of_birth, coalesce(d.is_online_only, false) as is_online_only,
      b.course_id, b.state,
      case when b.state = ${BOOKING_STATUS.Waitinglist} then (
        select count(*) from bookings w
        where w.course_id = b.course_id and w.state = ${BOOKING_STATUS.Waitinglist} and w.cancelled_at is null and w.seq <= b.seq
      ) else 0 end as position,
      case when b.state = ${BOOKING_STATUS.Booked} then (
        select count(*) from attendances a join course_dates l on l.id = a.course_date_id
        where l.course_id = b.course_id and a.web_user_id = u.id and a.is_present
      ) else 0 end as present_dates
    from web_users u
    left join divisions d on d.id = u.division_id
    left join bookings b on b.web_user_id = u.id and b.cancelled_at is null
      and (${courseId}::int is null or b.course_id = ${courseId})
    where u.id = ${webUserId}`)
  const [row] = rows
  if (row === undefined) return null
  return {
    webUserId,
    email: row.email,
    language: row.language,
    employeeStatus: row.employee_status,
    yearOfBirth: row.year_of_birth,
    isOnlineOnly: row.is_online_only,
    bookings: new Map(
      rows.flatMap(({ course_id, state, position, present_dates }) =>
        course_id === null ? [] : [[course_id, { state, position, presentDates: present_dates }] as const],
      ),
    ),
  }
}
