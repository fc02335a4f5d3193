import { bookCourse, cancelCourse, listBookedCourses } from '#contract/bookings.ts'
import type { ServerContext } from '#server/context.ts'
import { type Api, notImplemented } from '#server/http/mount.ts'

export function mountBookings(api: Api, _context: ServerContext): void {
  api.mount(listBookedCourses, notImplemented)
  api.mount(bookCourse, notImplemented)
  api.mount(cancelCourse, notImplemented)
}
