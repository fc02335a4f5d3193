import type { SubstituteRequest } from '#contract/endpoints/substitutes.ts'
import { RIGHTS_OF_SCOPE, type Right, type Scope } from '#contract/values.ts'
import { effectiveLessons } from '#server/features/courses/lesson-repository.ts'
import { isInstructorLocked, siteOfLesson } from '#server/features/lessons/repository.ts'
import { mayLogIn } from '#server/features/session/account-repository.ts'
import { rightsOfUser } from '#server/features/session/repository.ts'
import type { Actor } from '#server/office/frame/office-context-service.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import type { NoticeMail } from '#server/platform/outbox/mail-kinds.ts'

/** Lesson for which substitutes are requested. `substitute`: e-mail address of its current substitute */
export type RequestedLesson = {
  courseDateId: number
  courseId: number
  number: string
  name: string
  name2: string
  /** 'YYYY-MM-DD HH:MM:SS' */
  heldAt: string
  venue: string
  city: string
  substitute: string | null
  takesPlace: boolean
  isPast: boolean
  isDraft: boolean
}

/** SQL condition: lesson `l` belongs to a published season. */
const isOfPublished = sql`(select not s.is_draft from seasons s where s.id = l.season_id)`

/** SQL for the columns of RequestedLesson. */
const requestedLesson = (heldAt: SqlFragment) => sql`
  l.id as "courseDateId", l.course_id as "courseId", l.number, l.course_name as name, l.course_name2 as name2,
  ${heldAt} as "heldAt", coalesce(l.venue, '') as venue, ${siteOfLesson} as city, l.substitute, l.takes_place as "takesPlace",
  ${heldAt} <= localtimestamp as "isPast", not ${isOfPublished} as "isDraft"`

export const listRequestedLessons = (tx: Queryable, courseDateIds: readonly number[]): Promise<RequestedLesson[]> =>
  tx.query(sql`
    select ${requestedLesson(sql`l.held_at`)}
    from ${effectiveLessons} where l.id = any(${[...courseDateIds]}::int[]) order by l.held_at, l.id`)

/**
 * Stores the question to an instructor whether they can teach lessons.
 * @param until 'YYYY-MM-DDTHH:mm'
 * @returns id of the invitation
 */
export async function insertInvitation(
  tx: Queryable,
  actor: Actor,
  { email, until, lessons }: { email: string; until: string; lessons: readonly RequestedLesson[] },
): Promise<number> {
  const askedBy = actor.kind === 'user' ? actor.id : null
  const askedWith = actor.kind === 'program' ? actor.tokenId : null
  const { id } = await tx.one<{ id: number }>(sql`
    insert into substitute_invitations (instructor_email, asked_by, asked_with, ends_at)
    values (${email}, ${askedBy}, ${askedWith}, ${until}) returning id`)
  await tx.execute(sql`
    insert into substitute_offers (invitation_id, course_date_id, held_at, replaced_email)
    select ${id}, d.id, d.held_at, d.instructor_email from course_dates d
    where d.id = any(${lessons.map(({ courseDateId }) => courseDateId)}::int[])`)
  return id
}

/** Queues the e-mail with the link of an invitation, in the instructor's language or, without an account, in German. */
export const insertInvitationMail = (
  tx: Queryable,
  email: string,
  payload: NoticeMail & { invitationId: number },
): Promise<number> =>
  tx.execute(sql`
    insert into mails (web_user_id, recipient, language, kind, payload)
    select (select u.id from web_users u where u.email = ${email} and u.deleted_at is null), ${email},
      coalesce((select u.language from web_users u where u.email = ${email} and u.deleted_at is null), 'de'),
      'substitute-request', ${payload}::jsonb`)

const asOffered = sql`(l.takes_place and ${isOfPublished} and l.held_at = o.held_at and l.substitute is not distinct from o.replaced_email)`
/** SQL condition: offer `o` of invitation `i` of lesson `l` can still be accepted. */
const isOpen = sql`(o.answer is null and ${asOffered} and l.held_at > localtimestamp and i.ends_at > localtimestamp
  and not ${isInstructorLocked(sql`i.instructor_email`)})`
const offers = sql`
  substitute_offers o join substitute_invitations i on i.id = o.invitation_id join ${effectiveLessons} on l.id = o.course_date_id`

/** @param at 'YYYY-MM-DDTHH:mm' */
export const isMomentInFuture = async (tx: Queryable, at: string): Promise<boolean> =>
  (await tx.one<{ isIn: boolean }>(sql`select ${at}::timestamp > localtimestamp as "isIn"`)).isIn

export const findInstructorName = async (tx: Queryable, email: string): Promise<string> =>
  (
    await tx.maybeOne<{ name: string }>(sql`
      select concat_ws(' ', nullif(given_name, ''), family_name) as name from instructors where email = ${email}`)
  )?.name ?? ''

/** Ends open offers of these lessons, of one instructor or of all, without an answer. */
export const withdrawOffers = (
  tx: Queryable,
  { courseDateIds, email = null }: { courseDateIds: readonly number[]; email?: string | null },
): Promise<{ courseDateId: number; email: string }[]> =>
  tx.query(sql`
    update substitute_offers s set answer = 'withdrawn', answered_at = clock_timestamp()
    from substitute_invitations i where i.id = s.invitation_id and s.answer is null
      and s.course_date_id = any(${[...courseDateIds]}::int[]) and (${email}::text is null or i.instructor_email = ${email})
    returning s.course_date_id as "courseDateId", i.instructor_email as email`)

/** An open offer: the lesson at the time for which it was offered, and the instructor who was asked. */
export type PendingOffer = RequestedLesson & { invitationId: number; email: string }

export const listPendingOffers = (tx: Queryable): Promise<PendingOffer[]> =>
  tx.query(sql`
    select ${requestedLesson(sql`o.held_at`)}, i.id as "invitationId", i.instructor_email as email from ${offers}
    where ${isOpen} order by o.held_at, l.id, email`)

/** Those of the offers whose lessons have been deleted since, which deletes them. */
export async function filterDeletedOffers(tx: Queryable, pending: readonly PendingOffer[]): Promise<PendingOffer[]> {
  if (pending.length === 0) return []
  const ids = [...new Set(pending.map(({ courseDateId }) => courseDateId))]
  const rows = await tx.query<{ id: number }>(sql`select id from course_dates where id = any(${ids}::int[])`)
  const stored = new Set(rows.map(({ id }) => id))
  return pending.filter(({ courseDateId }) => !stored.has(courseDateId))
}

/**
 * Ends the open offers of future lessons that no longer take place as offered, without those of the instructors who
 * teach them now.
 * @returns the lessons at the time for which they were offered, each with the instructor who was asked
 */
export const withdrawOutdatedOffers = (tx: Queryable): Promise<PendingOffer[]> =>
  tx.query(sql`
    with outdated as materialized (
      select o.invitation_id, o.course_date_id from ${offers}
      where o.answer is null and i.ends_at > localtimestamp and o.held_at > localtimestamp
        and not ${asOffered} and l.substitute is distinct from i.instructor_email
    ), withdrawn as (
      update substitute_offers s set answer = 'withdrawn', answered_at = clock_timestamp()
      from outdated o where s.invitation_id = o.invitation_id and s.course_date_id = o.course_date_id
      returning s.invitation_id, s.course_date_id, s.held_at
    )
    select ${requestedLesson(sql`o.held_at`)}, i.id as "invitationId", i.instructor_email as email
    from withdrawn o join substitute_invitations i on i.id = o.invitation_id join ${effectiveLessons} on l.id = o.course_date_id
    order by o.held_at, l.id, email`)

/** Opens the offers again that the action `actId`, which this transaction undoes, has withdrawn. */
export const reopenWithdrawnOffers = (tx: Queryable, actId: string): Promise<number> =>
  tx.execute(sql`
    update substitute_offers set answer = null, answered_at = null
    where answer = 'withdrawn' and xmin = (select a.xmin from office_acts a where a.act_id = ${actId})`)

/** Who was asked: the holder of a link, or the instructor with this e-mail address. */
export type Invited = { tokenHash: Buffer } | { email: string }

export const isLinkKnown = async (db: Queryable, tokenHash: Buffer): Promise<boolean> =>
  (await db.maybeOne(sql`select from substitute_links where token_hash = ${tokenHash}`)) !== null

const invitedAs = (who: Invited) =>
  'email' in who
    ? sql`i.instructor_email = ${who.email}`
    : sql`i.id = (select k.invitation_id from substitute_links k where k.token_hash = ${who.tokenHash})`

/** Requests to an instructor for lessons that have not begun, except those that were withdrawn. */
export const listRequestsOf = (db: Queryable, who: Invited): Promise<SubstituteRequest[]> =>
  db.query(sql`
    select * from (
      select distinct on (o.course_date_id) l.id as "courseDateId", l.number, l.course_name as name, l.course_name2 as name2,
        l.held_at::date as date, to_char(l.held_at, 'HH24:MI') as "startTime", to_char(l.ends_at, 'HH24:MI') as "endTime",
        coalesce(l.venue, '') as room, ${siteOfLesson} as city, to_char(least(i.ends_at, l.held_at), 'YYYY-MM-DD"T"HH24:MI') as until,
        case when ${isOpen} then 'open'
          when l.takes_place and l.substitute = i.instructor_email then 'yours'
          when o.answer = 'declined' then 'declined'
          when exists (select from substitute_offers x where x.course_date_id = l.id and x.answer = 'accepted' and x.held_at = o.held_at)
            then 'taken'
          else 'closed' end as state
      from ${offers}
      where ${invitedAs(who)} and l.held_at > localtimestamp and ${isOfPublished} and o.answer is distinct from 'withdrawn'
      order by o.course_date_id, i.id desc
    ) request order by date, "startTime", "courseDateId"`)

/**
 * Why requests are not open: every lesson was cancelled, moved or assigned to somebody, or the time to answer is over;
 * `closed` for other or several reasons.
 */
export const findClosingReason = async (
  db: Queryable,
  who: Invited,
  courseDateIds: readonly number[],
): Promise<'cancelled' | 'moved' | 'taken' | 'expired' | 'closed'> => {
  const reasons = await db.query<{ reason: 'cancelled' | 'moved' | 'taken' | 'expired' | 'closed' }>(sql`
    select distinct reason from (
      select distinct on (o.course_date_id) case
        when not l.takes_place then 'cancelled'
        when l.held_at <> o.held_at then 'moved'
        when l.substitute is distinct from o.replaced_email and l.substitute is not null then 'taken'
        when least(i.ends_at, l.held_at) <= localtimestamp then 'expired'
        else 'closed' end as reason
      from ${offers} where ${invitedAs(who)} and o.course_date_id = any(${[...courseDateIds]}::int[])
      order by o.course_date_id, i.id desc
    ) request`)
  const [only, ...others] = reasons
  return only && others.length === 0 ? only.reason : 'closed'
}

/** SQL for the number of instructors who have not answered a request for lesson `l` yet. */
export const askedInstructors = sql`(
  select count(distinct i.instructor_email)::int from substitute_offers o join substitute_invitations i on i.id = o.invitation_id
  where o.course_date_id = l.id and ${isOpen})`

export type Offer = {
  invitationId: number
  courseDateId: number
  email: string
  askedBy: number | null
  askedWith: number | null
}

const offerColumns = sql`
  o.invitation_id as "invitationId", o.course_date_id as "courseDateId", i.instructor_email as email, i.asked_by as "askedBy",
  i.asked_with as "askedWith"`

/** Locks the courses of these lessons, so that only one person accepts a lesson. */
export const lockCoursesOfLessons = (tx: Queryable, courseDateIds: readonly number[]): Promise<unknown[]> =>
  tx.query(sql`
    select id from courses where id in (select course_id from course_dates where id = any(${[...courseDateIds]}::int[]))
    order by id for no key update`)

/** The newest open offer of each of these lessons to an instructor. */
export const listOpenOffers = (tx: Queryable, who: Invited, courseDateIds: readonly number[]): Promise<Offer[]> =>
  tx.query(sql`
    select distinct on (o.course_date_id) ${offerColumns} from ${offers}
    where ${invitedAs(who)} and ${isOpen} and o.course_date_id = any(${[...courseDateIds]}::int[])
    order by o.course_date_id, i.id desc`)

/** Open offers of these lessons to other instructors, with their accounts. */
export const listOtherOffers = (
  tx: Queryable,
  courseDateIds: readonly number[],
  exceptEmail: string,
): Promise<{ courseDateId: number; email: string }[]> =>
  tx.query(sql`
    select distinct o.course_date_id as "courseDateId", i.instructor_email as email from ${offers}
    where ${isOpen} and o.course_date_id = any(${[...courseDateIds]}::int[]) and i.instructor_email <> ${exceptEmail} order by 1, 2`)

export const updateOffersAnswered = (
  tx: Queryable,
  email: string,
  courseDateIds: readonly number[],
  answer: 'accepted' | 'declined',
): Promise<number> =>
  tx.execute(sql`
    update substitute_offers o set answer = ${answer}, answered_at = clock_timestamp()
    from substitute_invitations i where i.id = o.invitation_id and i.instructor_email = ${email} and o.answer is null
      and o.course_date_id = any(${[...courseDateIds]}::int[])`)

/** The person or service that asked, with the rights of this moment; null if they may no longer change lessons. */
export async function findAsker(tx: Queryable, { askedBy, askedWith }: Offer): Promise<Actor | null> {
  if (askedBy !== null) {
    const user = await tx.maybeOne<{ rights: Right[] }>(sql`
      select ${rightsOfUser} as rights from web_users u where u.id = ${askedBy} and ${mayLogIn}`)
    return user?.rights.includes('programme') ? { kind: 'user', id: askedBy, rights: user.rights } : null
  }
  if (askedWith === null) return { kind: 'command', rights: ['programme'] }
  const token = await tx.maybeOne<{ name: string; scopes: Scope[] }>(sql`
    select name, scopes from service_tokens where id = ${askedWith} and revoked_at is null and expires_at > clock_timestamp()`)
  const rights = token?.scopes.flatMap(scope => RIGHTS_OF_SCOPE[scope]) ?? []
  return token && rights.includes('programme')
    ? { kind: 'program', tokenId: askedWith, name: token.name, rights }
    : null
}
