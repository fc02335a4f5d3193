import { formatMoney } from '#contract/words.ts'
import {
  bookCourseForPerson,
  findPersonCourseView,
  listViolatedBookingRules,
} from '#server/features/bookings/office-booking-service.ts'
import { bookingFeeOf, viewerBookingOf } from '#server/features/bookings/pricing-rules.ts'
import { listPersonClashes } from '#server/features/courses/lesson-repository.ts'
import type { CourseView } from '#server/features/courses/rules.ts'
import type { OfficeContext } from '#server/office/frame/office-context-service.ts'
import { reopenCancelledBooking } from '#server/office/frame/undo-repository.ts'
import { findAccountState } from '#server/office/people/person-repository.ts'
import { toInboxMessage } from '#server/platform/outbox/mail-content.ts'
import type { BookingMail } from '#server/platform/outbox/mail-kinds.ts'
import { formatWeekdayTime } from './course-service.ts'

/**
 * Reads a course as seen by the person affected by an action: with the person's booking, price and booking rules. The
 * caller must have locked the course.
 * @throws ActRejected if the person does not exist
 */
export async function readCourseForPerson(
  office: OfficeContext,
  courseId: number,
  webUserId: number,
): Promise<CourseView> {
  const view = await findPersonCourseView(office.tx, office.config.region, courseId, webUserId)
  if (view === null) office.fail('unknown.web_users')
  office.addAffected({ people: [webUserId], courses: [courseId] })
  office.note({ objects: { courseId, webUserId } })
  return view
}

/** Creates the inbox message that accompanies the e-mail about a booking or cancellation. */
export async function notifyOfBooking(
  office: OfficeContext,
  webUserId: number,
  kind: 'booking' | 'waiting-list' | 'cancellation',
  mail: BookingMail,
): Promise<void> {
  const words = { de: toInboxMessage('de', kind, mail), en: toInboxMessage('en', kind, mail) }
  await office.notify([webUserId], { words, path: `/course-details/${mail.courseId}`, isMailed: false })
}

/**
 * Restores a booking that the undone action `actId` cancelled. The course has to be locked.
 * @throws ActRejected if it cannot be restored as it was
 */
export async function restoreCancelledBooking(
  office: OfficeContext,
  actId: string,
  place: { courseId: number; webUserId: number },
): Promise<{ bookingStatus: number; position: number }> {
  await reopenCancelledBooking(office.tx, actId, place)
  const restored = viewerBookingOf(await readCourseForPerson(office, place.courseId, place.webUserId))
  if (restored === null) return office.fail('failed.notUndone')
  office.note({ after: toBookingRecord(restored) })
  return { bookingStatus: restored.state, position: restored.position }
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
  office: OfficeContext,
  view: CourseView,
): Promise<{ bookingStatus: number; position: number }> {
  if (view.facts.isDraft) office.fail('failed.draftCourse')
  const courseId = view.facts.course.id
  const webUserId = view.viewer?.webUserId ?? 0
  const state = await findAccountState(office.tx, webUserId)
  if (state === 'locked') office.fail('failed.locked')
  for (const { obstacle, isFinal } of listViolatedBookingRules(view)) {
    if (isFinal) office.fail(`failed.${obstacle}`)
    const fee = bookingFeeOf(view)
    const price = fee.cents + fee.energyCents
    if (obstacle === 'profileIncomplete' && isPaid(view))
      office.askReason('reason.statusMissing', { price: formatMoney(price / 100) })
    else office.askReason(`reason.${obstacle}`)
  }
  const [clash] = await listPersonClashes(office.tx, webUserId, courseId, office.language)
  if (clash) {
    const { courseId: otherId, name, at } = clash
    office.clash({ person: String(webUserId), courseId: otherId, name, at })
    office.askReason('reason.personClash', { name, at: formatWeekdayTime(office.language, at) })
  }
  const placed = await bookCourseForPerson(office.tx, view)
  if (placed === null) office.fail('unknown.web_users')
  const { state: bookingStatus, position, mail } = placed
  await notifyOfBooking(office, webUserId, position > 0 ? 'waiting-list' : 'booking', mail)
  office.note({ after: toBookingRecord({ state: bookingStatus, position, fee: bookingFeeOf(view) }) })
  return { bookingStatus, position }
}
