import type { ActKind } from '#contract/acts/acts.ts'
import type { ActConsequences } from '#contract/office/office.ts'
import type { AuditLogEntry } from './audit-log-repository.ts'
import type { TransactionStart } from './consequences-repository.ts'
import { accountIdOf, type OfficeContext } from './office-context-service.ts'
import {
  countMessagesOfTransaction,
  delayMessages,
  delayWebhookCalls,
  lockUndoableAct,
  type UndoableAct,
  withdrawMessages,
  withdrawWebhookCalls,
} from './undo-repository.ts'

/** Kinds of actions that reverse another kind exactly. */
const INVERSES: Partial<Record<ActKind, ActKind>> = {
  book: 'cancel-booking',
  'cancel-booking': 'book',
  'move-booking': 'move-booking',
  'cancel-lesson': 'restore-lesson',
  'restore-lesson': 'cancel-lesson',
  'change-lesson': 'change-lesson',
  'change-lessons': 'change-lessons',
  'confirm-course': 'unconfirm-course',
  'unconfirm-course': 'confirm-course',
  'change-courses': 'change-courses',
  'cancel-course': 'restore-course',
  'restore-course': 'cancel-course',
}
/** Rule name that the audit log records when an action reverses another one. */
export const UNDO_RULE_NAME = 'undone'

const inverseOf = (kind: string): string | undefined => INVERSES[kind as ActKind]

type Line = Pick<AuditLogEntry, 'kind' | 'objects' | 'before' | 'after'>
type People = Pick<ActConsequences, 'booked' | 'ended' | 'promoted'>

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const idsOf = (people: readonly { id: number }[]) => people.map(({ id }) => id).sort((a, b) => a - b)

/**
 * Whether two actions affect the same objects. For moving a booking, the second action must move it back, so source and
 * target course are swapped.
 */
function namesSame(undone: Line, own: Line): boolean {
  if (own.kind !== 'move-booking') return isEqual(undone.objects, own.objects)
  const { fromCourseId, toCourseId, webUserId } = undone.objects
  return isEqual(
    [toCourseId, fromCourseId, webUserId],
    [own.objects.fromCourseId, own.objects.toCourseId, own.objects.webUserId],
  )
}

/**
 * Whether an action restores the values, seats and waiting lists as they were before an earlier action, and leaves no
 * charge.
 */
function isInverse(undone: Line, own: Line, was: People, is: People): boolean {
  return (
    namesSame(undone, own) &&
    Object.entries(undone.before).every(([name, value]) => isEqual(value, own.after[name])) &&
    Object.entries(own.before).every(
      ([name, value]) => !(name in undone.after) || isEqual(value, undone.after[name]),
    ) &&
    !undone.after.chargeCents &&
    was.promoted.length + is.promoted.length === 0 &&
    isEqual(idsOf(was.booked), idsOf(is.ended)) &&
    isEqual(idsOf(was.ended), idsOf(is.booked))
  )
}

type SentAct = { kind: string; undoable?: boolean | undefined; undoes?: string | undefined }

async function lockUndone(office: OfficeContext, { kind, undoes }: SentAct): Promise<UndoableAct | null> {
  if (undoes === undefined) return null
  if (office.actor.kind === 'program') office.fail('failed.undoByToken')
  const undone = await lockUndoableAct(office.tx, undoes, accountIdOf(office.actor) ?? 0)
  if (undone === null || inverseOf(undone.line.kind) !== kind) return office.fail('failed.notUndone')
  return undone
}

/**
 * Call this before the action's handler. If the action undoes an earlier one, locks the earlier one, which must be at
 * most `UNDO_SECONDS` old. The returned functions delay or withdraw messages, and check the result. No one is notified
 * of an undone action or of its reversal. Changes to permissions are always reported to owners, so actions that make
 * them cannot be undone.
 * @param mark start of the action's transaction
 * @throws ActRejected
 */
export async function prepareUndo(office: OfficeContext, act: SentAct, mark: TransactionStart) {
  const { tx } = office
  const undone = await lockUndone(office, act)
  let isUndoable = act.undoable === true && office.actor.kind === 'user' && inverseOf(act.kind) !== undefined
  let written = 0
  return {
    /** people whose bookings the undone action ended */
    ended: idsOf(undone?.answer.consequences.ended ?? []),
    /**
     * Delays the messages of an action that can be undone, or deletes those of an undone action and of its reversal.
     * Call this after the action's handler, but before anyone is notified of changed permissions.
     * @param hasCharge whether the action makes or removes a charge, and therefore cannot be undone
     */
    async holdOrWithdraw(hasCharge: boolean): Promise<void> {
      if (hasCharge) isUndoable = false
      if (undone) {
        const { mails, pushes, messages, letters, told } = undone.answer.consequences
        const withdrawn = await withdrawMessages(tx, mark, { xid: undone.xid, people: idsOf(told) })
        if (withdrawn !== mails + pushes + messages + letters) office.fail('failed.notUndone')
      } else if (isUndoable) await delayMessages(tx, mark)
      written = undone || isUndoable ? await countMessagesOfTransaction(tx, mark) : 0
    },
    /**
     * If the action undoes an earlier one, verifies that it restores the previous state exactly. Delays or withdraws
     * webhook calls. Call this after the versions have been incremented.
     * @param showsNames whether the action shows participants' names to somebody new, which cannot be undone silently
     * @returns whether the action itself can be undone
     * @throws ActRejected
     */
    async close(line: Line, people: People, showsNames: boolean): Promise<boolean> {
      if (!undone && !isUndoable) return false
      const isReported = (await countMessagesOfTransaction(tx, mark)) > written
      if (undone && (isReported || !isInverse(undone.line, line, undone.answer.consequences, people)))
        office.fail('failed.notUndone')
      if (undone) await withdrawWebhookCalls(tx, mark, undone.xid)
      else if (!isReported && !showsNames) await delayWebhookCalls(tx, mark)
      return isUndoable && !isReported && !showsNames
    },
  }
}
