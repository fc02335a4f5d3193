import { type Queryable, sql } from '#server/db/client.ts'
import { lessons } from '#server/features/courses/lesson-repository.ts'

export const hasUnknownRoom = async (tx: Queryable, roomIds: readonly number[]): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from unnest(${[...roomIds]}::int[]) r where not exists (select from rooms where id = r) limit 1`)) !== null

type RoomKey = { name: string; site: string }

export const findRoomKey = (tx: Queryable, roomId: number): Promise<RoomKey | null> =>
  tx.maybeOne(sql`select name, site from rooms where id = ${roomId}`)

/** Whether another room has this name at this site. */
export const isRoomNameTaken = async (
  tx: Queryable,
  { name, site }: RoomKey,
  exceptId: number | null,
): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from rooms where id is distinct from ${exceptId}::int and name = ${name} and site = ${site} limit 1`)) !==
  null

/** Whether a lesson is held in the room. */
export const isRoomUsed = async (tx: Queryable, roomId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`select from ${lessons} where room_id = ${roomId} limit 1`)) !== null

export const deleteRoom = (tx: Queryable, roomId: number): Promise<number> =>
  tx.execute(sql`delete from rooms where id = ${roomId}`)
