import { getCourse, listCourses, listCoursesOfSession, listInstructorCourses, listSeasons } from '#contract/courses.ts'
import type { ServerContext } from '#server/context.ts'
import { type Api, notImplemented } from '#server/http/mount.ts'

export function mountCourses(api: Api, _context: ServerContext): void {
  api.mount(listSeasons, notImplemented)
  api.mount(listCourses, notImplemented)
  api.mount(listCoursesOfSession, notImplemented)
  api.mount(listInstructorCourses, notImplemented)
  api.mount(getCourse, notImplemented)
}
