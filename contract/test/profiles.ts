import type { BillingType, EmployeeStatus } from '#contract/values.ts'
import type { ProfileFieldRequirement, ProfileMessageKey } from '../rules/profile-rules.ts'
import { PROFILE_FIELDS, type ProfileField, type ProfileInput } from '../tables/person.ts'

/** Section 5 of the specification as test data, shared by the tests of rules, form and server. */
export const STATUSES = [1, 2, 4, 5, 6, 7] as const satisfies EmployeeStatus[]
export const BILLINGS: (BillingType | null)[] = [null, 1, 2, 3, 4]
export const GROUPS = STATUSES.flatMap(status => BILLINGS.map(billing => [status, billing] as const))

/** Section 5 as a table: R required, o optional, - unused, f required with billing type 2 only. */
const TABLE: Record<ProfileField, string> = {
  //                 Employee External Pensioner Insured Utilities Apprentice
  email: '           R        R        R         R       R         R',
  password: '        R        R        R         R       R         R',
  confirmPassword: ' R        R        R         R       R         R',
  formOfAddress: '   R        R        R         R       R         R',
  title: '           o        o        o         o       o         o',
  givenName: '       R        R        R         R       R         R',
  familyName: '      R        R        R         R       R         R',
  employeeStatus: '  R        R        R         R       R         R',
  personnelNumber: ' R        f        R         f       f         R',
  ownerPersonnelNumber: ' -   f        -         f       f         -',
  department: '      R        -        -         -       -         -',
  location: '        R        -        -         -       -         -',
  companyAddress: '  R        -        R         -       -         -',
  bkkNumber: '       -        -        -         R       -         -',
  billingType: '     -        R        R         R       R         -',
  divisionId: '      R        -        R         -       -         R',
  mobilePhone: '     o        o        o         o       o         o',
  privatePhone: '    o        o        o         o       o         o',
  businessPhone: '   o        o        o         -       o         o',
  street: '          o        R        R         R       R         o',
  zip: '             o        R        R         R       R         o',
  city: '            o        R        R         R       R         o',
  yearOfBirth: '     R        R        R         R       R         o',
}
const FOREIGN = 2
/** Use of a field according to the specification. */
export const specifiedUse = (
  field: ProfileField,
  status: EmployeeStatus,
  billing: BillingType | null,
): ProfileFieldRequirement => {
  const mark = TABLE[field].trim().split(/\s+/)[STATUSES.indexOf(status)]
  if (mark === 'f') return billing === FOREIGN ? 'required' : 'hidden'
  return mark === 'R' ? 'required' : mark === 'o' ? 'optional' : 'hidden'
}

/** A valid value for every field, whether or not the group uses it. */
export const completeInput = (employeeStatus: EmployeeStatus, billingType: BillingType | null): ProfileInput => ({
  email: 'kim.muster@demo.example',
  password: 'Kaffee-Tasse-77',
  confirmPassword: 'Kaffee-Tasse-77',
  formOfAddress: 'Divers',
  title: 'Dr.',
  givenName: 'Kim',
  familyName: 'Muster',
  employeeStatus,
  personnelNumber: '204198',
  ownerPersonnelNumber: '204199',
  department: 'P-03',
  location: 'Tor 4',
  companyAddress: 'Werkstraße 12',
  bkkNumber: 'A123456789',
  billingType,
  divisionId: 1,
  mobilePhone: '+49 (171) 39200/01',
  privatePhone: '030 23125',
  businessPhone: '12',
  street: 'Lindenallee 27',
  zip: '38210',
  city: 'Salzstadt',
  yearOfBirth: 1989,
})

/** Billing types by section 5: the type after conversion to a group, or - if the person has to choose. */
const BILLING_TABLE: Record<EmployeeStatus, string> = {
  // none 1 2 3 4
  1: '  1 1 1 1 1',
  2: '  - 3 2 3 -',
  4: '  - 1 1 3 -',
  5: '  - 3 2 3 -',
  6: '  3 3 3 3 3',
  7: '  1 1 1 1 1',
}
/** Billing type after conversion, according to the specification; null if the person has to choose. */
export const specifiedBilling = (status: EmployeeStatus, billing: BillingType | null): BillingType | null => {
  const mark = BILLING_TABLE[status].trim().split(' ')[BILLINGS.indexOf(billing)]
  return BILLINGS.find(known => known === Number(mark)) ?? null
}
/** Expected violation for a billing type in a group. */
export const billingKey = (status: EmployeeStatus, billing: BillingType | null): ProfileMessageKey | null => {
  if (billing === null)
    return specifiedUse('billingType', status, null) === 'required' ? 'profile_field_mandatory' : null
  return specifiedBilling(status, billing) === null ? 'profile_value_invalid' : null
}

export type ProfileCase = [field: ProfileField, value: unknown, key: ProfileMessageKey | null]

/** Field values for the group, with the violation expected in the given year. */
const judgedValues = (currentYear: number): ProfileCase[] => [
  ['email', 'kim', 'profile_valid_address'],
  ['email', 'kim@demo.e', 'profile_valid_address'],
  ['email', 'kim@demo.ex', null],
  ['email', `kim@demo.${'e'.repeat(25)}`, null],
  ['email', `kim@demo.${'e'.repeat(26)}`, 'profile_valid_address'],
  ['email', `${'k'.repeat(38)}@demo.example`, 'profile_valid_address'],
  ['confirmPassword', 'kaffee-Tasse-77', 'register_password_confirm'],
  ['formOfAddress', 'Sir', 'profile_value_invalid'],
  ['givenName', 'Ægir Þóra-Müller ʻOlena Ирина Ελένη', null],
  ['givenName', 'محمد', 'profile_value_invalid'],
  ['familyName', '李', 'profile_value_invalid'],
  ['familyName', 'Kim \u{1F3CA}', 'profile_value_invalid'],
  ['mobilePhone', '1', 'profile_number_invalid'],
  ['mobilePhone', '12', null],
  ['mobilePhone', '1'.repeat(50), null],
  ['mobilePhone', '1'.repeat(51), 'profile_number_invalid'],
  ['privatePhone', '030-23125', 'profile_number_invalid'],
  ['businessPhone', 'x12', 'profile_number_invalid'],
  ['street', 'x'.repeat(50), null],
  ['street', 'x'.repeat(51), 'profile_value_invalid'],
  ['zip', '1'.repeat(10), null],
  ['zip', '1'.repeat(11), 'profile_value_invalid'],
  ['city', 'x'.repeat(51), 'profile_value_invalid'],
  ['yearOfBirth', 1899, 'profile_value_invalid'],
  ['yearOfBirth', '1900', null],
  ['yearOfBirth', currentYear - 10, null],
  ['yearOfBirth', currentYear - 9, 'profile_year_of_birth_too_high'],
  ['yearOfBirth', 1980.5, 'profile_value_invalid'],
  ['yearOfBirth', '-1980', 'profile_value_invalid'],
  ['yearOfBirth', 'achtzig', 'profile_number_invalid'],
]

/**
 * Test cases for one group: each field of an otherwise complete profile, empty, valid and invalid, with the expected
 * violation. Status and billing type are not varied because they define the group.
 */
export function profileCases(status: EmployeeStatus, billing: BillingType | null, currentYear: number): ProfileCase[] {
  const useOf = (field: ProfileField) => specifiedUse(field, status, specifiedBilling(status, billing))
  const fields = PROFILE_FIELDS.filter(field => field !== 'employeeStatus' && field !== 'billingType')
  return [
    ...fields.flatMap(field =>
      [null, '', ' \t '].map((empty): ProfileCase => {
        return [field, empty, useOf(field) === 'required' ? 'profile_field_mandatory' : null]
      }),
    ),
    ...judgedValues(currentYear).map(([field, value, key]): ProfileCase => {
      return [field, value, useOf(field) === 'hidden' ? null : key]
    }),
  ]
}
