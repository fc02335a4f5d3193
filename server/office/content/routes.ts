import * as contract from '#contract/office/content.ts'
import { streamProgramme } from '#server/features/programme/export-programme.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { findPage } from '#server/platform/http/pagination.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { listContent, listContentAlbums, listContentPages } from './repository.ts'

/** Mounts the endpoints for file uploads and programme exports. */
export function mountOfficeContent(api: Api, context: ServerContext): void {
  const { db } = context
  api.mount(contract.listOfficeContent, async ({ query }) => {
    return {
      ...(await findPage(query, 'id', page => listContent(db, page))),
      albums: await listContentAlbums(db),
      pages: await listContentPages(db),
    }
  })

  api.mount(contract.exportProgramme, async ({ query, session }) =>
    streamProgramme(db, query.seasonId ?? null, {
      format: query.format,
      hasPrivateAlbums: session.rights.includes('content'),
    }),
  )
}
