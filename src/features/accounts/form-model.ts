import type { WebUser } from '#contract/endpoints/accounts.ts'
import { CURRENT_CONSENT_VERSIONS } from '#contract/rules/consent-rules.ts'
import {
  convertBillingType,
  fieldsOfStep,
  findProfileViolations,
  normalizePhone,
  normalizeProfile,
  type ProfileMessageKey,
  type ProfileStep,
  profileFields,
  profileFormGroupOf,
  shownYearOfBirth,
} from '#contract/rules/profile-rules.ts'
import {
  PERSON,
  PERSON_FIELDS,
  PROFILE_FORM_GROUPS,
  type ProfileField,
  type ProfileFormGroup,
  type ProfileInput,
  type StoredProfileField,
} from '#contract/tables/person.ts'
import { EMPLOYEE_STATUS, type EmployeeStatus, type FormOfAddress } from '#contract/values.ts'

export type FieldErrors = Partial<Record<ProfileField, ProfileMessageKey>>
/** The fields of the form except passwords, which have inputs of their own. */
export type FormField = StoredProfileField

export const profileErrorsOf = (input: ProfileInput, step: ProfileStep, currentYear: number): FieldErrors =>
  Object.fromEntries(findProfileViolations(input, { currentYear, step }).map(({ field, key }) => [field, key]))

/** The fields that a registration step shows for the selected status, grouped and in display order. */
export function formFieldGroups(
  step: ProfileStep,
  input: ProfileInput,
): { group: ProfileFormGroup; fields: { field: FormField; isRequired: boolean }[] }[] {
  const uses = profileFields(input.employeeStatus ?? null, input.billingType ?? null)
  const shown = fieldsOfStep(step).filter(
    (field): field is FormField => field !== 'password' && field !== 'confirmPassword' && uses[field] !== 'hidden',
  )
  return PROFILE_FORM_GROUPS.map(group => ({
    group,
    fields: shown
      .filter(field => profileFormGroupOf(field) === group)
      .map(field => ({ field, isRequired: uses[field] === 'required' })),
  })).filter(({ fields }) => fields.length > 0)
}

/** Translation keys for a validation problem, most specific first, and their interpolation values. */
export function fieldErrorText(
  field: ProfileField,
  error: ProfileMessageKey,
  input: ProfileInput,
): [keys: string[], values: { max: number }] {
  const max = PERSON_FIELDS[field].max ?? Number.POSITIVE_INFINITY
  const isTooLong = String(input[field] ?? '').trim().length > max
  return [[...(isTooLong ? ['error.tooLong'] : []), `error.${field}.${error}`, `error.${error}`], { max }]
}

/** Normalizes the input: replaces hyphens in phone numbers with spaces. */
export const normalizeProfileFieldInput = (field: FormField, typed: string): string =>
  PERSON[field].kind === 'phone' ? normalizePhone(typed) : typed

/** Whether changing this field changes which fields are shown. */
export const hasDependentFields = (field: ProfileField): boolean =>
  field === 'employeeStatus' || field === 'billingType'

/**
 * Returns the form state after one field has changed. A new status adjusts the billing type; hidden fields keep their
 * text.
 */
export function updateProfileField<Field extends ProfileField>(
  input: ProfileInput,
  field: Field,
  value: ProfileInput[Field],
): ProfileInput {
  const changed: ProfileInput = { ...input, [field]: value }
  if (!hasDependentFields(field)) return changed
  return { ...changed, billingType: convertBillingType(changed.employeeStatus ?? null, changed.billingType ?? null) }
}

/** Selects the first division for apprentices who have not chosen one, because the form displays it as selected. */
export const withDefaultDivision = (input: ProfileInput, firstDivisionId: number | undefined): ProfileInput =>
  input.employeeStatus === EMPLOYEE_STATUS.Apprentice && !input.divisionId && firstDivisionId !== undefined
    ? { ...input, divisionId: firstDivisionId }
    : input

/** Converts a stored profile to form input; unset values become empty strings. */
export const profileToInput = ({ employeeStatus, billingType, divisionId, ...user }: WebUser): ProfileInput => ({
  ...user,
  employeeStatus: employeeStatus || null,
  billingType: convertBillingType(employeeStatus || null, billingType || null),
  divisionId: divisionId || null,
  yearOfBirth: shownYearOfBirth(user.yearOfBirth),
})

/** Whether the typed e-mail address is a new one, which must be confirmed. Ignores case and surrounding whitespace. */
export const isNewEmail = (stored: string, typed: string): boolean =>
  stored.trim().toLowerCase() !== typed.trim().toLowerCase()

/**
 * Request body for a complete profile. Includes the consent to storing the insurance number, because the form displays
 * that consent.
 */
export function profileRequestBody(input: ProfileInput) {
  const profile = normalizeProfile(input)
  return {
    insuranceConsent: CURRENT_CONSENT_VERSIONS.insurance,
    ...profile,
    formOfAddress: profile.formOfAddress as FormOfAddress,
    employeeStatus: profile.employeeStatus as EmployeeStatus,
    yearOfBirth: Number(profile.yearOfBirth),
  }
}
