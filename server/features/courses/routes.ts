import { getCourse, listCourses, listCoursesOfSession, listInstructorCourses, listSeasons } from '#contract/courses.ts'
import type { ServerContext } from '#server/context.ts'
import { jsonWithEtag } from '#server/http/encoded-json.ts'
import type { Api } from '#server/http/mount.ts'
import { forbidden, notFound } from '#server/http/problems.ts'
import * as repository from './repository.ts'
import type { Courses } from './service.ts'

export function mountCourses(api: Api, { db }: ServerContext, courses: Courses): void {
  api.mount(listSeasons, async ({ request }) => jsonWithEtag(request, await repository.listSeasons(db)))

  api.mount(listCourses, async ({ query, request }) => {
    const snapshot = await courses.snapshot()
    return snapshot.view(query.view ?? 'whole').answer(request)
  })

  api.mount(listCoursesOfSession, async ({ query, session }) =>
    query.view === 'states' ? courses.listCourseStates(session) : courses.listCoursesOfSession(session),
  )

  api.mount(listInstructorCourses, async ({ session }) => {
    if (!session.isInstructor) throw forbidden()
    return courses.listInstructorCourses(session)
  })

  api.mount(getCourse, async ({ params, session }) => {
    const look = await courses.lookAtCourse(params.id, session)
    if (look === null) throw notFound()
    return courses.present(look)
  })
}
