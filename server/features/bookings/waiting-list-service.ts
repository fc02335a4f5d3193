import { BOOKING_STATUS, type Language } from '#contract/values.ts'
import { listCourseFacts } from '#server/features/courses/repository.ts'
import type { CourseFacts } from '#server/features/courses/rules.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import { toInboxMessage } from '#server/platform/outbox/mail-content.ts'
import { noticeToInboxMessage } from '#server/platform/outbox/notices.ts'
import { FEE_PLACEHOLDER, firstLessonDay } from './pricing-rules.ts'
import * as repository from './repository.ts'
import { toBookingMail } from './rules.ts'

/**
 * Closes the waiting list of a locked course whose last lesson has started, and notifies the people on it by e-mail and
 * inbox message. Both happen in one transaction, and therefore exactly once even after a crash.
 * @param wallClock current time, 'YYYY-MM-DD HH:MM:SS'
 * @param region region whose public holidays are considered
 * @param isForExternals whether only people who have become external leave the waiting list, of any course
 */
export async function closeWaitingList(
  tx: Queryable,
  courseId: number,
  wallClock: string,
  region: string,
  isForExternals = false,
): Promise<void> {
  const people = await repository.cancelWaitingListEntries(tx, courseId, isForExternals)
  const [facts] = people.length > 0 ? await listCourseFacts(tx, region, courseId) : []
  if (!facts) return
  const spot = {
    fee: FEE_PLACEHOLDER,
    state: BOOKING_STATUS.Waitinglist,
    position: 0,
    firstLessonOn: null,
    employeeStatus: null,
  }
  const mail = {
    ...toBookingMail(facts, spot, wallClock),
    ...(isForExternals ? { isExternal: true } : { hasEnded: true }),
  }
  const messageIn = (language: Language) => noticeToInboxMessage(toInboxMessage(language, 'cancellation', mail))
  await repository.insertWaitingListEndedNotices(tx, people, {
    mail,
    message: { de: messageIn('de'), en: messageIn('en') },
  })
}

/**
 * Removes people who have become external from the waiting list of a locked course, and passes over those who can take no
 * place. Required before somebody is promoted.
 */
export async function updateWaitingList(
  tx: Queryable,
  courseId: number,
  wallClock: string,
  region: string,
): Promise<void> {
  await closeWaitingList(tx, courseId, wallClock, region, true)
  await repository.updatePassedOver(tx, courseId)
}

/**
 * Closes the waiting lists of all courses whose last lesson has started, and updates those with people who have become
 * external, or who can take no place any more or again. Several servers may run it concurrently.
 * @returns number of courses with a waiting list
 */
export async function closeExpiredWaitingLists(db: Database, region: string): Promise<number> {
  const expired = await repository.listExpiredWaitingLists(db)
  const outdated = await repository.listOutdatedWaitingListEntries(db)
  const courseIds = [...new Set([...expired, ...outdated.map(({ courseId }) => courseId)])]
  for (const courseId of courseIds) await db.transaction(tx => promoteOrCloseWaitingList(tx, courseId, region))
  return courseIds.length
}

/**
 * Every action of the department and every change of a profile updates the waiting lists that it makes outdated in its
 * transaction, because people have become external, or can take no place any more or again. Call this before the change.
 * Those outdated before belong to other changes, and a scheduled task updates them.
 * @returns function to call after the change
 */
export async function trackOutdatedWaitingLists(tx: Queryable, region: string): Promise<() => Promise<void>> {
  const before = new Set((await repository.listOutdatedWaitingListEntries(tx)).map(({ id }) => id))
  return async () => {
    const entries = (await repository.listOutdatedWaitingListEntries(tx)).filter(({ id }) => !before.has(id))
    for (const courseId of new Set(entries.map(entry => entry.courseId)))
      await promoteOrCloseWaitingList(tx, courseId, region)
  }
}

/**
 * E-mail data and inbox messages for people promoted from the waiting list.
 * @param placeSince time at which they get the seat, which is the current time, 'YYYY-MM-DD HH:MM:SS'
 */
export function createPromotionNotice(facts: CourseFacts, placeSince: string): repository.PromotionNotice {
  // Promoted people keep the price they agreed to. The SQL statement that creates the e-mails fills in each person's
  // fee and whether regular attendance waives it.
  const place = {
    fee: FEE_PLACEHOLDER,
    state: BOOKING_STATUS.Booked,
    position: 0,
    firstLessonOn: firstLessonDay(facts, placeSince),
    employeeStatus: null,
  }
  const mail = toBookingMail(facts, place, placeSince)
  // All promoted people get the same message. Their prices may differ and are stated in the e-mail and in "My courses".
  const messageIn = (language: Language) => noticeToInboxMessage(toInboxMessage(language, 'promotion', mail, ['price']))
  return {
    mail,
    message: { de: messageIn('de'), en: messageIn('en') },
  }
}

/**
 * Promotes people from the waiting list to free seats and notifies them by e-mail and inbox message. For a past course,
 * closes the waiting list instead.
 * @param region region whose public holidays are considered
 */
export async function promoteOrCloseWaitingList(tx: Queryable, courseId: number, region: string): Promise<void> {
  const locked = await repository.lockCourse(tx, courseId)
  if (locked === null) return
  if (locked.isOver) {
    await closeWaitingList(tx, courseId, locked.wallClock, region)
    return
  }
  await updateWaitingList(tx, courseId, locked.wallClock, region)
  const promoted = await repository.promoteFromWaitingList(tx, courseId)
  const [facts] = promoted.length > 0 ? await listCourseFacts(tx, region, courseId) : []
  if (facts) await repository.insertPromotionNotices(tx, promoted, createPromotionNotice(facts, locked.wallClock))
}
