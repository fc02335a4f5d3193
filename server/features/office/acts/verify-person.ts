import { sql } from '#server/db/client.ts'
import type { ActHandler } from '../desk-service.ts'

/** As if the HR list named the person. */
export const verifyPerson: ActHandler<'verify-person'> = async (desk, { webUserId }) => {
  await desk.open('web_users', webUserId)
  desk.note({ objects: { webUserId }, after: { isVerified: true } })
  const verified = await desk.tx.execute(sql`
    update web_users set known_at = coalesce(known_at, clock_timestamp()) where id = ${webUserId} and deleted_at is null`)
  if (verified === 0) desk.fail('failed.deleted')
}
