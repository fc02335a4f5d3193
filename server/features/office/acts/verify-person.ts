import { sql } from '#server/db/client.ts'
import { updatePricesOfVerified } from '#server/features/bookings/repository.ts'
import type { ActHandler } from '../desk-service.ts'
import { findNumberHolder, findStoredFields } from '../person-repository.ts'

/** As if the HR list named the person. */
export const verifyPerson: ActHandler<'verify-person'> = async (desk, { webUserId }) => {
  await desk.open('web_users', webUserId)
  const { personnelNumber } = await findStoredFields(desk.tx, webUserId)
  const holder = personnelNumber === '' ? null : await findNumberHolder(desk.tx, personnelNumber, webUserId)
  if (holder?.isKnown) desk.fail('failed.personnelNumberTaken', { number: personnelNumber })
  desk.note({ objects: { webUserId }, after: { isVerified: true } })
  const verified = await desk.tx.execute(sql`
    update web_users set known_at = coalesce(known_at, clock_timestamp()) where id = ${webUserId} and deleted_at is null`)
  if (verified === 0) desk.fail('failed.deleted')
  await updatePricesOfVerified(desk.tx, [webUserId])
}
