import type { ActHandler } from '../desk-service.ts'
import { grantRight as grant } from '../rights-service.ts'

/** Gives a right; told to the person and, since an owner may grant one to himself, to the other owners. */
export const grantRight: ActHandler<'grant-right'> = async (desk, { email, right }) => {
  await grant(desk, email, right)
}
