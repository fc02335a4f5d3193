import { sql } from '#server/db/client.ts'
import { deleteSessions } from '#server/features/session/repository.ts'
import type { ActHandler } from '../desk-service.ts'

/** Sessions end and nobody gets in; bookings stay. */
export const lockPerson: ActHandler<'lock-person'> = async (desk, { webUserId }) => {
  await desk.open('web_users', webUserId)
  desk.note({ objects: { webUserId }, after: { state: 'locked' } })
  const locked = await desk.tx.execute(sql`
    update web_users set locked_at = coalesce(locked_at, clock_timestamp()) where id = ${webUserId} and deleted_at is null`)
  if (locked === 0) desk.fail('failed.deleted')
  await deleteSessions(desk.tx, webUserId)
}
