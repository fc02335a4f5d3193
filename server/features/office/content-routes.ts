import * as contract from '#contract/office-content.ts'
import type { ServerContext } from '#server/context.ts'
import type { Api } from '#server/http/mount.ts'
import { forbidden } from '#server/http/problems.ts'
import { streamProgramme } from '#server/import/export-programme.ts'
import { createLimit } from '#server/throttle/limits.ts'
import { listContent, listContentAlbums, listContentPages } from './content-repository.ts'
import { findPage } from './read-rules.ts'
import { addUpload, requireTakeable, ZIP } from './upload-service.ts'

/** Files on their way in, and the programme on its way out. */
export function mountOfficeContent(api: Api, context: ServerContext): void {
  const { db } = context
  const takeUploadSlot = createLimit(context, 'office-files', { burst: 100, perMinute: 60 })

  api.mount(contract.uploadOfficeFile, async ({ file, session, language }) => {
    await takeUploadSlot(String(session.id))
    const upload = await requireTakeable(file, language)
    const right = upload.mediaType === ZIP || !session.rights.includes('content') ? 'programme' : 'content'
    if (!session.rights.includes(right)) throw forbidden()
    return { fileId: await addUpload(db, { webUserId: session.id, right }, upload) }
  })

  api.mount(contract.listOfficeContent, async ({ query }) => {
    return {
      ...(await findPage(query, 'id', page => listContent(db, page))),
      albums: await listContentAlbums(db),
      pages: await listContentPages(db),
    }
  })

  api.mount(contract.exportProgramme, async ({ query }) => streamProgramme(db, query.seasonId ?? null, query.format))
}
