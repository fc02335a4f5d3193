import { describe, expect, test } from 'vitest'
import type { WebUser } from '#contract/endpoints/accounts.ts'
import { billingChoices, convertBillingType, normalizeProfile } from '#contract/rules/profile-rules.ts'
import { BILLINGS, completeInput, STATUSES } from '#contract/test/profiles.ts'
import { suggestEmail } from './email-domain-model.ts'
import { isNewEmail, profileErrorsOf, profileToInput, updateProfileField, withDefaultDivision } from './form-model.ts'

const APPRENTICE = 7

describe.each(STATUSES.flatMap(from => STATUSES.map(to => [from, to] as const)))('from status %s to %s', (from, to) => {
  test.each(BILLINGS)('billing type %s is converted to one of the new group, or must be selected', billing => {
    const before = completeInput(from, convertBillingType(from, billing))
    const after = updateProfileField(before, 'employeeStatus', to)
    expect(after.billingType).toBe(convertBillingType(to, before.billingType ?? null))
    if (after.billingType === null) expect(profileErrorsOf(after, 'profile', 2026)).toHaveProperty('billingType')
    else expect(billingChoices(to)).toContain(after.billingType)
  })

  test('switching the status back and forth loses no input, and fields absent from the new group are not sent', () => {
    const before = completeInput(from, convertBillingType(from, 3))
    const there = updateProfileField(before, 'employeeStatus', to)
    const { billingType: _, ...back } = updateProfileField(there, 'employeeStatus', from)
    const { billingType: __, ...typed } = before
    expect(back).toEqual(typed)
    expect(normalizeProfile(there)).toEqual(normalizeProfile({ ...before, ...there }))
  })
})

const stored = (changes: Partial<WebUser>): WebUser => ({
  ...(normalizeProfile(completeInput(1, 1)) as unknown as WebUser),
  status: 'Ok',
  message: '',
  ...changes,
})

test('a stored profile shows years below 1903 and missing numbers as empty', () => {
  expect(profileToInput(stored({ yearOfBirth: 1900, divisionId: 0, employeeStatus: 0, billingType: 0 }))).toMatchObject(
    {
      yearOfBirth: '',
      divisionId: null,
      employeeStatus: null,
      billingType: null,
    },
  )
  expect(profileToInput(stored({ yearOfBirth: 1903 })).yearOfBirth).toBe('1903')
})

test('a stored billing type that is invalid for the group is converted, as on a change of status', () => {
  expect(profileToInput(stored({ employeeStatus: 4, billingType: 2 })).billingType).toBe(1)
  expect(profileToInput(stored({ employeeStatus: 2, billingType: 4 })).billingType).toBe(null)
})

test('only apprentices without a division default to the first one', () => {
  expect(withDefaultDivision({ employeeStatus: APPRENTICE }, 3).divisionId).toBe(3)
  expect(withDefaultDivision({ employeeStatus: APPRENTICE, divisionId: 5 }, 3).divisionId).toBe(5)
  expect(withDefaultDivision({ employeeStatus: 1 }, 3).divisionId).toBeUndefined()
  expect(withDefaultDivision({ employeeStatus: APPRENTICE }, undefined).divisionId).toBeUndefined()
})

test('differences in case and surrounding whitespace are not treated as a new e-mail address', () => {
  expect(isNewEmail('kim@demo.example', ' Kim@Demo.example ')).toBe(false)
  expect(isNewEmail('kim@demo.example', 'kim2@demo.example')).toBe(true)
})

test.each([
  ['kim@gmial.com', 'kim@gmail.com'],
  ['Kim.M@gmai.com', 'Kim.M@gmail.com'],
  [' kim@gnx.de ', 'kim@gmx.de'],
  ['kim@t-onlin.de', 'kim@t-online.de'],
  // Providers of their own, company domains, and what is still being typed.
  ['kim@mail.com', null],
  ['kim@gmx.net', null],
  ['kim@gmail.co', null],
  ['kim@demo.example', null],
  ['kim@', null],
  ['gmial.com', null],
  ['jörg.weiß@web.de', 'joerg.weiss@web.de'],
  ['Renée.Ünal@Firma.example', 'Renee.Uenal@Firma.example'],
  ['jörg@gmial.com', 'joerg@gmail.com'],
  ['jörg@web.d', null],
  ['kim@müller.example', null],
  ['олег@demo.example', null],
])('for %s the form asks whether %s is meant', (email, meant) => {
  expect(suggestEmail(email)).toBe(meant)
})
