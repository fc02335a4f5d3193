import { listInstructors, listWebContentItems } from '#contract/content.ts'
import type { ServerContext } from '#server/context.ts'
import { jsonWithEtag } from '#server/http/etag.ts'
import type { Api } from '#server/http/mount.ts'
import { byName } from '#server/texts/by-name.ts'
import { listContentItems, listInstructorProfiles } from './repository.ts'

export function mountContent(api: Api, { db }: ServerContext): void {
  api.mount(listWebContentItems, async ({ request }) => jsonWithEtag(request, await listContentItems(db)))

  api.mount(listInstructors, async ({ request }) =>
    jsonWithEtag(request, (await listInstructorProfiles(db)).sort(byName)),
  )
}
