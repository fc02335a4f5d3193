import type { Language } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import { type ActHandler, accountIdOf, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import type { Notice, NoticeDelivery } from '#server/platform/outbox/notices.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { listLessonsWithCandidates } from '../absence-repository.ts'
import { formatWeekdayTime } from '../course-service.ts'
import {
  insertInvitation,
  insertInvitationMail,
  isMomentInFuture,
  listRequestedLessons,
  type RequestedLesson,
  withdrawOffers,
} from '../substitute-repository.ts'
import { findAccountId, hasUnknownInstructor } from '../table-repository.ts'

const requestPath = '/courses/instructor'

/**
 * Creates the notice about requests to be the substitute of lessons.
 * @param key of its texts below `office.notice`
 */
export function substituteNotice(
  key: string,
  lessons: readonly RequestedLesson[],
  valuesIn: (language: Language) => Record<string, string> = () => ({}),
): Notice {
  const wordsIn = (language: Language) => {
    const say = (part: string) =>
      translate(language, `office.notice.${key}.${part}`, { count: lessons.length, ...valuesIn(language) })
    const lines = lessons.map(lesson =>
      [
        `${lesson.number} ${nameInLanguage(language, lesson)}`,
        formatWeekdayTime(language, lesson.heldAt),
        lesson.venue,
        lesson.city,
      ]
        .filter(Boolean)
        .join(', '),
    )
    return { title: say('title'), paragraphs: [say('text'), lines.join('\n')] }
  }
  return { words: { de: wordsIn('de'), en: wordsIn('en') }, path: requestPath }
}

/** Recipients of a notice to an instructor: the account, or the e-mail address if there is none. */
export const deliveryToInstructor = async (
  { tx }: Pick<OfficeContext, 'tx'>,
  email: string,
  notice: Notice,
): Promise<NoticeDelivery> => {
  const webUserId = await findAccountId(tx, email)
  return webUserId === null ? { people: [], addresses: [email], notice } : { people: [webUserId], notice }
}

/** Lessons for which substitutes can be requested: planned, in the future, and published. */
async function findLessons(office: OfficeContext, courseDateIds: readonly number[]): Promise<RequestedLesson[]> {
  if (new Set(courseDateIds).size < courseDateIds.length) office.fail('failed.lessonTwice')
  const lessons = await listRequestedLessons(office.tx, courseDateIds)
  if (lessons.length < courseDateIds.length) office.fail('unknown.lesson')
  office.addAffected({ courses: [...new Set(lessons.map(({ courseId }) => courseId))] })
  office.note({ objects: { courseDateIds: lessons.map(({ courseDateId }) => courseDateId).join(' ') } })
  return lessons
}

/**
 * Asks instructors who are free at the time of lessons whether they can teach them. Each gets one message about the
 * lessons at which they are free. Nobody else is notified before somebody has accepted.
 */
const askSubstitutes: ActHandler<'ask-substitutes'> = async (office, act) => {
  const { tx, actor } = office
  const emails = [...new Set(act.instructorEmails)]
  const lessons = await findLessons(office, act.lessons)
  if (lessons.some(({ isPast }) => isPast)) office.fail('failed.lessonOver')
  if (lessons.some(({ takesPlace }) => !takesPlace)) office.fail('failed.lessonCancelled')
  if (lessons.some(({ isDraft }) => isDraft)) office.fail('failed.draftLesson')
  if (!(await isMomentInFuture(tx, act.until))) office.fail('failed.sendAtPast')
  // A request that is open beyond its lesson would never be reported as unanswered.
  const tooEarly = lessons.find(({ heldAt }) => heldAt.replace(' ', 'T') < act.until)
  if (tooEarly) office.fail('failed.untilAfterLesson', { at: formatWeekdayTime(office.language, tooEarly.heldAt) })
  if (await hasUnknownInstructor(tx, emails)) office.fail('failed.unknownInstructor')
  const candidates = await listLessonsWithCandidates(tx, { courseDateIds: act.lessons })
  const freeAt = new Map(candidates.map(({ courseDateId, free }) => [courseDateId, free.map(({ email }) => email)]))
  const asked: { email: string; lessons: number }[] = []
  const deliveries: NoticeDelivery[] = []
  for (const email of emails) {
    const own = lessons.filter(({ courseDateId }) => freeAt.get(courseDateId)?.includes(email))
    if (own.length === 0) continue
    const accountId = await findAccountId(tx, email)
    if (accountId !== null && accountId === accountIdOf(actor) && !actor.rights.includes('owner'))
      office.fail('failed.askSelf')
    await withdrawOffers(tx, { courseDateIds: own.map(({ courseDateId }) => courseDateId), email })
    const invitationId = await insertInvitation(tx, actor, { email, until: act.until, lessons: own })
    const notice = substituteNotice('askSubstitutes', own, language => ({
      until: formatWeekdayTime(language, act.until),
    }))
    await insertInvitationMail(tx, email, { ...notice.words, path: requestPath, invitationId })
    // The e-mail contains a link of its own, so the notice is sent to the inbox and as a push message only.
    if (accountId !== null)
      deliveries.push({ people: [accountId], notice: { ...notice, isMailed: false, changedCourseIds: [] } })
    asked.push({ email, lessons: own.length })
  }
  if (asked.length === 0) office.fail('failed.nobodyFree')
  await office.sendDeliveries(deliveries)
  const isAsked = (email: string) => asked.some(one => one.email === email)
  const withoutCandidate = lessons.filter(({ courseDateId }) => !freeAt.get(courseDateId)?.some(isAsked))
  office.note({ after: { until: act.until, asked: asked.length } })
  return {
    asked,
    notFree: emails.filter(email => !isAsked(email)),
    withoutCandidate: withoutCandidate.map(({ courseDateId }) => courseDateId),
  }
}

/** Withdraws open requests for substitutes and notifies those who have not answered, each once. */
const withdrawSubstitutes: ActHandler<'withdraw-substitutes'> = async (office, act) => {
  const lessons = await findLessons(office, act.lessons)
  const count = await withdrawRequests(office, lessons)
  if (count === 0) office.fail('failed.notAsked')
  return { lessons: count }
}

/** Notifies instructors that requests for substitutes have ended, each once. */
export async function notifyOfWithdrawal(
  office: OfficeContext,
  withdrawn: readonly (RequestedLesson & { email: string })[],
) {
  const deliveries: NoticeDelivery[] = []
  for (const [email, lessons] of Map.groupBy(withdrawn, one => one.email))
    deliveries.push(await deliveryToInstructor(office, email, substituteNotice('substitutesWithdrawn', lessons)))
  await office.sendDeliveries(deliveries)
}

/**
 * Withdraws open requests for these lessons and notifies those who have not answered.
 * @returns number of lessons for which somebody was asked
 */
export async function withdrawRequests(office: OfficeContext, lessons: readonly RequestedLesson[]): Promise<number> {
  const withdrawn = await withdrawOffers(office.tx, {
    courseDateIds: lessons.map(({ courseDateId }) => courseDateId),
  })
  await notifyOfWithdrawal(
    office,
    withdrawn.flatMap(({ courseDateId, email }) =>
      lessons.flatMap(lesson => (lesson.courseDateId === courseDateId && !lesson.isPast ? { ...lesson, email } : [])),
    ),
  )
  return new Set(withdrawn.map(({ courseDateId }) => courseDateId)).size
}

export const substituteHandlers = {
  'ask-substitutes': askSubstitutes,
  'withdraw-substitutes': withdrawSubstitutes,
}
