import type { InferOutput } from 'valibot'
import type { ItemOf, ResponseOf } from '#contract/endpoint.ts'
import type * as office from '#contract/office/office.ts'
import type * as contract from '#contract/office/programme.ts'
import {
  CATEGORY_FIELDS,
  DIVISION_FIELDS,
  INSTRUCTOR_FIELDS,
  ROOM_FIELDS,
  SEASON_FIELDS,
} from '#contract/tables/programme.ts'
import { isEndedByMerge } from '#server/features/bookings/repository.ts'
import { effectiveLessons } from '#server/features/courses/lesson-repository.ts'
import { instructorNames } from '#server/features/courses/repository.ts'
import { peopleWaiting } from '#server/features/courses/view-repository.ts'
import { isGuestPlace, lessonParticipants, presentAtLesson } from '#server/features/lessons/participant-repository.ts'
import { isLessonInClosedRoom, isLessonUncovered } from '#server/features/lessons/repository.ts'
import { fullName, phoneNumber } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { officeSelectList } from '#server/platform/db/field-columns.ts'
import { byName } from '#server/platform/db/name-order.ts'
import type { KeysetPage } from '#server/platform/http/pagination.ts'
import { askedInstructors } from './substitute-repository.ts'

export const listSeasons = (
  db: Queryable,
  { limit, after }: KeysetPage<number>,
): Promise<ItemOf<typeof contract.listOfficeSeasons>[]> =>
  db.query(sql`
    select s.id, s.version, ${officeSelectList(SEASON_FIELDS, 's')}, s.is_draft as draft,
      coalesce(c.courses, 0) as courses, coalesce(c.places, 0) as places, coalesce(c.booked, 0) as booked, coalesce(c.waiting, 0) as waiting,
      c.last_recorded as "lastRecorded", exists (select from booking_orders o where o.season_id = s.id) as "orderPublished"
    from seasons s left join (
      select season_id, count(*) as courses, sum(capacity) as places, sum(least(taken, capacity)) as booked,
        sum(${peopleWaiting}) as waiting, max(recorded) as last_recorded
      from courses c left join (
        select d.course_id, max(d.held_at)::date as recorded from course_dates d
        where exists (select from attendances a where a.course_date_id = d.id and a.is_present is not null) group by 1) r on r.course_id = c.id
      where cancelled_at is null group by 1
    ) c on c.season_id = s.id
    where s.id > ${after} order by s.id limit ${limit + 1}`)

type Grid = ResponseOf<typeof contract.getOfficeGrid>

/** SQL condition: lessons `a` and `b` use the same exclusive room, or the same venue that is not a registered room. */
const isSamePlace = sql`coalesce(a.room_id = b.room_id and not a.is_shared,
  a.room_id is null and b.room_id is null and a.venue <> '' and (a.venue, a.city) = (b.venue, b.city)
    and not exists (select from courses c where c.id in (a.course_id, b.course_id) and c.meeting_url <> ''))`

/**
 * Lessons that start on these days, in order. Cancelled lessons are excluded, because they need neither a room nor an
 * instructor.
 */
export const listGridLessons = async (
  db: Queryable,
  { from, to }: { from: string; to: string },
): Promise<Grid['lessons']> => {
  const rows = await db.query<Omit<Grid['lessons'][number], 'clash'>>(sql`
    with l as materialized (
      select l.*, coalesce(r.is_shared, false) as is_shared from ${effectiveLessons} left join rooms r on r.id = l.room_id
      where l.held_at >= ${from}::date and l.held_at < ${to}::date + 1
    ), pairs as materialized (
      select a.id, ${isSamePlace} as room, a.instructors && b.instructors as instructor
      from l a join l b on b.held_at::date = a.held_at::date and b.id <> a.id and a.held_at < b.ends_at and b.held_at < a.ends_at
      where a.takes_place and b.takes_place and (${isSamePlace} or a.instructors && b.instructors)
    ), clashing as (select id, bool_or(room) as room, bool_or(instructor) as instructor from pairs group by id)
    select l.id as "courseDateId", l.course_id as "courseId", l.season_id as "seasonId", c.version, l.number, l.course_name as name,
      l.course_name2 as name2, l.held_at::date as date, to_char(l.held_at, 'HH24:MI') as "startTime", to_char(l.ends_at, 'HH24:MI') as "endTime",
      case when l.takes_place then 'planned' else 'cancelled' end as state, l.room_id as "roomId", coalesce(l.venue, '') as room,
      l.is_shared as shared, l.substitute as "instructorEmail", (
        select coalesce(jsonb_agg(jsonb_build_object('email', i.email, 'name', concat_ws(' ', nullif(i.given_name, ''), i.family_name))
          order by ${byName('i')}, i.email), '[]') from instructors i where i.email = any(l.instructors)) as instructors,
      least(c.taken, c.capacity) as booked, c.capacity as places,
      array_remove(array[case when k.room then 'room' end, case when k.instructor then 'instructor' end], null) as clashes,
      ${isLessonUncovered} as uncovered, ${isLessonInClosedRoom} and l.takes_place as closed
    from l join courses c on c.id = l.course_id left join clashing k on k.id = l.id
    order by l.held_at, l.number`)
  return rows.map(row => ({ ...row, clash: row.clashes.length > 0 || row.closed }))
}

/** Monday and Sunday of the current week in the portal's time zone. */
export const findCurrentWeek = (db: Queryable): Promise<{ monday: string; sunday: string }> =>
  db.one(sql`
    select date_trunc('week', localtimestamp)::date as monday, date_trunc('week', localtimestamp)::date + 6 as sunday`)

export const listCategories = (
  db: Queryable,
  { limit, after }: KeysetPage<number>,
): Promise<ItemOf<typeof contract.listOfficeCategories>[]> =>
  db.query(sql`
    select c.id, c.version, ${officeSelectList(CATEGORY_FIELDS, 'c')} from categories c where id > ${after} order by id limit ${limit + 1}`)

export const listCourseTemplates = (
  db: Queryable,
  { limit, after }: KeysetPage<number>,
): Promise<ItemOf<typeof contract.listCourseTemplates>[]> =>
  db.query(sql`
    select id as "templateId", version, name as "templateName", fields
    from course_templates where id > ${after} order by id limit ${limit + 1}`)

export const listDivisions = (
  db: Queryable,
  { limit, after }: KeysetPage<number>,
): Promise<ItemOf<typeof contract.listOfficeDivisions>[]> =>
  db.query(sql`
    select d.id, d.version, ${officeSelectList(DIVISION_FIELDS, 'd')} from divisions d where id > ${after} order by id limit ${limit + 1}`)

/**
 * Lists instructors in the order of their e-mail addresses.
 * @param after e-mail address of the last instructor on the previous page
 */
export const listInstructors = (
  db: Queryable,
  limit: number,
  after: string,
): Promise<ItemOf<typeof contract.listOfficeInstructors>[]> =>
  db.query(sql`
    select c.email, c.version, ${officeSelectList(INSTRUCTOR_FIELDS, 'c')}, (
      select count(*) from course_instructors i join courses k on k.id = i.course_id
      where i.email = c.email and k.closes_at > clock_timestamp()) as teaching
    from instructors c where ${after} = '' or (${byName('c')}, c.email) > (
      select ${byName('p')}, p.email from instructors p where p.email = ${after})
    order by ${byName('c')}, c.email limit ${limit + 1}`)

/** Names that future courses display instead of instructors, with their lessons. */
export const listUnregisteredInstructors = (
  db: Queryable,
): Promise<ResponseOf<typeof contract.listOfficeInstructors>['unknown']> =>
  db.query(sql`
    select c.instructor as name, count(distinct c.id)::int as courses, count(*)::int as lessons
    from ${effectiveLessons} join courses c on c.id = l.course_id
    where c.instructor <> '' and l.instructors = '{}' and l.takes_place and l.held_at > localtimestamp
      and not exists (select from course_instructors i where i.course_id = c.id)
    group by 1 order by 1 limit 1000`)

type PersonInCourse = InferOutput<typeof office.personInCourse>

export const listCourses = (
  db: Queryable,
  seasonId: number | null,
  { limit, after }: KeysetPage<number>,
): Promise<ItemOf<typeof office.listOfficeCourses>[]> =>
  db.query(sql`
    select c.id, c.version, c.number, c.name, c.name2, c.season_id as "seasonId", c.category_id as "courseCategoryId",
      c.starts_on as start, c.ends_on as "end", to_char(c.start_time, 'HH24:MI') as "startTime", to_char(c.end_time, 'HH24:MI') as "endTime",
      c.venue, ${instructorNames} as instructor, c.is_confirmed as confirmed, c.cancelled_at is not null as cancelled, c.capacity as places,
      least(c.taken, c.capacity) as booked, ${peopleWaiting} as waiting,
      (select max(d.held_at)::date from course_dates d where d.course_id = c.id and exists (
        select from attendances a where a.course_date_id = d.id and a.is_present is not null)) as "lastRecorded"
    from courses c where (${seasonId}::int is null or c.season_id = ${seasonId}) and c.id > ${after}
    order by c.id limit ${limit + 1}`)

export const listLessons = (
  db: Queryable,
  courseId: number,
): Promise<Omit<ResponseOf<typeof office.getOfficeCourse>['lessons'][number], 'guests'>[]> =>
  db.query(sql`
    select l.id as "courseDateId", l.held_at::date as date, to_char(l.held_at, 'HH24:MI') as "startTime",
      to_char(l.ends_at, 'HH24:MI') as "endTime", l.state, l.venue as room, l.note, l.note2, l.room_id as "roomId", l.substitute as "instructorEmail", ${presentAtLesson(sql`l.id`)} as present,
      (select d.is_excluded from course_dates d where d.id = l.id) as excluded, ${askedInstructors} as asked, coalesce((
        select string_agg(concat_ws(' ', nullif(i.given_name, ''), i.family_name), ', ' order by ${byName('i')})
        from instructors i where i.email = any(l.instructors)), c.instructor) as instructor
    from ${effectiveLessons} join courses c on c.id = l.course_id where l.course_id = ${courseId} order by l.held_at`)

export const listBookingsOfCourse = (
  db: Queryable,
  courseId: number,
): Promise<(Omit<PersonInCourse, 'freeUntil'> & { state: number; isEnded: boolean; firstLessonOn: string | null })[]> =>
  db.query(sql`
    with attendance as (
      select p.booking_id, count(*)::int as held, count(*) filter (where p.is_present)::int as present
      from ${lessonParticipants(sql`d.course_id = ${courseId}`)}
      where p.belongs and exists (
        select from attendances r where r.course_date_id = p.course_date_id and r.is_present is not null)
      group by 1
    )
    select u.id as "webUserId", ${fullName} as name, ${phoneNumber} as phone,
      coalesce(b.employee_status, u.employee_status) as "employeeStatus", coalesce(b.billing_type, u.billing_type) as "billingType",
      coalesce(a.held, 0) as held, coalesce(a.present, 0) as present, to_char(coalesce(b.promoted_at, b.booked_at), 'YYYY-MM-DD"T"HH24:MI') as since,
      (b.price_cents + b.energy_cents) / 100.0 as price, b.charge, b.charge_cents / 100.0 as "chargeAmount",
      b.processing_cents / 100.0 as "processingFee", b.state, b.cancelled_at is not null as "isEnded", b.first_lesson_on as "firstLessonOn"
    from bookings b join web_users u on u.id = b.web_user_id left join attendance a on a.booking_id = b.id
    where b.course_id = ${courseId} and not ${isEndedByMerge} order by b.seq`)

/** Guests of the lessons of a course, in places that seat holders freed. */
export const listGuestsOfCourse = (
  db: Queryable,
  courseId: number,
): Promise<{ courseDateId: number; webUserId: number; name: string }[]> =>
  db.query(sql`
    select d.id as "courseDateId", u.id as "webUserId", ${fullName} as name
    from course_dates d join freed_places f on ${isGuestPlace} join web_users u on u.id = f.guest_id
    where d.course_id = ${courseId} and d.state = 'planned' and u.deleted_at is null order by f.id`)

export const findCourseVersion = async (db: Queryable, courseId: number): Promise<number | null> =>
  (await db.maybeOne<{ version: number }>(sql`select version from courses where id = ${courseId}`))?.version ?? null

export const listRooms = (
  db: Queryable,
  { limit, after }: KeysetPage<number>,
): Promise<ItemOf<typeof office.listRooms>[]> =>
  db.query(sql`
    select r.id as "roomId", r.version, ${officeSelectList(ROOM_FIELDS, 'r')} from rooms r where id > ${after}
    order by id limit ${limit + 1}`)

/**
 * Venues of future lessons that are not registered as rooms. Online courses are excluded, because they need no room: by
 * their venue, as in `isHeldOnline`, or by the name of a meeting service. Courses that are also held online need a room.
 */
export const listUnregisteredVenues = (db: Queryable): Promise<ResponseOf<typeof office.listRooms>['unknown']> =>
  db.query(sql`
    select l.venue as name, l.city as site, max(c.capacity) as capacity, count(distinct c.id)::int as courses,
      count(*)::int as lessons
    from ${effectiveLessons} join courses c on c.id = l.course_id
    where l.room_id is null and l.venue <> '' and l.takes_place and l.held_at > localtimestamp and l.venue !~* '^online\\M'
      and (c.meeting_url = '' or l.venue !~* '\\m(zoom|teams|webex|meeting|virtuell|virtual|digital)')
    group by 1, 2 order by 1, 2 limit 1000`)
