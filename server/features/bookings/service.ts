import { type Course, type CourseState, countTaken } from '#contract/courses.ts'
import { BOOKING_STATUS, type Language, type ResponseStatus } from '#contract/values.ts'
import { escapeHtml, formatDate, formatTime, nameIn } from '#contract/words.ts'
import type { ServerContext } from '#server/context.ts'
import type { Queryable } from '#server/db/client.ts'
import { createLanes } from '#server/db/gate.ts'
import { together } from '#server/db/together.ts'
import { listCourseFacts, listCourseIdsOfInstructor } from '#server/features/courses/repository.ts'
import type { CourseFacts } from '#server/features/courses/rules.ts'
import type { Courses } from '#server/features/courses/service.ts'
import type { SessionUser } from '#server/http/mount.ts'
import { notFound, sessionInvalid } from '#server/http/problems.ts'
import { durationText } from '#server/texts/duration.ts'
import { translate } from '#server/texts/translate.ts'
import { findChangeWaitS } from './booking-repository.ts'
import { type Booker, clockMs, createBooker, isSoldOut } from './booking-service.ts'
import { presentCourse, presentCourseState } from './model.ts'
import { findObstacle, isPlaceReturnable, mayWait } from './policy.ts'
import * as repository from './repository.ts'
import { bookingMailOf, firstLessonOf } from './rules.ts'
import { findViewer, listCountersFor, listCountersForEach, type ViewRequest } from './viewer-repository.ts'
import { type Booking, bookingOf, type CourseView, feeFor, NO_FEE } from './viewer-rules.ts'

const { Booked, Waitinglist } = BOOKING_STATUS
/** A place may come and go between the look at a course and the attempt to book it. */
const MAX_ATTEMPTS = 3

/** What people are told who move up. @param placeSince now, 'YYYY-MM-DD HH:MM:SS' */
function promotionNews(facts: CourseFacts, placeSince: string): repository.PromotionNews {
  const lesson = firstLessonOf(facts, placeSince)
  const messageIn = (language: Language) => {
    const name = nameIn(language, facts.course)
    const first = lesson && { date: formatDate(lesson), time: formatTime(lesson) }
    const sentences = [
      translate(language, 'bookings.promotionText', { name: escapeHtml(name) }),
      first && translate(language, 'bookings.promotionLesson', first),
    ]
    return {
      title: translate(language, 'bookings.promotionTitle', { name }),
      text: `<p>${sentences.filter(Boolean).join(' ')}</p>`,
    }
  }
  // Whoever moves up keeps what was agreed on: fee and group are filled in.
  const place = { fee: NO_FEE, state: Booked, position: 0, placeSince, employeeStatus: null }
  return {
    mail: bookingMailOf(facts, place, placeSince),
    isFreeWithAttendance: facts.course.freeWithAttendance,
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
  if (locked === null) return
  if (locked.isOver) {
    await repository.cancelWaitingList(tx, courseId)
    return
  }
  const promoted = await repository.promoteBookings(tx, courseId)
  const [facts] = promoted.length > 0 ? await listCourseFacts(tx, region, courseId) : []
  if (facts) await repository.insertPromotionNews(tx, promoted, promotionNews(facts, locked.wallClock))
}

export function createBookings({ db, wakeMailer, ask }: ServerContext, courses: Courses) {
  const lanes = createLanes()
  const countTogether = together((requests: ViewRequest[]) => listCountersForEach(db, requests))
  const insert: Booker = ask ? booking => ask('book', booking) : createBooker(db)

  const answer = (
    view: CourseView,
    language: Language,
    status: ResponseStatus,
    key: string,
    values: Record<string, string | number> = {},
  ): Course => {
    const course = presentCourse(view, language)
    const name = nameIn(language, course)
    return { ...course, status, message: translate(language, `bookings.${key}`, { name, ...values }) }
  }

  const refuse = (view: CourseView, language: Language): Course => {
    const course = presentCourse(view, language)
    return { ...course, status: 'Failed', message: course.obstacleText }
  }

  /** The courses of these that can be seen, the soonest first. */
  const listViews = async (courseIds: number[], session: SessionUser | null): Promise<CourseView[]> => {
    const { viewer, ...counted } = await listCountersFor(db, courseIds, session?.id ?? null)
    if (session && viewer === null) throw sessionInvalid()
    return (await courses.coursesOf(counted)).map(course => ({ ...course, viewer }))
  }

  const listAllViews = async (session: SessionUser): Promise<CourseView[]> => {
    const [{ courses: all, time }, viewer] = await Promise.all([courses.snapshot(), findViewer(db, session.id)])
    if (viewer === null) throw sessionInvalid()
    return all.map(course => ({ ...course, time, viewer }))
  }

  const getView = async (courseId: number, session: SessionUser | null): Promise<CourseView> => {
    const { viewer, ...counted } = await countTogether({ courseId, webUserId: session?.id ?? null })
    if (session && viewer === null) throw sessionInvalid()
    const [course] = await courses.coursesOf(counted)
    if (course === undefined) throw notFound()
    return { ...course, viewer }
  }

  /** The course as the person sees it with this booking, or without any, and that many places and spots taken. */
  const withBooking = (view: CourseView, booking: Booking | null, taken: number): CourseView => ({
    ...view,
    counters: { ...view.counters, taken },
    shown: { ...view.shown, ...countTaken(taken, view.facts.course.participants) },
    viewer: view.viewer && { ...view.viewer, bookings: new Map(booking && [[view.facts.course.id, booking]]) },
  })

  return {
    /** One course in the eyes of a person or a visitor. @throws HttpProblem 404 */
    getCourse: async (courseId: number, session: SessionUser | null, language: Language): Promise<Course> =>
      presentCourse(await getView(courseId, session), language),

    listCoursesOfSession: async (session: SessionUser, language: Language): Promise<Course[]> =>
      (await listAllViews(session)).map(view => presentCourse(view, language)),

    listCourseStates: async (session: SessionUser, language: Language): Promise<CourseState[]> =>
      (await listAllViews(session)).map(view => presentCourseState(view, language)),

    async listInstructorCourses(session: SessionUser, language: Language): Promise<Course[]> {
      const views = await listViews(await listCourseIdsOfInstructor(db, session.email), session)
      return views.map(view => presentCourse(view, language))
    },

    async listBookedCourses(session: SessionUser, language: Language): Promise<Course[]> {
      const views = await listViews(await repository.listBookedCourseIds(db, session.id), session)
      return views.map(view => presentCourse(view, language))
    },

    /** Books a place or a waiting-list spot, or says why not. @throws HttpProblem 404 */
    async bookCourse(courseId: number, session: SessionUser, language: Language): Promise<Course> {
      for (let attempt = 1; ; attempt += 1) {
        const askedAt = clockMs()
        const view = await getView(courseId, session)
        const existing = bookingOf(view)
        if (existing) {
          const key = existing.state === Waitinglist ? 'alreadyWaiting' : 'alreadyBooked'
          return answer(view, language, 'Ok', key, { position: existing.position })
        }
        if (findObstacle(view)) return refuse(view, language)
        const waitS = attempt > 1 ? await findChangeWaitS(db, courseId, session.id) : 0
        if (waitS > 0) {
          return answer(view, language, 'Failed', 'tooManyChanges', { wait: durationText(language, waitS) })
        }
        if (attempt > MAX_ATTEMPTS) return answer(view, language, 'Failed', 'tryAgain')
        const fee = feeFor(view)
        const employeeStatus = view.viewer?.employeeStatus ?? null
        const placeSince = view.time.wallClock
        const place = { state: Booked, position: 0, presentLessons: 0, placeSince, fee, employeeStatus }
        const spot = { ...place, state: Waitinglist, placeSince: null }
        const newBooking = {
          courseId,
          webUserId: session.id,
          fee,
          employeeStatus,
          mayWait: mayWait(view),
          askedAt,
          mails: {
            booking: bookingMailOf(view.facts, place, placeSince),
            'waiting-list': bookingMailOf(view.facts, spot, placeSince),
          },
        }
        const inserted = await insert(newBooking)
        if (isSoldOut(inserted)) {
          const full = withBooking(view, null, inserted.taken)
          if (findObstacle(full)) return refuse(full, language)
        } else if (inserted !== null && inserted !== 'known') {
          wakeMailer()
          const { state, position, taken } = inserted
          const booking = state === Booked ? place : { ...spot, position }
          const key = state === Booked ? 'booked' : 'waiting'
          return answer(withBooking(view, booking, taken), language, 'Ok', key, { position })
        }
      }
    },

    /** Gives back a place or a waiting-list spot, or says why not. @throws HttpProblem 404 */
    async cancelCourse(courseId: number, session: SessionUser, language: Language): Promise<Course> {
      const view = await getView(courseId, session)
      const { facts, time } = view
      const existing = bookingOf(view)
      if (existing === null) return answer(view, language, 'Ok', 'notBooked')
      const isReturnable = isPlaceReturnable(view)
      if (existing.state === Booked && !isReturnable) return answer(view, language, 'Failed', 'cancelTooLate')

      const mailOf = (state: repository.BookedState) =>
        bookingMailOf(
          facts,
          { fee: existing.fee, state, position: 0, placeSince: null, employeeStatus: existing.employeeStatus },
          time.wallClock,
        )
      const cancellation = {
        courseId,
        webUserId: session.id,
        isPlaceReturnable: isReturnable,
        mails: { [Booked]: mailOf(Booked), [Waitinglist]: mailOf(Waitinglist) },
        promotion: promotionNews(facts, time.wallClock),
      }
      const cancel = async () =>
        (await repository.cancelBooking(db, cancellation, false)) ??
        (await db.transaction(async tx => {
          await repository.lockCourse(tx, courseId)
          return repository.cancelBooking(tx, cancellation, true)
        }))
      const cancelled = await lanes.run(courseId, cancel)
      if (cancelled) {
        wakeMailer()
        const { state, taken } = cancelled
        return answer(withBooking(view, null, taken), language, 'Ok', state === Booked ? 'cancelled' : 'left')
      }
      const after = await getView(courseId, session)
      return bookingOf(after) === null
        ? answer(after, language, 'Ok', 'notBooked')
        : answer(after, language, 'Failed', 'cancelTooLate')
    },
  }
}
