import { describe, expect, test } from 'vitest'
import { billingChoices, convertBilling } from './billing-rules.ts'
import { checkProfile, type ProfileStep } from './profile-check.ts'
import {
  completeProfile,
  PROFILE_FIELDS,
  type ProfileField,
  type ProfileInput,
  profileFields,
  shownYearOfBirth,
} from './profile-rules.ts'
import { BILLINGS, completeInput, JUDGED_VALUES, STATUSES, specifiedUse } from './test-profiles.ts'

const [EMPLOYEE, EXTERNAL, PENSIONER, INSURED, UTILITIES, APPRENTICE] = STATUSES

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
      const specified = Object.fromEntries(PROFILE_FIELDS.map(field => [field, specifiedUse(field, status, converted)]))
      expect(uses).toEqual(specified)
    })

    test('a field is missed only where it is required, and blanks do not fill it', () => {
      for (const field of PROFILE_FIELDS.filter(field => field !== 'employeeStatus')) {
        for (const empty of [null, undefined, '', ' \t ']) {
          const expected = uses[field] === 'required' ? 'profile_field_mandatory' : null
          expect([field, keyOf(field, { ...completeInput(status, billing), [field]: empty })]).toEqual([
            field,
            expected,
          ])
        }
      }
    })

    test('what the group does not use is neither judged nor stored', () => {
      const unused = PROFILE_FIELDS.filter(field => uses[field] === 'hidden' && field !== 'billingType')
      const nonsense = Object.fromEntries(unused.map(field => [field, 'x'.repeat(300)]))
      const input = {
        ...completeInput(status, billing),
        ...nonsense,
        ...('divisionId' in nonsense && { divisionId: -5 }),
      }
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
      expect(check(completeInput(status, billing))).toEqual(
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

test.each(JUDGED_VALUES)('%s %j is judged %j', (field, value, key) => {
  expect(keyOf(field, { ...completeInput(EMPLOYEE, 1), [field]: value })).toBe(key)
})

test('each step of the registration judges its own fields', () => {
  const empty = {}
  expect(check(empty, 1).map(({ field }) => field)).toEqual(['email', 'password', 'confirmPassword'])
  expect(check(empty, 2).map(({ field }) => field)).toEqual(['formOfAddress', 'givenName', 'familyName'])
  expect(check(empty, 3).map(({ field }) => field)).toEqual(['employeeStatus'])
  const { password, confirmPassword, ...profile } = completeInput(EXTERNAL, 3)
  expect(check(profile, 'profile')).toEqual([])
  expect(check(profile).map(({ field }) => field)).toEqual(['password', 'confirmPassword'])
})

test('an unset year is sent as 1900, and years below 1903 show empty', () => {
  expect(completeProfile({ ...completeInput(APPRENTICE, 1), yearOfBirth: '' }).yearOfBirth).toBe(1900)
  expect(completeProfile({ ...completeInput(APPRENTICE, 1), yearOfBirth: '1989' }).yearOfBirth).toBe(1989)
  expect([1900, 1902, 1903, 1989].map(shownYearOfBirth)).toEqual(['', '', '1903', '1989'])
})
