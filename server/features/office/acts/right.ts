import type { ActHandler } from '../desk-service.ts'
import { grantRight as grant, revokeRight as revoke } from '../rights-service.ts'

/** The other owners are notified by the effects check. */
export const grantRight: ActHandler<'grant-right'> = async (desk, { email, right }) => {
  await grant(desk, email, right)
}

/** Revokes a right, except the last owner's. */
export const revokeRight: ActHandler<'revoke-right'> = async (desk, { email, right }) => {
  await revoke(desk, email, right)
}
