import type { Language } from '#contract/values.ts'
import { escapeHtml } from '#contract/words.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import type { NoticeMail } from './kinds.ts'

export type Notice = {
  words: Record<Language, { title: string; paragraphs: string[] }>
  /** page of the portal to link to */
  path: string
  /** event less than a day away */
  isUrgent?: boolean
  /** false: only in the inbox */
  isMailed?: boolean
  /** about a booked course: sent by mail or push according to the person's preferences */
  isChange?: boolean
}

/** Converts to an inbox message with HTML text. */
export const toMessage = ({ title, paragraphs }: { title: string; paragraphs: string[] }) => ({
  title,
  text: paragraphs.map(text => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`).join(''),
})

/**
 * Notifies people on behalf of the department by mail (or letter without an address) and in the inbox, in their
 * language, within the caller's transaction. All notifications by desk and import use this function.
 */
export async function notifyPeople(
  tx: Queryable,
  webUserIds: number[],
  { words, path, isUrgent = false, isMailed = true, isChange = false }: Notice,
): Promise<void> {
  if (webUserIds.length === 0) return
  const payload: NoticeMail = { ...words, path }
  const messages = { de: toMessage(words.de), en: toMessage(words.en) }
  await tx.execute(sql`
    with person as (
      select id, email, language from web_users where id = any(${webUserIds}::int[]) and deleted_at is null order by id for key share
    ), wish as (
      select p.*, coalesce(r.changes_by_push, false) and ${isChange} as by_push,
        not ${isChange} or coalesce(r.changes_by_mail, true)
          or r.changes_by_push and not exists (select from push_subscriptions s where s.web_user_id = p.id) as by_mail
      from person p left join reminders r on r.web_user_id = p.id
    ), mailed as (
      insert into mails (web_user_id, recipient, language, kind, payload)
      select id, email, language, ${isUrgent ? 'notice-urgent' : 'notice'}, ${payload}::jsonb from wish where ${isMailed} and by_mail
    ), alert as (
      insert into alerts (web_user_id, kind, about, payload, ends_at, is_mailed)
      select id, 'changes', 'notice ' || gen_random_uuid(), ${payload}::jsonb, clock_timestamp() + interval '12 hours', by_mail
      from wish where by_push
      returning id, web_user_id
    ), pushed as (
      insert into outbox (channel, kind, alert_id, subscription_id)
      select 'push', 'changes', a.id, s.id from alert a join push_subscriptions s on s.web_user_id = a.web_user_id
    )
    insert into inbox_items (web_user_id, title, text)
    select p.id, m.value ->> 'title', m.value ->> 'text'
    from person p join jsonb_each(${messages}::jsonb) m on m.key = p.language`)
}

/** Mails instructors without an account: in German, to the address in the programme. */
export async function mailInstructors(
  tx: Queryable,
  addresses: string[],
  { words, path, isUrgent = false }: Notice,
): Promise<void> {
  if (addresses.length === 0) return
  const payload: NoticeMail = { ...words, path }
  await tx.execute(sql`
    insert into mails (recipient, language, kind, payload)
    select unnest(${addresses}::text[]), 'de', ${isUrgent ? 'notice-urgent' : 'notice'}, ${payload}::jsonb`)
}
