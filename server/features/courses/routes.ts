import * as contract from '#contract/endpoints/courses.ts'
import { jsonResponseWithEtag } from '#server/platform/http/encoded-json.ts'
import type { Api } from '#server/platform/http/mount.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import * as repository from './repository.ts'
import type { CourseService } from './service.ts'

export function mountCourses(api: Api, { db }: ServerContext, courses: CourseService): void {
  api.mount(contract.listSeasons, async ({ request }) =>
    jsonResponseWithEtag(request, await repository.listSeasons(db)),
  )

  api.mount(contract.listCourses, async ({ query, language, request }) => {
    const snapshot = await courses.snapshot()
    return snapshot.view(query.view ?? 'whole', language).answer(request)
  })
}
