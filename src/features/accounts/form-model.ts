import type { WebUser } from '#contract/accounts.ts'
import {
  FORM_GROUPS,
  type FormGroup,
  PERSON,
  PERSON_FIELDS,
  type ProfileField,
  type ProfileInput,
  type StoredField,
} from '#contract/person.ts'
import {
  checkProfile,
  convertBilling,
  fieldsOfStep,
  groupOfField,
  type ProfileMessageKey,
  type ProfileStep,
  phoneWithBlanks,
  profileFields,
  shownYearOfBirth,
} from '#contract/profile-rules.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'

export type FieldErrors = Partial<Record<ProfileField, ProfileMessageKey>>
/** Passwords have inputs of their own. */
export type FormField = StoredField

export const errorsOf = (input: ProfileInput, step: ProfileStep, currentYear: number): FieldErrors =>
  Object.fromEntries(checkProfile(input, { currentYear, step }).map(({ field, key }) => [field, key]))

/** The fields that a step shows a group of people, in their order, by what they are about. */
export function formGroups(
  step: ProfileStep,
  input: ProfileInput,
): { group: FormGroup; fields: { field: FormField; isRequired: boolean }[] }[] {
  const uses = profileFields(input.employeeStatus ?? null, input.billingType ?? null)
  const shown = fieldsOfStep(step).filter(
    (field): field is FormField => field !== 'password' && field !== 'confirmPassword' && uses[field] !== 'hidden',
  )
  return FORM_GROUPS.map(group => ({
    group,
    fields: shown
      .filter(field => groupOfField(field) === group)
      .map(field => ({ field, isRequired: uses[field] === 'required' })),
  })).filter(({ fields }) => fields.length > 0)
}

/** The keys of a problem's text, the most fitting first (a field may have words of its own), and what stands in it. */
export function errorText(
  field: ProfileField,
  error: ProfileMessageKey,
  input: ProfileInput,
): [keys: string[], values: { max: number }] {
  const max = PERSON_FIELDS[field].max ?? Number.POSITIVE_INFINITY
  const isTooLong = String(input[field] ?? '').trim().length > max
  return [[...(isTooLong ? ['error.tooLong'] : []), `error.${field}.${error}`, `error.${error}`], { max }]
}

/** What was typed as the form takes it: a hyphen in a phone number becomes a blank. */
export const typedValue = (field: FormField, typed: string): string =>
  PERSON[field].kind === 'phone' ? phoneWithBlanks(typed) : typed

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
