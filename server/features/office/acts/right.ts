import type { ActHandler } from '../desk-service.ts'
import { grantRight as grant, revokeRight as revoke } from '../rights-service.ts'

/** Grants a right. The authorization of the action notifies the other owners. */
export const grantRight: ActHandler<'grant-right'> = async (desk, { email, right }) => {
  await grant(desk, email, right)
}

/** Revokes a right. The last owner's `owner` right cannot be revoked. */
export const revokeRight: ActHandler<'revoke-right'> = async (desk, { email, right }) => {
  await revoke(desk, email, right)
}
