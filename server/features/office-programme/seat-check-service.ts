import { formatMoney } from '#contract/words.ts'
import {
  bookCourseForPerson,
  findPersonCourseView,
  listViolatedBookingRules,
} from '#server/features/bookings/desk-service.ts'
import { bookingFeeOf } from '#server/features/bookings/pricing-rules.ts'
import { listPersonClashes } from '#server/features/courses/lesson-repository.ts'
import type { CourseView } from '#server/features/courses/rules.ts'
import type { OfficeContext } from '#server/features/office/desk-service.ts'
import { findAccountState } from '#server/features/office-people/person-repository.ts'
import { toInboxMessage } from '#server/mail/mail-content.ts'
import type { BookingMail } from '#server/mail/mail-kinds.ts'
import { formatWeekdayTime } from './course-service.ts'

/**
 * Reads a course as seen by the person affected by an action: with the person's booking, price and booking rules. The
 * caller must have locked the course.
 * @throws ActRejected if the person does not exist
 */
export async function readCourseForPerson(
  desk: OfficeContext,
  courseId: number,
  webUserId: number,
): Promise<CourseView> {
  const view = await findPersonCourseView(desk.tx, desk.config.region, courseId, webUserId)
  if (view === null) desk.fail('unknown.web_users')
  desk.addAffected({ people: [webUserId], courses: [courseId] })
  desk.note({ objects: { courseId, webUserId } })
  return view
}

/** Creates the inbox message that accompanies the e-mail about a booking or cancellation. */
export async function notifyOfBooking(
  desk: OfficeContext,
  webUserId: number,
  kind: 'booking' | 'waiting-list' | 'cancellation',
  mail: BookingMail,
): Promise<void> {
  const words = { de: toInboxMessage('de', kind, mail), en: toInboxMessage('en', kind, mail) }
  await desk.notify([webUserId], { words, path: `/course-details/${mail.courseId}`, isMailed: false })
}

type Fee = { cents: number; energyCents: number }

/** Booking or waiting-list entry as recorded in the audit log. */
export const toBookingRecord = ({ state, position, fee }: { state: number; position: number; fee: Fee }) => ({
  bookingStatus: state,
  position,
  cents: fee.cents + fee.energyCents,
})

/** Whether any status group pays for the course. */
const isPaid = ({ facts: { course, feeCents, externalFeeCents } }: CourseView): boolean =>
  feeCents + externalFeeCents + course.energyFee > 0

/**
 * Books a seat for a person, or adds the person to the waiting list if the course is full, unless a rule that cannot be
 * overridden forbids it.
 * @throws ActRejected
 */
export async function bookSeatOrJoinWaitingList(
  desk: OfficeContext,
  view: CourseView,
): Promise<{ bookingStatus: number; position: number }> {
  const courseId = view.facts.course.id
  const webUserId = view.viewer?.webUserId ?? 0
  const state = await findAccountState(desk.tx, webUserId)
  if (state === 'locked') desk.fail('failed.locked')
  for (const { obstacle, isFinal } of listViolatedBookingRules(view)) {
    if (isFinal) desk.fail(`failed.${obstacle}`)
    const fee = bookingFeeOf(view)
    const price = fee.cents + fee.energyCents
    if (obstacle === 'profileIncomplete' && isPaid(view))
      desk.askReason('reason.statusMissing', { price: formatMoney(price / 100) })
    else desk.askReason(`reason.${obstacle}`)
  }
  const [clash] = await listPersonClashes(desk.tx, webUserId, courseId)
  if (clash) {
    const { courseId: otherId, name, at } = clash
    desk.clash({ person: String(webUserId), courseId: otherId, name, at })
    desk.askReason('reason.personClash', { name, at: formatWeekdayTime(desk.language, at) })
  }
  const placed = await bookCourseForPerson(desk.tx, view)
  if (placed === null) desk.fail('unknown.web_users')
  const { state: bookingStatus, position, mail } = placed
  await notifyOfBooking(desk, webUserId, position > 0 ? 'waiting-list' : 'booking', mail)
  desk.note({ after: toBookingRecord({ state: bookingStatus, position, fee: bookingFeeOf(view) }) })
  return { bookingStatus, position }
}
