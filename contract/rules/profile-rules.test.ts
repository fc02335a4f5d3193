import { describe, expect, test } from 'vitest'
import { PROFILE_FIELDS, type ProfileField, type ProfileInput } from '../tables/person.ts'
import {
  billingKey,
  completeInput,
  GROUPS,
  profileCases,
  STATUSES,
  specifiedBilling,
  specifiedUse,
} from '../test/profiles.ts'
import {
  billingChoices,
  convertBillingType,
  findProfileViolations,
  normalizeProfile,
  type ProfileStep,
  profileFields,
  shownYearOfBirth,
} from './profile-rules.ts'

const [, EXTERNAL] = STATUSES
const APPRENTICE = 7
const YEAR = 2026

const check = (input: ProfileInput, step: ProfileStep = 'registration') =>
  findProfileViolations(input, { currentYear: YEAR, step })

const keyOf = (field: ProfileField, input: ProfileInput) =>
  check(input).find(violation => violation.field === field)?.key ?? null

describe.each(GROUPS)('status %s, billing type %s', (status, billing) => {
  const converted = specifiedBilling(status, billing)
  const uses = profileFields(status, converted)

  test('every field is required, optional or absent as specified', () => {
    const specified = Object.fromEntries(PROFILE_FIELDS.map(field => [field, specifiedUse(field, status, converted)]))
    expect(uses).toEqual(specified)
  })

  test('every field is validated as specified, both empty and filled in', () => {
    for (const [field, value, key] of profileCases(status, billing, YEAR)) {
      const input = { ...completeInput(status, billing), [field]: value }
      expect([field, value, keyOf(field, input)]).toEqual([field, value, key])
    }
  })

  test('fields that the group does not use are neither validated nor stored', () => {
    const unused = PROFILE_FIELDS.filter(field => uses[field] === 'hidden' && field !== 'billingType')
    const nonsense = Object.fromEntries(unused.map(field => [field, 'x'.repeat(300)]))
    const input = {
      ...completeInput(status, billing),
      ...nonsense,
      ...('divisionId' in nonsense && { divisionId: -5 }),
    }
    expect(check(input).filter(({ field }) => unused.includes(field))).toEqual([])
    const stored = normalizeProfile(input)
    for (const field of unused) expect(['', null]).toContain(stored[field])
    for (const field of PROFILE_FIELDS.filter(field => uses[field] !== 'hidden' && field !== 'billingType')) {
      expect(stored[field]).toBe(input[field])
    }
  })

  test('the billing type is converted to one that the group may use, and a complete profile is then valid', () => {
    expect(convertBillingType(status, billing)).toBe(converted)
    const key = billingKey(status, billing)
    expect(check(completeInput(status, billing))).toEqual(key ? [{ field: 'billingType', key }] : [])
  })
})

test('each group has its own selectable billing types', () => {
  expect(STATUSES.map(billingChoices)).toEqual([[1], [2, 3], [1, 3], [2, 3], [3], [1]])
  expect(billingChoices(null)).toEqual([1, 2, 3, 4])
})

test('each registration step validates its own fields only', () => {
  const empty = {}
  expect(check(empty, 1).map(({ field }) => field)).toEqual(['email', 'password', 'confirmPassword'])
  expect(check(empty, 2).map(({ field }) => field)).toEqual(['formOfAddress', 'givenName', 'familyName'])
  expect(check(empty, 3).map(({ field }) => field)).toEqual(['employeeStatus'])
  const { password, confirmPassword, ...profile } = completeInput(EXTERNAL, 3)
  expect(check(profile, 'profile')).toEqual([])
  expect(check(profile).map(({ field }) => field)).toEqual(['password', 'confirmPassword'])
})

test('an unset year is sent as 1900, and years before 1903 are shown as empty', () => {
  expect(normalizeProfile({ ...completeInput(APPRENTICE, 1), yearOfBirth: '' }).yearOfBirth).toBe(1900)
  expect(normalizeProfile({ ...completeInput(APPRENTICE, 1), yearOfBirth: '1989' }).yearOfBirth).toBe(1989)
  expect([1900, 1902, 1903, 1989].map(shownYearOfBirth)).toEqual(['', '', '1903', '1989'])
})
