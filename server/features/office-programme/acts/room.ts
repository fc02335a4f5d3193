import type { ActHandler, Desk } from '#server/features/office/desk-service.ts'
import { deleteRoom, findRoom, insertRoom, isRoomNameTaken, isRoomUsed, updateRoom } from '../room-repository.ts'

/** Creates or changes a room. Courses are linked by venue and site. */
export const saveRoom: ActHandler<'save-room'> = async (desk, { roomId = null, name, site, capacity, shared }) => {
  const { tx } = desk
  if (roomId !== null) await desk.open('rooms', roomId)
  else if (name === undefined || name.trim() === '') desk.fail('failed.roomName')
  const stored = roomId === null ? null : await findRoom(tx, roomId)
  const room = {
    name: name ?? stored?.name ?? '',
    site: site ?? stored?.site ?? '',
    capacity: capacity ?? stored?.capacity ?? 0,
    shared: shared ?? stored?.shared ?? false,
  }
  if (await isRoomNameTaken(tx, room, roomId)) desk.fail('failed.roomTaken')
  if (roomId !== null) await updateRoom(tx, roomId, room)
  const id = roomId ?? (await insertRoom(tx, room))
  if (roomId === null) desk.made('rooms', id)
  desk.programmeChanged()
  desk.note({ objects: { roomId: id }, after: { name, site, capacity, shared } })
  return { roomId: id }
}

/** Creates rooms from the venues of a programme. */
export const createRooms: ActHandler<'create-rooms'> = async (desk, { rooms }) => {
  const roomIds: number[] = []
  for (const { name, site = '', capacity = 0, shared = false } of rooms) {
    const room = { name, site, capacity, shared }
    if (await isRoomNameTaken(desk.tx, room, null)) desk.fail('failed.roomsTaken', { name })
    roomIds.push(await insertRoom(desk.tx, room))
  }
  desk.programmeChanged()
  desk.note({ after: { rooms: rooms.map(({ name }) => name) } })
  return { roomIds }
}

/** Deletes a room. @throws ActRejected when a lesson is held in it */
export async function removeRoom(desk: Desk, id: number): Promise<void> {
  await desk.open('rooms', id)
  if (await isRoomUsed(desk.tx, id)) desk.fail('failed.inUse')
  await deleteRoom(desk.tx, id)
  desk.programmeChanged()
}
