import type { ResponseOf } from '#contract/endpoint.ts'
import type { getToday, TodayTask } from '#contract/office/today.ts'
import { BILLING_TYPE, BOOKING_STATUS, type Language } from '#contract/values.ts'
import {
  effectiveLessons,
  expiringLicences,
  listLessonClashes,
  listUnacceptedClashes,
} from '#server/features/courses/lesson-repository.ts'
import { isCourseCurrent, peopleWaiting } from '#server/features/courses/view-repository.ts'
import { lessonParticipants, presentAtLesson } from '#server/features/lessons/participant-repository.ts'
import { isLessonUncovered, siteOfLesson } from '#server/features/lessons/repository.ts'
import { fullName, isOnPayroll, isPersonVerified, phoneNumber } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { byName } from '#server/platform/db/name-order.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

type Today = ResponseOf<typeof getToday>
type List<Part extends keyof Today> = Promise<NonNullable<Today[Part]>>

/** Part of a list of tasks. `language`: of names that are in one language only. */
export type TaskPage = { limit: number; offset: number; language: Language }
/** A page of tasks, and the number of tasks on all pages. */
export type Tasks<Item> = { items: Item[]; total: number }
type TaskList<Part extends TodayTask> = Promise<Tasks<NonNullable<Today[Part]>[number]>>

const total = sql`(count(*) over ())::int as total`

async function listTasks<Item extends object>(
  db: Queryable,
  query: SqlFragment,
  { limit, offset }: TaskPage,
): Promise<Tasks<Item>> {
  const rows = await db.query<Item & { total: number }>(sql`${query} limit ${limit} offset ${offset}`)
  return { items: rows.map(({ total: _, ...item }) => item as unknown as Item), total: rows[0]?.total ?? 0 }
}

const moment = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`
const lesson = sql`
  l.id as "courseDateId", l.course_id as "courseId", l.number, l.course_name as name, l.course_name2 as name2,
  ${moment(sql`l.held_at`)} as at, least(c.taken, c.capacity) as booked, coalesce((
    select string_agg(concat_ws(' ', nullif(i.given_name, ''), i.family_name), ', ' order by ${byName('i')})
    from instructors i where i.email = any(l.instructors)), c.instructor) as instructor`
/** SQL for the requests to be the substitute of lesson `l` at its current time that were not withdrawn. */
const substituteOffersOfLesson = sql`substitute_offers o join substitute_invitations i on i.id = o.invitation_id
  where o.course_date_id = l.id and o.held_at = l.held_at and o.replaced_email is not distinct from l.substitute
    and o.answer is distinct from 'withdrawn'`
const ofLessons = sql`${effectiveLessons} join courses c on c.id = l.course_id join seasons s on s.id = c.season_id and not s.is_draft`

export const findCurrentDate = async (db: Queryable): Promise<string> =>
  (await db.one<{ date: string }>(sql`select to_char(current_date, 'YYYY-MM-DD') as date`)).date

export const listLessons = (db: Queryable): List<'lessons'> =>
  db.query(sql`
    select ${lesson}, c.version, to_char(l.ends_at, 'HH24:MI') as "endTime", coalesce(l.venue, '') as room,
      ${siteOfLesson} as site, c.capacity as places,
      case when l.takes_place then 'planned' else 'cancelled' end as state
    from ${ofLessons} where l.held_at >= current_date and l.held_at < current_date + 2 order by l.held_at, l.id`)

/**
 * Past lessons without recorded attendance, of courses that have not been settled. As in a settlement, it does not
 * matter whether the instructor has closed the attendance list.
 */
export const listUnrecordedLessons = (db: Queryable, page: TaskPage): TaskList<'unrecorded'> =>
  listTasks(
    db,
    sql`
    select ${total}, ${lesson}, d.reminded_at::date as "remindedOn" from ${ofLessons}
      join course_dates d on d.id = l.id and not d.is_excluded
    where l.takes_place and l.held_at < localtimestamp and l.ends_at < localtimestamp and c.taken > 0
      and not exists (select from attendances a where a.course_date_id = l.id and a.is_present is not null)
      and not exists (select from settlements where course_id = c.id)
    order by l.held_at desc, l.id`,
    page,
  )

/**
 * People to telephone about a notice of the past seven days, because they have no e-mail address and the letter to them
 * has not been printed yet, nor a call about it noted.
 */
export const listPeopleToCall = (db: Queryable, page: TaskPage): TaskList<'call'> =>
  listTasks(
    db,
    sql`
    select ${total}, l.id as "letterId", u.id as "webUserId", ${fullName} as name, ${moment(sql`l.created_at`)} as at,
      ${phoneNumber} as phone,
      coalesce(l.payload -> l.language ->> 'title', '') as about
    from letters l join web_users u on u.id = l.web_user_id
    where l.printed_at is null and l.kind in ('notice', 'notice-urgent') and u.deleted_at is null
      and l.created_at > clock_timestamp() - interval '7 days'
      and not exists (
        select from office_record r where r.kind = 'note-call' and (r.line::json #>> '{objects,letterId}')::int = l.id)
    order by l.kind desc, l.id`,
    page,
  )

export const listUnverifiedPeople = (db: Queryable, page: TaskPage): TaskList<'unverified'> =>
  listTasks(
    db,
    sql`
    select ${total}, u.id as "webUserId", u.version, ${fullName} as name, u.personnel_number as "personnelNumber" from web_users u
    where u.deleted_at is null and ${isOnPayroll} and not ${isPersonVerified} and exists (
      select from bookings b join courses c on c.id = b.course_id
      where b.web_user_id = u.id and b.cancelled_at is null and c.closes_at > clock_timestamp())
    order by ${byName('u')}, u.id`,
    page,
  )

/** SQL for the billing type of person `u`, as billing routes amounts: by what the account has now, not by the booking. */
const billing = sql`coalesce(u.billing_type, case when ${isOnPayroll} then ${BILLING_TYPE.PersonnelNumber}::int end)`

/**
 * Amounts of the last twelve months that cannot be billed by payroll or invoice, each with the first missing field. Due
 * are the entries of a booking that are in no batch; before there are entries, what was agreed.
 */
export const listAmountsWithoutPayer = (db: Queryable, page: TaskPage): TaskList<'withoutPayer'> =>
  listTasks(
    db,
    sql`
    with charge as materialized (
      select * from (
        select u.id as "webUserId", ${fullName} as name, u.family_name, u.given_name, b.id as booking_id, b.course_id,
          case when b.cancelled_at is null then b.price_cents + b.energy_cents else b.charge_cents end as agreed_cents, case
            when coalesce(b.employee_status, u.employee_status) is null then 'employeeStatus'
            when ${billing} is null or ${billing} = ${BILLING_TYPE.Unknown} then 'billingType'
            when ${billing} in (${BILLING_TYPE.PersonnelNumber}, ${BILLING_TYPE.ForeignPersonnelNumber})
              and u.personnel_number = '' then 'personnelNumber'
            when ${billing} = ${BILLING_TYPE.ForeignPersonnelNumber} and u.owner_personnel_number = '' then 'ownerPersonnelNumber'
            when ${billing} = ${BILLING_TYPE.Invoice} and u.street = '' then 'street'
            when ${billing} = ${BILLING_TYPE.Invoice} and u.zip = '' then 'zip'
            when ${billing} = ${BILLING_TYPE.Invoice} and u.city = '' then 'city' end as missing
        from bookings b join web_users u on u.id = b.web_user_id and u.deleted_at is null
        where b.state = ${BOOKING_STATUS.Booked} and b.booked_at > clock_timestamp() - interval '1 year'
      ) every_charge where missing is not null
    )
    select ${total}, "webUserId", charge.name, c.id as "courseId", c.number, c.name as "courseName", c.name2 as "courseName2",
      coalesce(unbilled.cents, agreed_cents) / 100.0 as amount, missing
    from charge join courses c on c.id = charge.course_id left join lateral (
      select coalesce(sum(e.cents) filter (where not exists (
        select from batch_entries o where o.entry_id = e.id and not o.is_released)), 0)::int as cents
      from ledger_entries e where e.course_id = charge.course_id and e.booking_id = charge.booking_id having count(*) > 0
    ) unbilled on true
    where coalesce(unbilled.cents, agreed_cents) > 0 order by ${byName('charge')}, "webUserId", c.number`,
    page,
  )

/**
 * Accounts for which a single sign-on login was refused because it reported a different personnel number. A conflict is
 * resolved when the account is given that personnel number or another e-mail address.
 */
export const listPersonnelNumberConflicts = (db: Queryable, page: TaskPage): TaskList<'numberConflicts'> =>
  listTasks(
    db,
    sql`
    select ${total}, u.id as "webUserId", u.version, ${fullName} as name, u.email, u.personnel_number as "personnelNumber",
      c.personnel_number as "otherNumber"
    from company_number_conflicts c join web_users u on u.id = c.web_user_id and u.email = c.email
    where u.deleted_at is null and u.personnel_number <> c.personnel_number order by c.refused_at, u.id`,
    page,
  )

/** People on the waiting list of a current course who are passed over. */
export const listPeoplePassedOver = (db: Queryable, page: TaskPage): TaskList<'passedOver'> =>
  listTasks(
    db,
    sql`
    select ${total}, u.id as "webUserId", ${fullName} as name, c.id as "courseId", c.number, c.name as "courseName",
      c.name2 as "courseName2", case when u.locked_at is null then 'onlineOnly' else 'locked' end as why
    from bookings b join web_users u on u.id = b.web_user_id join courses c on c.id = b.course_id
    where b.is_passed_over and b.cancelled_at is null and b.state = ${BOOKING_STATUS.Waitinglist}
    order by c.number, b.seq`,
    page,
  )

export const listDelayedMails = (db: Queryable, page: TaskPage): TaskList<'mails'> =>
  listTasks(
    db,
    sql`
    select ${total}, u.id as "webUserId", coalesce(${fullName}, '') as name, ${moment(sql`m.created_at`)} as at,
      m.due_at = 'infinity' as "isGivenUp"
    from mails m left join web_users u on u.id = m.web_user_id
    where m.sent_at is null and m.created_at < clock_timestamp() - interval '10 minutes' order by m.id`,
    page,
  )

export const findHeldMails = (db: Queryable): Promise<Today['held'] | null> =>
  db.maybeOne(sql`
    select ${moment(sql`since`)} as since, (
      select count(*) from mails where sent_at is null and due_at < 'infinity') as mails
    from outgoing_hold`)

/**
 * Courses with a minimum number of participants that are neither confirmed nor cancelled, and must be decided within a
 * week.
 */
export const listPendingCourseDecisions = (db: Queryable, page: TaskPage): TaskList<'decisions'> =>
  listTasks(
    db,
    sql`
    select ${total}, c.id as "courseId", c.version, c.number, c.name, c.name2, least(c.taken, c.capacity) as booked,
      c.min_participants as "minParticipants", coalesce(c.decide_on, c.starts_on) as "decideOn"
    from courses c join seasons s on s.id = c.season_id and not s.is_draft
    where c.min_participants > 0 and not c.is_confirmed and c.cancelled_at is null and c.closes_at > clock_timestamp()
      and coalesce(c.decide_on, c.starts_on) <= current_date + 7
    order by coalesce(c.decide_on, c.starts_on), c.number`,
    page,
  )

export const listAbsences = (db: Queryable, page: TaskPage): TaskList<'absences'> =>
  listTasks(
    db,
    sql`
    select ${total}, a.id as "absenceId", a.instructor_email as "instructorEmail", concat_ws(' ', nullif(i.given_name, ''), i.family_name) as name,
      a.starts_on as "from", a.ends_on as "to", count(*)::int as lessons,
      array_agg(l.id order by l.held_at, l.id) as "courseDateIds", ${moment(sql`min(l.held_at)`)} as at
    from absences a join instructors i on i.email = a.instructor_email
    join ${ofLessons} on a.instructor_email = any(l.instructors) and l.held_at::date between a.starts_on and a.ends_on
    where a.ends_on >= current_date and l.held_at > localtimestamp and ${isLessonUncovered}
      and not exists (select from ${substituteOffersOfLesson})
    group by a.id, i.email order by min(l.held_at), a.id`,
    page,
  )

/** Future lessons for which every request to be the substitute was declined or has expired. */
export const listUnansweredSubstituteRequests = (db: Queryable, page: TaskPage): TaskList<'substitutes'> =>
  listTasks(
    db,
    sql`
    select ${total}, ${lesson}, o.asked, o.declined, o.until from ${ofLessons} join lateral (
      select count(distinct i.instructor_email)::int as asked,
        count(distinct i.instructor_email) filter (where o.answer = 'declined')::int as declined,
        ${moment(sql`max(i.ends_at)`)} as until, bool_and(o.answer is not null or i.ends_at <= localtimestamp) as is_over
      from ${substituteOffersOfLesson}
    ) o on o.is_over
    where l.takes_place and l.held_at > localtimestamp order by l.held_at, l.id`,
    page,
  )

export const listClosuresWithLessons = (db: Queryable, page: TaskPage): TaskList<'closures'> =>
  listTasks(
    db,
    sql`
    select x.id as "closureId", x.room_ids as "roomIds", x.site, x.starts_on as "from", x.ends_on as "to",
      case when x.site <> '' then x.site else coalesce((
        select string_agg(r.name, ', ' order by r.name) from rooms r where r.id = any(x.room_ids)), '') end as name,
      count(*)::int as lessons, ${moment(sql`min(l.held_at)`)} as at, ${total}
    from closures x join ${ofLessons} on l.held_at::date between x.starts_on and x.ends_on
      and (l.room_id = any(x.room_ids) or x.site <> '' and x.site = ${siteOfLesson})
    where x.ends_on >= current_date and l.held_at > localtimestamp and l.takes_place
    group by x.id order by min(l.held_at), x.id`,
    page,
  )

export const listExpiringLicences = (db: Queryable, page: TaskPage): TaskList<'licences'> =>
  listTasks(
    db,
    sql`
    select ${total}, t.email as "instructorEmail", t.name, t.licence, t.licence_until as "until", t.lessons, t.uncovered
    from ${expiringLicences} order by t.licence_until, t.email`,
    page,
  )

export const listBookingStarts = (db: Queryable, page: TaskPage): TaskList<'openings'> =>
  listTasks(
    db,
    sql`
    select s.id as "seasonId", s.name, s.name2, ${moment(sql`coalesce(c.bookable_from, s.bookable_from)`)} as at,
      count(*)::int as courses, ${total}
    from courses c join seasons s on s.id = c.season_id
    where not s.is_draft and c.cancelled_at is null
      and coalesce(c.bookable_from, s.bookable_from) between clock_timestamp() and clock_timestamp() + interval '14 days'
    group by 1, 2, 3, 4 order by 4, 1`,
    page,
  )

/**
 * Conflicts of lessons within the next seven days that nobody has accepted, each pair listed once. Venues that are not
 * registered rooms may be shared.
 */
export async function listClashes(db: Queryable, { limit, offset, language }: TaskPage): TaskList<'clashes'> {
  const coming = await db.query<{ id: number }>(sql`
    select l.id from ${ofLessons} where l.takes_place and l.held_at between localtimestamp and current_date + 7`)
  const found = await listLessonClashes(db, { lessonIds: coming.map(({ id }) => id), language })
  const clashes = await listUnacceptedClashes(
    db,
    found.filter(({ room, instructor }) => room !== null || instructor !== null),
  )
  // The other lesson may have begun, and is then not among these.
  const ahead = new Set(clashes.map(({ lessonId }) => lessonId))
  const pairs = clashes.filter(({ lessonId, otherLessonId }) => lessonId < otherLessonId || !ahead.has(otherLessonId))
  const items = pairs
    .slice(offset, offset + limit)
    .map(({ lessonId, courseId, number, name: fullName, at, otherCourseId, otherName, room, instructorName }) => {
      const name = fullName.slice(number.length + 1)
      return {
        courseDateId: lessonId,
        courseId,
        number,
        name,
        name2: name,
        at,
        instructor: instructorName ?? '',
        otherCourseId,
        otherCourse: otherName,
        shared: room ?? instructorName ?? '',
      }
    })
  return { items, total: pairs.length }
}

/** Number of days covered by the booking curve and the attendance figure. */
const DAYS = 28

export const findTodayFigures = (db: Queryable): Promise<NonNullable<Today['figures']>> =>
  db.one(sql`
    with course as (
      select c.id, c.capacity, c.taken, ${peopleWaiting} as waiting from courses c join seasons s on s.id = c.season_id where ${isCourseCurrent}
    ), recorded as (
      select l.id, (select count(*) filter (where p.belongs)::int from ${lessonParticipants(sql`d.id = l.id`)}) as expected,
        ${presentAtLesson(sql`l.id`)} as present
      from course_dates l
      where l.held_at between localtimestamp - interval '${sql.raw(String(DAYS))} days' and localtimestamp
        and exists (select from attendances a where a.course_date_id = l.id and a.is_present is not null)
    ), daily as (
      select b.booked_at::date as day, count(*)::int as count from bookings b
      where b.booked_at >= current_date - ${DAYS - 1}::int group by 1
    )
    select (select count(*)::int from course) as courses,
      (select coalesce(sum(capacity), 0)::int from course) as places,
      (select coalesce(sum(least(taken, capacity)), 0)::int from course) as booked,
      (select coalesce(sum(waiting), 0)::int from course) as waiting,
      (select count(*)::int from course where waiting > 0) as "waitingCourses",
      (select coalesce(sum(expected), 0)::int from recorded) as expected,
      (select coalesce(sum(least(present, expected)), 0)::int from recorded) as present,
      array(
        select coalesce(daily.count, 0) from generate_series(0, ${DAYS - 1}) n
        left join daily on daily.day = current_date - ${DAYS - 1}::int + n order by n) as daily`)

/** Progress of the initial setup; null once a season with a course is published. */
export const findSetupProgress = (db: Queryable): Promise<Today['setup'] | null> =>
  db.maybeOne(sql`
    select (select count(distinct web_user_id)::int from office_rights) as officers,
      (select count(*)::int from categories) as categories, (select count(*)::int from seasons) as seasons,
      (select count(*)::int from courses) as courses, (select min(id) from seasons where is_draft) as "seasonId"
    where not exists (select from courses c join seasons s on s.id = c.season_id where not s.is_draft)`)
