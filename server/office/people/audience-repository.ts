import type { MessageFilter } from '#contract/acts/messages.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { effectiveLessons } from '#server/features/courses/lesson-repository.ts'
import { isGuestPlace } from '#server/features/lessons/participant-repository.ts'
import { siteOfLesson } from '#server/features/lessons/repository.ts'
import { isOwing } from '#server/features/money/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

const all = (conditions: readonly (SqlFragment | false)[]) =>
  sql.join([sql`true`, ...conditions.filter(one => one !== false)], sql` and `)

/** Conditions on lesson `l` of `effectiveLessons`. Without a first day, only future lessons count. */
const lessonConditions = ({ roomIds, sites, date, until = date }: MessageFilter) =>
  all([
    sql`l.takes_place`,
    date === undefined ? sql`l.held_at > localtimestamp` : sql`l.held_at::date >= ${date}::date`,
    until !== undefined && sql`l.held_at::date <= ${until}::date`,
    roomIds !== undefined && sql`l.room_id = any(${roomIds}::int[])`,
    sites !== undefined && sql`${siteOfLesson} = any(${sites}::text[])`,
  ])

const isOfLessons = ({ roomIds, sites, date, until }: MessageFilter) =>
  [roomIds, sites, date, until].some(one => one !== undefined)

/** Conditions on course `c`. Courses that are over count only if a season, a course or a day is selected. */
function courseConditions(filter: MessageFilter): SqlFragment {
  const { seasonIds, courseIds, categoryIds, date } = filter
  const isNamed = seasonIds !== undefined || courseIds !== undefined || date !== undefined
  return all([
    sql`c.cancelled_at is null`,
    !isNamed && sql`c.closes_at > clock_timestamp()`,
    seasonIds !== undefined && sql`c.season_id = any(${seasonIds}::int[])`,
    courseIds !== undefined && sql`c.id = any(${courseIds}::int[])`,
    categoryIds !== undefined && sql`c.category_id = any(${categoryIds}::int[])`,
    isOfLessons(filter) &&
      sql`exists (select from ${effectiveLessons} where l.course_id = c.id and ${lessonConditions(filter)})`,
  ])
}

const personConditions = ({ employeeStatuses, divisionIds, states }: MessageFilter) =>
  all([
    sql`u.deleted_at is null`,
    employeeStatuses !== undefined && sql`u.employee_status = any(${employeeStatuses}::int[])`,
    divisionIds !== undefined && sql`u.division_id = any(${divisionIds}::int[])`,
    states?.includes('owes') === true && isOwing,
  ])

/** `addresses`: instructors without an account */
export type FilteredAudience = { people: number[]; courses: number[]; addresses: string[] }

/**
 * People who match all given conditions. `owes` restricts the others; alone, it selects everyone who owes an amount and
 * has ever booked one of the courses.
 */
export async function findFilteredAudience(tx: Queryable, filter: MessageFilter): Promise<FilteredAudience> {
  const states = filter.states ?? ['booked']
  const bookingStates = [
    ...(states.includes('booked') ? [BOOKING_STATUS.Booked] : []),
    ...(states.includes('waiting') ? [BOOKING_STATUS.Waitinglist] : []),
  ]
  const isOnlyOwing = states.every(state => state === 'owes')
  const [courses, person] = [courseConditions(filter), personConditions(filter)]
  const isAnyCourse = isOnlyOwing && Object.keys(filter).every(key => !COURSE_KEYS.includes(key))
  const booked = await tx.query<{ id: number; courseId: number }>(
    isAnyCourse
      ? sql`select u.id, 0 as "courseId" from web_users u where ${person} order by 1`
      : sql`
        select distinct u.id, b.course_id as "courseId" from bookings b join courses c on c.id = b.course_id
          join web_users u on u.id = b.web_user_id
        where (${isOnlyOwing} or b.cancelled_at is null and b.state = any(${bookingStates}::int[])) and ${courses} and ${person}
        order by 1`,
  )
  // Guests belong to single lessons, and so to the audience of a place or a day alone.
  const visiting =
    states.includes('booked') && isOfLessons(filter)
      ? await tx.query<{ id: number; courseId: number }>(sql`
          select distinct u.id, c.id as "courseId" from courses c join ${effectiveLessons} on l.course_id = c.id
            join course_dates d on d.id = l.id join freed_places f on ${isGuestPlace} join web_users u on u.id = f.guest_id
          where ${courses} and ${lessonConditions(filter)} and ${person} order by 1`)
      : []
  const teaching = states.includes('instructor')
    ? await tx.query<{ id: number | null; email: string; courseId: number }>(sql`
        select distinct u.id, i.email, c.id as "courseId" from courses c join ${effectiveLessons} on l.course_id = c.id
          join instructors i on i.email = any(l.instructors) left join web_users u on u.email = i.email and u.deleted_at is null
        where ${courses} and ${lessonConditions(filter)}
          and (u.id is null and ${filter.employeeStatuses === undefined && filter.divisionIds === undefined} or ${person})
        order by 1`)
    : []
  const ids = [...booked, ...visiting, ...teaching].flatMap(({ id }) => id ?? [])
  const courseIds = [...booked, ...visiting, ...teaching].map(({ courseId }) => courseId).filter(id => id > 0)
  return {
    people: [...new Set(ids)],
    courses: [...new Set(courseIds)],
    addresses: [...new Set(teaching.flatMap(({ id, email }) => (id === null ? email : [])))],
  }
}

const COURSE_KEYS = ['seasonIds', 'courseIds', 'categoryIds', 'roomIds', 'sites', 'date', 'until']
