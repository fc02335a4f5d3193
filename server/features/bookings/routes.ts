import * as contract from '#contract/bookings.ts'
import * as coursesContract from '#contract/courses.ts'
import type { ServerContext } from '#server/context.ts'
import type { Courses } from '#server/features/courses/service.ts'
import type { Api } from '#server/http/mount.ts'
import { forbidden } from '#server/http/problems.ts'
import { createBookings } from './service.ts'

/** What people do with courses, and the courses in the eyes of one person. */
export function mountBookings(api: Api, context: ServerContext, courses: Courses): void {
  const bookings = createBookings(context, courses)

  // Before a course by its id: `/api/course/booked` must not be taken for one.
  api.mount(coursesContract.listCoursesOfSession, async ({ query, session, language }) =>
    query.view === 'states'
      ? bookings.listCourseStates(session, language)
      : bookings.listCoursesOfSession(session, language),
  )
  api.mount(coursesContract.listInstructorCourses, async ({ session, language }) => {
    if (!session.isInstructor) throw forbidden()
    return bookings.listInstructorCourses(session, language)
  })
  api.mount(contract.listBookedCourses, ({ session, language }) => bookings.listBookedCourses(session, language))
  api.mount(contract.bookCourse, ({ body, session, language }) => bookings.bookCourse(body.id, session, language))
  api.mount(contract.cancelCourse, ({ body, session, language }) => bookings.cancelCourse(body.id, session, language))
  api.mount(coursesContract.getCourse, ({ params, session, language }) =>
    bookings.getCourse(params.id, session, language),
  )
}
