import { type BillingType, BOOKING_STATUS, type EmployeeStatus } from '#contract/values.ts'
import { instructorNames } from '#server/features/courses/repository.ts'
import type { Lesson } from '#server/features/courses/rules.ts'
import {
  isAbsenceAnnounced,
  isLessonGuest,
  lessonParticipants,
} from '#server/features/lessons/participant-repository.ts'
import {
  isPublished,
  lessonEnd,
  substitutesOfCourse,
  type TaughtCourse,
  type TaughtLesson,
} from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { retentionIntervalOf } from '#server/platform/db/sql.ts'
import type { MailKinds } from '#server/platform/outbox/mail-kinds.ts'

type AttendanceCourse = TaughtCourse & {
  id: number
  isComplete: boolean
  /** current date, 'YYYY-MM-DD' in the portal's time zone, by the database's clock */
  today: string
  /** whether the last lesson is recent enough that participant names are still available */
  isNamed: boolean
}

/** SQL condition: instructors may still see the names of the participants in course `c`. */
const isNamed = sql`(c.closes_at > clock_timestamp() - ${retentionIntervalOf('names')}::interval)`

const teachers = sql`
  array(select email from course_instructors i where i.course_id = c.id) as "instructorEmails",
  ${substitutesOfCourse} as "substituteEmails"`

const courseColumns = sql`
  c.id, c.is_participating_complete as "isComplete", current_date as today, ${isNamed} as "isNamed",
  ${teachers}`

export const findAttendanceCourse = (db: Queryable, courseId: number): Promise<AttendanceCourse | null> =>
  db.maybeOne(sql`select ${courseColumns} from courses c where c.id = ${courseId} and ${isPublished}`)

/**
 * Locks the course of a lesson (share lock), so that changes are serialized with closing the attendance list. Returns
 * the course and the lesson's day, read after the lock was acquired.
 */
export async function lockCourseOfLesson(
  tx: Queryable,
  courseDateId: number,
): Promise<(AttendanceCourse & TaughtLesson & { heldOn: string; fallsOut: boolean }) | null> {
  await tx.execute(sql`
    select from courses where id = (select course_id from course_dates where id = ${courseDateId}) for share`)
  return tx.maybeOne(sql`
    select ${courseColumns}, d.instructor_email as substitute, d.held_at::date as "heldOn",
      d.state = 'cancelled' or c.cancelled_at is not null as "fallsOut"
    from courses c join course_dates d on d.course_id = c.id where d.id = ${courseDateId} and ${isPublished}`)
}

/**
 * Closes or reopens a course's attendance list.
 * @returns the course, or null if nothing changed
 */
export const updateAttendanceListClosed = (
  tx: Queryable,
  courseId: number,
  isComplete: boolean,
): Promise<MailKinds['course-closed'] | null> =>
  tx.maybeOne(sql`
    update courses c set is_participating_complete = ${isComplete}, revision = revision + 1
    where id = ${courseId} and is_participating_complete <> ${isComplete}
    returning id as "courseId", number, name, name2, (
      select count(*) from bookings b
      where b.course_id = c.id and b.state = ${BOOKING_STATUS.Booked} and b.cancelled_at is null) as participants`)

export type ListedLesson = Pick<Lesson, 'id' | 'heldAt' | 'endsAt' | 'substitute'>

/** Lessons of a course in ascending order, excluding cancelled ones. */
export const listLessons = (db: Queryable, courseId: number): Promise<ListedLesson[]> =>
  db.query(sql`
    select d.id, d.held_at as "heldAt", ${lessonEnd} as "endsAt", d.instructor_email as substitute
    from course_dates d join courses c on c.id = d.course_id
    where d.course_id = ${courseId} and d.state = 'planned' order by d.held_at`)

export type ListedParticipant = {
  id: number
  familyName: string
  givenName: string
  employeeStatus: EmployeeStatus | null
  billingType: BillingType | null
  /** whether the person has cancelled the seat */
  hasLeft: boolean
  /** whether the person has never had a seat, and is only a guest of single lessons */
  isOnlyGuest: boolean
  /** ids of the lessons at which attendance of the person can be recorded, and of those to which the person belongs */
  lessonIds: number[]
  ownLessonIds: number[]
  /** ids of the lessons at which the person was recorded as present, and as absent */
  presentLessonIds: number[]
  absentLessonIds: number[]
  /** ids of the lessons that the person has announced not to attend */
  announcedLessonIds: number[]
  /** ids of the lessons of which the person is a guest */
  guestLessonIds: number[]
  /** number of lessons at which the person was present since the last booking */
  participation: number
}

/**
 * People whose attendance can be recorded at any lesson of a course, and those with a seat, ordered by id, with status
 * and billing data as of the booking. After the retention period the list contains attendance without names.
 */
export const listParticipants = (db: Queryable, courseId: number): Promise<ListedParticipant[]> =>
  db.query(sql`
    with seat as (
      select distinct on (b.web_user_id) b.* from bookings b
      where b.course_id = ${courseId} and b.state = ${BOOKING_STATUS.Booked} order by b.web_user_id,
        (b.cancelled_at is null) desc, b.id desc
    ), lesson as (
      select p.web_user_id, array_agg(p.course_date_id) as offered,
        coalesce(array_agg(p.course_date_id) filter (where p.belongs), '{}') as own, coalesce(array_agg(p.course_date_id) filter (where p.is_present), '{}') as present,
        coalesce(array_agg(p.course_date_id) filter (where not p.is_present), '{}') as absent,
        coalesce(array_agg(p.course_date_id) filter (where p.booking_id is null), '{}') as guest,
        count(*) filter (where p.is_present and p.booking_id = s.id)::int as participation
      from ${lessonParticipants(sql`d.course_id = ${courseId}`)} left join seat s on s.web_user_id = p.web_user_id group by 1
    )
    select u.id, case when ${isNamed} then u.family_name else '' end as "familyName",
      case when ${isNamed} then u.given_name else '' end as "givenName",
      case when ${isNamed} then coalesce(b.employee_status, u.employee_status) end as "employeeStatus",
      case when ${isNamed} then coalesce(b.billing_type, u.billing_type) end as "billingType",
      b.cancelled_at is not null as "hasLeft", b.id is null as "isOnlyGuest", coalesce(l.offered, '{}') as "lessonIds", coalesce(l.own, '{}') as "ownLessonIds",
      coalesce(l.present, '{}') as "presentLessonIds", coalesce(l.absent, '{}') as "absentLessonIds",
      coalesce(l.participation, 0) as participation,
      array(select d.id from course_dates d where d.course_id = b.course_id and ${isAbsenceAnnounced}) as "announcedLessonIds",
      coalesce(l.guest, '{}') as "guestLessonIds"
    from seat b full join lesson l on l.web_user_id = b.web_user_id
      join web_users u on u.id = coalesce(b.web_user_id, l.web_user_id) join courses c on c.id = ${courseId}
    where (b.id is not null and b.cancelled_at is null) or l.web_user_id is not null
    order by u.id`)

export type LessonPerson = {
  webUserId: number
  familyName: string
  givenName: string
  isPresent: boolean | null
  isGuest: true | null
}

/** People whose attendance can be recorded at a lesson, with the recorded attendance. */
export const listLessonPeople = (db: Queryable, courseDateId: number): Promise<LessonPerson[]> =>
  db.query(sql`
    select u.id as "webUserId", u.family_name as "familyName", u.given_name as "givenName", p.is_present as "isPresent",
      nullif(p.booking_id is null, false) as "isGuest"
    from ${lessonParticipants(sql`d.id = ${courseDateId}`)} join web_users u on u.id = p.web_user_id
    where u.deleted_at is null order by u.id`)

/**
 * Data for the heading of a participant list and for checking who may read it. Dates 'YYYY-MM-DD', times 'HH:MM:SS'.
 */
export type ParticipantListCourse = TaughtCourse & {
  number: string
  name: string
  name2: string
  instructors: string
  venue: string
  city: string
  startsOn: string
  endsOn: string
  startTime: string
  endTime: string
  /** 'YYYY-MM-DD HH:MM:SS' */
  printedAt: string
  /** whether some groups pay no fee if they attend regularly */
  freeWithAttendance: boolean
  isComplete: boolean
  isNamed: boolean
  /** whether visitors can already see the course */
  isViewable: boolean
}

export const findParticipantListCourse = (db: Queryable, courseId: number): Promise<ParticipantListCourse | null> =>
  db.maybeOne(sql`
    select number, name, name2,
      venue, city, localtimestamp(0) as "printedAt", is_free_with_attendance as "freeWithAttendance",
      is_participating_complete as "isComplete",
      starts_on as "startsOn", ends_on as "endsOn", start_time as "startTime", end_time as "endTime",
      ${instructorNames} as instructors, ${isNamed} as "isNamed",
      ${teachers},
      exists (select from seasons s where s.id = c.season_id and s.viewable_from <= clock_timestamp()) as "isViewable"
    from courses c where c.id = ${courseId} and ${isPublished}`)

type DoorGuestRow = { id: string; courseDateId: number; name: string }

/** Whether the guest entry already exists, and how many guests the lesson has. */
export const findGuestEntryState = (
  tx: Queryable,
  guestId: string,
  courseDateId: number,
): Promise<{ knownLessonId: number | null; isWithdrawn: boolean; count: number }> =>
  tx.one(sql`
    select (select course_date_id from door_guests where id = ${guestId}) as "knownLessonId",
      coalesce((select withdrawn_at is not null from door_guests where id = ${guestId}), false) as "isWithdrawn",
      (select count(*) from door_guests where course_date_id = ${courseDateId} and withdrawn_at is null) as count`)

/** Inserts a guest entry. Idempotent: an existing entry is left unchanged. */
export const insertWalkInGuest = (tx: Queryable, { id, courseDateId, name }: DoorGuestRow): Promise<number> =>
  tx.execute(sql`
    insert into door_guests (id, course_date_id, name)
    values (${id}, ${courseDateId}, ${name}) on conflict (id) do nothing`)

/** Withdraws a guest entry by removing the name. The row remains, so that a late retry cannot add the entry again. */
export const withdrawWalkInGuest = (tx: Queryable, { id, courseDateId }: Omit<DoorGuestRow, 'name'>): Promise<number> =>
  tx.execute(sql`
    insert into door_guests (id, course_date_id, name, withdrawn_at)
    values (${id}, ${courseDateId}, '', clock_timestamp())
    on conflict (id) do update set name = '', withdrawn_at = excluded.withdrawn_at
      where door_guests.withdrawn_at is null`)

/** Walk-in guests of a course's lessons, in the order in which they were recorded. */
export const listWalkInGuests = (db: Queryable, courseId: number): Promise<DoorGuestRow[]> =>
  db.query(sql`
    select g.id, g.course_date_id as "courseDateId", g.name
    from door_guests g join course_dates d on d.id = g.course_date_id
    where d.course_id = ${courseId} and g.withdrawn_at is null order by g.noted_at, g.id`)

type WaitingGuest = {
  guestId: string
  name: string
  courseId: number
  courseName: string
  courseDateId: number
  /** start of the lesson, 'YYYY-MM-DD HH:MM:SS' */
  heldAt: string
  freePlaces: number
  /** accounts with this name that have no booking in the course, and can therefore be booked directly */
  accounts: { webUserId: number; name: string; email: string }[]
}

/**
 * Walk-in guests of the past seven days, newest lesson first. Omits withdrawn entries and guests whose name matches
 * that of a person with a booking in the course, a freed place of the lesson or an amount entered since, and cancelled
 * courses. A course that can no longer be booked has no free places. Shown on the *Today* page of the office UI.
 */
export const listUnhandledWalkInGuests = (db: Queryable): Promise<WaitingGuest[]> =>
  db.query(sql`
    with named as (
      select g.*, regexp_replace(lower(g.name), '[\\s,]+', ' ', 'g') as folded
      from door_guests g
      where g.withdrawn_at is null and g.noted_at > clock_timestamp() - interval '7 days'
    ), found as (
      select g.id as guest_id, u.id, u.family_name, u.given_name, u.email, exists (
        select from bookings b join course_dates d on d.course_id = b.course_id
        where d.id = g.course_date_id and b.web_user_id = u.id and b.cancelled_at is null)
        or exists (select from course_dates d where d.id = g.course_date_id and ${isLessonGuest(sql`u.id`)})
        or exists (select from ledger_accounts a join ledger_entries e on e.account_id = a.id
          where a.web_user_id = u.id and e.kind = 'correction' and e.made_at > g.noted_at) as is_handled
      from named g join web_users u on u.deleted_at is null and u.confirmed_at is not null and (
        lower(u.given_name || ' ' || u.family_name) = g.folded or lower(u.family_name || ' ' || u.given_name) = g.folded)
    )
    select g.id as "guestId", g.name, c.id as "courseId", c.name as "courseName", d.id as "courseDateId",
      d.held_at as "heldAt", case when c.closes_at > clock_timestamp() then greatest(0, c.capacity - (
        select count(*) from bookings b
        where b.course_id = c.id and b.state = ${BOOKING_STATUS.Booked} and b.cancelled_at is null)) else 0 end::integer as "freePlaces",
      coalesce((
        select json_agg(json_build_object('webUserId', f.id, 'name', f.family_name || ', ' || f.given_name,
          'email', coalesce(f.email, '')) order by f.id)
        from found f where f.guest_id = g.id), '[]') as accounts
    from named g join course_dates d on d.id = g.course_date_id join courses c on c.id = d.course_id
    where c.cancelled_at is null and not exists (select from found f where f.guest_id = g.id and f.is_handled)
    order by d.held_at desc, g.noted_at`)
