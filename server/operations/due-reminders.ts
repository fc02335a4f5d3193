import { BOOKING_STATUS } from '#contract/values.ts'
import { mayTakePlace } from '#server/features/bookings/lesson-place-repository.ts'
import { updateLessonPlaces } from '#server/features/bookings/lesson-place-service.ts'
import { closeExpiredWaitingLists } from '#server/features/bookings/waiting-list-service.ts'
import { waitingPosition } from '#server/features/courses/view-repository.ts'
import { isAbsenceAnnounced, isGuestPlace } from '#server/features/lessons/participant-repository.ts'
import {
  isInstructorAbsent,
  isPublished,
  lessonCity,
  lessonInstructors,
  lessonVenue,
} from '#server/features/lessons/repository.ts'
import { sendScheduledMessages } from '#server/office/acts/scheduled-message-service.ts'
import { UNDO_SECONDS } from '#server/office/frame/undo-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { recordScheduledTask, registerScheduledTask } from '#server/platform/observability/registry.ts'
import { repeatUntilStopped, startBackgroundTask } from '#server/platform/process/background-task.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

/** Period of the day during which evening reminders are sent. */
const EVENING = { from: '18:00', until: '22:00' }

/** SQL for the place of lesson `d` of course `c` in a payload. Directions are those to the venue of the course. */
const lessonPlace = sql`
      'venue', coalesce(${lessonVenue}, c.venue), 'city', ${lessonCity},
      'location', case when ${lessonVenue} is null then c.location else '' end,
      'location2', case when ${lessonVenue} is null then c.location2 else '' end`

/**
 * SQL that selects reminders about tomorrow's lessons for the instructors who are not absent, for their guests, and for
 * the participants who received their seat before this evening and have not announced an absence.
 */
const lessonEves = sql`
  select p.web_user_id, 'lesson-eve' as kind, 'lesson ' || d.id || ' on ' || d.held_at::date as about,
    jsonb_build_object('courseId', c.id, 'number', c.number, 'name', c.name, 'name2', c.name2, 'at', d.held_at::timestamp(0)::text,
      ${lessonPlace}, 'meetingURL', c.meeting_url) as payload,
    d.held_at::timestamptz as ends_at, r.lesson_eve_by_mail as by_mail, r.lesson_eve_by_push as by_push
  from moment m cross join lateral (
      select b.web_user_id, d.id as lesson_id
      from reminders r join bookings b using (web_user_id) join course_dates d on d.course_id = b.course_id
      where (r.lesson_eve_by_mail or r.lesson_eve_by_push) and b.state = ${Booked} and b.cancelled_at is null
        and d.held_at >= m.now::date + 1 and d.held_at < m.now::date + 2
        and coalesce(b.promoted_at, b.booked_at) < (m.now::date + ${EVENING.from}::time)::timestamptz
        and not ${isAbsenceAnnounced}
      union
      select f.guest_id, d.id from course_dates d join freed_places f on ${isGuestPlace}
      where d.held_at >= m.now::date + 1 and d.held_at < m.now::date + 2
      union
      select u.id, d.id from course_dates d cross join lateral unnest(${lessonInstructors}) t (email) join web_users u using (email)
      where d.held_at >= m.now::date + 1 and d.held_at < m.now::date + 2
        and not ${isInstructorAbsent(sql`t.email`, sql`d.held_at`)}
    ) p join reminders r using (web_user_id) join course_dates d on d.id = p.lesson_id join courses c on c.id = d.course_id
  where (r.lesson_eve_by_mail or r.lesson_eve_by_push)
    and m.now::time >= ${EVENING.from}::time and m.now::time < ${EVENING.until}::time
    and d.state = 'planned' and c.cancelled_at is null and ${isPublished}`

/**
 * SQL for reminders that booking opens within the next hour. If several followed items open at the same time, there is
 * only one reminder, which names the most specific item.
 */
const openings = sql`
  select web_user_id, 'opening', 'opening at ' || extract(epoch from opens_at)::bigint,
    (array_agg(jsonb_build_object('kind', kind, 'id', id, 'name', name, 'name2', name2, 'at', opens_at::timestamp(0)::text, 'things', 0)
      order by rank, id))[1] || jsonb_build_object('things', count(*)),
    opens_at, by_mail, by_push
  from (
    select distinct f.web_user_id, f.kind, f.rank, f.id, c.opens_at, r.opening_by_mail as by_mail, r.opening_by_push as by_push,
      case f.kind when 'course' then c.name when 'category' then k.name else s.name end as name,
      case f.kind when 'course' then c.name2 when 'category' then k.name2 else s.name2 end as name2
    from moment m, reminders r join (
      select web_user_id, course_id, category_id, season_id, coalesce(course_id, category_id, season_id) as id,
        case when course_id is not null then 'course' when category_id is not null then 'category' else 'season' end as kind,
        case when course_id is not null then 1 when category_id is not null then 2 else 3 end as rank
      from follows) f using (web_user_id)
      join courses c on c.id = f.course_id or c.category_id = f.category_id or c.season_id = f.season_id
      join seasons s on s.id = c.season_id join categories k on k.id = c.category_id
    where (r.opening_by_mail or r.opening_by_push) and s.viewable_from <= m.now and not s.is_draft
      and c.cancelled_at is null
      and c.opens_at > m.now and c.opens_at <= m.now + interval '1 hour'
  ) o group by web_user_id, opens_at, by_mail, by_push`

/**
 * SQL for notifications about waiting-list positions that have improved since the last one. They are sent at most once
 * an hour.
 */
const waitingNews = sql`
  select w.web_user_id, 'waiting-news', 'booking ' || w.id || ' number ' || w.position,
    jsonb_build_object('courseId', c.id, 'number', c.number, 'name', c.name, 'name2', c.name2, 'position', w.position, 'bookingId', w.id),
    c.closes_at, w.by_mail and known.position is not null, w.by_push and known.position is not null
  from moment m, (
    select b.id, b.web_user_id, b.course_id, r.waiting_by_mail as by_mail, r.waiting_by_push as by_push,
      ${waitingPosition} as position
    from reminders r join bookings b using (web_user_id)
    where (r.waiting_by_mail or r.waiting_by_push) and b.state = ${Waitinglist} and b.cancelled_at is null
  ) w join courses c on c.id = w.course_id left join lateral (
    select min((a.payload ->> 'position')::int) as position, max(a.created_at) as told_at from alerts a
    where a.web_user_id = w.web_user_id and a.kind = 'waiting-news' and (a.payload ->> 'bookingId')::bigint = w.id
  ) known on true
  where c.closes_at > m.now
    and (known.position is null or w.position < known.position and known.told_at < m.now - interval '1 hour')`

/**
 * SQL for places of single lessons that were freed, or returned by a guest, for everyone who may take them: at first
 * those on the waiting list, later those who follow the course. One message covers all places of a lesson, at most
 * once an hour.
 */
const lessonPlaces = sql`
  select u.id, 'lesson-place', 'lesson ' || d.id || ' since ' || extract(epoch from max(f.offered_at)),
    jsonb_build_object('courseId', c.id, 'number', c.number, 'name', c.name, 'name2', c.name2, 'at', d.held_at::timestamp(0)::text,
      ${lessonPlace}),
    d.held_at::timestamptz, coalesce(r.lesson_places_by_mail, true), coalesce(r.lesson_places_by_push, false)
  from freed_places f join course_dates d on d.id = f.course_date_id join courses c on c.id = f.course_id
    join lateral (
      select b.web_user_id from bookings b where b.course_id = c.id and b.cancelled_at is null
      union select web_user_id from follows where course_id = c.id
    ) p on true join web_users u on u.id = p.web_user_id left join reminders r on r.web_user_id = u.id
  where f.ended_at is null and f.guest_id is null and ${mayTakePlace} and not exists (
    select from alerts a where a.web_user_id = u.id and a.kind = 'lesson-place' and a.about like 'lesson ' || d.id || ' since %'
      and a.created_at > clock_timestamp() - interval '1 hour')
  group by u.id, d.id, c.id, r.web_user_id`

/**
 * SQL for promotions from a waiting list. They need only push messages, because the e-mail is sent with the promotion.
 */
const promotions = sql`
  select b.web_user_id, 'promotion', 'booking ' || b.id, jsonb_build_object('courseId', b.course_id),
    b.promoted_at + interval '12 hours', false, true
  from moment m, reminders r join bookings b using (web_user_id)
  where r.waiting_by_push and b.promoted_at > m.now - interval '12 hours' and b.cancelled_at is null`

/**
 * Deletes e-mails that were not sent in time, for example because the mail server was down: they announce a lesson
 * tomorrow, a lesson's place or the start of booking.
 */
const deleteLateReminders = (db: Queryable, now: Date | null): Promise<number> =>
  db.execute(sql`
    delete from mails where sent_at is null and due_at < 'infinity' and case
      when kind = 'lesson-eve' then (payload ->> 'at')::date
      when kind in ('opening', 'lesson-place') then (payload ->> 'at')::timestamp end
      <= coalesce(${now}::timestamptz, clock_timestamp())::timestamp`)

/**
 * Deletes late reminders, and queues all due ones for each person's preferred channels in one atomic statement. Unique
 * alert rows make it idempotent. Nothing is scheduled in advance, so a moved lesson is announced with its current time, and past events
 * are not announced. If a person has no subscribed browser, an e-mail replaces the push message. See
 * docs/decisions/0045.
 * @param now null: the database clock
 * @returns number of reminders
 */
export async function queueDueReminders(db: Queryable, now: Date | null = null): Promise<number> {
  await deleteLateReminders(db, now)
  const { told } = await db.one<{ told: number }>(sql`
      with moment as materialized (
        select coalesce(${now}::timestamptz, clock_timestamp()) as now
      ), due (web_user_id, kind, about, payload, ends_at, by_mail, by_push) as (
        ${lessonEves} union all ${openings} union all ${waitingNews} union all ${promotions} union all ${lessonPlaces}
      ), wanted as materialized (
        select d.*, d.by_push and exists (select from push_subscriptions s where s.web_user_id = d.web_user_id) as is_pushed
        from due d join web_users u on u.id = d.web_user_id
        where u.state in ('proved', 'known') and not exists (
          select from alerts a where a.web_user_id = d.web_user_id and a.kind = d.kind and a.about = d.about)
      ), told as (
        insert into alerts (web_user_id, kind, about, payload, ends_at, is_mailed)
        select web_user_id, kind, about, payload, ends_at, by_mail or by_push and not is_pushed from wanted
        on conflict do nothing
        returning *
      ), mailed as (
        insert into mails (web_user_id, recipient, language, kind, payload)
        select u.id, u.email, u.language, t.kind, t.payload from told t join web_users u on u.id = t.web_user_id
        where t.is_mailed and t.kind <> 'promotion'
      ), pushed as (
        insert into outbox (channel, kind, alert_id, subscription_id)
        select 'push', t.kind, t.id, s.id from told t join wanted w using (web_user_id, kind, about)
          join push_subscriptions s on s.web_user_id = t.web_user_id
        where w.is_pushed
      )
      select count(*)::int as told from told`)
  return told
}

const POLL_MS = 30_000

/**
 * Starts a task that runs twice a minute: it ends expired waiting lists, queues due reminders and sends scheduled
 * messages. Any number of servers may run it.
 * @returns function that stops the task and waits for the current run
 */
export function startReminderScheduler({
  db,
  config,
  log,
  wakeMailer,
}: Pick<ServerContext, 'db' | 'config' | 'log' | 'wakeMailer'>): {
  stop(): Promise<void>
} {
  registerScheduledTask('reminders')
  const tasks = {
    'waiting lists': () => closeExpiredWaitingLists(db, config.region),
    'lesson places': () => updateLessonPlaces(db, config.region, UNDO_SECONDS),
    'scheduled messages': () => sendScheduledMessages(db, config),
    reminders: () => queueDueReminders(db),
  }
  const run = async () => {
    let isDone = true
    for (const [task, work] of Object.entries(tasks)) {
      try {
        if ((await work()) > 0) wakeMailer()
      } catch (error) {
        // A failure of one task does not stop the others.
        isDone = false
        log.error({ err: error, task }, 'reminders failed, retrying in 30 s')
      }
    }
    if (isDone) recordScheduledTask('reminders')
  }
  return startBackgroundTask(stopping => repeatUntilStopped(run, POLL_MS, stopping))
}
