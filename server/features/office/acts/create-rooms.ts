import { sql } from '#server/db/client.ts'
import type { ActHandler } from '../desk-service.ts'

/** Rooms from the venues of a programme; courses are linked by venue and site. */
export const createRooms: ActHandler<'create-rooms'> = async (desk, { rooms }) => {
  const seen = new Set<string>()
  const roomIds: number[] = []
  for (const { name, site = '', capacity = 0, shared = false } of rooms) {
    const key = JSON.stringify([name, site])
    const taken = await desk.tx.query(sql`select from rooms where name = ${name} and site = ${site}`)
    if (seen.has(key) || taken.length > 0) desk.fail('failed.roomsTaken', { name })
    seen.add(key)
    const { id } = await desk.tx.one<{ id: number }>(sql`
      insert into rooms (name, site, capacity, is_shared) values (${name}, ${site}, ${capacity}, ${shared}) returning id`)
    roomIds.push(id)
  }
  desk.programmeChanged()
  desk.note({ after: { rooms: rooms.map(({ name }) => name) } })
  return { roomIds }
}
