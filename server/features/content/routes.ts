import type { Hono } from 'hono'
import * as contract from '#contract/content.ts'
import { createFileCache, mountStoredFiles } from '#server/features/files/service.ts'
import { jsonWithEtag } from '#server/http/encoded-json.ts'
import type { Api } from '#server/http/mount.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { byName } from '#server/texts/translate.ts'
import { findContentFile, listInstructors, listPages, listWebContentItems } from './repository.ts'

export function mountContent(api: Api, { db }: ServerContext): void {
  api.mount(contract.listWebContentItems, async ({ request }) => jsonWithEtag(request, await listWebContentItems(db)))

  api.mount(contract.listPages, async ({ request }) => jsonWithEtag(request, await listPages(db)))

  api.mount(contract.listInstructors, async ({ request }) =>
    jsonWithEtag(request, (await listInstructors(db)).sort(byName)),
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
