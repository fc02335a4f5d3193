import type { WebUserInput } from '#contract/accounts.ts'
import { findProfileViolations, normalizeProfile, type ProfileStep } from '#contract/profile-rules.ts'
import type { StoredProfile } from '#server/features/session/account-repository.ts'
import { invalidField } from '#server/http/problems.ts'

/** Validity of mailed links in days. Accounts that are not activated are deleted after the same period. */
export const MAILED_LINK_DAYS = 14
/** Number of days within which the previous address can undo an address change. */
export const EMAIL_CHANGE_UNDO_DAYS = 7

/**
 * Validates a web user and converts it for storage. See docs/decisions/0027.
 * @throws HttpProblem 400 naming a field
 */
export function validateProfile(
  input: WebUserInput,
  step: ProfileStep,
  { currentYear, isDivisionThere }: { currentYear: number; isDivisionThere: boolean },
): StoredProfile {
  const [violation] = findProfileViolations(input, { currentYear, step })
  if (violation) throw invalidField(violation.field)
  const { password: _password, confirmPassword: _confirmPassword, ...profile } = normalizeProfile(input)
  if (profile.divisionId !== null && !isDivisionThere) throw invalidField('divisionId')
  return profile
}
