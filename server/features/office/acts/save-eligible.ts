import type { ActHandler } from '../desk-service.ts'
import { replaceEligible } from '../hr-list-service.ts'

/** The HR list, replaced as a whole: whoever is no longer on it becomes unverified. */
export const saveEligible: ActHandler<'save-eligible'> = async (desk, { rows }) => {
  const { unverified, verified } = await replaceEligible(desk, rows)
  return { unverified, verified }
}
