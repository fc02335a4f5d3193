import * as orderContract from '#contract/endpoints/booking-order.ts'
import * as contract from '#contract/endpoints/courses.ts'
import * as coursesContract from '#contract/endpoints/courses.ts'
import { listCourseIdsOfInstructor } from '#server/features/courses/repository.ts'
import type { CourseService } from '#server/features/courses/service.ts'
import { createCourseViewService } from '#server/features/courses/view-service.ts'
import { toDateTimeValue, toTimestampText } from '#server/platform/db/date-time.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { forbidden, notFound } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { listAlternatives } from './alternative-service.ts'
import { findOrder, findOwnRequest, listHashLines } from './booking-order-service.ts'
import { listLessonPlaces } from './lesson-place-repository.ts'
import { announceAbsence, changeLessonPlace } from './lesson-place-service.ts'
import { toBookingResponse, toCourseResponse, toCourseStateResponse, toTaughtCourseResponse } from './model.ts'
import { viewerBookingOf } from './pricing-rules.ts'
import { listBookedCourses } from './repository.ts'
import { createBookingService } from './service.ts'
import { findWaitingOdds } from './waiting-odds-repository.ts'

/** Mounts the endpoints for bookings, cancellations, and courses as seen by the user. */
export function mountBookings(api: Api, context: ServerContext, courses: CourseService): void {
  const { db } = context
  const views = createCourseViewService(context, courses)
  const bookings = createBookingService(context, views)

  // Register this route before the one for a course by id, which would match `/api/course/booked`.
  api.mount(coursesContract.listCoursesOfSession, async ({ query, session, language }) => {
    const all = await views.listAllViews(session)
    return query.view === 'states'
      ? all.map(view => toCourseStateResponse(view, language))
      : all.map(view => toCourseResponse(view, language))
  })
  api.mount(coursesContract.listInstructorCourses, async ({ session, language }) => {
    if (!session.isInstructor) throw forbidden()
    const taught = await views.listViews(await listCourseIdsOfInstructor(db, session.email), session)
    return taught.map(view => toTaughtCourseResponse(view, language))
  })
  api.mount(contract.listBookedCourses, async ({ session, language }) => {
    const own = await listBookedCourses(db, session.id)
    const booked = await views.listViews([...own.keys()], session, true)
    const listed: contract.ListedCourse[] = []
    for (const view of booked) {
      const course = toCourseResponse(view, language)
      const { absences = [], freedPlaces = [] } = own.get(course.id) ?? {}
      if (viewerBookingOf(view) !== null)
        listed.push({
          ...course,
          ...(absences.length > 0 && { absences: absences.map(toDateTimeValue) }),
          ...(freedPlaces.length > 0 && {
            freedPlaces: freedPlaces.map(({ at, isTaken }) => ({ at: toDateTimeValue(at), isTaken })),
          }),
        })
      else {
        const found = await listAlternatives(db, context.config.region, course.id, [session.id])
        const alternatives = (found.get(session.id) ?? []).map(({ course: { id } }) => id)
        listed.push({ ...course, ...view.facts.cancellationNote, alternatives })
      }
    }
    return listed
  })
  api.mount(contract.bookCourse, async ({ body, session, language }) =>
    toBookingResponse(await bookings.bookCourse(await views.findView(body.id, session), session, language)),
  )
  api.mount(contract.announceAbsence, ({ body: { id, at, isAbsent, isFreed }, session, language }) => {
    const change = { courseId: id, at: toTimestampText(at), isAbsent, isFreed }
    return announceAbsence(db, session, change, language)
  })
  api.mount(contract.listLessonPlaces, async ({ session }) =>
    (await listLessonPlaces(db, session.id)).map(place => ({ ...place, at: toDateTimeValue(place.at) })),
  )
  api.mount(contract.changeLessonPlace, async ({ body, session, language }) =>
    changeLessonPlace(db, await views.findView(body.id, session), session, body, language),
  )
  api.mount(contract.cancelCourse, async ({ body, session, language }) =>
    toBookingResponse(await bookings.cancelCourse(await views.findView(body.id, session), session, language)),
  )
  api.mount(orderContract.getOwnRequest, async ({ params: { id }, session }) => {
    await views.findView(id, session)
    return { request: await findOwnRequest(db, id, session.id) }
  })
  api.mount(orderContract.getBookingOrder, async ({ params: { seasonId } }) => {
    const order = await findOrder(db, seasonId)
    if (order === null) throw notFound()
    return order
  })
  api.mount(orderContract.getBookingOrderHashes, async ({ params: { seasonId } }) => {
    const lines = await listHashLines(db, seasonId)
    if (lines.length === 0) throw notFound()
    return new Response(`${lines.join('\n')}\n`, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
  })
  api.mount(contract.getWaitingOdds, async ({ params: { id }, session }) => {
    await views.findView(id, session)
    return { odds: await findWaitingOdds(db, id, session.id) }
  })
  api.mount(coursesContract.getCourse, async ({ params, session, language }) => {
    const view = await views.findView(params.id, session)
    return toCourseResponse(view, language)
  })
}
