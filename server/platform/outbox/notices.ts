import type { Language } from '#contract/values.ts'
import { escapeHtml } from '#contract/words.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { NoticeMail, NoticeWords } from './mail-kinds.ts'

export type Notice = {
  words: Record<Language, NoticeWords>
  /** page of the portal to which the notice links */
  path: string
  /** whether the notice is about an event within the next 24 hours */
  isUrgent?: boolean
  /** false: the notice appears only in the inbox */
  isMailed?: boolean
  /**
   * courses of the person that have changed. Their lessons are attached to the e-mail, and the preferences of participants
   * determine whether the notice is sent by e-mail or push message. Instructors always get the e-mail
   */
  changedCourseIds?: number[]
  /**
   * document that is attached to the inbox message: a certificate by its code, or an invoice by its number. The invoice
   * is attached to the e-mail as well; with `isLetter`, it replaces the letter to a person without an e-mail address
   */
  document?: { name: string; certificate: string } | { name: string; invoice: string; isLetter?: true }
}

/** Converts a notice to an inbox message with HTML text. */
export const noticeToInboxMessage = ({ title, paragraphs }: NoticeWords) => ({
  title,
  text: paragraphs.map(text => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`).join(''),
})

/**
 * Creates the title of a notice, and `event`, the title without the course's name.
 * @param titleWith returns the title, which ends in a colon and the name
 */
export const noticeTitle = (titleWith: (course: string) => string, course: string) => ({
  title: titleWith(course),
  event: titleWith('').replace(/:\s*$/, ''),
})

export type NoticeDelivery = {
  people: number[]
  /** e-mail addresses of instructors without an account, who receive the e-mail in German */
  addresses?: string[]
  /** ids of instructors among the people, including those from whom the notice takes a lesson or course */
  instructors?: number[]
  notice: Notice
}

/** Notifies people on behalf of the department within the caller's transaction. */
export const notifyPeople = (tx: Queryable, people: number[], notice: Notice): Promise<void> =>
  sendNotices(tx, [{ people, notice }])

/**
 * Queues notices within the caller's transaction, each for its own recipients. Recipients are notified in their
 * language: in the inbox and by e-mail, or by a printed letter if they have no e-mail address. All notifications from
 * the office UI and the import use this function.
 */
export async function sendNotices(tx: Queryable, deliveries: NoticeDelivery[]): Promise<void> {
  const notices = deliveries.map(({ people, addresses = [], instructors = [], notice }) => {
    const { words, path, isUrgent = false, isMailed = true, changedCourseIds, document = null } = notice
    const invoice = document && 'invoice' in document ? document : null
    const payload: NoticeMail = {
      ...words,
      path,
      ...(changedCourseIds && { changedCourseIds }),
      ...(invoice && { invoice: invoice.invoice, ...(invoice.isLetter && { isInvoiceLetter: true }) }),
    }
    const messages = { de: noticeToInboxMessage(words.de), en: noticeToInboxMessage(words.en) }
    const kind = isUrgent ? 'notice-urgent' : 'notice'
    const courses = changedCourseIds ?? null
    return { people, addresses, instructors, payload, messages, kind, isMailed, courses, document }
  })
  if (notices.every(({ people, addresses }) => people.length === 0 && addresses.length === 0)) return
  await tx.execute(sql`
    with notice as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(notices)}::text::jsonb)
        as n (people int[], addresses text[], instructors int[], payload jsonb, messages jsonb, kind text, "isMailed" boolean,
          courses int[], document jsonb)
    ), person as materialized (
      select u.id, u.email, u.language, n.payload, n.kind, n."isMailed", n.courses is not null as is_change,
        (exists (select from bookings b where b.web_user_id = u.id and b.course_id = any(n.courses))
          or exists (select from freed_places f where f.guest_id = u.id and f.course_id = any(n.courses)))
        and u.id <> all(n.instructors)
        and not exists (select from course_instructors i where i.email = u.email and i.course_id = any(n.courses))
        and not exists (select from course_dates d
          where d.instructor_email = u.email and d.course_id = any(n.courses) and d.held_at > localtimestamp) as is_only_participant,
        n.messages -> u.language as message, n.document
      from notice n cross join lateral unnest(n.people) p (id) join web_users u on u.id = p.id
      where u.deleted_at is null order by u.id for key share of u
    ), wish as (
      select p.*, coalesce(r.changes_by_push, false) and p.is_change as by_push,
        not p.is_only_participant or coalesce(r.changes_by_mail, true)
          or r.changes_by_push and not exists (select from push_subscriptions s where s.web_user_id = p.id) as by_mail
      from person p left join reminders r on r.web_user_id = p.id
    ), mailed as (
      insert into mails (web_user_id, recipient, language, kind, payload)
      select id, email, language, kind, payload from wish where "isMailed" and by_mail
      union all select null, a.email, 'de', n.kind, n.payload from notice n cross join lateral unnest(n.addresses) a (email)
    ), alert as (
      insert into alerts (web_user_id, kind, about, payload, ends_at, is_mailed)
      select id, 'changes', 'notice ' || gen_random_uuid(), payload, clock_timestamp() + interval '12 hours', by_mail
      from wish where by_push
      returning id, web_user_id
    ), pushed as (
      insert into outbox (channel, kind, alert_id, subscription_id)
      select 'push', 'changes', a.id, s.id from alert a join push_subscriptions s on s.web_user_id = a.web_user_id
    )
    insert into inbox_items (web_user_id, title, text, document_name, certificate_code, invoice_number)
    select id, message ->> 'title', message ->> 'text', coalesce(document ->> 'name', ''), document ->> 'certificate',
      document ->> 'invoice' from person`)
}
