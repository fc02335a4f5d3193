import { describe, expect, test } from 'vitest'
import { billingChoices, convertBilling } from './billing-rules.ts'
import { checkProfile, type ProfileStep } from './profile-check.ts'
import {
  completeProfile,
  type FieldUse,
  PROFILE_FIELDS,
  type ProfileField,
  type ProfileInput,
  profileFields,
  shownYearOfBirth,
} from './profile-rules.ts'
import type { BillingType, EmployeeStatus } from './values.ts'

const [EMPLOYEE, EXTERNAL, PENSIONER, INSURED, UTILITIES, APPRENTICE] = [1, 2, 4, 5, 6, 7] as const
const STATUSES: EmployeeStatus[] = [EMPLOYEE, EXTERNAL, PENSIONER, INSURED, UTILITIES, APPRENTICE]
const BILLINGS: (BillingType | null)[] = [null, 1, 2, 3, 4]

/** Section 5 as a table: R required, o optional, - not there, f required with billing type 2 only. */
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
const useOf = (field: ProfileField, status: EmployeeStatus, billing: BillingType | null): FieldUse => {
  const mark = TABLE[field].trim().split(/\s+/)[STATUSES.indexOf(status)]
  if (mark === 'f') return billing === FOREIGN ? 'required' : 'hidden'
  return mark === 'R' ? 'required' : mark === 'o' ? 'optional' : 'hidden'
}

const complete = (employeeStatus: EmployeeStatus, billingType: BillingType | null): ProfileInput => ({
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

const check = (input: ProfileInput, step: ProfileStep = 'registration') =>
  checkProfile(input, { currentYear: 2026, step })

const keyOf = (field: ProfileField, input: ProfileInput, step?: ProfileStep) =>
  check(input, step).find(violation => violation.field === field)?.key ?? null

describe.each(STATUSES.flatMap(status => BILLINGS.map(billing => [status, billing] as const)))(
  'status %s, billing type %s',
  (status, billing) => {
    const converted = convertBilling(status, billing)
    const uses = profileFields(status, converted)

    test('every field is required, optional or not there as specified', () => {
      const specified = Object.fromEntries(PROFILE_FIELDS.map(field => [field, useOf(field, status, converted)]))
      expect(uses).toEqual(specified)
    })

    test('a field is missed only where it is required, and blanks do not fill it', () => {
      for (const field of PROFILE_FIELDS.filter(field => field !== 'employeeStatus')) {
        for (const empty of [null, undefined, '', ' \t ']) {
          const expected = uses[field] === 'required' ? 'profile_field_mandatory' : null
          expect([field, keyOf(field, { ...complete(status, billing), [field]: empty })]).toEqual([field, expected])
        }
      }
    })

    test('what the group does not use is neither judged nor stored', () => {
      const unused = PROFILE_FIELDS.filter(field => uses[field] === 'hidden' && field !== 'billingType')
      const nonsense = Object.fromEntries(unused.map(field => [field, 'x'.repeat(300)]))
      const input = { ...complete(status, billing), ...nonsense, ...('divisionId' in nonsense && { divisionId: -5 }) }
      expect(check(input).filter(({ field }) => unused.includes(field))).toEqual([])
      const stored = completeProfile(input)
      for (const field of unused) expect(['', null]).toContain(stored[field])
      for (const field of PROFILE_FIELDS.filter(field => uses[field] !== 'hidden' && field !== 'billingType')) {
        expect(stored[field]).toBe(input[field])
      }
    })

    test('a whole profile is fine when its billing type fits the group', () => {
      const fits = billing !== null || uses.billingType === 'hidden'
      const isChoosable = converted !== null && fits
      expect(check(complete(status, billing))).toEqual(
        isChoosable
          ? []
          : [{ field: 'billingType', key: billing === null ? 'profile_field_mandatory' : 'profile_value_invalid' }],
      )
    })
  },
)

test('billing types convert with the group', () => {
  const converted = STATUSES.map(status => BILLINGS.map(billing => convertBilling(status, billing)))
  expect(Object.fromEntries(STATUSES.map((status, index) => [status, converted[index]]))).toEqual({
    //           none  1  2  3  4
    [EMPLOYEE]: [1, 1, 1, 1, 1],
    [APPRENTICE]: [1, 1, 1, 1, 1],
    [PENSIONER]: [null, 1, 1, 3, null],
    [INSURED]: [null, 3, 2, 3, null],
    [EXTERNAL]: [null, 3, 2, 3, null],
    [UTILITIES]: [3, 3, 3, 3, 3],
  })
  expect(STATUSES.map(billingChoices)).toEqual([[1], [2, 3], [1, 3], [2, 3], [3], [1]])
  expect(billingChoices(null)).toEqual([1, 2, 3, 4])
})

test.each<[ProfileField, unknown, string | null]>([
  ['email', 'kim', 'profile_valid_address'],
  ['email', 'kim@demo.e', 'profile_valid_address'],
  ['email', 'kim@demo.ex', null],
  ['email', `kim@demo.${'e'.repeat(25)}`, null],
  ['email', `kim@demo.${'e'.repeat(26)}`, 'profile_valid_address'],
  ['email', `${'k'.repeat(38)}@demo.example`, 'profile_valid_address'],
  ['confirmPassword', 'kaffee-Tasse-77', 'register_password_confirm'],
  ['formOfAddress', 'Sir', 'profile_value_invalid'],
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
  ['yearOfBirth', 2016, null],
  ['yearOfBirth', 2017, 'profile_year_of_birth_too_high'],
  ['yearOfBirth', 1980.5, 'profile_value_invalid'],
  ['yearOfBirth', '-1980', 'profile_value_invalid'],
  ['yearOfBirth', 'achtzig', 'profile_number_invalid'],
])('%s %j is judged %j', (field, value, key) => {
  expect(keyOf(field, { ...complete(EMPLOYEE, 1), [field]: value })).toBe(key)
})

test('each step of the registration judges its own fields', () => {
  const empty = {}
  expect(check(empty, 1).map(({ field }) => field)).toEqual(['email', 'password', 'confirmPassword'])
  expect(check(empty, 2).map(({ field }) => field)).toEqual(['formOfAddress', 'givenName', 'familyName'])
  expect(check(empty, 3).map(({ field }) => field)).toEqual(['employeeStatus'])
  const { password, confirmPassword, ...profile } = complete(EXTERNAL, 3)
  expect(check(profile, 'profile')).toEqual([])
  expect(check(profile).map(({ field }) => field)).toEqual(['password', 'confirmPassword'])
})

test('an unset year is sent as 1900, and years below 1903 show empty', () => {
  expect(completeProfile({ ...complete(APPRENTICE, 1), yearOfBirth: '' }).yearOfBirth).toBe(1900)
  expect(completeProfile({ ...complete(APPRENTICE, 1), yearOfBirth: '1989' }).yearOfBirth).toBe(1989)
  expect([1900, 1902, 1903, 1989].map(shownYearOfBirth)).toEqual(['', '', '1903', '1989'])
})
