import { sql } from '#server/db/client.ts'
import type { Desk } from '../desk-service.ts'
import { isThere } from '../programme-repository.ts'

/** @throws NotDone when it is not there, or not as it was read */
export async function removeContent(desk: Desk, id: number): Promise<void> {
  await desk.open('content_items', id)
  await desk.tx.execute(sql`delete from content_items where id = ${id}`)
}

/** An album goes when its photos are gone. */
export async function removeAlbum(desk: Desk, id: number): Promise<void> {
  await desk.open('albums', id)
  if (await isThere(desk.tx, sql`select from photos where album_id = ${id}`)) desk.fail('failed.inUse')
  await desk.tx.execute(sql`delete from albums where id = ${id}`)
}

/** @throws NotDone when it is not there, or not as it was read */
export async function removePhoto(desk: Desk, id: number): Promise<void> {
  await desk.open('photos', id)
  await desk.tx.execute(sql`delete from photos where id = ${id}`)
}
