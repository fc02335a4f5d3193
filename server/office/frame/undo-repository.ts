import type { ActResponse } from '#contract/office/office.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { AuditLogEntry } from './audit-log-repository.ts'
import type { TransactionStart } from './consequences-repository.ts'

/** Number of seconds during which an action can be undone. Its e-mails and push messages are sent after that. */
export const UNDO_SECONDS = 10

/** SQL condition: the row was written by the current transaction. */
const isOurs = sql`xmin = pg_current_xact_id()::xid`

/**
 * Delays the e-mails and push messages that this transaction has queued since its start (`mark`). The delay is stored
 * with the messages, so that it survives a crash.
 */
export const delayMessages = (tx: Queryable, mark: TransactionStart): Promise<number> =>
  tx.execute(sql`
    update outbox set due_at = clock_timestamp() + ${UNDO_SECONDS} * interval '1 s'
    where id > ${mark.mail} and ${isOurs} and channel in ('mail', 'push')`)

/**
 * Delays the webhook calls that this transaction has queued since its start (`mark`), for longer than the action can be
 * undone, so that none is sent before.
 */
export const delayWebhookCalls = (tx: Queryable, mark: TransactionStart): Promise<number> =>
  tx.execute(sql`
    update outbox set due_at = clock_timestamp() + ${2 * UNDO_SECONDS} * interval '1 s'
    where id > ${mark.mail} and ${isOurs} and channel = 'webhook'`)

/**
 * Deletes the webhook calls of transaction `xid`, which this transaction undoes, and its own about bookings that `xid`
 * created. Remaining calls contain the new version of a course.
 */
export const withdrawWebhookCalls = (tx: Queryable, mark: TransactionStart, xid: string): Promise<number> =>
  tx.execute(sql`
    delete from outbox where channel = 'webhook' and sent_at is null and (
      xmin = ${xid}::xid or id > ${mark.mail} and ${isOurs} and kind = 'booking.cancelled')`)

/** Number of messages that this transaction has written since its start (`mark`), on all channels except webhooks. */
export const countMessagesOfTransaction = async (tx: Queryable, mark: TransactionStart): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select ((select count(*) from outbox where id > ${mark.mail} and ${isOurs} and channel in ('mail', 'push'))
        + (select count(*) from inbox_items where id > ${mark.message} and ${isOurs})
        + (select count(*) from letters where id > ${mark.letter} and ${isOurs}))::int as count`)
  ).count

export type UndoableAct = { answer: ActResponse; line: AuditLogEntry; xid: string }

/** Locks an action of this account that can still be undone; null if there is none. */
export async function lockUndoableAct(tx: Queryable, actId: string, actorId: number): Promise<UndoableAct | null> {
  const row = await tx.maybeOne<{ answer: ActResponse; line: string; xid: string }>(sql`
    select a.answer, r.line, a.xmin::text as xid from office_acts a join office_record r on r.number = (a.answer ->> 'recordId')::bigint
    where a.act_id = ${actId} and a.actor_id = ${actorId} and (a.answer ->> 'undoable')::boolean
      and a.acted_at > clock_timestamp() - ${UNDO_SECONDS} * interval '1 s'
    for update of a`)
  return row && { ...row, line: JSON.parse(row.line) }
}

/**
 * Reopens a person's booking of a locked course that the action `actId` cancelled, as it was: with its price, its
 * position, and the lessons since it was made. Nothing is reopened if the seat is taken or the booking has changed since.
 */
export const reopenCancelledBooking = (
  tx: Queryable,
  actId: string,
  { courseId, webUserId }: { courseId: number; webUserId: number },
): Promise<number> =>
  tx.execute(sql`
    with reopened as (
      update bookings b set cancelled_at = null, charge = 'none', charge_cents = 0 from courses c
      where c.id = b.course_id and c.id = ${courseId} and b.web_user_id = ${webUserId} and b.cancelled_at is not null
        and c.cancelled_at is null
        and b.xmin = (select a.xmin from office_acts a where a.act_id = ${actId})
        and (b.state <> ${BOOKING_STATUS.Booked} or c.capacity > (
          select count(*) from bookings o
          where o.course_id = c.id and o.state = ${BOOKING_STATUS.Booked} and o.cancelled_at is null))
      returning b.is_passed_over and b.state <> ${BOOKING_STATUS.Booked} as is_passed_over
    )
    update courses set taken = taken + case when is_passed_over then 0 else 1 end, revision = revision + 1
    from reopened where id = ${courseId}`)

/**
 * Deletes the messages that this transaction has written since its start (`mark`). Also deletes messages that
 * transaction `xid` wrote to these people, if they are still unsent, unread and not printed. Rows modified since then
 * are skipped, because their `xmin` no longer equals `xid`.
 * @returns number of deleted messages of `xid`
 */
export async function withdrawMessages(
  tx: Queryable,
  mark: TransactionStart,
  { xid, people }: { xid: string; people: readonly number[] },
): Promise<number> {
  const isNew = (after: number) => sql`id > ${after} and ${isOurs}`
  const isOld = sql`web_user_id = any(${[...people]}::int[]) and xmin = ${xid}::xid`
  const { count } = await tx.one<{ count: number }>(sql`
    with sent as (
      delete from outbox where sent_at is null and channel in ('mail', 'push') and (xmin = ${xid}::xid or ${isNew(mark.mail)})
      returning id > ${mark.mail} as is_new, alert_id
    ), alert as (
      delete from alerts where id in (select alert_id from sent)
    ), message as (
      delete from inbox_items where ${isOld} or ${isNew(mark.message)} returning id > ${mark.message} as is_new
    ), letter as (
      delete from letters where ${isOld} or ${isNew(mark.letter)} returning id > ${mark.letter} as is_new
    )
    select ((select count(*) from sent where not is_new) + (select count(*) from message where not is_new)
      + (select count(*) from letter where not is_new))::int as count`)
  return count
}
