import { randomUUID } from 'node:crypto'
import { isLessonPlanned } from '#server/features/courses/lesson-repository.ts'
import { type Actor, ActRejected } from '#server/office/frame/office-context-service.ts'
import { deleteMessage, lockDueMessage, revertMessageToDraft } from '#server/office/people/message-repository.ts'
import type { Database } from '#server/platform/db/client.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { performActInTransaction } from './service.ts'

type Outcome = 'none' | 'sent' | { id: number; problem: string }

/** Sends one due message in the transaction that deletes it from the schedule, so that it is sent exactly once. */
async function sendNext(db: Database, config: ServerContext['config']): Promise<Outcome> {
  let id = 0
  try {
    return await db.transaction(async tx => {
      const due = await lockDueMessage(tx)
      if (due === null) return 'none'
      id = due.id
      if (due.writtenBy === null || !due.rights.includes('bookings'))
        return { id, problem: translate('de', 'office.message.noRight') }
      const { to, toId, filter, ...words } = due.fields
      if (to === null || (to !== 'filter' && toId === null))
        return { id, problem: translate('de', 'office.message.nobody') }
      if (to === 'lesson' && toId !== null && !(await isLessonPlanned(tx, toId)))
        return { id, problem: translate('de', 'office.failed.lessonCancelled') }
      const actor: Actor = { kind: 'user', id: due.writtenBy, rights: due.rights }
      const act = {
        kind: 'send-message',
        actId: randomUUID(),
        preview: false,
        to,
        id: toId ?? undefined,
        filter: filter ?? undefined,
        ...words,
      } as const
      await performActInTransaction(tx, act, { actor, language: 'de', config })
      await deleteMessage(tx, id)
      return 'sent'
    })
  } catch (error) {
    if (error instanceof ActRejected) return { id, problem: error.message }
    throw error
  }
}

/**
 * Sends the scheduled messages that are due, on behalf of their authors. A message that can no longer be sent, or whose
 * lesson was cancelled after it was written, becomes a draft again.
 * @returns number of messages sent
 */
export async function sendScheduledMessages(db: Database, config: ServerContext['config']): Promise<number> {
  for (let sent = 0; ; ) {
    const outcome = await sendNext(db, config)
    if (outcome === 'none') return sent
    if (outcome === 'sent') sent += 1
    else await revertMessageToDraft(db, outcome.id, outcome.problem)
  }
}
