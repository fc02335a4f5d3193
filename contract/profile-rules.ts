import { convertBilling } from './billing-rules.ts'
import { BILLING_TYPE, type BillingType, EMPLOYEE_STATUS, type EmployeeStatus } from './values.ts'

/** A web user as a form holds it: what was not filled in is empty, null or missing; the year may still be text. */
export type ProfileValues = {
  email: string
  password: string
  confirmPassword: string
  formOfAddress: string
  title: string
  givenName: string
  familyName: string
  employeeStatus: EmployeeStatus | null
  personnelNumber: string
  ownerPersonnelNumber: string
  department: string
  location: string
  companyAddress: string
  bkkNumber: string
  billingType: BillingType | null
  divisionId: number | null
  mobilePhone: string
  privatePhone: string
  businessPhone: string
  street: string
  zip: string
  city: string
  yearOfBirth: number | string | null
}
export type ProfileField = keyof ProfileValues
export type ProfileInput = { [Field in ProfileField]?: ProfileValues[Field] | null | undefined }

/** `hidden`: not asked, and not stored. */
export type FieldUse = 'required' | 'optional' | 'hidden'

/** The longest value of each text field, in characters. */
export const PROFILE_MAX_LENGTH = {
  email: 50,
  password: 50,
  confirmPassword: 50,
  title: 50,
  givenName: 100,
  familyName: 100,
  personnelNumber: 50,
  ownerPersonnelNumber: 50,
  department: 100,
  location: 100,
  companyAddress: 200,
  bkkNumber: 50,
  mobilePhone: 50,
  privatePhone: 50,
  businessPhone: 50,
  street: 50,
  zip: 10,
  city: 50,
} as const satisfies Partial<Record<ProfileField, number>>

const ALWAYS: Record<string, FieldUse> = {
  email: 'required',
  password: 'required',
  confirmPassword: 'required',
  formOfAddress: 'required',
  title: 'optional',
  givenName: 'required',
  familyName: 'required',
  employeeStatus: 'required',
}
const PHONES = { mobilePhone: 'optional', privatePhone: 'optional', businessPhone: 'optional' } as const
const POSTAL_ADDRESS = { street: 'required', zip: 'required', city: 'required' } as const
const GUEST = { ...PHONES, ...POSTAL_ADDRESS, billingType: 'required', yearOfBirth: 'required' } as const

/** Specification section 5, by employee status: what is not named is hidden. */
const BY_STATUS: Record<EmployeeStatus, Partial<Record<ProfileField, FieldUse>>> = {
  [EMPLOYEE_STATUS.Employee]: {
    ...PHONES,
    personnelNumber: 'required',
    department: 'required',
    companyAddress: 'required',
    location: 'required',
    yearOfBirth: 'required',
    divisionId: 'required',
    street: 'optional',
    zip: 'optional',
    city: 'optional',
  },
  [EMPLOYEE_STATUS.Apprentice]: {
    ...PHONES,
    personnelNumber: 'required',
    divisionId: 'required',
    // The list of this status does not name it, and what is unset is sent as 1900.
    yearOfBirth: 'optional',
    street: 'optional',
    zip: 'optional',
    city: 'optional',
  },
  [EMPLOYEE_STATUS.Pensioner]: {
    ...GUEST,
    companyAddress: 'required',
    personnelNumber: 'required',
    divisionId: 'required',
  },
  [EMPLOYEE_STATUS.HealthInsurance]: { ...GUEST, businessPhone: 'hidden', bkkNumber: 'required' },
  [EMPLOYEE_STATUS.MunicipalUtilities]: GUEST,
  [EMPLOYEE_STATUS.External]: GUEST,
}

const FOREIGN_NUMBER = { personnelNumber: 'required', ownerPersonnelNumber: 'required' } as const
const PAYS_BY_FOREIGN_NUMBER: readonly EmployeeStatus[] = [
  EMPLOYEE_STATUS.HealthInsurance,
  EMPLOYEE_STATUS.MunicipalUtilities,
  EMPLOYEE_STATUS.External,
]

export const PROFILE_FIELDS = [
  'email',
  'password',
  'confirmPassword',
  'formOfAddress',
  'title',
  'givenName',
  'familyName',
  'employeeStatus',
  'bkkNumber',
  'billingType',
  'personnelNumber',
  'ownerPersonnelNumber',
  'divisionId',
  'department',
  'companyAddress',
  'location',
  'mobilePhone',
  'privatePhone',
  'businessPhone',
  'street',
  'zip',
  'city',
  'yearOfBirth',
] as const satisfies readonly ProfileField[]

/** Which fields a group of people has, given how they pay. Without a status only what everybody has. */
export function profileFields(
  employeeStatus: EmployeeStatus | null,
  billingType: BillingType | null,
): Record<ProfileField, FieldUse> {
  const paysByForeignNumber =
    employeeStatus !== null &&
    PAYS_BY_FOREIGN_NUMBER.includes(employeeStatus) &&
    billingType === BILLING_TYPE.ForeignPersonnelNumber
  const uses: Partial<Record<ProfileField, FieldUse>> = {
    ...ALWAYS,
    ...(employeeStatus !== null && BY_STATUS[employeeStatus]),
    ...(paysByForeignNumber && FOREIGN_NUMBER),
  }
  return Object.fromEntries(PROFILE_FIELDS.map(field => [field, uses[field] ?? 'hidden'])) as Record<
    ProfileField,
    FieldUse
  >
}

export const YEAR_OF_BIRTH_UNSET = 1900
const YEAR_OF_BIRTH_SHOWN_FROM = 1903

/** A stored year as the form shows it: empty when it is unset or not to be believed. */
export const shownYearOfBirth = (year: number): string => (year < YEAR_OF_BIRTH_SHOWN_FROM ? '' : String(year))

/**
 * What is sent and stored: texts trimmed and on one line, fields that the group does not use empty, the billing type as the
 * group has it, an unset year 1900. Passwords and the e-mail are taken as they are.
 */
export function completeProfile(input: ProfileInput): ProfileValues & { yearOfBirth: number } {
  const employeeStatus = input.employeeStatus ?? null
  const billingType = convertBilling(employeeStatus, input.billingType ?? null)
  const uses = profileFields(employeeStatus, billingType)
  const used = <Value>(field: ProfileField, value: Value, otherwise: Value) =>
    uses[field] === 'hidden' ? otherwise : value
  const text = (field: keyof typeof PROFILE_MAX_LENGTH) =>
    used(field, (input[field] ?? '').trim().replace(/\s+/g, ' '), '')
  return {
    email: input.email ?? '',
    password: input.password ?? '',
    confirmPassword: input.confirmPassword ?? '',
    formOfAddress: input.formOfAddress ?? '',
    title: text('title'),
    givenName: text('givenName'),
    familyName: text('familyName'),
    employeeStatus,
    personnelNumber: text('personnelNumber'),
    ownerPersonnelNumber: text('ownerPersonnelNumber'),
    department: text('department'),
    location: text('location'),
    companyAddress: text('companyAddress'),
    bkkNumber: text('bkkNumber'),
    billingType,
    divisionId: used('divisionId', input.divisionId ?? null, null),
    mobilePhone: text('mobilePhone'),
    privatePhone: text('privatePhone'),
    businessPhone: text('businessPhone'),
    street: text('street'),
    zip: text('zip'),
    city: text('city'),
    yearOfBirth: used('yearOfBirth', Number(input.yearOfBirth || YEAR_OF_BIRTH_UNSET), YEAR_OF_BIRTH_UNSET),
  }
}
