import type { ActHandler } from '../office-context-service.ts'
import { grantRight as grant, revokeRight as revoke } from '../rights-service.ts'

/** Grants a permission. The other owners are notified when `authorizeAct` authorizes the action. */
const grantRight: ActHandler<'grant-right'> = async (office, { email, right }) => {
  await grant(office, email, right)
}

/** Revokes a permission. The last owner's `owner` permission cannot be revoked. */
const revokeRight: ActHandler<'revoke-right'> = async (office, { email, right }) => {
  await revoke(office, email, right)
}

export const rightHandlers = {
  'grant-right': grantRight,
  'revoke-right': revokeRight,
}
