import {
  type FormGroup,
  PERSON,
  PERSON_FIELDS,
  PROFILE_FIELDS,
  type ProfileField,
  type ProfileInput,
  type ProfileValues,
} from './person.ts'
import { objectOf, recordOf } from './records.ts'
import {
  BILLING_TYPE,
  type BillingType,
  EMAIL_PATTERN,
  EMPLOYEE_STATUS,
  type EmployeeStatus,
  FORMS_OF_ADDRESS,
} from './values.ts'

/** `hidden`: not asked, and not stored. */
export type FieldUse = 'required' | 'optional' | 'hidden'

/** How a group of people may pay, in the order shown. One choice only: it is forced, and nothing is asked. */
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

/** The billing type after a change of status; null when the person has to choose. */
export function convertBilling(
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

/** The billing type that a new or changed status begins with: externals and the insured pay by invoice. */
export function defaultBilling(
  employeeStatus: EmployeeStatus | null,
  billingType: BillingType | null,
): BillingType | null {
  if (employeeStatus === null) return billingType
  const { External, HealthInsurance } = EMPLOYEE_STATUS
  const first = employeeStatus === External || employeeStatus === HealthInsurance ? BILLING_TYPE.Invoice : null
  return convertBilling(employeeStatus, billingType) ?? first ?? billingChoices(employeeStatus)[0] ?? null
}

function useOf(field: ProfileField, status: EmployeeStatus | null, billingType: BillingType | null): FieldUse {
  const { always, required, optional, foreign } = PERSON_FIELDS[field]
  if (always) return always
  if (status === null) return 'hidden'
  const isByForeignNumber = billingType === BILLING_TYPE.ForeignPersonnelNumber && foreign?.includes(status)
  if (required?.includes(status) || isByForeignNumber) return 'required'
  return optional?.includes(status) ? 'optional' : 'hidden'
}

/** Which fields a group of people has, given how they pay. Without a status only what everybody has. */
export const profileFields = (
  employeeStatus: EmployeeStatus | null,
  billingType: BillingType | null,
): Record<ProfileField, FieldUse> => recordOf(PROFILE_FIELDS, field => useOf(field, employeeStatus, billingType))

/** The three steps of the registration, all of it, or the profile of somebody registered. */
export type ProfileStep = 1 | 2 | 3 | 'registration' | 'profile'

const isCredential = (field: ProfileField) => field === 'password' || field === 'confirmPassword'

/** The fields that a step shows, used by the person's group or not. */
export function fieldsOfStep(step: ProfileStep): readonly ProfileField[] {
  if (step === 'registration') return PROFILE_FIELDS
  return PROFILE_FIELDS.filter(field => (step === 'profile' ? !isCredential(field) : PERSON[field].form[0] === step))
}

export const groupOfField = (field: ProfileField): FormGroup => PERSON[field].form[1]

/** The specification's message keys. */
export type ProfileMessageKey =
  | 'profile_field_mandatory'
  | 'profile_valid_address'
  | 'register_password_confirm'
  | 'profile_number_invalid'
  | 'profile_value_invalid'
  | 'profile_year_of_birth_too_high'

export type ProfileViolation = { field: ProfileField; key: ProfileMessageKey }

/** Digits, plus, parentheses, slash and space; 2 to 50 of them. */
const PHONE_PATTERN = /^[\d+()/ ]{2,50}$/
export const isPhone = (text: string): boolean => PHONE_PATTERN.test(text)
/** A phone number as people write it: what parts its digits becomes a blank. */
export const phoneWithBlanks = (typed: string): string => typed.replace(/[ \t]*[-–—.][ \t]*/g, ' ')

/** Nobody younger has an account. */
const MINIMUM_AGE = 10
export const YEAR_OF_BIRTH_UNSET = 1900
const YEAR_OF_BIRTH_SHOWN_FROM = 1903

export const latestYearOfBirth = (currentYear: number): number => currentYear - MINIMUM_AGE

/** A stored year as the form shows it: empty when it is unset or not to be believed. */
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
      const billingType = convertBilling(input.employeeStatus ?? null, input.billingType ?? null)
      const isChoice = billingType !== null && billingChoices(input.employeeStatus ?? null).includes(billingType)
      return isChoice ? null : 'profile_value_invalid'
    }
    case 'phone':
      return isPhone(text) ? null : 'profile_number_invalid'
    case 'year':
      return checkYearOfBirth(value, currentYear)
    default:
      return isTooLong(field, text) ? 'profile_value_invalid' : null
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
      return convertBilling(input.employeeStatus ?? null, input.billingType ?? null)
    case 'status':
      return value ?? null
    case 'division':
      return isUsed ? (value ?? null) : null
    default:
      return value ?? ''
  }
}

/**
 * What is sent and stored: texts trimmed and on one line, fields that the group does not use empty, the billing type as the
 * group has it, an unset year 1900. Passwords and the e-mail are taken as they are.
 */
export function completeProfile(input: ProfileInput): CompleteProfile {
  const employeeStatus = input.employeeStatus ?? null
  const uses = profileFields(employeeStatus, convertBilling(employeeStatus, input.billingType ?? null))
  return objectOf<CompleteProfile>(PROFILE_FIELDS, field => completeValue(field, input, uses[field] !== 'hidden'))
}
