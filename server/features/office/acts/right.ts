import type { ActHandler } from '../desk-service.ts'
import { grantRight as grant, revokeRight as revoke } from '../rights-service.ts'

/** The effects check notifies the other owners. */
export const grantRight: ActHandler<'grant-right'> = async (desk, { email, right }) => {
  await grant(desk, email, right)
}

/** Takes a right back; the last owner's stays. */
export const revokeRight: ActHandler<'revoke-right'> = async (desk, { email, right }) => {
  await revoke(desk, email, right)
}
