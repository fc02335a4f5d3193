import { STATEMENT_EXTENSIONS, uploadOfficeFile } from '#contract/office/content.ts'
import * as contract from '#contract/office/office.ts'
import { getToday } from '#contract/office/today.ts'
import { isOneOf } from '#contract/records.ts'
import type { Right } from '#contract/values.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { findPage } from '#server/platform/http/pagination.ts'
import { forbidden } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { isAuditAnchorCurrent } from './audit-anchor-service.ts'
import { addCurrentNamesToEntries, listAuditLog } from './audit-log-repository.ts'
import { countHrListRemovals, isHrListRemovalLimitReached } from './directory-repository.ts'
import { listRightHolders } from './rights-repository.ts'
import * as repository from './today-repository.ts'
import { listShownTasks, readTasks } from './today-service.ts'
import { addUpload, validateUpload, ZIP_MEDIA_TYPE } from './upload-service.ts'

/** Mounts the endpoints for permissions, for the audit log, and for uploading files that actions use later. */
export function mountOffice(api: Api, context: ServerContext): void {
  const { db, config } = context

  api.mount(contract.listRights, async ({ query, shows }) => {
    const { items, next } = await findPage(query, 'webUserId', page => listRightHolders(db, page))
    shows(items.map(({ webUserId }) => webUserId))
    return { items, next, isPasskeyRequired: config.isPasskeyRequired }
  })

  api.mount(contract.listRecord, async ({ query, language, shows }) => {
    const { kind, person, course, from, to } = query
    const wanted = {
      ...(kind !== undefined && { kind }),
      ...(person !== undefined && { person }),
      ...(course !== undefined && { course }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    }
    const { items, next } = await findPage(query, 'recordId', page => listAuditLog(db, wanted, page))
    const named = await addCurrentNamesToEntries(
      db,
      items.map(row => ({ ...row, line: JSON.parse(row.line) })),
      person,
      language,
    )
    shows(named.people)
    return { items: named.items, next }
  })

  api.mount(uploadOfficeFile, async ({ file, session, language }) => {
    const { rights } = session
    const extension = file.name.split('.').at(-1)?.toLowerCase()
    const isTable = rights.includes('billing') && isOneOf(STATEMENT_EXTENSIONS, extension)
    const upload = isTable
      ? { name: file.name, mediaType: extension === 'xml' ? 'text/xml' : 'text/plain', content: file.content }
      : await validateUpload(file, language)
    const wanted = upload.mediaType === ZIP_MEDIA_TYPE || !rights.includes('content') ? 'programme' : 'content'
    const right = isTable || !rights.includes(wanted) ? 'billing' : wanted
    if (!rights.includes(right)) throw forbidden()
    return { fileId: await addUpload(db, { webUserId: session.id, right }, upload) }
  })
}

/** Number of tasks that *Today* shows of each list. */
const FIRST_TASKS = 50

/** @param isPublicUrlWrong whether people open the portal at a URL other than PUBLIC_URL */
export function mountToday(api: Api, { db, config }: ServerContext, isPublicUrlWrong: () => boolean): void {
  api.mount(getToday, async ({ session, query, shows, language }) => {
    const has = (rights: readonly Right[]) => rights.some(right => session.rights.includes(right))
    const [isAbout, isBookings] = [has(['programme', 'bookings']), has(['bookings'])]
    const shown = listShownTasks(session.rights)
    const { all, limit = FIRST_TASKS, after = 0 } = query
    if (all !== undefined) {
      if (!shown.includes(all)) throw forbidden()
      const [date, { people, totals, lists }] = await Promise.all([
        repository.findCurrentDate(db),
        readTasks(db, [all], { limit, offset: after, language }),
      ])
      shows(people)
      const end = after + limit
      return { date, totals, ...lists, next: end < (totals[all] ?? 0) ? String(end) : null }
    }
    const [date, lessons, tasks, held, removals, figures, setup, isAnchored] = await Promise.all([
      repository.findCurrentDate(db),
      isAbout ? repository.listLessons(db) : undefined,
      readTasks(db, shown, { limit: FIRST_TASKS, offset: 0, language }),
      isBookings ? repository.findHeldMails(db) : undefined,
      isBookings ? countHrListRemovals(db) : undefined,
      isAbout ? repository.findTodayFigures(db) : undefined,
      repository.findSetupProgress(db),
      has(['record', 'owner']) ? isAuditAnchorCurrent(db, config.dataDir) : true,
    ])
    shows(tasks.people)
    return {
      date,
      totals: tasks.totals,
      ...tasks.lists,
      ...(lessons && { lessons }),
      ...(held && { held }),
      ...(isBookings && isPublicUrlWrong() && { wrongAddress: config.publicUrl }),
      ...(!isAnchored && { isAuditAnchorOutdated: true as const }),
      ...(removals && isHrListRemovalLimitReached(removals) && { directoryRemovals: removals }),
      ...(figures && { figures }),
      ...(setup && { setup }),
    }
  })
}
