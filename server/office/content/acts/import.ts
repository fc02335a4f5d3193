import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nameInLanguage } from '#contract/words.ts'
import type { ActHandler, Actor, OfficeContext } from '#server/office/frame/office-context-service.ts'
import { requireUpload, XLSM_MEDIA_TYPE, XLSX_MEDIA_TYPE, ZIP_MEDIA_TYPE } from '#server/office/frame/upload-service.ts'
import { formatDateTime } from '#server/office/programme/course-service.ts'
import { unpackZip } from '#server/platform/files/file-reader.ts'
import { UnreadableFile } from '#server/platform/files/problems.ts'
import { importProgrammeFolder } from '../import-service.ts'
import { findLastIds, type LastIds, listSeasonsWithNewCourses } from '../repository.ts'

/** Key by which the file reader schedules callers fairly. */
const callerOf = (actor: Actor) =>
  actor.kind === 'command' ? 'command' : actor.kind === 'user' ? `act ${actor.id}` : `token ${actor.tokenId}`

/** Describes which new seasons and courses become visible, and when they can be booked. */
async function noteVisibility(office: OfficeContext, known: LastIds): Promise<string[]> {
  const seasons = await listSeasonsWithNewCourses(office.tx, known)
  return seasons.map(({ name, name2, isDraft, courses: count, visibleFrom, bookableFrom, isVisible, isBookable }) => {
    const season = nameInLanguage(office.language, { name, name2 })
    if (isDraft) return office.say('import.draft', { season, count })
    const visible = office.say(`import.${isVisible ? 'visibleNow' : 'visibleFrom'}`, {
      at: formatDateTime(visibleFrom),
    })
    // A season whose file names no start of booking has been bookable since the year 2000.
    const bookableKey = isBookable ? (bookableFrom < '2000-01-02' ? 'bookableNow' : 'bookableSince') : 'bookableFrom'
    const bookable = office.say(`import.${bookableKey}`, { at: formatDateTime(bookableFrom) })
    return office.say('import.published', { season, count, visible, bookable })
  })
}

/**
 * Imports a zip of the import folder or a single workbook, like `npm run import`. Notifies people with bookings about
 * changes. Content, albums and photos are left out without the right to edit them, and the result says so.
 */
const importProgramme: ActHandler<'import-programme'> = async (office, { fileId, prune, draft }) => {
  const { name, mediaType, content } = await requireUpload(office, fileId)
  if (![ZIP_MEDIA_TYPE, XLSX_MEDIA_TYPE, XLSM_MEDIA_TYPE].includes(mediaType)) office.fail('failed.noZip')
  const temporary = await mkdtemp(join(tmpdir(), 'programme-'))
  try {
    const folder = join(temporary, 'unpacked')
    await mkdir(folder)
    const file = mediaType === ZIP_MEDIA_TYPE ? join(temporary, 'programme.zip') : join(folder, name)
    await writeFile(file, content)
    if (mediaType === ZIP_MEDIA_TYPE) await unpackZip(callerOf(office.actor), file, folder)
    const isWithoutContent = !office.actor.rights.includes('content')
    const known = await findLastIds(office.tx)
    const imported = await importProgrammeFolder(office, {
      folder,
      isPrune: prune,
      isDraft: draft,
      isWithoutPeople: true,
      isWithoutContent,
    })
    const { counts, notes, clashes } = imported
    for (const { room, instructorName, courseId, name, at } of clashes)
      office.clash({ ...(room && { room }), ...(instructorName && { instructor: instructorName }), courseId, name, at })
    return { counts: Object.fromEntries(counts), notes: [...(await noteVisibility(office, known)), ...notes] }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return office.fail(
      'failed.import',
      { count: 1 },
      {
        errors: [`${name}:1: file: ${error.said.in(office.language)}`],
      },
    )
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

export const importHandlers = {
  'import-programme': importProgramme,
}
