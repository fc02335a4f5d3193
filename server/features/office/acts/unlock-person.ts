import { sql } from '#server/db/client.ts'
import type { ActHandler } from '../desk-service.ts'

export const unlockPerson: ActHandler<'unlock-person'> = async (desk, { webUserId }) => {
  await desk.open('web_users', webUserId)
  desk.note({ objects: { webUserId }, before: { state: 'locked' } })
  await desk.tx.execute(sql`update web_users set locked_at = null where id = ${webUserId}`)
}
