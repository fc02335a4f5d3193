import { updateCertificatesAfterSettlement } from '#server/features/certificates/service.ts'
import { listPayables } from '#server/features/money/payable-repository.ts'
import { isClosingAutomatic, listPeopleNames, updateClosingAutomatic } from '#server/features/money/repository.ts'
import {
  type CourseToSettle,
  listCoursesToSettle,
  updateLessonExcluded,
  upsertAttendanceDecision,
} from '#server/features/money/settlement-repository.ts'
import { calculateSettlementLines, settleCourse } from '#server/features/money/settlement-service.ts'
import { type ActHandler, accountIdOf, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import { lockLessonToEdit } from '#server/office/programme/course-service.ts'
import { findServerTime } from '#server/platform/db/date-time.ts'
import { listUnbillablePayables } from '../batch-service.ts'
import { notifyOfSettlement, requireSettleableCourse, toSettlementResult } from '../settlement-service.ts'

/**
 * Settles courses after the end of their last lesson. Lessons without attendance and open attendance lists require a
 * reason; a lesson without attendance is then ignored for all participants. Notifies people whose amount changed.
 */
export const settleCourses: ActHandler<'settle-courses'> = async (office, { courseIds }) => {
  const ids = [...new Set(courseIds)].sort((a, b) => a - b)
  for (const [index, id] of ids.entries())
    await (index === 0 ? office.open('courses', id) : office.touch('courses', id))
  const by = {
    region: office.config.region,
    actorId: accountIdOf(office.actor),
    check: (course: CourseToSettle, now: string) => requireSettleableCourse(office, course, now),
  }
  const courses = []
  const people = new Set<number>()
  const undecided = new Set<number>()
  for (const id of ids) {
    const settled = (await settleCourse(office.tx, id, by)) ?? office.fail('unknown.courses')
    await notifyOfSettlement(office, settled)
    await office.sendDeliveries(await updateCertificatesAfterSettlement(office.tx, id))
    const course = toSettlementResult(settled)
    courses.push(course)
    for (const { webUserId } of settled.lines) people.add(webUserId)
    for (const webUserId of course.undecided) undecided.add(webUserId)
  }
  const names = await listPeopleNames(office.tx, [...undecided])
  const payables = await listPayables(office.tx, [...people])
  office.note({
    objects: { courseIds: ids.join(' ') },
    after: { entries: courses.reduce((sum, one) => sum + one.entries, 0) },
  })
  return {
    courses,
    undecided: [...names].map(([webUserId, name]) => ({ webUserId, name })),
    held: listUnbillablePayables(payables).map(({ webUserId, cause, cents }) => ({
      webUserId,
      cause,
      amount: cents / 100,
    })),
  }
}

/**
 * Decides whether the fee is waived for a person for whom no lesson is included in the attendance. Always requires a
 * reason. A settled course is settled again.
 */
const decideAttendance: ActHandler<'decide-attendance'> = async (office, { courseId, webUserId, regular }) => {
  const { tx, config, actor } = office
  await office.open('courses', courseId)
  office.note({ objects: { courseId, webUserId }, after: { regular } })
  office.addAffected({ people: [webUserId] })
  office.refuseOwn(webUserId)
  const [course = office.fail('unknown.courses')] = await listCoursesToSettle(tx, [courseId])
  const active = course.bookings.find(one => one.webUserId === webUserId && !one.isEnded)
  const booking = active ?? office.fail('failed.notBooked')
  const now = await findServerTime(tx)
  const line = calculateSettlementLines(course, config.region, now).find(
    ({ bookingId }) => bookingId === booking.bookingId,
  )
  if (line?.outcome !== 'undecided' && booking.decision === null) office.fail('failed.notUndecided')
  office.askReason('reason.decide')
  await upsertAttendanceDecision(tx, booking.bookingId, regular, accountIdOf(actor))
  if (course.settlement === null) return {}
  requireSettleableCourse(office, course, now)
  const settled = await settleCourse(tx, courseId, { region: config.region, actorId: accountIdOf(actor) })
  if (settled === null) return {}
  await notifyOfSettlement(office, settled)
  return { courses: [toSettlementResult(settled)] }
}

async function setExcluded(office: OfficeContext, courseDateId: number, isExcluded: boolean): Promise<void> {
  const { lesson } = await lockLessonToEdit(office, courseDateId)
  if (isExcluded && lesson.isAttended) office.fail('failed.recorded')
  if (isExcluded && !lesson.isPast) office.fail('failed.lessonAhead')
  office.note({ after: { isExcluded } })
  await updateLessonExcluded(office.tx, courseDateId, isExcluded)
  office.programmeChanged()
}

/** Excludes a lesson without recorded attendance, so that it is ignored in the attendance of all participants. */
const excludeLesson: ActHandler<'exclude-lesson'> = async (office, { courseDateId }) => {
  await setExcluded(office, courseDateId, true)
  return undefined
}

const includeLesson: ActHandler<'include-lesson'> = async (office, { courseDateId }) => {
  await setExcluded(office, courseDateId, false)
  return undefined
}

/** Switches on or off that the portal itself reminds instructors and settles complete courses. */
const setClosing: ActHandler<'set-closing'> = async (office, { isAutomatic }) => {
  office.note({ before: { isAutomatic: await isClosingAutomatic(office.tx) }, after: { isAutomatic } })
  await updateClosingAutomatic(office.tx, isAutomatic)
}

export const settlementHandlers = {
  'exclude-lesson': excludeLesson,
  'include-lesson': includeLesson,
  'settle-courses': settleCourses,
  'set-closing': setClosing,
  'decide-attendance': decideAttendance,
}
