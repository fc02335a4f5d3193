import type { ActHandler } from '../desk-service.ts'
import { grantRight as grant, revokeRight as revoke } from '../rights-service.ts'

/** Grants a permission. The other owners are notified when `authorizeAct` authorizes the action. */
export const grantRight: ActHandler<'grant-right'> = async (desk, { email, right }) => {
  await grant(desk, email, right)
}

/** Revokes a permission. The last owner's `owner` permission cannot be revoked. */
export const revokeRight: ActHandler<'revoke-right'> = async (desk, { email, right }) => {
  await revoke(desk, email, right)
}
