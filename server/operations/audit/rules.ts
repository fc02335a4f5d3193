import { BOOKING_STATUS } from '#contract/values.ts'
import { outdatedCertificateFindings } from '#server/features/certificates/repository.ts'
import { UNDO_RULE_NAME } from '#server/office/frame/undo-service.ts'
import { sql } from '#server/platform/db/client.ts'
import { retentionIntervalOf } from '#server/platform/db/sql.ts'
import { type AuditRule, ledgerAuditRules } from './ledger-rules.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

/** Number of active bookings of course `c` in the given state, without waiting people who are passed over. */
const activeOf = (state: 1 | 2) => sql`(
  select count(*) from bookings b
  where b.course_id = c.id and b.cancelled_at is null and b.state = ${state} and (b.state = ${Booked} or not b.is_passed_over))`

/** E-mails are deleted after this period, so older events cannot be checked. */
const MAILS_SINCE = sql`clock_timestamp() - ${retentionIntervalOf('mail')}::interval`
/**
 * Tolerance for comparing timestamps: a row and its e-mail are written in one statement, but at slightly different
 * times.
 */
const MOMENT = sql`interval '1 minute'`

/**
 * Excludes deleted people, whose e-mails no longer exist, and demo bookings, which are older than their accounts and
 * were never confirmed by e-mail.
 */
const isTold = (at: string) => sql`u.deleted_at is null and ${sql.raw(at)} >= u.created_at`

/** Excludes bookings and cancellations that staff undid before the e-mails were sent. */
const isNotUndone = sql`not exists (
  select from office_record_courses o join office_record_people p using (record_number) join office_record r on r.number = record_number
  where o.course_id = b.course_id and p.web_user_id = b.web_user_id and r.line::jsonb -> 'rules' ? ${UNDO_RULE_NAME})`

/**
 * Excludes bookings that staff reassigned to another account or ended by cancelling the course, because a different
 * e-mail is sent in these cases.
 */
const isOwnDoing = sql`not exists (
  select from office_record_courses o join office_record r on r.number = o.record_number
  where o.course_id = b.course_id and r.kind in ('cancel-course', 'merge-people'))
  and ${isNotUndone}`

/** Excludes bookings cancelled by an import: their timestamps precede that of the audit log entry. */
const isNoImport = sql`not exists (
  select from office_record_courses o join office_record r on r.number = o.record_number
  where o.course_id = b.course_id and r.kind in ('import', 'import-programme')
    and r.acted_at between b.cancelled_at and b.cancelled_at + interval '10 minutes')`

/**
 * Events that each send one e-mail. It is certain only if the account existed at that time: a merge reassigns bookings,
 * and their e-mails, to an account that may be younger. Earlier versions sent no e-mail when a waiting list ended
 * together with its course. Who lost the seat between a merge and its separation, and waits again, keeps the e-mails about
 * the seat and gets one about the waiting list.
 */
const events = sql`
  select b.course_id, b.web_user_id, 'booking' as what, b.booked_at as at, ${isTold('b.booked_at')} and ${isOwnDoing} as is_certain
  from bookings b join web_users u on u.id = b.web_user_id
  union all
  select b.course_id, b.web_user_id, 'promotion', b.promoted_at, ${isTold('b.promoted_at')} and ${isOwnDoing}
  from bookings b join web_users u on u.id = b.web_user_id where b.promoted_at is not null
  union all
  select b.course_id, b.web_user_id, 'cancellation', b.cancelled_at,
    ${isTold('b.cancelled_at')} and (b.state = ${Booked} or b.cancelled_at < c.closes_at) and ${isOwnDoing} and ${isNoImport}
  from bookings b join web_users u on u.id = b.web_user_id join courses c on c.id = b.course_id
  where b.cancelled_at is not null
  union all
  select b.course_id, b.web_user_id, w.what, b.passed_over_at, false
  from bookings b cross join (values ('booking'), ('promotion')) w (what) where b.passed_over_at is not null`

export const auditRules: AuditRule[] = [
  {
    what: 'the places and spots that a course counts are its bookings',
    query: sql`
      select format('course %s: counts %s bookings, there are %s', number, taken, there) as finding
      from (select number, taken, ${activeOf(Booked)} + ${activeOf(Waitinglist)} as there from courses c) c
      where taken <> there order by number`,
  },
  {
    what: 'no course has more places given out than it has',
    query: sql`
      select format('course %s: %s places are given out of %s', number, booked, capacity) as finding
      from (select number, capacity, ${activeOf(Booked)} as booked from courses c) c where booked > capacity order by number`,
  },
  {
    what: 'no place is free beside somebody who waits, until the course is over',
    query: sql`
      select format('course %s: %s wait beside %s free places', number, waiting, capacity - booked) as finding
      from (
        select number, capacity, ${activeOf(Booked)} as booked, ${activeOf(Waitinglist)} as waiting
        from courses c where closes_at > clock_timestamp()
      ) c where waiting > 0 and booked < capacity order by number`,
  },
  {
    what: 'who came first has the place',
    query: sql`
      select format('course %s: booking %s waits, the later %s has a place', c.number, w.seq, max(b.seq)) as finding
      from bookings w join bookings b on b.course_id = w.course_id and b.seq > w.seq join courses c on c.id = w.course_id
      where w.cancelled_at is null and w.state = ${Waitinglist} and w.passed_over_at is null and b.cancelled_at is null and b.state = ${Booked}
      group by c.number, w.seq order by c.number, w.seq`,
  },
  {
    what: 'who moved up has the place',
    query: sql`
      select format('course %s: booking %s moved up and waits', c.number, b.seq) as finding
      from bookings b join courses c on c.id = b.course_id
      where b.state = ${Waitinglist} and b.promoted_at is not null order by c.number, b.seq`,
  },
  {
    what: 'the numbers of bookings go up to the last one given',
    query: sql`
      select format('course %s: the last booking has the number %s, the last one given is %s', c.number, max(b.seq), c.booking_seq) as finding
      from courses c join bookings b on b.course_id = c.id
      group by c.number, c.booking_seq having max(b.seq) > c.booking_seq order by c.number`,
  },
  {
    // Only retention deletes bookings, and only old ones. A gap in the numbering is therefore a violation if the
    // booking before it is still within the retention period.
    what: 'no booking is missing in the order of its course, but for those kept long enough',
    query: sql`
      select format('course %s: bookings %s to %s are missing', number, since_seq + 1, seq - 1) as finding
      from (
        select c.number, b.seq, lag(b.seq, 1, 0::bigint) over w as since_seq,
          lag(b.booked_at, 1, c.opens_at) over w as since
        from courses c, lateral (
          select seq, booked_at from bookings where course_id = c.id
          union all select c.booking_seq + 1, clock_timestamp()
        ) b
        window w as (partition by c.id order by b.seq)
      ) g
      where seq > since_seq + 1 and since > clock_timestamp() - ${retentionIntervalOf('participant')}::interval order by number, seq`,
  },
  {
    what: 'every booking, cancellation and place from the waiting list has its one mail',
    query: sql`
      with mailed as (
        select (m.payload ->> 'courseId')::int as course_id, m.web_user_id,
          case m.kind when 'waiting-list' then 'booking' else m.kind end as what, m.created_at as at
        from (
          select web_user_id, kind, payload, created_at from mails
          union all select web_user_id, kind, payload, created_at from letters
        ) m join web_users u on u.id = m.web_user_id
        where m.kind in ('booking', 'waiting-list', 'promotion', 'cancellation') and u.deleted_at is null
          and m.created_at > ${MAILS_SINCE}
      ), event as (select * from (${events}) e where at > ${MAILS_SINCE}),
      counted as (
        select course_id, web_user_id, what, sum(certain) as certain, sum(possible) as possible,
          sum(mails) as mails, sum(settled) as settled
        from (
          select course_id, web_user_id, what, (is_certain and at > ${MAILS_SINCE} + ${MOMENT})::int as certain,
            1 as possible, 0 as mails, 0 as settled from event
          union all
          select course_id, web_user_id, what, 0, 0, 1, (at > ${MAILS_SINCE} + ${MOMENT})::int from mailed
        ) one group by course_id, web_user_id, what
      )
      select format('course %s, person %s: %s mails about %s of what is called %s', c.number, n.web_user_id, n.mails,
        case when n.mails < n.certain then n.certain else n.possible end, n.what) as finding
      from counted n join courses c on c.id = n.course_id
      where n.mails < n.certain or n.settled > n.possible order by c.number, n.web_user_id, n.what`,
  },
  {
    what: 'every place from the waiting list has its message',
    query: sql`
      select format('course %s, person %s: no message about the place from the waiting list', c.number, u.id) as finding
      from bookings b join web_users u on u.id = b.web_user_id join courses c on c.id = b.course_id
      where ${isTold('b.promoted_at')} and b.promoted_at > ${MAILS_SINCE} and not exists (
        select from inbox_items i
        where i.web_user_id = u.id and i.created_at between b.promoted_at - ${MOMENT} and b.promoted_at + ${MOMENT})
      order by c.number, u.id`,
  },
  {
    what: 'no mail row holds a password or a link',
    query: sql`
      select format('mail %s: holds a secret', id) as finding from mails
      where payload ?| array['password', 'token'] order by id`,
  },
  {
    what: 'presence is what the newest change says',
    query: sql`
      with newest as (
        select distinct c.course_date_id, c.web_user_id,
          max(c.changed_at) over (partition by c.course_date_id, c.web_user_id) as at
        from attendance_changes c
        left join attendances a on a.course_date_id = c.course_date_id and a.web_user_id = c.web_user_id
        where not c.is_conditional or a.web_user_id is null or c.is_present is not distinct from a.is_present
      )
      select format('course %s, person %s, lesson of %s: %s, which is not what the newest change says', c.number,
        n.web_user_id, d.held_at::date, case a.is_present when true then 'present' when false then 'absent' else 'nothing' end) as finding
      from newest n join course_dates d on d.id = n.course_date_id join courses c on c.id = d.course_id
      left join attendances a on a.course_date_id = n.course_date_id and a.web_user_id = n.web_user_id
      where not exists (
        select from attendance_changes x where x.course_date_id = n.course_date_id and x.web_user_id = n.web_user_id
          and x.changed_at = n.at and x.is_present is not distinct from a.is_present and a.web_user_id is not null)
      order by c.number, n.web_user_id, d.held_at`,
  },
  {
    what: 'every presence was recorded by a change, of somebody who booked',
    query: sql`
      select format('course %s, person %s, lesson of %s: %s', c.number, u.id, d.held_at::date,
        case when is_booked then 'no change recorded the presence' else 'presence of somebody who never booked' end) as finding
      from attendances a join web_users u on u.id = a.web_user_id join course_dates d on d.id = a.course_date_id
      join courses c on c.id = d.course_id, lateral (
        select exists (select from bookings b where b.course_id = c.id and b.web_user_id = u.id)
            or exists (select from freed_places f where f.course_date_id = d.id and f.guest_id = u.id) as is_booked,
          exists (select from attendance_changes x where x.course_date_id = d.id and x.web_user_id = u.id) as is_recorded
      ) known
      where not is_booked and a.is_present is not null or not is_recorded and ${isTold('a.changed_at')}
      order by c.number, u.id, d.held_at`,
  },
  {
    what: 'whose place a guest has, is absent from that lesson',
    query: sql`
      select format('course %s, lesson of %s: person %s has the place of person %s, who is back', c.number, d.held_at::date,
        f.guest_id, b.web_user_id) as finding
      from freed_places f join bookings b on b.id = f.booking_id join course_dates d on d.id = f.course_date_id
        join courses c on c.id = d.course_id join web_users u on u.id = b.web_user_id
      where f.guest_id is not null and f.ended_at is null and u.deleted_at is null and b.cancelled_at is null
        and not d.id = any(b.announced_absences)
      order by c.number, d.held_at, f.id`,
  },
  {
    what: 'nobody is logged in to an account that nobody proved to be theirs',
    query: sql`
      select format('person %s: logged in, and the account is only claimed', u.id) as finding
      from web_users u where u.state = 'claimed' and exists (select from sessions s where s.web_user_id = u.id)
      order by u.id`,
  },
  {
    what: 'nothing opens the account of somebody who deleted it, and no session that of somebody merged',
    query: sql`
      select format('person %s: deleted, and has %s', u.id, has) as finding
      from web_users u, lateral (
        -- A merged account can be separated for some days, so it retains what opens it and what was not reassigned.
        select u.email like 'merged %' as is_merged
      ) closed, lateral (
        select concat_ws(', ',
          case when exists (select from sessions s where s.web_user_id = u.id) then 'a session' end,
          case when not is_merged and exists (select from account_tokens t where t.web_user_id = u.id) then 'a link' end,
          case when not is_merged and exists (select from inbox_items i where i.web_user_id = u.id) then 'a message' end,
          case when not is_merged and coalesce(u.password_hash, u.reset_password_hash, u.imported_password_hash) is not null then 'a password' end,
          case when not is_merged and u.confirmed_at is not null then 'an active account' end,
          case when exists (
            select from bookings b join courses c on c.id = b.course_id
            where b.web_user_id = u.id and b.cancelled_at is null and c.closes_at > u.deleted_at + interval '1 day') then 'a booking' end) as has
      ) left_over
      where u.deleted_at is not null and has <> '' order by u.id`,
  },
  {
    what: 'a right of an invitation ends with its period, and with the account',
    query: sql`
      select format('person %s: a right of an invitation is pending %s', u.id,
        case when u.deleted_at is null then 'beyond its period' else 'after the deletion' end) as finding
      from web_users u where exists (
        select from invited_rights i where i.web_user_id = u.id and (u.deleted_at is not null
          or i.invited_at < clock_timestamp() - ${retentionIntervalOf('unactivated')}::interval - interval '1 day'))
      order by u.id`,
  },
  {
    what: 'the deadline of a seat counts from no earlier lesson than the one that its e-mail named as the first',
    query: sql`
      with named as (
        select web_user_id, (payload ->> 'courseId')::int as course_id, created_at as at,
          make_date((payload -> 'next' ->> 'year')::int, (payload -> 'next' ->> 'month')::int, (payload -> 'next' ->> 'day')::int) as day
        from mails where kind in ('booking', 'promotion') and jsonb_typeof(payload -> 'next') = 'object'
      )
      select format('course %s, person %s: first lesson on %s by e-mail, the deadline counts from %s', c.number, b.web_user_id,
        max(n.day), b.first_lesson_on) as finding
      from bookings b join named n using (course_id, web_user_id) join courses c on c.id = b.course_id
      where b.state = ${Booked} and b.cancelled_at is null and n.day > b.first_lesson_on
        and n.at between coalesce(b.promoted_at, b.booked_at) - ${MOMENT} and coalesce(b.promoted_at, b.booked_at) + ${MOMENT}
      group by c.number, b.web_user_id, b.first_lesson_on order by c.number, b.web_user_id`,
  },
  {
    what: 'a message that is not sent has its recipient, and was not due days ago',
    query: sql`
      select format('message %s: %s', id,
        case when state = 'scheduled' then 'scheduled, and due for more than a day' else 'to a person who is gone' end) as finding
      from desk_messages
      where state = 'scheduled' and send_at < clock_timestamp() - interval '1 day'
        or state <> 'template' and fields ->> 'to' = 'person' and person_id is null
      order by id`,
  },
  {
    what: 'every line of the record follows on the one before it',
    query: sql`
      select format('record: line %s does not follow on the one before it', number) as finding
      from (
        select number, hash, line, lag(number, 1, 0::bigint) over w as before,
          lag(hash, 1, decode(repeat('00', 32), 'hex')) over w as hash_before
        from office_record window w as (order by number)
      ) r
      where number <> before + 1 or hash <> sha256(hash_before || convert_to(line, 'UTF8')) order by number`,
  },
  {
    what: 'what is shown of a line of the record is in the line',
    query: sql`
      select format('record: line %s is shown with other facts than it has', number) as finding from office_record
      where (number::text, kind, actor_id::text, to_char(acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        is distinct from (line::json ->> 'number', line::json ->> 'kind', line::json ->> 'actorId', line::json ->> 'at')
      order by number`,
  },
  {
    what: 'the words beside a line of the record are those it was written with, or were erased with a person',
    query: sql`
      select format('record: the words beside line %s are %s', coalesce(number, record_number),
          case when text is null then 'missing' else 'not those it was written with' end) as finding
      from (select number, line::json ->> 'text' as hash, line::json -> 'people' as people from office_record) r
      full join office_record_texts t on t.record_number = r.number
      where encode(sha256(convert_to(text, 'UTF8')), 'hex') is distinct from hash
        and (text is not null or people is not null and not exists (
          select from json_array_elements_text(people) p where not exists (select from web_users u where u.id = p::int)))
      order by 1`,
  },
  {
    what: 'people and courses are found by the lines of the record that are about them',
    query: sql`
      with recursive named as (
        select number, p::int as id from office_record, json_array_elements_text(line::json -> 'people') p
      ), merged as (
        select (line::json -> 'objects' ->> 'webUserId')::int as id, (line::json -> 'objects' ->> 'intoWebUserId')::int as into_id
        from office_record where kind = 'merge-people'
      ), led as (
        select number, id from named
        union
        select l.number, m.into_id from led l join merged m using (id)
      ), heirs as (
        -- A merged account exists for some days after its lines were given to the other one.
        select id, into_id from merged
        union
        select h.id, m.into_id from heirs h join merged m on m.id = h.into_id
      )
      select format('record: line %s is not found by person %s, whom it is about', number, id) as finding from named n
      where exists (select from web_users u where u.id = n.id)
        and not exists (select from office_record_people p where (p.record_number, p.web_user_id) = (n.number, n.id))
        and not exists (
          select from heirs h left join web_users u on u.id = h.into_id
            left join office_record_people p on (p.record_number, p.web_user_id) = (n.number, h.into_id)
          where h.id = n.id and (u.id is null or p.web_user_id is not null))
      union all
      select format('record: line %s is found by person %s, whom it is not about', record_number, web_user_id)
      from office_record_people p join office_record r on r.number = p.record_number
      where line::json -> 'people' is not null
        and not exists (select from led l where (l.number, l.id) = (p.record_number, p.web_user_id))
      union all
      select format('record: line %s is about the courses %s, and found by %s', number, coalesce(named, 'none'), coalesce(found, 'none'))
      from (
        select number,
          (select string_agg(c, ', ' order by c::int) from json_array_elements_text(line::json -> 'courses') c) as named,
          (select string_agg(course_id::text, ', ' order by course_id) from office_record_courses where record_number = number) as found
        from office_record where line::json -> 'courses' is not null
      ) c where named is distinct from found
      order by 1`,
  },
  ...ledgerAuditRules,
  { what: 'a valid certificate certifies what the portal has', query: outdatedCertificateFindings },
]
