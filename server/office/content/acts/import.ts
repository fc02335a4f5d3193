import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ActHandler, Actor } from '#server/office/frame/office-context-service.ts'
import { requireUpload, XLSX_MEDIA_TYPE, ZIP_MEDIA_TYPE } from '#server/office/frame/upload-service.ts'
import { unpackZip } from '#server/platform/files/file-reader.ts'
import { UnreadableFile } from '#server/platform/files/problems.ts'
import { importProgrammeFolder } from '../import-service.ts'

/** Key by which the file reader schedules callers fairly. */
const callerOf = (actor: Actor) =>
  actor.kind === 'command' ? 'command' : actor.kind === 'user' ? `act ${actor.id}` : `token ${actor.tokenId}`

/**
 * Imports a zip of the import folder or a single workbook, like `npm run import`. Notifies people with bookings about
 * changes. Content, albums and photos are left out without the right to edit them, and the result says so.
 */
export const importProgramme: ActHandler<'import-programme'> = async (office, { fileId, prune }) => {
  const { name, mediaType, content } = await requireUpload(office, fileId)
  if (mediaType !== ZIP_MEDIA_TYPE && mediaType !== XLSX_MEDIA_TYPE) office.fail('failed.noZip')
  const temporary = await mkdtemp(join(tmpdir(), 'programme-'))
  try {
    const folder = join(temporary, 'unpacked')
    await mkdir(folder)
    const file = mediaType === ZIP_MEDIA_TYPE ? join(temporary, 'programme.zip') : join(folder, name)
    await writeFile(file, content)
    if (mediaType === ZIP_MEDIA_TYPE) await unpackZip(callerOf(office.actor), file, folder)
    const isWithoutContent = !office.actor.rights.includes('content')
    const imported = await importProgrammeFolder(office, {
      folder,
      isPrune: prune,
      isWithoutPeople: true,
      isWithoutContent,
    })
    const { counts, notes, clashes } = imported
    for (const { room, instructorName, courseId, name, at } of clashes)
      office.clash({ ...(room && { room }), ...(instructorName && { instructor: instructorName }), courseId, name, at })
    return { counts: Object.fromEntries(counts), notes }
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
