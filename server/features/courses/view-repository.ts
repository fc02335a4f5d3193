import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import { acceptedProofs } from '#server/features/money/proof-repository.ts'
import { hasHrList, isPersonVerified } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import { type CourseCountersRow, databaseClock, peoplePassedOver, serverTimeColumns } from './repository.ts'
import type { Booking, CourseViewer, ServerTime } from './rules.ts'
import type { CourseCountersSnapshot } from './service.ts'

type ViewerJson = Omit<CourseViewer, 'bookings'> & { bookings: (Booking & { courseId: number })[] }

const toViewer = (viewer: ViewerJson): CourseViewer => ({
  ...viewer,
  bookings: new Map(viewer.bookings.map(({ courseId, ...booking }) => [courseId, booking])),
})

const isActive = sql`b.cancelled_at is null`
/**
 * SQL condition for active bookings, written so that it matches no partial index. With few bookings, the planner used
 * to choose a partial index and scan all active bookings of the portal. See docs/decisions/0003.
 */
export const isActiveBooking = sql`isfinite(b.cancelled_at) is null`

/**
 * SQL for the position of waiting-list entry `b`, starting at 1. People who are passed over keep their number, which
 * nobody else has.
 */
export const waitingPosition = sql`(
  select count(*)::int from bookings w where w.course_id = b.course_id and w.state = ${BOOKING_STATUS.Waitinglist}
    and w.cancelled_at is null and w.seq <= b.seq)`

/** SQL for the number of people on the waiting list of course `c`, including those who are passed over. */
export const peopleWaiting = sql`(
  select count(*)::int from bookings w where w.course_id = c.id and w.state = ${BOOKING_STATUS.Waitinglist}
    and w.cancelled_at is null)`

/** SQL condition: course `c` of season `s` is published and neither cancelled nor over. */
export const isCourseCurrent = sql`not s.is_draft and c.cancelled_at is null and c.closes_at > clock_timestamp()`

/**
 * SQL for a person and those of their bookings that match `which`, as one JSON value; null if the account is deleted.
 */
const viewerJson = (webUserId: number | SqlFragment, which: SqlFragment) => sql`(
  select json_build_object(
    'webUserId', u.id, 'email', u.email, 'employeeStatus', u.employee_status,
    'isUnverified', coalesce(u.employee_status <> ${EMPLOYEE_STATUS.External}, false) and not ${isPersonVerified} and ${hasHrList},
    'yearOfBirth', u.year_of_birth, 'isOnlineOnly', coalesce(d.is_online_only, false),
    'guestCourseIds', (
      select coalesce(json_agg(f.course_id), '[]') from freed_places f
      where f.guest_id = u.id and f.ended_at is null and f.held_at > localtimestamp - interval '1 day'),
    'proofs', ${acceptedProofs},
    'bookings', (
      select coalesce(json_agg(json_build_object(
        'courseId', b.course_id, 'state', b.state, 
        'fee', json_build_object('cents', b.price_cents, 'rule', b.price_rule, 'energyCents', b.energy_cents,
          'onceVerifiedCents', b.price_cents_once_verified), 'employeeStatus', b.employee_status,
        'isWaiverOffered', b.is_waiver_offered,
        'placeSince', case when b.state = ${BOOKING_STATUS.Booked} then
          to_char(coalesce(b.promoted_at, b.booked_at), 'YYYY-MM-DD HH24:MI:SS') end,
        'firstLessonOn', b.first_lesson_on, 'position', case when b.state = ${BOOKING_STATUS.Waitinglist} then ${waitingPosition} else 0 end,
        'presence', case when b.state = ${BOOKING_STATUS.Booked} then (
          select coalesce(json_agg(json_build_object('lessonId', l.id, 'isPresent', coalesce(a.is_present, false))), '[]')
          from course_dates l left join attendances a on a.course_date_id = l.id and a.web_user_id = u.id
          where l.course_id = b.course_id and exists (
            select from attendances r where r.course_date_id = l.id and r.is_present is not null)) else '[]' end)), '[]')
      from bookings b
      where b.web_user_id = u.id and ${which}))
  from web_users u left join divisions d on d.id = u.division_id
  where u.id = ${webUserId} and u.deleted_at is null)`

/** A person with all active bookings; null if the account is deleted. */
export async function findCourseViewer(db: Queryable, webUserId: number): Promise<CourseViewer | null> {
  const { viewer } = await db.one<{ viewer: ViewerJson | null }>(
    sql`select ${viewerJson(webUserId, isActiveBooking)} as viewer`,
  )
  return viewer && toViewer(viewer)
}

/** A course and the person who views it; `webUserId` is null for a visitor. */
export type CourseViewRequest = { courseId: number; webUserId: number | null }

/**
 * Counters of each requested course and the viewer with their booking in it, in the order of `requests` and read in one
 * snapshot. `counters` is empty if the course does not exist; `viewer` is null for a visitor or a deleted account.
 */
export async function listCountersWithViewers(
  db: Queryable,
  requests: CourseViewRequest[],
): Promise<(CourseCountersSnapshot & { viewer: CourseViewer | null })[]> {
  type Asked = { course: CourseCountersRow | null; viewer: ViewerJson | null }
  type Row = ServerTime & { programmeRevision: number; asked: Asked[] | null }
  const { now, today, wallClock, programmeRevision, asked } = await db.one<Row>(sql`
    select ${serverTimeColumns}, p.revision as "programmeRevision", (
      select json_agg(json_build_object('course', (
        select row_to_json(c) from (
          select c.id, c.taken, ${peoplePassedOver} as passed_over, c.is_participating_complete from courses c where c.id = a.course_id
        ) c
      ), 'viewer', ${viewerJson(sql`a.web_user_id`, sql`b.course_id = a.course_id and ${isActive}`)}) order by a.number)
      from unnest(${requests.map(({ courseId }) => courseId)}::int[], ${requests.map(({ webUserId }) => webUserId)}::int[])
        with ordinality a (course_id, web_user_id, number)
    ) as asked
    from programme p, ${databaseClock}`)
  const time = { now, today, wallClock }
  return (asked ?? []).map(({ course, viewer }) => ({
    time,
    programmeRevision,
    counters: course ? [course] : [],
    viewer: viewer && toViewer(viewer),
  }))
}
