import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import { writeAttendanceChanges } from '#server/features/attendance/tick-repository.ts'
import { mayAttendLesson, seatSince } from '#server/features/lessons/participant-repository.ts'
import { isPublished, lessonEnd, lessonInstructors } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

/** Period during which only people on the waiting list may take a freed place; see `followers_from`. */
const WAITING_ONLY_HOURS = 6

/** SQL condition: the booking that freed place `f` still holds its seat in lesson `d`, which takes place as then. */
const isStanding = sql`(d.state = 'planned' and d.held_at = f.held_at and exists (
  select from bookings b join courses k on k.id = b.course_id
  where b.id = f.booking_id and b.state = ${Booked} and b.cancelled_at is null and k.cancelled_at is null))`

const hasSeat = (courseId: SqlFragment, webUserId: SqlFragment) => sql`exists (
  select from bookings o where o.course_id = ${courseId} and o.web_user_id = ${webUserId} and o.state = ${Booked}
    and o.cancelled_at is null)`

/**
 * SQL condition: person `u` may take freed place `f` of lesson `d` of course `c` now. Externals may not, because they
 * take only places that nobody waits for, nor may the instructors of the lesson. See docs/decisions/0148.
 */
export const mayTakePlace = sql`(f.guest_id is null and f.ended_at is null and d.held_at > clock_timestamp()::timestamp
  and ${isStanding} and u.deleted_at is null and u.locked_at is null
  and u.employee_status is distinct from ${EMPLOYEE_STATUS.External} and u.email <> all(${lessonInstructors})
  and not ${hasSeat(sql`c.id`, sql`u.id`)}
  and not exists (select from freed_places o where o.course_date_id = d.id and o.guest_id = u.id and o.ended_at is null)
  and exists (select from seasons s where s.id = c.season_id and not s.is_draft and s.viewable_from <= clock_timestamp())
  and (c.meeting_url <> '' or not exists (select from divisions v where v.id = u.division_id and v.is_online_only) or exists (
    select from bookings w where w.course_id = c.id and w.web_user_id = u.id and w.cancelled_at is null and w.is_onsite_permitted))
  and (exists (
      select from bookings w where w.course_id = c.id and w.web_user_id = u.id and w.state = ${Waitinglist}
        and w.cancelled_at is null and not w.is_passed_over)
    or f.followers_from <= clock_timestamp() and exists (
      select from follows w where w.course_id = c.id and w.web_user_id = u.id)))`

export type AbsenceChange = {
  courseId: number
  /** start of the lesson, 'YYYY-MM-DD HH:MM:SS' */
  at: string
  isAbsent: boolean
  /** whether the place of this lesson is freed; undefined: unchanged, except that it is no longer without an absence */
  isFreed?: boolean | undefined
}

export type AbsenceState = {
  isBooked: boolean
  /** the lesson takes place and has not ended */
  isOpen: boolean
  /** the lesson has not begun */
  isAhead: boolean
  /** a guest has the place */
  isTaken: boolean
}

/**
 * Records that a person cannot attend a lesson, or can after all, and frees the place of this lesson or takes it back.
 * Seat, counters and attendance do not change. Nothing changes if a guest has a place that would be taken back. The
 * course has to be locked.
 * @returns the state before; null if the course has no such lesson
 */
export const updateAnnouncedAbsence = (
  tx: Queryable,
  webUserId: number,
  { courseId, at, isAbsent, isFreed }: AbsenceChange,
): Promise<AbsenceState | null> =>
  tx.maybeOne(sql`
    with lesson as materialized (
      select d.id, d.held_at, ${lessonEnd} > clock_timestamp()::timestamp and c.cancelled_at is null and d.state = 'planned' as is_open,
        d.held_at > clock_timestamp()::timestamp as is_ahead
      from course_dates d join courses c on c.id = d.course_id
      where d.course_id = ${courseId} and d.held_at::text = ${at} and ${isPublished}
    ), seat as materialized (
      select b.id from bookings b where b.course_id = ${courseId} and b.web_user_id = ${webUserId}
        and b.state = ${Booked} and b.cancelled_at is null
    ), place as materialized (
      select f.id, f.guest_id is not null as is_taken from freed_places f, seat, lesson
      where f.booking_id = seat.id and f.course_date_id = lesson.id and f.ended_at is null
    ), allowed as materialized (
      select lesson.id as lesson_id, seat.id as booking_id, lesson.held_at from lesson, seat
      where lesson.is_open and (lesson.is_ahead or not ${isFreed === true}::boolean)
        and (not ${!isAbsent || isFreed === false}::boolean or not exists (select from place where is_taken))
    ), changed as (
      update bookings b set announced_absences = array_remove(announced_absences, a.lesson_id)
          || case when ${isAbsent} then array[a.lesson_id] else '{}'::int[] end,
        absence_days = absence_days - a.lesson_id::text
          || case when ${isAbsent} then jsonb_build_object(a.lesson_id, a.held_at::date) else '{}' end
      from allowed a where b.id = a.booking_id
    ), withdrawn as (
      delete from freed_places f using allowed, place
      where f.id = place.id and ${!isAbsent || isFreed === false}::boolean
    ), freed as (
      insert into freed_places (course_id, course_date_id, booking_id, held_at, followers_from)
      select ${courseId}, lesson_id, booking_id, held_at, case when exists (
          select from bookings w where w.course_id = ${courseId} and w.state = ${Waitinglist} and w.cancelled_at is null
            and not w.is_passed_over)
        then clock_timestamp() + least(${WAITING_ONLY_HOURS} * interval '1 hour', (held_at - clock_timestamp()::timestamp) / 2)
        else clock_timestamp() end
      from allowed where ${isAbsent && isFreed === true}::boolean and not exists (select from place)
    )
    select is_open as "isOpen", is_ahead as "isAhead", exists (select from seat) as "isBooked",
      exists (select from place where is_taken) as "isTaken"
    from lesson`)

type PlaceOfLesson = { courseId: number; at: string }

/** `isMine`: the person is a guest of the lesson, now or before the call. */
export type PlaceState = { isAhead: boolean; isMine: boolean; hasChanged: boolean }

/** Locks an account until the transaction ends. Accounts are locked before courses, as for bookings. */
export const lockPerson = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`select from web_users where id = ${webUserId} for no key update`)

/**
 * Gives a person the freed place of a lesson that was freed first, in one statement. Of several people at once, the
 * first one has it, and the others get the next place or none. Account and course have to be locked.
 * @returns null if the course has no such lesson
 */
export const takeFreedPlace = (
  tx: Queryable,
  webUserId: number,
  { courseId, at }: PlaceOfLesson,
): Promise<PlaceState | null> =>
  tx.maybeOne(sql`
    with person as materialized (
      select * from web_users where id = ${webUserId}
    ), lesson as materialized (
      select d.* from course_dates d where d.course_id = ${courseId} and d.held_at::text = ${at}
    ), mine as materialized (
      select f.id from freed_places f join lesson d on d.id = f.course_date_id
      where f.guest_id = ${webUserId} and f.ended_at is null
    ), free as materialized (
      select f.id from freed_places f join lesson d on d.id = f.course_date_id join courses c on c.id = f.course_id, person u
      where ${mayTakePlace} order by f.id limit 1 for update of f
    ), taken as (
      update freed_places f set guest_id = ${webUserId}, taken_at = clock_timestamp() from free where f.id = free.id
      returning f.course_id
    ), counted as (
      update courses c set revision = revision + 1 from taken where c.id = taken.course_id
    )
    select held_at > clock_timestamp()::timestamp as "isAhead", exists (select from mine) or exists (select from taken) as "isMine",
      exists (select from taken) as "hasChanged"
    from lesson`)

/**
 * Returns the place of a guest before the lesson begins. It is offered again, and attendance that the instructor recorded
 * before is withdrawn, because the person no longer belongs to the lesson. The course has to be locked.
 */
export const returnFreedPlace = (
  tx: Queryable,
  webUserId: number,
  { courseId, at }: PlaceOfLesson,
): Promise<PlaceState | null> =>
  tx.maybeOne(sql`
    with lesson as materialized (
      select d.id, d.held_at > clock_timestamp()::timestamp as is_ahead from course_dates d
      where d.course_id = ${courseId} and d.held_at::text = ${at}
    ), mine as materialized (
      select f.id, lesson.is_ahead from freed_places f join lesson on lesson.id = f.course_date_id
      where f.guest_id = ${webUserId} and f.ended_at is null
    ), returned as (
      update freed_places f set guest_id = null, taken_at = null, offered_at = clock_timestamp()
      from mine where f.id = mine.id and mine.is_ahead returning f.course_id, f.course_date_id
    ), counted as (
      update courses c set revision = revision + 1 from returned where c.id = returned.course_id
    ), ${writeAttendanceChanges(sql`
      select gen_random_uuid(), a.course_date_id, a.web_user_id, null::boolean, clock_timestamp(), null::int, false
      from returned r join attendances a on a.course_date_id = r.course_date_id
      where a.web_user_id = ${webUserId} and a.is_present is not null`)}
    select is_ahead as "isAhead", exists (select from mine) as "isMine", exists (select from returned) as "hasChanged" from lesson`)

export type OwnLessonPlace = { id: number; at: string; isMine: boolean }

/** Lessons of which a person is a guest and that have not ended, and those with a place that the person may take. */
export const listLessonPlaces = (db: Queryable, webUserId: number): Promise<OwnLessonPlace[]> =>
  db.query(sql`
    select distinct d.course_id as id, d.held_at::text as at, f.guest_id is not null as "isMine"
    from web_users u, freed_places f join course_dates d on d.id = f.course_date_id join courses c on c.id = f.course_id
    where u.id = ${webUserId} and f.ended_at is null and (${mayTakePlace}
      or f.guest_id = u.id and ${isStanding} and ${lessonEnd} > clock_timestamp()::timestamp)
    order by at, 1`)

/**
 * Guests of the coming lessons of these courses, without those whose place ends with the present action. `hasOwnVenue`:
 * the lesson takes place elsewhere than the course.
 */
export const listLessonGuests = (
  db: Queryable,
  courseIds: readonly number[],
): Promise<{ courseId: number; lessonId: number; webUserId: number; hasOwnVenue: boolean }[]> =>
  db.query(sql`
    select f.course_id as "courseId", d.id as "lessonId", f.guest_id as "webUserId",
      d.venue is not null or d.room_id is not null as "hasOwnVenue"
    from freed_places f join course_dates d on d.id = f.course_date_id
    where f.course_id = any(${[...courseIds]}::int[]) and f.guest_id is not null and f.ended_at is null and ${isStanding}
      and d.held_at > clock_timestamp()::timestamp
    order by d.id, f.id`)

/** Why a place ended: the lesson takes place at another time, not at all, or the seat has another holder. */
export type PlaceEnd = 'moved' | 'cancelled' | 'seatEnded'
export type EndedPlace = {
  courseId: number
  guestId: number | null
  heldAt: string
  reason: PlaceEnd
  /** whether the lesson is within the next 24 hours */
  isUrgent: boolean
}

/**
 * Ends the freed places of future lessons that no longer take place as then, or whose booking has ended.
 * @returns the ended places
 */
export const endFreedPlaces = (tx: Queryable): Promise<EndedPlace[]> =>
  tx.query(sql`
    with ahead as materialized (
      select f.id, f.course_id, f.guest_id, f.held_at, coalesce(${isStanding}, false) as is_standing,
        case when d.id is null or d.state <> 'planned' or c.cancelled_at is not null then 'cancelled'
          when d.held_at <> f.held_at then 'moved' else 'seatEnded' end as reason,
        f.guest_id is not null and ${hasSeat(sql`f.course_id`, sql`f.guest_id`)} as is_seated,
        exists (select from web_users u where u.id = f.guest_id and u.email = any(${lessonInstructors})) as is_instructor
      from freed_places f join courses c on c.id = f.course_id left join course_dates d on d.id = f.course_date_id
      where f.held_at > clock_timestamp()::timestamp and f.ended_at is null
    ), ended as (
      update freed_places f set ended_at = clock_timestamp() from ahead a
      where f.id = a.id and f.ended_at is null and not a.is_standing
      returning f.course_id, f.guest_id, f.held_at, a.reason, a.is_seated or a.is_instructor as needs_no_place
    )
    select course_id as "courseId", case when not needs_no_place then guest_id end as "guestId", held_at::text as "heldAt", reason,
      held_at < clock_timestamp()::timestamp + interval '24 hours' as "isUrgent"
    from ended order by course_id, held_at, guest_id`)

/**
 * Frees the places of coming lessons again whose guests now have a seat, unless the action that gave it to them may still
 * be undone.
 * @param undoSeconds time after which the booking of a seat can no longer be undone
 */
export const freePlacesOfSeated = (tx: Queryable, undoSeconds: number): Promise<number> =>
  tx.execute(sql`
    update freed_places f set guest_id = null, taken_at = null, offered_at = clock_timestamp()
    where f.held_at > clock_timestamp()::timestamp and f.ended_at is null and exists (
      select from bookings b where b.course_id = f.course_id and b.web_user_id = f.guest_id and b.state = ${Booked}
        and b.cancelled_at is null and ${seatSince} <= (clock_timestamp() - ${undoSeconds} * interval '1 s')::timestamp)`)

/**
 * Finds guests of coming lessons who have become the instructor, unless the action that changed the instructor may still
 * be undone.
 * @param undoSeconds time after which the substitute of a lesson can no longer be undone
 */
export const listGuestsWhoTeach = (
  db: Queryable,
  undoSeconds: number,
): Promise<(PlaceOfLesson & { webUserId: number })[]> =>
  db.query(sql`
    select f.course_id as "courseId", d.held_at::text as at, u.id as "webUserId"
    from freed_places f join course_dates d on d.id = f.course_date_id join web_users u on u.id = f.guest_id
    where f.ended_at is null and d.held_at > clock_timestamp()::timestamp and u.email = any(${lessonInstructors})
      and not exists (
        select from former_instructors i
        where i.course_date_id = d.id and i.until > clock_timestamp() - ${undoSeconds} * interval '1 s')
    order by f.id`)

/**
 * Withdraws attendance that was recorded on the day of a lesson, before it began, for people who have left it since, unless
 * the action that ended the seat or the place may still be undone: otherwise the lesson would count as recorded, although
 * nobody of the list is.
 * @param undoSeconds time after which a cancellation can no longer be undone
 */
export const withdrawAttendanceOfFormer = (db: Queryable, undoSeconds: number): Promise<number> =>
  db.execute(sql`
    with ${writeAttendanceChanges(sql`
      select gen_random_uuid(), a.course_date_id, a.web_user_id, null::boolean, clock_timestamp(), null::int, false
      from course_dates d join attendances a on a.course_date_id = d.id
      where d.held_at > localtimestamp - interval '1 day' and d.held_at < localtimestamp + interval '1 day' and a.is_present is not null
        -- The times of a deleted account's bookings are truncated to days.
        and exists (select from web_users u where u.id = a.web_user_id and u.deleted_at is null)
        and not exists (
          select from bookings b where b.course_id = d.course_id and b.web_user_id = a.web_user_id and (${mayAttendLesson}
            or b.state = ${Booked} and b.cancelled_at > clock_timestamp() - ${undoSeconds} * interval '1 s'))
        and not exists (
          select from freed_places f where f.course_date_id = d.id and f.guest_id = a.web_user_id
            and coalesce(f.ended_at, 'infinity') > clock_timestamp() - ${undoSeconds} * interval '1 s')
      -- Sorted, so that concurrent statements lock shared rows in the same order.
      order by a.course_date_id, a.web_user_id`)}
    select from presence`)

/** Restores places that the action ended which this transaction undoes, if they can be taken again as then. */
export const restoreFreedPlaces = (tx: Queryable, seconds: number): Promise<number> =>
  tx.execute(sql`
    update freed_places f set ended_at = null from course_dates d
    where f.ended_at > clock_timestamp() - ${seconds} * interval '1 s' and d.id = f.course_date_id and ${isStanding}
      and not exists (
        select from freed_places o where o.course_date_id = f.course_date_id and o.ended_at is null
          and (o.booking_id = f.booking_id or o.guest_id = f.guest_id))`)
