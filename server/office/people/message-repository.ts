import type { ActOfKind } from '#contract/acts/acts.ts'
import type { MessageFilter } from '#contract/acts/messages.ts'
import type { SavedMessage, SentMessage } from '#contract/office/people.ts'
import type { Right } from '#contract/values.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { isGuestPlace } from '#server/features/lessons/participant-repository.ts'
import { fullName, mayLogIn } from '#server/features/session/account-repository.ts'
import { rightsOfUser } from '#server/features/session/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { byName } from '#server/platform/db/name-order.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import { findFilteredAudience } from './audience-repository.ts'

const moment = (column: SqlFragment) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`

export type MessageFields = Omit<SavedMessage, 'id' | 'state' | 'sendAt' | 'problem' | 'name'>

const MOST = 200

/** SQL for the recipient of message `m`. A person is referred to by a column: the message is deleted with the account. */
const recipientId = sql`case when m.fields ->> 'to' = 'person' then m.person_id else (m.fields ->> 'toId')::int end`

/** Values of a message's columns: `fields` without the id of a person, and that id. */
const columnsOf = ({ toId, ...fields }: MessageFields) => {
  const isToPerson = fields.to === 'person'
  const stored = JSON.stringify({ ...fields, toId: isToPerson ? null : toId })
  return { fields: sql`${stored}::text::jsonb`, personId: isToPerson ? toId : null }
}

/**
 * Messages that have not been sent yet. `name` is the recipient's name if the message is to one person; otherwise ''.
 */
export const listSavedMessages = (db: Queryable): Promise<SavedMessage[]> =>
  db.query(sql`
    select m.id, m.state, ${moment(sql`m.send_at`)} as "sendAt", m.problem, f.*, ${recipientId} as "toId",
      coalesce(${fullName}, '') as name
    from desk_messages m cross join lateral jsonb_to_record(m.fields)
        as f ("to" text, filter jsonb, title text, title2 text, text text, text2 text, mail boolean)
      left join web_users u on u.id = m.person_id
    order by m.send_at, m.changed_at desc limit ${MOST}`)

export type NewMessage = {
  state: SavedMessage['state']
  sendAt: string | null
  fields: MessageFields
  writtenBy: number | null
}

export function insertMessage(
  tx: Queryable,
  { state, sendAt, writtenBy, ...message }: NewMessage,
): Promise<{ id: number }> {
  const { fields, personId } = columnsOf(message.fields)
  return tx.one(sql`
    insert into desk_messages (state, fields, person_id, send_at, written_by)
    values (${state}, ${fields}, ${personId}, ${sendAt}::timestamp, ${writtenBy}) returning id`)
}

/**
 * Updates a message.
 * @returns whether it exists
 */
export async function updateMessage(tx: Queryable, id: number, message: NewMessage): Promise<boolean> {
  const { fields, personId } = columnsOf(message.fields)
  const updated = await tx.execute(sql`
    update desk_messages set state = ${message.state}, fields = ${fields}, person_id = ${personId},
      send_at = ${message.sendAt}::timestamp, written_by = ${message.writtenBy}, problem = '', changed_at = clock_timestamp()
    where id = ${id}`)
  return updated > 0
}

/**
 * Deletes a message.
 * @returns whether it existed
 */
export const deleteMessage = async (tx: Queryable, id: number): Promise<boolean> =>
  (await tx.execute(sql`delete from desk_messages where id = ${id}`)) > 0

export const isSendTimeInFuture = async (tx: Queryable, at: string): Promise<boolean> =>
  (await tx.one<{ isIn: boolean }>(sql`select ${at}::timestamp > clock_timestamp()::timestamp as "isIn"`)).isIn

/** `rights`: those that a session of the author would have now; none if the author can no longer log in */
export type DueMessage = { id: number; fields: MessageFields; writtenBy: number | null; rights: Right[] }

/** Locks the next message that is due. Messages locked by another process are skipped. */
export const lockDueMessage = (tx: Queryable): Promise<DueMessage | null> =>
  tx.maybeOne(sql`
    select m.id, m.fields || jsonb_build_object('toId', ${recipientId}) as fields, m.written_by as "writtenBy",
      coalesce((select ${rightsOfUser} from web_users u where u.id = m.written_by and ${mayLogIn}), '{}') as rights
    from desk_messages m where m.state = 'scheduled' and m.send_at <= clock_timestamp()
    order by m.send_at limit 1 for update of m skip locked`)

/**
 * Turns the scheduled messages of an author who can no longer send them into drafts.
 * @returns number of messages
 */
export const revertMessagesOfAuthor = (tx: Queryable, webUserId: number, problem: string): Promise<number> =>
  tx.execute(sql`
    update desk_messages set state = 'draft', send_at = null, problem = ${problem}
    where written_by = ${webUserId} and state = 'scheduled'`)

/** Turns a scheduled message that could not be sent into a draft. */
export const revertMessageToDraft = (db: Queryable, id: number, problem: string): Promise<number> =>
  db.execute(sql`update desk_messages set state = 'draft', send_at = null, problem = ${problem} where id = ${id}`)

const isRefused = sql`o.sent_at is null and o.due_at = 'infinity'`
const isWaiting = sql`o.sent_at is null and o.due_at < 'infinity'`

/**
 * The most recently sent messages and the delivery status of their e-mails. `title` is '' once the text has been
 * erased.
 */
export const listSentMessages = (db: Queryable): Promise<SentMessage[]> =>
  db.query(sql`
    select r.number as "recordId", ${moment(sql`r.acted_at`)} as at, split_part(coalesce(t.text, ''), E'\n', 1) as title,
      coalesce((r.line::jsonb -> 'counts' ->> 'told')::int, 0) as people,
      (count(o.id) filter (where o.sent_at is not null))::int as delivered,
      (count(o.id) filter (where ${isWaiting}))::int as waiting, (count(o.id) filter (where ${isRefused}))::int as refused
    from (select * from office_record where kind = 'send-message' order by number desc limit 50) r
      left join office_record_texts t on t.record_number = r.number left join outbox o on o.record_number = r.number
    group by r.number, r.acted_at, r.line, t.text order by r.number desc`)

/**
 * Whether this audit log entry records the sending of a message.
 * @param id id of the audit log entry
 */
export const isSentMessage = async (db: Queryable, id: number): Promise<boolean> =>
  (await db.maybeOne(sql`select from office_record where number = ${id} and kind = 'send-message'`)) !== null

export type DeliveryRow = {
  webUserId: number | null
  name: string
  state: 'delivered' | 'waiting' | 'refused'
  at: string | null
  reason: string
}

export const listMessageDeliveries = (db: Queryable, recordNumber: number): Promise<DeliveryRow[]> =>
  db.query(sql`
    select o.web_user_id as "webUserId", coalesce(${fullName}, '') as name, ${moment(sql`o.sent_at`)} as at,
      case when ${isRefused} then 'refused' when ${isWaiting} then 'waiting' else 'delivered' end as state, o.last_error as reason
    from outbox o left join web_users u on u.id = o.web_user_id
    where o.record_number = ${recordNumber} order by (${isRefused}) desc, ${byName('u')}, o.id`)

const { Booked, Waitinglist } = BOOKING_STATUS

/** People who receive a message, and the courses it is about. `path`: page of the portal to which the message links */
export type MessageAudience = { people: number[]; courses: number[]; addresses?: string[]; path: string }

/** Recipients of a message: an object by its id, or a filter. */
export type MessageTarget = {
  to: ActOfKind<'send-message'>['to']
  id?: number | undefined
  filter?: MessageFilter | undefined
}

/** Recipients of a message; null if `id` does not exist, or if it or the filter is missing. */
export async function findMessageAudience(
  tx: Queryable,
  { to, id, filter }: MessageTarget,
): Promise<MessageAudience | null> {
  if (to === 'filter')
    return filter && Object.keys(filter).length > 0
      ? { ...(await findFilteredAudience(tx, filter)), path: '/messages' }
      : null
  if (id === undefined) return null
  const exists = async (query: SqlFragment) => (await tx.maybeOne(query)) !== null
  const list = async (condition: SqlFragment) => {
    const rows = await tx.query<{ id: number; courseId: number }>(sql`
      select distinct b.web_user_id as id, b.course_id as "courseId" from bookings b join courses c on c.id = b.course_id
      where b.cancelled_at is null and ${condition} order by 1`)
    return { people: [...new Set(rows.map(row => row.id))], courses: [...new Set(rows.map(row => row.courseId))] }
  }
  const ofCourse = async (courseId: number, state: number): Promise<MessageAudience> => {
    const { people } = await list(sql`b.course_id = ${courseId} and b.state = ${state}`)
    return { people, courses: [courseId], path: `/course-details/${courseId}` }
  }
  if (to === 'course' || to === 'waiting') {
    if (!(await exists(sql`select from courses where id = ${id}`))) return null
    return ofCourse(id, to === 'course' ? Booked : Waitinglist)
  }
  if (to === 'lesson') {
    const lesson = await tx.maybeOne<{ courseId: number }>(sql`
      select course_id as "courseId" from course_dates where id = ${id}`)
    if (!lesson) return null
    const audience = await ofCourse(lesson.courseId, Booked)
    const guests = await tx.query<{ webUserId: number }>(sql`
      select f.guest_id as "webUserId" from course_dates d join freed_places f on ${isGuestPlace} where d.id = ${id} order by f.id`)
    return { ...audience, people: [...new Set([...audience.people, ...guests.map(({ webUserId }) => webUserId)])] }
  }
  if (to === 'category') {
    if (!(await exists(sql`select from categories where id = ${id}`))) return null
    const booked = await list(
      sql`b.state = ${Booked} and c.category_id = ${id} and c.closes_at > clock_timestamp() and c.cancelled_at is null`,
    )
    return { ...booked, path: '/courses/booked' }
  }
  if (!(await exists(sql`select from web_users where id = ${id} and deleted_at is null`))) return null
  return { people: [id], courses: [], path: '/messages' }
}
