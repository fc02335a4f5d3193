import type { Obstacle } from '#contract/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import type { Queryable } from '#server/db/client.ts'
import { listCourseFacts } from '#server/features/courses/repository.ts'
import { courseAt } from '#server/features/courses/rules.ts'
import { listCountersFor } from '#server/features/courses/view-repository.ts'
import type { CourseView } from '#server/features/courses/view-rules.ts'
import { insertMail } from '#server/mail/outbox.ts'
import { insertPlacement, updateCharge } from './desk-repository.ts'
import { isPlaceReturnable, listObstacles } from './policy.ts'
import * as repository from './repository.ts'
import { bookingMailOf } from './rules.ts'
import { promotionNews } from './service.ts'
import { bookingOf, feeFor } from './viewer-rules.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

/** A locked course in the eyes of a person, drafts included; null when there is no such course or person. */
export async function findDeskView(
  tx: Queryable,
  region: string,
  courseId: number,
  webUserId: number,
): Promise<CourseView | null> {
  const [facts] = await listCourseFacts(tx, region, courseId)
  const [counted] = await listCountersFor(tx, [{ courseId, webUserId }])
  const [own] = counted?.counters ?? []
  if (!facts || !counted?.viewer || !own) return null
  const { viewer, time } = counted
  const course = courseAt(facts, { taken: own.taken, isParticipatingComplete: own.is_participating_complete }, time)
  return { ...course, viewer }
}

/** What the department may not break either. */
const FINAL: readonly Obstacle[] = ['cancelled', 'over', 'locked', 'notLoggedIn']

/** The rules in the way of a place, and which of them nobody breaks. */
export const listRulesInTheWay = (view: CourseView): { obstacle: Obstacle; isFinal: boolean }[] =>
  listObstacles(view).map(obstacle => ({ obstacle, isFinal: FINAL.includes(obstacle) }))

/** Gives a person the next place of a locked course, else the next on its waiting list, with the mail that a booking has. */
export async function placePerson(
  tx: Queryable,
  view: CourseView,
): Promise<{ state: repository.BookedState; position: number } | null> {
  const { facts, viewer, time } = view
  if (viewer === null) return null
  const fee = feeFor(view)
  const placed = await insertPlacement(tx, facts.course.id, viewer.webUserId, fee)
  if (placed === null) return null
  const { state, position } = placed
  const { employeeStatus } = viewer
  const placeSince = state === Booked ? time.wallClock : null
  const payload = bookingMailOf(facts, { fee, state, position, placeSince, employeeStatus }, time.wallClock)
  await insertMail(tx, { webUserId: viewer.webUserId, kind: state === Booked ? 'booking' : 'waiting-list', payload })
  return { state, position }
}

/** Ends a person's booking in a locked course, whatever the day; who waits moves up. @returns whether there was one */
export async function endBooking(tx: Queryable, view: CourseView, charge: 'none' | 'full'): Promise<boolean> {
  const { facts, viewer, time } = view
  const existing = bookingOf(view)
  if (viewer === null || existing === null) return false
  const mailOf = (state: repository.BookedState) =>
    bookingMailOf(
      facts,
      { fee: existing.fee, state, position: 0, placeSince: null, employeeStatus: existing.employeeStatus },
      time.wallClock,
    )
  const isCharged = charge === 'full' && existing.state === Booked
  const cancelled = await repository.cancelBooking(
    tx,
    {
      courseId: facts.course.id,
      webUserId: viewer.webUserId,
      isPlaceReturnable: true,
      mails: { [Booked]: { ...mailOf(Booked), ...(isCharged && { isCharged }) }, [Waitinglist]: mailOf(Waitinglist) },
      promotion: promotionNews(facts, time.wallClock),
    },
    true,
  )
  if (cancelled && isCharged) await updateCharge(tx, facts.course.id, viewer.webUserId, charge)
  return cancelled !== null
}

export const isLate = (view: CourseView): boolean => bookingOf(view)?.state === Booked && !isPlaceReturnable(view)
