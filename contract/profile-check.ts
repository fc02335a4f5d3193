import { billingChoices, convertBilling } from './billing-rules.ts'
import {
  PROFILE_FIELDS,
  PROFILE_MAX_LENGTH,
  type ProfileField,
  type ProfileInput,
  profileFields,
  YEAR_OF_BIRTH_UNSET,
} from './profile-rules.ts'
import { EMAIL_PATTERN, FORMS_OF_ADDRESS } from './values.ts'

/** The specification's message keys. */
export type ProfileMessageKey =
  | 'profile_field_mandatory'
  | 'profile_valid_address'
  | 'register_password_confirm'
  | 'profile_number_invalid'
  | 'profile_value_invalid'
  | 'profile_year_of_birth_too_high'

export type ProfileViolation = { field: ProfileField; key: ProfileMessageKey }

/** The three steps of the registration, all of it, or the profile of somebody registered. */
export type ProfileStep = 1 | 2 | 3 | 'registration' | 'profile'

const FIRST_STEP: readonly ProfileField[] = ['email', 'password', 'confirmPassword']
const SECOND_STEP: readonly ProfileField[] = ['formOfAddress', 'title', 'givenName', 'familyName']

/** The fields that a step shows, used by the person's group or not. */
export function fieldsOfStep(step: ProfileStep): readonly ProfileField[] {
  if (step === 1) return FIRST_STEP
  if (step === 2) return SECOND_STEP
  if (step === 3) return PROFILE_FIELDS.filter(field => !FIRST_STEP.includes(field) && !SECOND_STEP.includes(field))
  if (step === 'profile') return PROFILE_FIELDS.filter(field => field !== 'password' && field !== 'confirmPassword')
  return PROFILE_FIELDS
}

/** Digits, plus, parentheses, slash and space; 2 to 50 of them. */
export const PHONE_PATTERN = /^[\d+()/ ]{2,50}$/
/** Nobody younger has an account. */
export const MINIMUM_AGE = 10

function checkYearOfBirth(value: number | string, currentYear: number): ProfileMessageKey | null {
  const text = String(value).trim()
  if (!Number.isFinite(Number(text))) return 'profile_number_invalid'
  if (!/^\d+$/.test(text) || Number(text) < YEAR_OF_BIRTH_UNSET) return 'profile_value_invalid'
  return Number(text) > currentYear - MINIMUM_AGE ? 'profile_year_of_birth_too_high' : null
}

const isLengthLimited = (field: ProfileField): field is keyof typeof PROFILE_MAX_LENGTH => field in PROFILE_MAX_LENGTH

/** Judges a field that is filled in. */
function checkValue(field: ProfileField, input: ProfileInput, currentYear: number): ProfileMessageKey | null {
  const value = input[field] ?? ''
  const text = String(value).trim()
  switch (field) {
    case 'email':
      return text.length <= PROFILE_MAX_LENGTH.email && EMAIL_PATTERN.test(text) ? null : 'profile_valid_address'
    case 'confirmPassword':
      return value === input.password ? null : 'register_password_confirm'
    case 'formOfAddress':
      return FORMS_OF_ADDRESS.some(known => known === value) ? null : 'profile_value_invalid'
    case 'billingType': {
      const billingType = convertBilling(input.employeeStatus ?? null, input.billingType ?? null)
      const isChoice = billingType !== null && billingChoices(input.employeeStatus ?? null).includes(billingType)
      return isChoice ? null : 'profile_value_invalid'
    }
    case 'mobilePhone':
    case 'privatePhone':
    case 'businessPhone':
      return PHONE_PATTERN.test(text) ? null : 'profile_number_invalid'
    case 'yearOfBirth':
      return checkYearOfBirth(value, currentYear)
    default:
      return isLengthLimited(field) && text.length > PROFILE_MAX_LENGTH[field] ? 'profile_value_invalid' : null
  }
}

/**
 * Checks a web user against section 5 of the specification: the same on a form and on the server. Blanks alone count as
 * empty. Whether a division exists and a password is secure only the server knows.
 * @returns at most one violation per field, in the order of the form
 */
export function checkProfile(
  input: ProfileInput,
  { currentYear, step }: { currentYear: number; step: ProfileStep },
): ProfileViolation[] {
  const uses = profileFields(
    input.employeeStatus ?? null,
    convertBilling(input.employeeStatus ?? null, input.billingType ?? null),
  )
  return fieldsOfStep(step).flatMap((field): ProfileViolation[] => {
    if (uses[field] === 'hidden') return []
    const isEmpty = String(input[field] ?? '').trim() === ''
    if (isEmpty) return uses[field] === 'required' ? [{ field, key: 'profile_field_mandatory' }] : []
    const key = checkValue(field, input, currentYear)
    return key === null ? [] : [{ field, key }]
  })
}
