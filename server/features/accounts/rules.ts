import type { ProfileRequest } from '#contract/endpoints/accounts.ts'
import { findProfileViolations, normalizeProfile, type ProfileStep } from '#contract/rules/profile-rules.ts'
import type { StoredProfile } from '#server/features/session/account-repository.ts'
import { invalidField } from '#server/platform/http/problems.ts'

/** Validity in days of links sent by e-mail. Accounts that are not activated are deleted after the same period. */
export const MAILED_LINK_DAYS = 14
/** Number of days within which a link sent to the previous e-mail address can undo a change of the e-mail address. */
export const EMAIL_CHANGE_UNDO_DAYS = 7

/**
 * Validates a profile sent by a client and converts it for storage. See docs/decisions/0027.
 * @throws HttpProblem 400 naming a field
 */
export function validateProfile(
  input: ProfileRequest,
  step: ProfileStep,
  { currentYear, isDivisionThere }: { currentYear: number; isDivisionThere: boolean },
): StoredProfile {
  const [violation] = findProfileViolations(input, { currentYear, step })
  if (violation) throw invalidField(violation.field)
  const { password: _password, confirmPassword: _confirmPassword, ...profile } = normalizeProfile(input)
  if (profile.divisionId !== null && !isDivisionThere) throw invalidField('divisionId')
  return profile
}
