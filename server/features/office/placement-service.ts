import type { Language } from '#contract/values.ts'
import { nameIn } from '#contract/words.ts'
import { findDeskView, listRulesInTheWay, placePerson } from '#server/features/bookings/desk-service.ts'
import { listPersonClashes } from '#server/features/courses/lesson-repository.ts'
import type { CourseView } from '#server/features/courses/view-rules.ts'
import { translate } from '#server/texts/translate.ts'
import type { Desk } from './desk-service.ts'
import { findAccountState } from './people-repository.ts'

/** A locked course in the eyes of the person whom an act names. @throws NotDone */
export async function openPlacement(desk: Desk, courseId: number, webUserId: number): Promise<CourseView> {
  const view = await findDeskView(desk.tx, desk.config.region, courseId, webUserId)
  if (view === null) desk.fail('unknown.web_users')
  desk.concern({ people: [webUserId], courses: [courseId] })
  desk.note({ objects: { courseId, webUserId } })
  return view
}

/** What the mail of a booking says, in the inbox, too. */
export async function tellPlacement(
  desk: Desk,
  view: CourseView,
  key: 'booked' | 'waiting' | 'ended' | 'left',
): Promise<void> {
  const { course } = view.facts
  const wordsIn = (language: Language) => {
    const values = { course: `${nameIn(language, course)} (${course.number})` }
    const say = (part: string) => translate(language, `office.notice.${key}.${part}`, values)
    return { title: say('title'), paragraphs: [say('text')] }
  }
  const words = { de: wordsIn('de'), en: wordsIn('en') }
  const people = view.viewer ? [view.viewer.webUserId] : []
  await desk.tell(people, { words, path: `/course-details/${course.id}`, isMailed: false })
}

/** Gives the person the next place or place on the waiting list, where no rule stands in the way that nobody breaks. @throws NotDone */
export async function place(desk: Desk, view: CourseView): Promise<{ bookingStatus: number; position: number }> {
  const courseId = view.facts.course.id
  const webUserId = view.viewer?.webUserId ?? 0
  const state = await findAccountState(desk.tx, webUserId)
  if (state === 'locked') desk.fail('failed.locked')
  for (const { obstacle, isFinal } of listRulesInTheWay(view)) {
    if (isFinal) desk.fail(`failed.${obstacle}`)
    desk.askReason(`reason.${obstacle}`)
  }
  const [clash] = await listPersonClashes(desk.tx, webUserId, courseId)
  if (clash) {
    desk.clash({ person: String(webUserId), courseId: clash.courseId, at: clash.at })
    desk.askReason('reason.personClash', { name: clash.name, at: clash.at.replace('T', ' ') })
  }
  const placed = await placePerson(desk.tx, view)
  if (placed === null) desk.fail('unknown.web_users')
  const { state: bookingStatus, position } = placed
  await tellPlacement(desk, view, position > 0 ? 'waiting' : 'booked')
  desk.note({ after: { bookingStatus, position } })
  return { bookingStatus, position }
}
