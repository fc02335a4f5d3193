import type { Language } from '#contract/values.ts'
import { isEndedByMerge } from '#server/features/bookings/repository.ts'
import { fullName } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { MailKind, MailKinds } from '#server/platform/outbox/mail-kinds.ts'

export type TimelineRow = {
  /** time and source, in the order of the timeline */
  key: string
  /** 'YYYY-MM-DDTHH:mm' */
  at: string
  kind: 'act' | 'mail' | 'letter' | 'message' | 'booking' | 'money'
  /** kind of the act, booking event or ledger entry */
  event: string
  /** name of the actor */
  by: string
  text: string
  courseId: number | null
  course: string
  course2: string
  amount: number | null
  /** whether an e-mail was sent, a letter printed or a message read; null for others */
  isDone: boolean | null
  mail: { kind: MailKind; payload: MailKinds[MailKind]; language: Language; name: string } | null
}

type Viewer = {
  /** kinds of acts that the viewer may see, and those whose texts are shown; null: all */
  actKinds: readonly string[] | null
  seesMoney: boolean
}

/**
 * What happened to a person, newest first: acts of the department, e-mails, letters, messages, bookings and ledger
 * entries.
 * @param after `key` of the last row of the previous page; '' for the first page
 */
export const listTimeline = (
  db: Queryable,
  webUserId: number,
  { limit, after }: { limit: number; after: string },
  { actKinds, seesMoney }: Viewer,
): Promise<TimelineRow[]> =>
  db.query(sql`
    with event as (
      select r.acted_at as at, 'act' as kind, r.number as number, r.kind as event, coalesce((
          select ${fullName} from web_users u where u.id = r.actor_id and u.deleted_at is null), '') as by,
        coalesce(t.text, '') as text, (r.line::jsonb -> 'objects' ->> 'courseId')::int as course_id, null::bigint as cents,
        null::boolean as is_done, null::jsonb as mail
      from office_record_people p join office_record r on r.number = p.record_number
        left join office_record_texts t on t.record_number = r.number
      where p.web_user_id = ${webUserId} and (${actKinds === null} or r.kind = any(${[...(actKinds ?? [])]}::text[]))
      union all
      select m.created_at, 'mail', m.id, m.kind, '', m.last_error, null, null, m.sent_at is not null,
        jsonb_build_object('kind', m.kind, 'payload', m.payload, 'language', m.language, 'name', ${fullName})
      from mails m join web_users u on u.id = m.web_user_id where m.web_user_id = ${webUserId}
      union all
      select l.created_at, 'letter', l.id, l.kind, '', '', null, null, l.printed_at is not null,
        jsonb_build_object('kind', l.kind, 'payload', l.payload, 'language', l.language, 'name', ${fullName})
      from letters l join web_users u on u.id = l.web_user_id where l.web_user_id = ${webUserId}
      union all
      select i.created_at, 'message', i.id, '', '', i.title, null, null, i.seen_at is not null, null
      from inbox_items i where i.web_user_id = ${webUserId}
      union all
      select e.at, 'booking', b.id, e.event, '', '', b.course_id, null, null, null
      from bookings b cross join lateral (values
        (b.booked_at, case when b.state = 2 or b.promoted_at is not null then 'waiting' else 'booked' end),
        (b.promoted_at, 'promoted'), (case when not ${isEndedByMerge} then b.cancelled_at end, 'ended')) e (at, event)
      where b.web_user_id = ${webUserId} and e.at is not null
      union all
      select e.made_at, 'money', e.id, e.kind, '', '', e.course_id, e.cents, null, null
      from ledger_entries e join ledger_accounts a on a.id = e.account_id
      where a.web_user_id = ${webUserId} and ${seesMoney}
    ), keyed as (
      select *, to_char(at at time zone 'UTC', 'YYYYMMDDHH24MISSUS') || ' ' || kind || ' ' || event || ' ' || lpad(number::text, 12, '0') as id
      from event
    )
    select k.id as key, to_char(k.at, 'YYYY-MM-DD"T"HH24:MI') as at, k.kind, k.event, k.by, k.text, k.course_id as "courseId",
      coalesce(c.number || ' ' || c.name, '') as course, coalesce(c.number || ' ' || coalesce(nullif(c.name2, ''), c.name), '') as course2,
      k.cents / 100.0 as amount, k.is_done as "isDone", k.mail
    from keyed k left join courses c on c.id = k.course_id
    where ${after} = '' or k.id < ${after} collate "C" order by k.id collate "C" desc limit ${limit + 1}`)
