import { objectFromKeys, recordFromKeys } from '../records.ts'
import {
  PERSON,
  PERSON_FIELDS,
  PROFILE_FIELDS,
  type ProfileField,
  type ProfileFormGroup,
  type ProfileInput,
  type ProfileValues,
} from '../tables/person.ts'
import {
  BILLING_TYPE,
  type BillingType,
  EMAIL_PATTERN,
  EMPLOYEE_STATUS,
  type EmployeeStatus,
  FORMS_OF_ADDRESS,
} from '../values.ts'
import { isPrintableName } from './name-letters.ts'

/** Whether a field is required, optional or hidden. Hidden fields are neither shown nor stored. */
export type ProfileFieldRequirement = 'required' | 'optional' | 'hidden'

/** Billing types available to a status, in display order. If there is only one, it is preselected and not shown. */
export function billingChoices(employeeStatus: EmployeeStatus | null): readonly BillingType[] {
  const { PersonnelNumber, ForeignPersonnelNumber, Invoice, Unknown } = BILLING_TYPE
  switch (employeeStatus) {
    case EMPLOYEE_STATUS.HealthInsurance:
    case EMPLOYEE_STATUS.External:
      return [ForeignPersonnelNumber, Invoice]
    case EMPLOYEE_STATUS.MunicipalUtilities:
      return [Invoice]
    case EMPLOYEE_STATUS.Pensioner:
      return [PersonnelNumber, Invoice]
    case EMPLOYEE_STATUS.Employee:
    case EMPLOYEE_STATUS.Apprentice:
      return [PersonnelNumber]
    default:
      return [PersonnelNumber, ForeignPersonnelNumber, Invoice, Unknown]
  }
}

/** Billing type after a change of status; null if the person has to choose. */
export function convertBillingType(
  employeeStatus: EmployeeStatus | null,
  billingType: BillingType | null,
): BillingType | null {
  const choices = billingChoices(employeeStatus)
  if (billingType !== null && choices.includes(billingType)) return billingType
  if (choices.length === 1) return choices[0] ?? null
  if (employeeStatus === EMPLOYEE_STATUS.Pensioner) {
    return billingType === BILLING_TYPE.ForeignPersonnelNumber ? BILLING_TYPE.PersonnelNumber : null
  }
  return billingType === BILLING_TYPE.PersonnelNumber ? BILLING_TYPE.Invoice : null
}

/**
 * Billing type to preselect when the status is set or changed: external participants and members of the health insurer
 * pay by invoice.
 */
export function defaultBilling(
  employeeStatus: EmployeeStatus | null,
  billingType: BillingType | null,
): BillingType | null {
  if (employeeStatus === null) return billingType
  const { External, HealthInsurance } = EMPLOYEE_STATUS
  const first = employeeStatus === External || employeeStatus === HealthInsurance ? BILLING_TYPE.Invoice : null
  return convertBillingType(employeeStatus, billingType) ?? first ?? billingChoices(employeeStatus)[0] ?? null
}

function useOf(
  field: ProfileField,
  status: EmployeeStatus | null,
  billingType: BillingType | null,
): ProfileFieldRequirement {
  const { always, required, optional, foreign } = PERSON_FIELDS[field]
  if (always) return always
  if (status === null) return 'hidden'
  const isByForeignNumber = billingType === BILLING_TYPE.ForeignPersonnelNumber && foreign?.includes(status)
  if (required?.includes(status) || isByForeignNumber) return 'required'
  return optional?.includes(status) ? 'optional' : 'hidden'
}

/**
 * Determines which profile fields are required, optional or hidden for a status and billing type. Without a status,
 * only the fields that all statuses share are shown.
 */
export const profileFields = (
  employeeStatus: EmployeeStatus | null,
  billingType: BillingType | null,
): Record<ProfileField, ProfileFieldRequirement> =>
  recordFromKeys(PROFILE_FIELDS, field => useOf(field, employeeStatus, billingType))

/** A step of the registration, the whole registration, or the profile of a registered person. */
export type ProfileStep = 1 | 2 | 3 | 'registration' | 'profile'

const isCredential = (field: ProfileField) => field === 'password' || field === 'confirmPassword'

/** Fields shown in a step, regardless of the person's status. */
export function fieldsOfStep(step: ProfileStep): readonly ProfileField[] {
  if (step === 'registration') return PROFILE_FIELDS
  return PROFILE_FIELDS.filter(field => (step === 'profile' ? !isCredential(field) : PERSON[field].form[0] === step))
}

export const profileFormGroupOf = (field: ProfileField): ProfileFormGroup => PERSON[field].form[1]

/** Message keys defined by the specification. */
export type ProfileMessageKey =
  | 'profile_field_mandatory'
  | 'profile_valid_address'
  | 'register_password_confirm'
  | 'profile_number_invalid'
  | 'profile_value_invalid'
  | 'profile_year_of_birth_too_high'

export type ProfileViolation = { field: ProfileField; key: ProfileMessageKey }

/** A phone number has 2 to 50 characters: digits, `+`, parentheses, `/` and spaces. */
const PHONE_PATTERN = /^[\d+()/ ]{2,50}$/
export const isPhoneNumber = (text: string): boolean => PHONE_PATTERN.test(text)
/** Normalizes a phone number: separators (hyphen, dash, dot) are replaced by spaces. */
export const normalizePhone = (typed: string): string => typed.replace(/[ \t]*[-–—.][ \t]*/g, ' ')

/** Minimum age of account holders, in years. */
const MINIMUM_AGE = 10
export const YEAR_OF_BIRTH_UNSET = 1900
const YEAR_OF_BIRTH_SHOWN_FROM = 1903

export const latestYearOfBirth = (currentYear: number): number => currentYear - MINIMUM_AGE

/** Year of birth to show in the form: empty if unset or implausible. */
export const shownYearOfBirth = (year: number): string => (year < YEAR_OF_BIRTH_SHOWN_FROM ? '' : String(year))

function checkYearOfBirth(value: number | string, currentYear: number): ProfileMessageKey | null {
  const text = String(value).trim()
  if (!Number.isFinite(Number(text))) return 'profile_number_invalid'
  if (!/^\d+$/.test(text) || Number(text) < YEAR_OF_BIRTH_UNSET) return 'profile_value_invalid'
  return Number(text) > latestYearOfBirth(currentYear) ? 'profile_year_of_birth_too_high' : null
}

const isTooLong = (field: ProfileField, text: string) =>
  text.length > (PERSON_FIELDS[field].max ?? Number.POSITIVE_INFINITY)

function checkValue(field: ProfileField, input: ProfileInput, currentYear: number): ProfileMessageKey | null {
  const value = input[field] ?? ''
  const text = String(value).trim()
  switch (PERSON[field].kind) {
    case 'email':
      return isTooLong(field, text) || !EMAIL_PATTERN.test(text) ? 'profile_valid_address' : null
    case 'repeat':
      return value === input.password ? null : 'register_password_confirm'
    case 'address':
      return FORMS_OF_ADDRESS.some(known => known === value) ? null : 'profile_value_invalid'
    case 'billing': {
      const billingType = convertBillingType(input.employeeStatus ?? null, input.billingType ?? null)
      const isChoice = billingType !== null && billingChoices(input.employeeStatus ?? null).includes(billingType)
      return isChoice ? null : 'profile_value_invalid'
    }
    case 'phone':
      return isPhoneNumber(text) ? null : 'profile_number_invalid'
    case 'year':
      return checkYearOfBirth(value, currentYear)
    case 'line':
      return isTooLong(field, text) || !isPrintableName(text) ? 'profile_value_invalid' : null
    default:
      return isTooLong(field, text) ? 'profile_value_invalid' : null
  }
}

/**
 * Validates a user profile according to section 5 of the specification, in forms and on the server. Blank values are
 * treated as empty. Only the server checks whether the division exists and how strong the password is.
 * @returns at most one violation per field, in form order
 */
export function findProfileViolations(
  input: ProfileInput,
  { currentYear, step }: { currentYear: number; step: ProfileStep },
): ProfileViolation[] {
  const uses = profileFields(
    input.employeeStatus ?? null,
    convertBillingType(input.employeeStatus ?? null, input.billingType ?? null),
  )
  return fieldsOfStep(step).flatMap((field): ProfileViolation[] => {
    if (uses[field] === 'hidden') return []
    const isEmpty = String(input[field] ?? '').trim() === ''
    if (isEmpty) return uses[field] === 'required' ? [{ field, key: 'profile_field_mandatory' }] : []
    const key = checkValue(field, input, currentYear)
    return key === null ? [] : [{ field, key }]
  })
}

type CompleteProfile = ProfileValues & { yearOfBirth: number }

function completeValue(field: ProfileField, input: ProfileInput, isUsed: boolean): CompleteProfile[ProfileField] {
  const value = input[field]
  switch (PERSON[field].kind) {
    case 'line':
    case 'text':
    case 'phone':
      return isUsed
        ? String(value ?? '')
            .trim()
            .replace(/\s+/g, ' ')
        : ''
    case 'year':
      return isUsed ? Number(value || YEAR_OF_BIRTH_UNSET) : YEAR_OF_BIRTH_UNSET
    case 'billing':
      return convertBillingType(input.employeeStatus ?? null, input.billingType ?? null)
    case 'status':
      return value ?? null
    case 'division':
      return isUsed ? (value ?? null) : null
    default:
      return value ?? ''
  }
}

/**
 * Normalizes a profile before it is sent or stored: trims single-line texts, empties unused fields, makes the billing
 * type valid for the status, and sets a missing year to 1900. Passwords and the e-mail address stay unchanged.
 */
export function normalizeProfile(input: ProfileInput): CompleteProfile {
  const employeeStatus = input.employeeStatus ?? null
  const uses = profileFields(employeeStatus, convertBillingType(employeeStatus, input.billingType ?? null))
  return objectFromKeys<CompleteProfile>(PROFILE_FIELDS, field => completeValue(field, input, uses[field] !== 'hidden'))
}
