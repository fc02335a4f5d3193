import { sql } from '#server/db/client.ts'
import type { ActHandler } from '#server/features/office/desk-service.ts'

/** A new room, or changes of one. Courses are in it by their venue. */
export const saveRoom: ActHandler<'save-room'> = async (desk, { roomId, name, site, capacity, shared }) => {
  if (roomId !== undefined) await desk.open('rooms', roomId)
  else if (name === undefined || name.trim() === '') desk.fail('failed.roomName')
  const taken = await desk.tx.query(sql`
    select from rooms r where r.id is distinct from ${roomId ?? null}::int
      and r.name = coalesce(${name ?? null}, (select name from rooms where id = ${roomId ?? null}::int))
      and r.site = coalesce(${site ?? null}, (select site from rooms where id = ${roomId ?? null}::int), '')`)
  if (taken.length > 0) desk.fail('failed.roomTaken')
  const { id } = await desk.tx.one<{ id: number }>(
    roomId === undefined
      ? sql`insert into rooms (name, site, capacity, is_shared)
          values (${name ?? ''}, ${site ?? ''}, ${capacity ?? 0}, ${shared ?? false}) returning id`
      : sql`update rooms set name = coalesce(${name ?? null}, name), site = coalesce(${site ?? null}, site),
            capacity = coalesce(${capacity ?? null}::int, capacity), is_shared = coalesce(${shared ?? null}::boolean, is_shared)
          where id = ${roomId} returning id`,
  )
  if (roomId === undefined) desk.made('rooms', id)
  desk.programmeChanged()
  desk.note({ objects: { roomId: id }, after: { name, site, capacity, shared } })
  return { roomId: id }
}

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
