import type { WebUser } from '#contract/accounts.ts'
import { convertBilling } from '#contract/billing-rules.ts'
import { checkProfile, fieldsOfStep, type ProfileMessageKey, type ProfileStep } from '#contract/profile-check.ts'
import { type ProfileField, type ProfileInput, profileFields, shownYearOfBirth } from '#contract/profile-rules.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'

export type FieldErrors = Partial<Record<ProfileField, ProfileMessageKey>>
/** Passwords have inputs of their own. */
export type FormField = Exclude<ProfileField, 'password' | 'confirmPassword'>

/** The form's problems by field. */
export const errorsOf = (input: ProfileInput, step: ProfileStep, currentYear: number): FieldErrors =>
  Object.fromEntries(checkProfile(input, { currentYear, step }).map(({ field, key }) => [field, key]))

const GROUPS = {
  person: ['email', 'formOfAddress', 'title', 'givenName', 'familyName'],
  affiliation: [
    ...['employeeStatus', 'bkkNumber', 'billingType', 'personnelNumber', 'ownerPersonnelNumber'],
    ...['divisionId', 'department', 'companyAddress', 'location'],
  ],
  contact: ['mobilePhone', 'privatePhone', 'businessPhone'],
  home: ['street', 'zip', 'city', 'yearOfBirth'],
} satisfies Record<string, string[]>
export type FormGroup = keyof typeof GROUPS

/** The fields that a step shows a group of people, in their order, by what they are about. */
export function formGroups(
  step: ProfileStep,
  input: ProfileInput,
): { group: FormGroup; fields: { field: FormField; isRequired: boolean }[] }[] {
  const uses = profileFields(input.employeeStatus ?? null, input.billingType ?? null)
  const fields = fieldsOfStep(step)
    .filter((field): field is FormField => field !== 'password' && field !== 'confirmPassword')
    .filter(field => uses[field] !== 'hidden')
    .map(field => ({ field, isRequired: uses[field] === 'required' }))
  return Object.entries(GROUPS)
    .map(([group, names]) => ({
      group: group as FormGroup,
      fields: fields.filter(({ field }) => names.includes(field)),
    }))
    .filter(group => group.fields.length > 0)
}

/** Whether a change of this field builds the form anew. */
export const isRebuilding = (field: ProfileField): boolean => field === 'employeeStatus' || field === 'billingType'

/** The form after one field changed: a new status takes the billing type along, and fields that it lacks keep their text. */
export function changeField<Field extends ProfileField>(
  input: ProfileInput,
  field: Field,
  value: ProfileInput[Field],
): ProfileInput {
  const changed: ProfileInput = { ...input, [field]: value }
  if (!isRebuilding(field)) return changed
  return { ...changed, billingType: convertBilling(changed.employeeStatus ?? null, changed.billingType ?? null) }
}

/** An apprentice who has not chosen a division has the first one; the form shows it, so it is what is sent. */
export const withDefaultDivision = (input: ProfileInput, firstDivisionId: number | undefined): ProfileInput =>
  input.employeeStatus === EMPLOYEE_STATUS.Apprentice && !input.divisionId && firstDivisionId !== undefined
    ? { ...input, divisionId: firstDivisionId }
    : input

/** A stored profile as the form holds it: what is not given is empty. */
export const toInput = ({ employeeStatus, billingType, divisionId, ...user }: WebUser): ProfileInput => ({
  ...user,
  employeeStatus: employeeStatus || null,
  billingType: convertBilling(employeeStatus || null, billingType || null),
  divisionId: divisionId || null,
  yearOfBirth: shownYearOfBirth(user.yearOfBirth),
})

/** Whether saving asks for a new e-mail to be confirmed: case and outer blanks do not make one. */
export const isNewEmail = (stored: string, typed: string): boolean =>
  stored.trim().toLowerCase() !== typed.trim().toLowerCase()
