import type { ActHandler } from '../desk-service.ts'
import { grantRight as grant } from '../rights-service.ts'

/** The effects check notifies the other owners. */
export const grantRight: ActHandler<'grant-right'> = async (desk, { email, right }) => {
  await grant(desk, email, right)
}
