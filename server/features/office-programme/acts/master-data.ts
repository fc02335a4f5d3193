import { latestYearOfBirth } from '#contract/profile-rules.ts'
import { ROOM_FIELDS } from '#contract/programme.ts'
import { keysOf, pick } from '#contract/records.ts'
import { findServerTime } from '#server/db/date-time.ts'
import type { ActHandler, OfficeContext } from '#server/features/office/desk-service.ts'
import { storeUpload } from '#server/features/office/upload-service.ts'
import { importTableDefinitions } from '#server/import/tables.ts'
import { upsertTable } from '#server/import/write/upsert.ts'
import {
  deleteRoom,
  findAccountId,
  findInstructorName,
  findRoomNameAndSite,
  isRoomNameTaken,
  isRoomUsed,
  upsertTableRow,
} from '../table-repository.ts'
import { parseActFields, saveTableRow, toColumnValues, toImportTable } from '../table-service.ts'

/** Creates or updates an instructor. An account with the instructor's e-mail address gets instructor access. */
export const saveInstructor: ActHandler<'save-instructor'> = async (desk, act) => {
  const { tx } = desk
  const { email } = act
  const isNew = (await findInstructorName(tx, email)) === null
  if (isNew && act.familyName === undefined) desk.fail('failed.name')
  if (!isNew) await desk.open('instructors', email)
  const year = Number((await findServerTime(tx)).slice(0, 4))
  if (act.yearOfBirth && act.yearOfBirth > latestYearOfBirth(year)) desk.fail('failed.yearOfBirth')
  const values = parseActFields(desk, importTableDefinitions.instructors, act)
  // A picture can only be uploaded or removed; a file name alone is rejected.
  if (values.pictureFileName) desk.fail('failed.file')
  const picture = act.fileId ? await storeUpload(desk, act.fileId, { scope: 'content', recipes: ['picture'] }) : null
  if (picture) values.pictureFileName = picture.name
  const table = toImportTable(importTableDefinitions.instructors, [values], new Set(Object.keys(values)))
  for (const row of picture ? table.rows : []) row.hashes.picture_sha256 = picture?.hashes.picture ?? null
  await upsertTable(tx, table, { table: 'instructors', key: ['email'] })
  if (isNew) desk.setCreated('instructors', email)
  desk.programmeChanged()
  // The audit log contains no e-mail addresses, so it records the account with the instructor's e-mail address by its
  // id.
  const webUserId = await findAccountId(tx, email)
  if (webUserId !== null) desk.addAffected({ people: [webUserId] })
  desk.note({ ...(webUserId !== null && { objects: { webUserId } }), after: { isNew, fields: Object.keys(values) } })
}

export const saveCategory: ActHandler<'save-category'> = async (desk, { fileId, ...fields }) => {
  // A picture can only be uploaded or removed; a file name alone is rejected.
  if (fields.icon?.includes('.')) desk.fail('failed.file')
  const picture = fileId ? await storeUpload(desk, fileId, { scope: 'content', recipes: ['picture'] }) : null
  const id = await saveTableRow(
    desk,
    'categories',
    importTableDefinitions.categories,
    { ...fields, ...(picture && { icon: picture.name }) },
    picture ? { icon_sha256: picture.hashes.picture } : {},
  )
  desk.note({ objects: { categoryId: id } })
  return { id }
}

export const saveDivision: ActHandler<'save-division'> = async (desk, act) => {
  const id = await saveTableRow(desk, 'divisions', importTableDefinitions.divisions, act)
  desk.note({ objects: { divisionId: id } })
  return { id }
}

/** Creates or updates a room. Courses refer to it by venue and site. */
export const saveRoom: ActHandler<'save-room'> = async (desk, { roomId = null, ...fields }) => {
  const { tx } = desk
  if (roomId !== null) await desk.open('rooms', roomId)
  else if (fields.name === undefined || fields.name.trim() === '') desk.fail('failed.roomName')
  const row = toColumnValues(desk, importTableDefinitions.rooms, fields)
  const stored = roomId === null ? null : await findRoomNameAndSite(tx, roomId)
  if (await isRoomNameTaken(tx, { name: '', site: '', ...stored, ...row }, roomId)) desk.fail('failed.roomTaken')
  const id = await upsertTableRow(tx, 'rooms', roomId, roomId === null ? row : { ...stored, ...row })
  if (roomId === null) desk.setCreated('rooms', id)
  desk.programmeChanged()
  desk.note({ objects: { roomId: id }, after: pick(fields, keysOf(ROOM_FIELDS)) })
  return { roomId: id }
}

/** Creates rooms from the venues of the programme. */
export const createRooms: ActHandler<'create-rooms'> = async (desk, { rooms }) => {
  const roomIds: number[] = []
  for (const room of rooms) {
    if (await isRoomNameTaken(desk.tx, { site: '', ...room }, null)) desk.fail('failed.roomsTaken', { name: room.name })
    roomIds.push(await upsertTableRow(desk.tx, 'rooms', null, toColumnValues(desk, importTableDefinitions.rooms, room)))
  }
  desk.programmeChanged()
  desk.note({ after: { rooms: rooms.map(({ name }) => name) } })
  return { roomIds }
}

/**
 * Deletes a room.
 * @throws ActRejected if a lesson takes place in it
 */
export async function removeRoom(desk: OfficeContext, id: number): Promise<void> {
  await desk.open('rooms', id)
  if (await isRoomUsed(desk.tx, id)) desk.fail('failed.inUse')
  await deleteRoom(desk.tx, id)
  desk.programmeChanged()
}
