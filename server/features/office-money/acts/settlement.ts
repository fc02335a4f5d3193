import { findServerTime } from '#server/db/date-time.ts'
import { updateCertificatesAfterSettlement } from '#server/features/certificates/service.ts'
import { listPayables } from '#server/features/money/payable-repository.ts'
import { listPeopleNames } from '#server/features/money/repository.ts'
import {
  type CourseToSettle,
  listCoursesToSettle,
  updateLessonExcluded,
  upsertAttendanceDecision,
} from '#server/features/money/settlement-repository.ts'
import { calculateSettlementLines, settleCourse } from '#server/features/money/settlement-service.ts'
import { type ActHandler, accountIdOf, type OfficeContext } from '#server/features/office/desk-service.ts'
import { lockLessonToEdit } from '#server/features/office-programme/course-service.ts'
import { listUnbillablePayables } from '../batch-service.ts'
import { notifyOfSettlement, requireSettleableCourse, toSettlementResult } from '../settlement-service.ts'

/**
 * Settles courses after the end of their last lesson. Lessons without attendance and open attendance lists require a
 * reason; a lesson without attendance is then ignored for all participants. Notifies people whose amount changed.
 */
export const settleCourses: ActHandler<'settle-courses'> = async (desk, { courseIds }) => {
  const ids = [...new Set(courseIds)].sort((a, b) => a - b)
  for (const [index, id] of ids.entries()) await (index === 0 ? desk.open('courses', id) : desk.touch('courses', id))
  const by = {
    region: desk.config.region,
    actorId: accountIdOf(desk.actor),
    check: (course: CourseToSettle, now: string) => requireSettleableCourse(desk, course, now),
  }
  const courses = []
  const people = new Set<number>()
  const undecided = new Set<number>()
  for (const id of ids) {
    const settled = (await settleCourse(desk.tx, id, by)) ?? desk.fail('unknown.courses')
    await notifyOfSettlement(desk, settled)
    await desk.sendDeliveries(await updateCertificatesAfterSettlement(desk.tx, id))
    const course = toSettlementResult(settled)
    courses.push(course)
    for (const { webUserId } of settled.lines) people.add(webUserId)
    for (const webUserId of course.undecided) undecided.add(webUserId)
  }
  const names = await listPeopleNames(desk.tx, [...undecided])
  const payables = await listPayables(desk.tx, [...people])
  desk.note({
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
export const decideAttendance: ActHandler<'decide-attendance'> = async (desk, { courseId, webUserId, regular }) => {
  const { tx, config, actor } = desk
  await desk.open('courses', courseId)
  desk.note({ objects: { courseId, webUserId }, after: { regular } })
  desk.addAffected({ people: [webUserId] })
  const [course = desk.fail('unknown.courses')] = await listCoursesToSettle(tx, [courseId])
  const active = course.bookings.find(one => one.webUserId === webUserId && !one.isEnded)
  const booking = active ?? desk.fail('failed.notBooked')
  const now = await findServerTime(tx)
  const line = calculateSettlementLines(course, config.region, now).find(
    ({ bookingId }) => bookingId === booking.bookingId,
  )
  if (line?.outcome !== 'undecided' && booking.decision === null) desk.fail('failed.notUndecided')
  desk.askReason('reason.decide')
  await upsertAttendanceDecision(tx, booking.bookingId, regular, accountIdOf(actor))
  if (course.settlement === null) return {}
  requireSettleableCourse(desk, course, now)
  const settled = await settleCourse(tx, courseId, { region: config.region, actorId: accountIdOf(actor) })
  if (settled === null) return {}
  await notifyOfSettlement(desk, settled)
  return { courses: [toSettlementResult(settled)] }
}

async function setExcluded(desk: OfficeContext, courseDateId: number, isExcluded: boolean): Promise<void> {
  const { lesson } = await lockLessonToEdit(desk, courseDateId)
  if (isExcluded && lesson.isAttended) desk.fail('failed.recorded')
  if (isExcluded && !lesson.isPast) desk.fail('failed.lessonAhead')
  desk.note({ after: { isExcluded } })
  await updateLessonExcluded(desk.tx, courseDateId, isExcluded)
  desk.programmeChanged()
}

/** Excludes a lesson without recorded attendance, so that it is ignored in the attendance of all participants. */
export const excludeLesson: ActHandler<'exclude-lesson'> = async (desk, { courseDateId }) => {
  await setExcluded(desk, courseDateId, true)
  return undefined
}

export const includeLesson: ActHandler<'include-lesson'> = async (desk, { courseDateId }) => {
  await setExcluded(desk, courseDateId, false)
  return undefined
}
