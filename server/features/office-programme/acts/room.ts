import { ROOM } from '#contract/programme.ts'
import { keysOf, pick } from '#contract/records.ts'
import type { ActHandler, Desk } from '#server/features/office/desk-service.ts'
import { tables } from '#server/import/tables.ts'
import { deleteRoom, findRoomKey, isRoomNameTaken, isRoomUsed } from '../room-repository.ts'
import { writeRow } from '../table-repository.ts'
import { readRow } from '../table-service.ts'

/** Creates or changes a room. Courses reference it by venue and site. */
export const saveRoom: ActHandler<'save-room'> = async (desk, { roomId = null, ...fields }) => {
  const { tx } = desk
  if (roomId !== null) await desk.open('rooms', roomId)
  else if (fields.name === undefined || fields.name.trim() === '') desk.fail('failed.roomName')
  const row = readRow(desk, tables.rooms, fields)
  const stored = roomId === null ? null : await findRoomKey(tx, roomId)
  if (await isRoomNameTaken(tx, { name: '', site: '', ...stored, ...row }, roomId)) desk.fail('failed.roomTaken')
  const id = await writeRow(tx, 'rooms', roomId, roomId === null ? row : { ...stored, ...row })
  if (roomId === null) desk.setCreated('rooms', id)
  desk.programmeChanged()
  desk.note({ objects: { roomId: id }, after: pick(fields, keysOf(ROOM)) })
  return { roomId: id }
}

/** Creates rooms from the venues of a programme. */
export const createRooms: ActHandler<'create-rooms'> = async (desk, { rooms }) => {
  const roomIds: number[] = []
  for (const room of rooms) {
    if (await isRoomNameTaken(desk.tx, { site: '', ...room }, null)) desk.fail('failed.roomsTaken', { name: room.name })
    roomIds.push(await writeRow(desk.tx, 'rooms', null, readRow(desk, tables.rooms, room)))
  }
  desk.programmeChanged()
  desk.note({ after: { rooms: rooms.map(({ name }) => name) } })
  return { roomIds }
}

/**
 * Deletes a room.
 * @throws ActRejected if a lesson takes place in it
 */
export async function removeRoom(desk: Desk, id: number): Promise<void> {
  await desk.open('rooms', id)
  if (await isRoomUsed(desk.tx, id)) desk.fail('failed.inUse')
  await deleteRoom(desk.tx, id)
  desk.programmeChanged()
}
