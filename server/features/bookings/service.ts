import { type ApiResponseStatus, BOOKING_STATUS, type Language } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import type { Booking, CourseFacts, CourseView } from '#server/features/courses/rules.ts'
import type { CourseViewService, TimedCourseView } from '#server/features/courses/view-service.ts'
import { createKeyedSemaphores } from '#server/platform/db/semaphore.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { failureCodeOf } from '#server/platform/texts/failure-codes.ts'
import { durationText, translate } from '#server/platform/texts/translate.ts'
import { type BookingBatcher, createBookingBatcher, isSoldOut } from './booking-batch-service.ts'
import { findBookingWaitSeconds } from './booking-repository.ts'
import { type BookingResponse, obstacleTextOf } from './model.ts'
import { findBookingObstacle, isSeatCancellable, mayJoinWaitingList } from './policy.ts'
import { bookingFeeOf, firstLessonDay, viewerBookingOf } from './pricing-rules.ts'
import { createRefusalCounter } from './refused-request-service.ts'
import * as repository from './repository.ts'
import { toBookingMail, toSeatMailJson } from './rules.ts'
import { createPromotionNotice, updateWaitingList } from './waiting-list-service.ts'

const { Booked, Waitinglist } = BOOKING_STATUS
/** Maximum number of attempts if seats are taken or freed between reading a course and booking it. */
const MAX_ATTEMPTS = 3

/**
 * Cache of response texts by language and key, with placeholders for values. During a burst most texts are identical.
 */
const responseTexts = new WeakMap<CourseFacts, Map<string, string>>()
/** Placeholder delimited by a character that no text contains. */
const placeholderOf = (value: string) => `\0${value}\0`

function bookingText(
  facts: CourseFacts,
  language: Language,
  key: string,
  values: Record<string, string | number>,
): string {
  const ofCourse = responseTexts.get(facts) ?? new Map<string, string>()
  const names = Object.keys(values)
  let text = ofCourse.get(`${language} ${key}`)
  if (text === undefined) {
    const places = Object.fromEntries(names.map(name => [name, placeholderOf(name)]))
    text = translate(language, `bookings.${key}`, { name: nameInLanguage(language, facts.course), ...places })
    responseTexts.set(facts, ofCourse.set(`${language} ${key}`, text))
  }
  return names.reduce((told, name) => told.replaceAll(placeholderOf(name), () => String(values[name])), text)
}

const positionIn = ({ state, position }: Pick<Booking, 'state' | 'position'>): Record<string, number> =>
  state === Waitinglist ? { position } : {}

const answer = (
  view: CourseView,
  language: Language,
  status: ApiResponseStatus,
  key: string,
  values: Record<string, string | number> = {},
): BookingResponse => ({
  view,
  language,
  status,
  message: bookingText(view.facts, language, key, values),
  ...(status === 'Failed' && { code: failureCodeOf(`bookings.${key}`) }),
})

const refuse = (view: CourseView, language: Language): BookingResponse => {
  const obstacle = findBookingObstacle(view) ?? ''
  const message = obstacleTextOf(view, obstacle, language)
  return { view, language, status: 'Failed', message, code: failureCodeOf(`obstacles.${obstacle}`) }
}

/**
 * The course as the person sees it, with a different booking (null: none) and a different number of occupied seats and
 * waiting-list entries.
 */
const withBooking = (view: CourseView, booking: Booking | null, taken: number): CourseView => ({
  ...view,
  counters: { ...view.counters, taken },
  viewer: view.viewer && { ...view.viewer, bookings: new Map(booking && [[view.facts.course.id, booking]]) },
})

/** Booking that the person gets if a seat is free. */
const toPlace = (view: CourseView) => ({
  state: Booked,
  position: 0,
  presence: [],
  placeSince: view.time.wallClock,
  firstLessonOn: firstLessonDay(view.facts, view.time.wallClock),
  fee: bookingFeeOf(view),
  isWaiverOffered: view.facts.course.freeWithAttendance,
  employeeStatus: view.viewer?.employeeStatus ?? null,
})

/**
 * Data for a cancellation: the e-mails for a cancelled seat and for a cancelled waiting-list entry, and the notices to
 * the person promoted from the waiting list.
 */
function toCancellation(view: CourseView, { id: webUserId }: SessionUser, { fee, employeeStatus }: Booking) {
  const { facts, time } = view
  const mailOf = (state: repository.ActiveBookingState) =>
    toBookingMail(facts, { fee, state, position: 0, firstLessonOn: null, employeeStatus }, time.wallClock)
  return {
    courseId: facts.course.id,
    webUserId,
    isPlaceReturnable: isSeatCancellable(view),
    mails: { [Booked]: mailOf(Booked), [Waitinglist]: mailOf(Waitinglist) },
    promotion: createPromotionNotice(facts, time.wallClock),
  }
}

/**
 * Creates the booking service. There is one instance per process, which preserves the order of requests for a course.
 */
export function createBookingService({ db, wakeMailer, ask, log }: ServerContext, views: CourseViewService) {
  const countRefusal = createRefusalCounter({ db, log })
  const lanes = createKeyedSemaphores()
  const insert: BookingBatcher = ask ? booking => ask('book', booking) : createBookingBatcher(db, wakeMailer)

  return {
    /**
     * Books a seat or joins the waiting list, or returns the reason why that is not possible.
     * @param seen course as read for this request; it is read again if it turns out to be outdated
     * @throws HttpProblem 404
     */
    async bookCourse(seen: TimedCourseView, session: SessionUser, language: Language): Promise<BookingResponse> {
      const courseId = seen.facts.course.id
      let view = seen
      for (let attempt = 1; ; attempt += 1) {
        if (attempt > 1) view = await views.findView(courseId, session)
        const existing = viewerBookingOf(view)
        if (existing) {
          const key = existing.state === Waitinglist ? 'alreadyWaiting' : 'alreadyBooked'
          return answer(view, language, 'Ok', key, positionIn(existing))
        }
        const obstacle = findBookingObstacle(view)
        if (obstacle === 'fullForExternals') countRefusal(courseId)
        if (obstacle) return refuse(view, language)
        const waitS = attempt > 1 ? await findBookingWaitSeconds(db, courseId, session.id) : 0
        if (waitS > 0) {
          return answer(view, language, 'Failed', 'tooManyChanges', { wait: durationText(language, waitS) })
        }
        if (attempt > MAX_ATTEMPTS) return answer(view, language, 'Failed', 'tryAgain')
        const place = toPlace(view)
        const inserted = await insert({
          courseId,
          webUserId: session.id,
          fee: place.fee,
          employeeStatus: place.employeeStatus,
          mayWait: mayJoinWaitingList(view),
          askedAt: view.askedAt,
          mail: toSeatMailJson(view.facts, place, view.time.wallClock),
        })
        if (isSoldOut(inserted)) {
          const full = withBooking(view, null, inserted.taken)
          if (findBookingObstacle(full)) {
            countRefusal(courseId)
            return refuse(full, language)
          }
        } else if (inserted !== null && inserted !== 'known') {
          const { state, position, taken } = inserted
          const booking =
            state === Booked ? place : { ...place, state, position, placeSince: null, firstLessonOn: null }
          const key = state === Booked ? 'booked' : 'waiting'
          return answer(withBooking(view, booking, taken), language, 'Ok', key, positionIn(booking))
        }
      }
    },

    /**
     * Cancels a seat or waiting-list entry, or returns the reason why that is not possible.
     * @param view course as read for this request
     * @throws HttpProblem 404
     */
    async cancelCourse(view: CourseView, session: SessionUser, language: Language): Promise<BookingResponse> {
      const { facts } = view
      const courseId = facts.course.id
      const existing = viewerBookingOf(view)
      if (existing === null) return answer(view, language, 'Ok', 'notBooked')
      if (existing.state === Booked && !isSeatCancellable(view))
        return answer(view, language, 'Failed', 'cancelTooLate')

      const cancellation = toCancellation(view, session, existing)
      const cancel = async () =>
        (await repository.cancelBooking(db, cancellation, false)) ??
        (await db.transaction(async tx => {
          const locked = await repository.lockCourse(tx, courseId)
          if (locked?.isOver && existing.state === Booked) return null
          if (locked && existing.state === Booked) await updateWaitingList(tx, courseId, locked.wallClock, facts.region)
          return repository.cancelBooking(tx, cancellation, true)
        }))
      const cancelled = await lanes.run(courseId, cancel)
      if (cancelled) {
        const { state, taken, isPassedOver } = cancelled
        const key = state === Booked ? 'cancelled' : 'left'
        const after = withBooking(view, null, taken)
        const passedOver = after.counters.passedOver - (isPassedOver ? 1 : 0)
        const answered = answer({ ...after, counters: { ...after.counters, passedOver } }, language, 'Ok', key)
        wakeMailer()
        return answered
      }
      const after = await views.findView(courseId, session)
      return viewerBookingOf(after) === null
        ? answer(after, language, 'Ok', 'notBooked')
        : answer(after, language, 'Failed', 'cancelTooLate')
    },
  }
}
