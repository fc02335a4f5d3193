import { type Queryable, sql } from '#server/db/client.ts'
import { lessons } from '#server/features/courses/lesson-repository.ts'

export const isRoom = async (tx: Queryable, roomId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`select from rooms where id = ${roomId}`)) !== null

type Room = { name: string; site: string; capacity: number; shared: boolean }

export const findRoom = (tx: Queryable, roomId: number): Promise<Room | null> =>
  tx.maybeOne(sql`select name, site, capacity, is_shared as shared from rooms where id = ${roomId}`)

/** Whether another room has this name at this site. */
export const isRoomNameTaken = async (
  tx: Queryable,
  { name, site }: Pick<Room, 'name' | 'site'>,
  exceptId: number | null,
): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from rooms where id is distinct from ${exceptId}::int and name = ${name} and site = ${site} limit 1`)) !==
  null

export const insertRoom = async (tx: Queryable, { name, site, capacity, shared }: Room): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into rooms (name, site, capacity, is_shared) values (${name}, ${site}, ${capacity}, ${shared}) returning id`)
  ).id

export const updateRoom = (tx: Queryable, roomId: number, { name, site, capacity, shared }: Room): Promise<number> =>
  tx.execute(sql`
    update rooms set name = ${name}, site = ${site}, capacity = ${capacity}, is_shared = ${shared} where id = ${roomId}`)

/** Whether a lesson is held in the room. */
export const isRoomUsed = async (tx: Queryable, roomId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`select from ${lessons} where room_id = ${roomId} limit 1`)) !== null

export const deleteRoom = (tx: Queryable, roomId: number): Promise<number> =>
  tx.execute(sql`delete from rooms where id = ${roomId}`)
