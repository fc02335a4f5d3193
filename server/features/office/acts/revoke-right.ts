import type { ActHandler } from '../desk-service.ts'
import { revokeRight as revoke } from '../rights-service.ts'

/** Takes a right back; the last owner's stays. */
export const revokeRight: ActHandler<'revoke-right'> = async (desk, { email, right }) => {
  await revoke(desk, email, right)
}
