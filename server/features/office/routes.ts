import * as contract from '#contract/office.ts'
import { uploadOfficeFile } from '#contract/office-content.ts'
import type { Api } from '#server/http/mount.ts'
import { findPage } from '#server/http/pagination.ts'
import { forbidden } from '#server/http/problems.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { createLimit } from '#server/throttle/limits.ts'
import { listAuditLog } from './audit-log-repository.ts'
import { addNames } from './audit-names-repository.ts'
import { listRightHolders } from './rights-repository.ts'
import { addUpload, requireTakeable, ZIP } from './upload-service.ts'

/** Rights, the audit log, and file uploads for later acts. */
export function mountOffice(api: Api, context: ServerContext): void {
  const { db } = context
  const takeUploadSlot = createLimit(context, 'office-files', { burst: 100, perMinute: 60 })

  api.mount(contract.listRights, async ({ shows }) => {
    const items = await listRightHolders(db)
    shows(items.map(({ webUserId }) => webUserId))
    return { items, next: null }
  })

  api.mount(contract.listRecord, async ({ query, shows }) => {
    const { kind, person, course, from, to } = query
    const wanted = {
      ...(kind !== undefined && { kind }),
      ...(person !== undefined && { person }),
      ...(course !== undefined && { course }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    }
    const { items, next } = await findPage(query, 'recordId', page => listAuditLog(db, wanted, page))
    const named = await addNames(
      db,
      items.map(row => ({ ...row, line: JSON.parse(row.line) })),
      person,
    )
    shows(named.people)
    return { items: named.items, next }
  })

  api.mount(uploadOfficeFile, async ({ file, session, language }) => {
    await takeUploadSlot(String(session.id))
    const { rights } = session
    const [, table] = (rights.includes('billing') && /\.(csv|xml)$/i.exec(file.name)) || []
    const isTable = table !== undefined
    const upload = isTable
      ? { name: file.name, mediaType: `text/${table.toLowerCase()}`, content: file.content }
      : await requireTakeable(file, language)
    const wanted = upload.mediaType === ZIP || !rights.includes('content') ? 'programme' : 'content'
    const right = isTable || !(rights.includes(wanted) || upload.mediaType === ZIP) ? 'billing' : wanted
    if (!rights.includes(right)) throw forbidden()
    return { fileId: await addUpload(db, { webUserId: session.id, right }, upload) }
  })
}
