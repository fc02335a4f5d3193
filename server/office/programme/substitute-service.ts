import { randomUUID } from 'node:crypto'
import type { Language } from '#contract/values.ts'
import { type Actor, ActRejected, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import { runActSteps } from '#server/office/frame/service.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import { HttpProblem } from '#server/platform/http/problems.ts'
import { type NoticeDelivery, sendNotices } from '#server/platform/outbox/notices.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { deliveryToInstructor, notifyOfWithdrawal, substituteNotice } from './acts/substitutes.ts'
import { notifyUpdates } from './course-update-service.ts'
import { editLessons } from './lesson-edit-service.ts'
import {
  filterDeletedOffers,
  findAsker,
  findClosingReason,
  findInstructorName,
  type Invited,
  listOpenOffers,
  listOtherOffers,
  listPendingOffers,
  listRequestedLessons,
  listRequestsOf,
  lockCoursesOfLessons,
  type Offer,
  reopenWithdrawnOffers,
  updateOffersAnswered,
  withdrawOutdatedOffers,
} from './substitute-repository.ts'

export type SubstituteAnswer = { courseDateIds: readonly number[]; accept: boolean }
export type SubstituteOutcome = 'accepted' | 'declined' | 'busy' | Awaited<ReturnType<typeof findClosingReason>>
type Call = { config: ServerContext['config']; language: Language }

/** Whether the instructor has given this answer before, for example because the response was lost. */
async function isSameAnswer(
  tx: Queryable,
  who: Invited,
  { courseDateIds, accept }: SubstituteAnswer,
): Promise<boolean> {
  const requests = await listRequestsOf(tx, who)
  const state = accept ? 'yours' : 'declined'
  return courseDateIds.every(id => requests.some(one => one.courseDateId === id && one.state === state))
}

/**
 * Handles an instructor's answer to a request for substitutes. The first acceptance assigns the lesson in the same
 * transaction: the participants are notified once, with the name, and the others who were asked learn that it is taken.
 * Lessons that are no longer open are ignored. Repeating an answer changes nothing and has the same outcome.
 * @returns why none of the lessons is open, if so; `busy` if the instructor now teaches another lesson at that time
 */
export async function answerSubstituteRequest(
  db: Database,
  who: Invited,
  { courseDateIds, accept }: SubstituteAnswer,
  call: Call,
): Promise<SubstituteOutcome> {
  const given = accept ? 'accepted' : 'declined'
  try {
    return await db.transaction(async tx => {
      await lockCoursesOfLessons(tx, courseDateIds)
      const offers = await listOpenOffers(tx, who, courseDateIds)
      const [first] = offers
      if (first === undefined)
        return (await isSameAnswer(tx, who, { courseDateIds, accept }))
          ? given
          : findClosingReason(tx, who, courseDateIds)
      const ids = offers.map(({ courseDateId }) => courseDateId)
      if (!accept) {
        await updateOffersAnswered(tx, first.email, ids, 'declined')
        return given
      }
      const others = await listOtherOffers(tx, ids, first.email)
      for (const group of Map.groupBy(offers, ({ invitationId }) => invitationId).values()) {
        const asker = await findAsker(tx, group[0] ?? first)
        if (asker === null) throw new HttpProblem(403, 'http.needsOwner')
        await assign(tx, group, asker, call)
      }
      await updateOffersAnswered(tx, first.email, ids, 'accepted')
      await notifyOthers(tx, others)
      return given
    })
  } catch (error) {
    // A rule that only the department may override: the instructor has another lesson or an absence at that time.
    if (error instanceof ActRejected) return error.status === 'Reason' ? 'busy' : 'closed'
    if (error instanceof HttpProblem) return 'closed'
    throw error
  }
}

/**
 * Withdraws the requests for lessons that an action moves, cancels, assigns or deletes, and notifies those who have not
 * answered. Call this before the action's handler, and the returned function after it.
 * @param undoes id of the action that is undone; the requests that it withdrew are open again
 */
export async function trackSubstituteRequests(office: OfficeContext, undoes?: string) {
  const { tx } = office
  const pending = await listPendingOffers(tx)
  return async (): Promise<void> => {
    if (undoes !== undefined) await reopenWithdrawnOffers(tx, undoes)
    const deleted = await filterDeletedOffers(tx, pending)
    await notifyOfWithdrawal(office, [...deleted, ...(await withdrawOutdatedOffers(tx))])
  }
}

/** Makes the instructor the substitute, as an action on behalf of whoever asked, and notifies all concerned. */
async function assign(tx: Queryable, offers: readonly Offer[], actor: Actor, { config, language }: Call) {
  const act = { kind: 'change-lessons', actId: randomUUID(), preview: false }
  await runActSteps(tx, act, { actor, language, config }, async office => {
    office.note({ objects: { invitationId: offers[0]?.invitationId ?? 0 } })
    const edits = offers.map(({ courseDateId, email }) => ({ courseDateId, instructorEmail: email }))
    await notifyUpdates(office, await editLessons(office, edits, {}))
    return undefined
  })
  if (actor.kind !== 'user') return
  const lessons = await listRequestedLessons(
    tx,
    offers.map(({ courseDateId }) => courseDateId),
  )
  const name = await findInstructorName(tx, offers[0]?.email ?? '')
  const notice = substituteNotice('substituteFound', lessons, () => ({ name }))
  await sendNotices(tx, [
    { people: [actor.id], notice: { ...notice, path: `/office/courses/${lessons[0]?.courseId}`, isMailed: false } },
  ])
}

/** Notifies the others who were asked that lessons are taken, each once. */
async function notifyOthers(tx: Queryable, others: readonly { courseDateId: number; email: string }[]) {
  const lessons = await listRequestedLessons(tx, [...new Set(others.map(({ courseDateId }) => courseDateId))])
  const deliveries: NoticeDelivery[] = []
  for (const [email, own] of Map.groupBy(others, one => one.email)) {
    const taken = lessons.filter(({ courseDateId }) => own.some(one => one.courseDateId === courseDateId))
    deliveries.push(await deliveryToInstructor({ tx }, email, substituteNotice('substituteTaken', taken)))
  }
  await sendNotices(tx, deliveries)
}
