import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS, type Language, type ResponseStatus } from '#contract/values.ts'
import type { ServerContext } from '#server/context.ts'
import type { Queryable } from '#server/db/client.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import { listCourseFacts } from '#server/features/courses/repository.ts'
import type { CourseLook, Courses } from '#server/features/courses/service.ts'
import { insertInboxItem } from '#server/features/inbox/repository.ts'
import type { SessionUser } from '#server/http/mount.ts'
import { notFound } from '#server/http/problems.ts'
import { insertMail } from '#server/mail/outbox.ts'
import { escapeHtml, formatDate, formatTime, nameIn } from '#server/texts/format.ts'
import { translate } from '#server/texts/translate.ts'
import * as repository from './repository.ts'
import { bookingMailOf, firstLessonOf } from './rules.ts'

const { Booked, Waitinglist } = BOOKING_STATUS
/** A place may come and go between the look at a course and the attempt to book it. */
const MAX_ATTEMPTS = 3

/**
 * Gives the free places of a course to the first of its waiting list, each with a mail and an inbox message, in the
 * transaction that freed them: after a cancellation, a deleted account or a capacity raised by an import. Nobody moves up into
 * a course that is over: its waiting list ends.
 * @param region decides until when the place can be given back
 */
export async function promoteWaiting(tx: Queryable, courseId: number, region: string): Promise<void> {
  const locked = await repository.lockCourse(tx, courseId)
  if (locked?.isOver) {
    await repository.cancelWaitingList(tx, courseId)
    return
  }
  const promoted = await repository.promoteBookings(tx, courseId)
  const [facts] = promoted.length > 0 ? await listCourseFacts(tx, region, courseId) : []
  if (facts === undefined) return
  const lesson = firstLessonOf(facts)
  for (const { webUserId, priceCents, language } of promoted) {
    const payload = bookingMailOf(facts, { priceCents, state: Booked, position: 0 })
    await insertMail(tx, { webUserId, kind: 'promotion', payload })
    const name = nameIn(language, facts.course)
    const values = { name: escapeHtml(name), date: formatDate(lesson), time: formatTime(lesson) }
    await insertInboxItem(tx, {
      webUserId,
      title: translate(language, 'bookings.promotionTitle', { name }),
      text: `<p>${translate(language, 'bookings.promotionText', values)}</p>`,
    })
  }
}

export type BookingRelease = { courseId: number; webUserId: number; isPlaceReturnable: boolean; region: string }

/**
 * Ends a person's active booking and lets the waiting list move up; sends the person nothing.
 * @returns what was cancelled, or null when there was nothing that may be
 */
export async function releaseBooking(
  tx: Queryable,
  { courseId, webUserId, isPlaceReturnable, region }: BookingRelease,
): Promise<repository.CancelledBooking | null> {
  await repository.lockCourse(tx, courseId)
  const cancelled = await repository.cancelBooking(tx, courseId, webUserId, isPlaceReturnable)
  if (cancelled?.state === Booked) await promoteWaiting(tx, courseId, region)
  return cancelled
}

export function createBookings({ db, config, wakeMailer }: ServerContext, courses: Courses) {
  const answer = (
    look: CourseLook,
    language: Language,
    status: ResponseStatus,
    key: string,
    values: Record<string, string | number> = {},
  ): Course => {
    const course = courses.present(look)
    const name = nameIn(language, course)
    return { ...course, status, message: translate(language, `bookings.${key}`, { name, ...values }) }
  }

  const lookAt = async (courseId: number, session: SessionUser): Promise<CourseLook> => {
    const look = await courses.lookAtCourse(courseId, session)
    if (look === null) throw notFound()
    return look
  }

  const withBooking = (look: CourseLook, { state, position, taken }: repository.InsertedBooking): CourseLook => ({
    ...look,
    counters: { ...look.counters, taken },
    viewer: look.viewer && {
      ...look.viewer,
      bookings: new Map([[look.facts.course.id, { state, position, presentDates: 0 }]]),
    },
  })

  return {
    async listBookedCourses(session: SessionUser): Promise<Course[]> {
      return courses.listCourses(await repository.listBookedCourseIds(db, session.id), session)
    },

    /** Books a place or a waiting-list spot, or says why not. @throws HttpProblem 404 */
    async bookCourse(courseId: number, session: SessionUser, language: Language): Promise<Course> {
      for (let attempt = 1; ; attempt += 1) {
        const look = await lookAt(courseId, session)
        const { facts } = look
        const known = courses.bookingOf(look)
        if (known) {
          const key = known.state === Waitinglist ? 'alreadyWaiting' : 'alreadyBooked'
          return answer(look, language, 'Ok', key, { position: known.position })
        }
        const obstacle = courses.findObstacle(look)
        if (obstacle) {
          const { bookableFrom } = facts.course
          const values = { date: formatDate(bookableFrom), time: formatTime(bookableFrom) }
          return answer(look, language, 'Failed', obstacle, values)
        }
        if (attempt > MAX_ATTEMPTS) return answer(look, language, 'Failed', 'tryAgain')
        const priceCents = courses.priceFor(look)
        const booking = await repository.insertBooking(db, {
          courseId,
          webUserId: session.id,
          priceCents,
          mayWait: courses.mayWait(look),
          mails: {
            booking: bookingMailOf(facts, { priceCents, state: Booked, position: 0 }),
            'waiting-list': bookingMailOf(facts, { priceCents, state: Waitinglist, position: 0 }),
          },
        })
        if (booking !== null && booking !== 'known') {
          wakeMailer()
          const key = booking.state === Booked ? 'booked' : 'waiting'
          return answer(withBooking(look, booking), language, 'Ok', key, { position: booking.position })
        }
      }
    },

    /** Gives back a place or a waiting-list spot, or says why not. @throws HttpProblem 404 */
    async cancelCourse(courseId: number, session: SessionUser, language: Language): Promise<Course> {
      const look = await lookAt(courseId, session)
      const { facts } = look
      if (courses.bookingOf(look) === null) return answer(look, language, 'Ok', 'notBooked')
      const cancelled = await db.transaction(async tx => {
        const release = { courseId, webUserId: session.id, isPlaceReturnable: courses.isPlaceReturnable(look) }
        const ended = await releaseBooking(tx, { ...release, region: config.region })
        if (ended) {
          const payload = bookingMailOf(facts, { ...ended, position: 0 })
          await insertMail(tx, { webUserId: session.id, kind: 'cancellation', payload })
        }
        return ended
      })
      const now = await lookAt(courseId, session)
      if (cancelled) {
        wakeMailer()
        return answer(now, language, 'Ok', cancelled.state === Booked ? 'cancelled' : 'left')
      }
      if (courses.bookingOf(now) === null) return answer(now, language, 'Ok', 'notBooked')
      const date = formatDate(toDateTimeValue(facts.cancelUntil))
      return answer(now, language, 'Failed', 'cancelTooLate', { date })
    },
  }
}
