import type { Hono } from 'hono'
import * as contract from '#contract/endpoints/content.ts'
import { compareByName } from '#contract/name-order.ts'
import { createFileCache, mountStoredFiles } from '#server/features/files/service.ts'
import { jsonResponseWithEtag } from '#server/platform/http/encoded-json.ts'
import type { Api } from '#server/platform/http/mount.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { findContentFile, listInstructors, listPages, listWebContentItems } from './repository.ts'

export function mountContent(api: Api, { db }: ServerContext): void {
  api.mount(contract.listWebContentItems, async ({ request }) =>
    jsonResponseWithEtag(request, await listWebContentItems(db)),
  )

  api.mount(contract.listPages, async ({ request }) => jsonResponseWithEtag(request, await listPages(db)))

  api.mount(contract.listInstructors, async ({ request }) =>
    jsonResponseWithEtag(request, (await listInstructors(db)).sort(compareByName)),
  )
}

/** Serves public pictures and documents of content items and instructors. */
export function mountContentFiles(app: Hono, { db }: ServerContext): void {
  const readFile = createFileCache(db)
  mountStoredFiles(app, '/content', async (name, ifNoneMatchTags, width) => {
    const ref = await findContentFile(db, name)
    const file = ref && (await readFile(ref, ifNoneMatchTags, width))
    return file && { file, isPublic: true }
  })
}
