import { bookCourse, cancelCourse, listBookedCourses } from '#contract/bookings.ts'
import type { ServerContext } from '#server/context.ts'
import type { Courses } from '#server/features/courses/service.ts'
import type { Api } from '#server/http/mount.ts'
import { createBookings } from './service.ts'

export function mountBookings(api: Api, context: ServerContext, courses: Courses): void {
  const bookings = createBookings(context, courses)

  api.mount(listBookedCourses, ({ session }) => bookings.listBookedCourses(session))
  api.mount(bookCourse, ({ body, session, language }) => bookings.bookCourse(body.id, session, language))
  api.mount(cancelCourse, ({ body, session, language }) => bookings.cancelCourse(body.id, session, language))
}
