import type { WebUser } from '#contract/accounts.ts'
import { convertBilling } from '#contract/billing-rules.ts'
import { checkProfile, type ProfileMessageKey, type ProfileStep } from '#contract/profile-check.ts'
import { type ProfileField, type ProfileInput, profileFields, shownYearOfBirth } from '#contract/profile-rules.ts'
import type { EmployeeStatus } from '#contract/values.ts'

export type FieldErrors = Partial<Record<ProfileField, ProfileMessageKey>>

/** The form's problems by field. */
export const errorsOf = (input: ProfileInput, step: ProfileStep, currentYear: number): FieldErrors =>
  Object.fromEntries(checkProfile(input, { currentYear, step }).map(({ field, key }) => [field, key]))

/** The form after one field changed: a new status takes the billing type along, and fields that it lacks keep their text. */
export function changeField<Field extends ProfileField>(
  input: ProfileInput,
  field: Field,
  value: ProfileInput[Field],
  firstDivisionId: number | null,
): ProfileInput {
  const changed: ProfileInput = { ...input, [field]: value }
  if (field !== 'employeeStatus' && field !== 'billingType') return changed
  const employeeStatus = changed.employeeStatus ?? null
  const billingType = convertBilling(employeeStatus, changed.billingType ?? null)
  const usesDivision = profileFields(employeeStatus, billingType).divisionId !== 'hidden'
  return {
    ...changed,
    billingType,
    // The list starts at its first entry, as the form shows it.
    divisionId: usesDivision ? (changed.divisionId ?? firstDivisionId) : (changed.divisionId ?? null),
  }
}

/** A stored profile as the form holds it: what is not given is empty. */
export const toInput = (user: WebUser): ProfileInput => ({
  ...user,
  employeeStatus: user.employeeStatus === 0 ? null : (user.employeeStatus as EmployeeStatus),
  billingType: user.billingType === 0 ? null : user.billingType,
  divisionId: user.divisionId === 0 ? null : user.divisionId,
  yearOfBirth: shownYearOfBirth(user.yearOfBirth),
})
