import * as contract from '#contract/office.ts'
import { uploadOfficeFile } from '#contract/office-content.ts'
import { getToday } from '#contract/office-today.ts'
import type { Right } from '#contract/rights.ts'
import { listUnhandledWalkInGuests } from '#server/features/attendance/repository.ts'
import type { Api } from '#server/http/mount.ts'
import { findPage } from '#server/http/pagination.ts'
import { forbidden } from '#server/http/problems.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { createRateLimit } from '#server/throttle/token-buckets.ts'
import { isAuditAnchorCurrent } from './audit-anchor-service.ts'
import { addCurrentNamesToEntries, listAuditLog } from './audit-log-repository.ts'
import { countHrListRemovals, isHrListRemovalLimitReached } from './directory-repository.ts'
import { listRightHolders } from './rights-repository.ts'
import * as repository from './today-repository.ts'
import { addUpload, validateUpload, ZIP_MEDIA_TYPE } from './upload-service.ts'

/** Mounts the endpoints for permissions, for the audit log, and for uploading files that actions use later. */
export function mountOffice(api: Api, context: ServerContext): void {
  const { db } = context
  const takeUploadSlot = createRateLimit(context, 'office-files', { burst: 100, perMinute: 60 })

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
    const named = await addCurrentNamesToEntries(
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
      : await validateUpload(file, language)
    const wanted = upload.mediaType === ZIP_MEDIA_TYPE || !rights.includes('content') ? 'programme' : 'content'
    const right = isTable || !(rights.includes(wanted) || upload.mediaType === ZIP_MEDIA_TYPE) ? 'billing' : wanted
    if (!rights.includes(right)) throw forbidden()
    return { fileId: await addUpload(db, { webUserId: session.id, right }, upload) }
  })
}

/** @param isPublicUrlWrong whether people open the portal at a URL other than PUBLIC_URL */
export function mountToday(api: Api, { db, config }: ServerContext, isPublicUrlWrong: () => boolean): void {
  api.mount(getToday, async ({ session, shows }) => {
    const has = (...rights: Right[]) => rights.some(right => session.rights.includes(right))
    const [isAbout, isBookings, isProgramme] = [has('programme', 'bookings'), has('bookings'), has('programme')]
    const listGuests = async () =>
      (await listUnhandledWalkInGuests(db)).map(
        ({ guestId, name, courseId, courseName, heldAt, freePlaces, accounts }) => ({
          guestId,
          name,
          courseId,
          courseName,
          freePlaces,
          accounts,
          at: heldAt.slice(0, 16).replace(' ', 'T'),
        }),
      )
    const [
      date,
      lessons,
      unrecorded,
      absences,
      decisions,
      call,
      unverified,
      withoutPayer,
      numberConflicts,
      mails,
      held,
      guests,
      openings,
      removals,
      clashes,
      figures,
      setup,
      isAnchored,
    ] = await Promise.all([
      repository.findCurrentDate(db),
      isAbout ? repository.listLessons(db) : undefined,
      isAbout ? repository.listUnrecordedLessons(db) : undefined,
      isProgramme ? repository.listAbsences(db) : undefined,
      isProgramme ? repository.listPendingCourseDecisions(db) : undefined,
      isBookings ? repository.listPeopleToCall(db) : undefined,
      isBookings ? repository.listUnverifiedPeople(db) : undefined,
      isBookings ? repository.listAmountsWithoutPayer(db) : undefined,
      isBookings ? repository.listPersonnelNumberConflicts(db) : undefined,
      isBookings ? repository.listDelayedMails(db) : undefined,
      isBookings ? repository.findHeldMails(db) : undefined,
      isBookings ? listGuests() : undefined,
      isProgramme ? repository.listBookingStarts(db) : undefined,
      isBookings ? countHrListRemovals(db) : undefined,
      isProgramme ? repository.listClashes(db) : undefined,
      isAbout ? repository.findTodayFigures(db) : undefined,
      repository.findSetupProgress(db),
      has('record', 'owner') ? isAuditAnchorCurrent(db, config.dataDir) : true,
    ])
    const named = [
      ...(call ?? []),
      ...(unverified ?? []),
      ...(withoutPayer ?? []),
      ...(numberConflicts ?? []),
      ...(mails ?? []),
      ...(guests ?? []).flatMap(({ accounts }) => accounts),
    ]
    shows(named.flatMap(({ webUserId }) => webUserId ?? []))
    return {
      date,
      ...(lessons && { lessons }),
      ...(unrecorded && { unrecorded }),
      ...(absences && { absences }),
      ...(decisions && { decisions }),
      ...(call && { call }),
      ...(unverified && { unverified }),
      ...(withoutPayer && { withoutPayer }),
      ...(numberConflicts && { numberConflicts }),
      ...(mails && { mails }),
      ...(held && { held }),
      ...(isBookings && isPublicUrlWrong() && { wrongAddress: config.publicUrl }),
      ...(!isAnchored && { isAuditAnchorOutdated: true as const }),
      ...(removals && isHrListRemovalLimitReached(removals) && { directoryRemovals: removals }),
      ...(guests && { guests }),
      ...(openings && { openings }),
      ...(clashes && { clashes }),
      ...(figures && { figures }),
      ...(setup && { setup }),
    }
  })
}
