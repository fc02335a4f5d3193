import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS, type Language, type ResponseStatus } from '#contract/values.ts'
import type { ServerContext } from '#server/context.ts'
import type { Queryable } from '#server/db/client.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import { listCourseFacts } from '#server/features/courses/repository.ts'
import type { Booking, CourseFacts, CourseLook, Courses } from '#server/features/courses/service.ts'
import type { SessionUser } from '#server/http/mount.ts'
import { notFound } from '#server/http/problems.ts'
import { escapeHtml, formatDate, formatTime, nameIn } from '#server/texts/format.ts'
import { translate } from '#server/texts/translate.ts'
import * as repository from './repository.ts'
import { bookingMailOf, firstLessonOf } from './rules.ts'

const { Booked, Waitinglist } = BOOKING_STATUS
/** A place may come and go between the look at a course and the attempt to book it. */
const MAX_ATTEMPTS = 3

/** What people are told who move up. */
function promotionNews(facts: CourseFacts): repository.PromotionNews {
  const lesson = firstLessonOf(facts)
  const messageIn = (language: Language) => {
    const name = nameIn(language, facts.course)
    const values = { name: escapeHtml(name), date: formatDate(lesson), time: formatTime(lesson) }
    return {
      title: translate(language, 'bookings.promotionTitle', { name }),
      text: `<p>${translate(language, 'bookings.promotionText', values)}</p>`,
    }
  }
  return {
    mail: bookingMailOf(facts, { priceCents: 0, state: Booked, position: 0 }),
    message: { de: messageIn('de'), en: messageIn('en') },
  }
}

/**
 * Gives the free places of a course to the first of its waiting list, each with a mail and an inbox message, in the
 * transaction that freed them: a capacity raised by an import. Nobody moves up into a course that is over: its waiting list
 * ends.
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
  if (facts) await repository.insertPromotionNews(tx, promoted, promotionNews(facts))
}

export function createBookings({ db, wakeMailer }: ServerContext, courses: Courses) {
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

  /** The course as the person sees it with this booking, or without any, and that many places and spots taken. */
  const withBooking = (look: CourseLook, booking: Booking | null, taken: number): CourseLook => ({
    ...look,
    counters: { ...look.counters, taken },
    viewer: look.viewer && {
      ...look.viewer,
      bookings: new Map(booking && [[look.facts.course.id, booking]]),
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
        const price = courses.priceFor(look)
        const priceCents = price.cents
        const booking = await repository.insertBooking(db, {
          courseId,
          webUserId: session.id,
          price,
          employeeStatus: look.viewer?.employeeStatus ?? null,
          mayWait: courses.mayWait(look),
          mails: {
            booking: bookingMailOf(facts, { priceCents, state: Booked, position: 0 }),
            'waiting-list': bookingMailOf(facts, { priceCents, state: Waitinglist, position: 0 }),
          },
        })
        if (booking !== null && booking !== 'known') {
          wakeMailer()
          const key = booking.state === Booked ? 'booked' : 'waiting'
          const { state, position, taken } = booking
          return answer(withBooking(look, { state, position, presentDates: 0 }, taken), language, 'Ok', key, {
            position,
          })
        }
      }
    },

    /** Gives back a place or a waiting-list spot, or says why not. @throws HttpProblem 404 */
    async cancelCourse(courseId: number, session: SessionUser, language: Language): Promise<Course> {
      const look = await lookAt(courseId, session)
      const { facts } = look
      const known = courses.bookingOf(look)
      if (known === null) return answer(look, language, 'Ok', 'notBooked')
      const tooLate = (its: CourseLook) => {
        const date = formatDate(toDateTimeValue(facts.cancelUntil))
        return answer(its, language, 'Failed', 'cancelTooLate', { date })
      }
      const isPlaceReturnable = courses.isPlaceReturnable(look)
      if (known.state === Booked && !isPlaceReturnable) return tooLate(look)

      const mailOf = (state: repository.BookedState) => bookingMailOf(facts, { priceCents: 0, state, position: 0 })
      const cancellation = {
        courseId,
        webUserId: session.id,
        isPlaceReturnable,
        mails: { [Booked]: mailOf(Booked), [Waitinglist]: mailOf(Waitinglist) },
        promotion: promotionNews(facts),
      }
      const cancelled =
        (await repository.cancelBooking(db, cancellation, false)) ??
        (await db.transaction(async tx => {
          await repository.lockCourse(tx, courseId)
          return repository.cancelBooking(tx, cancellation, true)
        }))
      if (cancelled) {
        wakeMailer()
        const { state, taken } = cancelled
        return answer(withBooking(look, null, taken), language, 'Ok', state === Booked ? 'cancelled' : 'left')
      }
      const now = await lookAt(courseId, session)
      return courses.bookingOf(now) === null ? answer(now, language, 'Ok', 'notBooked') : tooLate(now)
    },
  }
}
