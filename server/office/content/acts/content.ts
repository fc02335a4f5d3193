import { fileNameScopeOfAlbum, PUBLIC_PHOTO_NAME_SCOPE } from '#server/features/programme/file-refs.ts'
import { importTableDefinitions } from '#server/features/programme/tables.ts'
import type { DbRow } from '#server/features/programme/write/upsert.ts'
import type { ActHandler, OfficeContext } from '#server/office/frame/office-context-service.ts'
import { storeUpload } from '#server/office/frame/upload-service.ts'
import { nextFreeId, upsertTableRow } from '#server/office/programme/table-repository.ts'
import { toColumnValues } from '#server/office/programme/table-service.ts'
import { cleanHtml } from '#server/platform/files/clean-html.ts'
import {
  type ContentTable,
  deleteContentRow,
  findAlbumPrivacy,
  findContentPosition,
  findCourseIdByNumber,
  findNextPosition,
  findPhotoPosition,
  hasAlbumPhotos,
  hasConflictingFileNames,
  insertPage,
  shiftContentPositions,
  updatePage,
} from '../repository.ts'

async function write(
  office: OfficeContext,
  table: ContentTable,
  id: number | undefined,
  row: DbRow,
): Promise<{ id: number }> {
  const written = await upsertTableRow(office.tx, table, id ?? null, row)
  if (await hasConflictingFileNames(office.tx)) office.fail('failed.sameName')
  if (id === undefined) office.setCreated(table, written)
  office.note({ objects: { id: written }, after: { isNew: id === undefined, fields: Object.keys(row).sort() } })
  return { id: written }
}

const onlyEmptied = (office: OfficeContext, names: (string | undefined)[]) => {
  if (names.some(name => name !== undefined && name !== '')) office.fail('failed.file')
}
const pointTo = (hash: string) => `\\x${hash}`

const CONTENT_TEXTS = ['text1', 'text2', 'text3', 'text4', 'text5', 'link'] as const

/** Creates or updates a content item: a news entry on the home page, a flyer or a document. */
const saveContent: ActHandler<'save-content'> = async (office, act) => {
  const { tx } = office
  const { id, pictureFileId, fileId, ...fields } = act
  if (id !== undefined) await office.open('content_items', id)
  const before = id === undefined ? null : await findContentPosition(tx, id)
  const contentType = fields.contentType ?? before?.contentType
  if (contentType === undefined) return office.fail('failed.field', { field: 'contentType' })
  onlyEmptied(office, [fields.pictureFileName, fields.fileName])
  const hasContent = pictureFileId || fileId || CONTENT_TEXTS.some(name => fields[name])
  if (id === undefined && !hasContent) office.fail('failed.emptyContent')
  const sortOrder =
    fields.sortOrder ??
    (before?.contentType === contentType ? before.sortOrder : await findNextPosition(tx, { contentType }))
  await shiftContentPositions(tx, { contentType }, sortOrder, id ?? null)
  const row = toColumnValues(office, importTableDefinitions.content, { ...fields, contentType, sortOrder })
  if (pictureFileId) {
    const { name, hashes } = await storeUpload(office, pictureFileId, { scope: 'content', recipes: ['picture'] })
    Object.assign(row, { picture_file_name: name, picture_sha256: pointTo(hashes.picture) })
  }
  if (fileId) {
    const wish = { scope: 'content', recipes: ['picture'], mayBeDocument: true } as const
    const { name, hashes } = await storeUpload(office, fileId, wish)
    Object.assign(row, { file_name: name, file_sha256: pointTo(hashes.picture) })
  }
  return write(office, 'content_items', id, row)
}

/** Creates or updates an album, which is public or belongs to a course. */
const saveAlbum: ActHandler<'save-album'> = async (office, act) => {
  const { tx } = office
  const { id, fileId, courseNumber, ...fields } = act
  if (id !== undefined) await office.open('albums', id)
  else if (fields.name === undefined) office.fail('failed.name')
  onlyEmptied(office, [fields.thumbnailFileName])
  const row = toColumnValues(office, importTableDefinitions.albums, fields)
  if (courseNumber !== undefined) {
    row.course_id = courseNumber === '' ? null : await findCourseIdByNumber(tx, courseNumber)
    if (courseNumber !== '' && row.course_id === null) office.fail('unknown.course')
  }
  const isPrivate =
    courseNumber === undefined
      ? id !== undefined && (await findAlbumPrivacy(tx, id))?.isPrivate === true
      : courseNumber !== ''
  const albumId = id ?? (await nextFreeId(tx, 'albums'))
  if (fileId) {
    const scope = isPrivate ? fileNameScopeOfAlbum(albumId, true) : PUBLIC_PHOTO_NAME_SCOPE
    const { name, hashes } = await storeUpload(office, fileId, { scope, recipes: ['thumbnail'] })
    Object.assign(row, { thumbnail_file_name: name, thumbnail_sha256: pointTo(hashes.thumbnail) })
  }
  if (id === undefined) row.id = albumId
  if (Object.keys(row).length === 0) return { id: albumId }
  const wasPrivate = id !== undefined && (await findAlbumPrivacy(tx, id))?.isPrivate === true
  const written = await write(office, 'albums', id, row)
  return { ...written, ...(wasPrivate && !isPrivate && { becomesPublic: true }) }
}

const savePhoto: ActHandler<'save-photo'> = async (office, act) => {
  const { tx } = office
  const { id, fileId, ...fields } = act
  if (id !== undefined) await office.open('photos', id)
  const before = id === undefined ? null : await findPhotoPosition(tx, id)
  const albumId = fields.albumId ?? before?.albumId
  if (albumId === undefined) return office.fail('failed.field', { field: 'albumId' })
  const album = await findAlbumPrivacy(tx, albumId)
  if (album === null) return office.fail('unknown.albums')
  if (id === undefined && !fileId) office.fail('failed.noFile')
  onlyEmptied(office, [fields.fileName])
  const { fileName: _, ...rest } = fields
  const sortOrder = fields.sortOrder ?? (before ? undefined : await findNextPosition(tx, { albumId }))
  if (sortOrder !== undefined) await shiftContentPositions(tx, { albumId }, sortOrder, id ?? null)
  const row = toColumnValues(office, importTableDefinitions.photos, { ...rest, albumId, sortOrder })
  if (fileId) {
    const wish = { scope: fileNameScopeOfAlbum(albumId, album.isPrivate), recipes: ['picture', 'thumbnail'] } as const
    const { name, hashes } = await storeUpload(office, fileId, wish)
    Object.assign(row, {
      file_name: name,
      photo_sha256: pointTo(hashes.picture),
      thumbnail_sha256: pointTo(hashes.thumbnail),
    })
  }
  const wasPrivate = before !== null && (await findAlbumPrivacy(tx, before.albumId))?.isPrivate === true
  const written = await write(office, 'photos', id, row)
  return { ...written, ...(wasPrivate && !album.isPrivate && { becomesPublic: true }) }
}

/**
 * Removes a content item.
 * @throws ActRejected if it does not exist or was changed concurrently
 */
export async function removeContent(office: OfficeContext, id: number): Promise<void> {
  await office.open('content_items', id)
  await deleteContentRow(office.tx, 'content_items', id)
}

/**
 * Deletes an empty album.
 * @throws ActRejected if it contains photos
 */
export async function removeAlbum(office: OfficeContext, id: number): Promise<void> {
  await office.open('albums', id)
  if (await hasAlbumPhotos(office.tx, id)) office.fail('failed.inUse')
  await deleteContentRow(office.tx, 'albums', id)
}

/**
 * Removes a photo.
 * @throws ActRejected if it does not exist or was changed concurrently
 */
export async function removePhoto(office: OfficeContext, id: number): Promise<void> {
  await office.open('photos', id)
  await deleteContentRow(office.tx, 'photos', id)
}

/** Replaces a page's texts. If both languages are empty, the built-in text is shown again. */
const savePage: ActHandler<'save-page'> = async (office, { page, text, text2 }) => {
  const isNew = await insertPage(office.tx, page)
  if (!isNew) await office.open('pages', page)
  const clean = (html: string | undefined) => (html === undefined ? undefined : cleanHtml(html))
  await updatePage(office.tx, page, { text: clean(text), text2: clean(text2) })
  if (isNew) office.setCreated('pages', page)
  office.note({ objects: { page }, after: { isNew, text: text?.length, text2: text2?.length } })
}

export const contentHandlers = {
  'save-content': saveContent,
  'save-album': saveAlbum,
  'save-photo': savePhoto,
  'save-page': savePage,
}
