import { act, useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ProfileMessageKey, ProfileStep } from '#contract/rules/profile-rules.ts'
import { PROFILE_FIELDS, type ProfileInput } from '#contract/tables/person.ts'
import {
  BILLINGS,
  billingKey,
  completeInput,
  profileCases,
  STATUSES,
  specifiedBilling,
  specifiedUse,
} from '#contract/test/profiles.ts'
import { control, errorBelow, fill, isSubmitDisabled, leave, render, send } from '#test/render.tsx'
import accounts from '../../../i18n/de/accounts.json' with { type: 'json' }
import { useDivisions } from '../resource.ts'
import { ProfileForm } from './profile-form.tsx'

const divisions = [
  { id: 1, name: 'Pumpen', status: 'Ok', message: '' },
  { id: 2, name: 'Guss', status: 'Ok', message: '' },
] as const

beforeEach(() => {
  vi.setSystemTime(new Date('2026-11-21T10:00:00'))
  // Offline: the form uses the stored list.
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  useDivisions.setState({ data: divisions })
})

const [EMPLOYEE, EXTERNAL, PENSIONER, INSURED, , APPRENTICE] = STATUSES
let sent: ProfileInput[] = []

function Stateful({ initial, step, isOpen }: { initial: ProfileInput; step: ProfileStep; isOpen: boolean }) {
  const [input, setInput] = useState(initial)
  return (
    <ProfileForm
      step={step}
      input={input}
      onChange={setInput}
      onSubmit={async whole => {
        sent.push(whole)
      }}
      submitLabel="Speichern"
      back={null}
      isOpen={isOpen}
    />
  )
}

async function open(initial: ProfileInput, { step = 'profile' as ProfileStep, isOpen = false } = {}) {
  sent = []
  return render(<Stateful initial={initial} step={step} isOpen={isOpen} />, 'accounts', 'consents')
}

const shownFields = (container: HTMLElement) =>
  [...container.querySelectorAll('[name]')].map(field => field.getAttribute('name'))

/** Whether a field is rendered and, if it is a select, offers this value. */
function canHold(container: HTMLElement, name: string, value: string): boolean {
  const field = container.querySelector(`[name="${name}"]`)
  if (!(field instanceof HTMLSelectElement)) return field !== null
  return [...field.options].some(option => option.value === value && !option.disabled)
}

const LONGEST: Partial<Record<string, number>> = { email: 50, mobilePhone: 50, street: 50, zip: 10, city: 50 }
const { title, givenName, familyName, yearOfBirth } = accounts.error
const OF_FIELD: Partial<Record<string, Partial<Record<string, string>>>> = { title, givenName, familyName, yearOfBirth }

/** The validation message of the form for an invalid value. */
function textOf(field: string, typed: string, key: ProfileMessageKey): string {
  const max = LONGEST[field] ?? Number.POSITIVE_INFINITY
  if (typed.trim().length > max) return accounts.error.tooLong.replace('{{max}}', String(max))
  return OF_FIELD[field]?.[key] ?? accounts.error[key]
}

/** Distinct groups: several billing types result in the same form. */
const shownGroups = STATUSES.flatMap(status =>
  [...new Set(BILLINGS.map(billing => specifiedBilling(status, billing)))].map(billing => [status, billing] as const),
)

describe.each(shownGroups)('status %s, billing type %s', (status, billing) => {
  const specified = (use: string) =>
    PROFILE_FIELDS.filter(
      field => !field.toLowerCase().includes('password') && specifiedUse(field, status, billing) === use,
    )

  test('the form has the specified fields, marks the required ones and reports each missing one', async () => {
    const emptied = Object.fromEntries(PROFILE_FIELDS.map(field => [field, '']))
    const container = await open({ ...emptied, employeeStatus: status, billingType: billing, divisionId: null })
    const required = specified('required')
    expect(shownFields(container).toSorted()).toEqual([...required, ...specified('optional')].toSorted())
    expect(
      [...container.querySelectorAll('[aria-required="true"]')].map(field => field.getAttribute('name')).toSorted(),
    ).toEqual(required.toSorted())
    await send(container)
    expect(shownFields(container).filter(field => errorBelow(container, field ?? '') !== '')).toEqual(
      shownFields(container).filter(
        name =>
          required.some(field => field === name) &&
          // Status and possibly billing type are preselected; apprentices default to the first division.
          !['employeeStatus', ...(billing ? ['billingType'] : [])].includes(name ?? '') &&
          !(name === 'divisionId' && status === APPRENTICE),
      ),
    )
    expect(sent).toEqual([])
  })
})

/** The rules are tested with all values in all groups. The form is tested once per outcome, and with every field. */
const casesByGroup = shownGroups.map(([status, billing], index) => {
  const cases = (of: (typeof shownGroups)[number]) => profileCases(...of, 2026).map(all => JSON.stringify(all))
  const earlier = new Set(shownGroups.slice(0, index).flatMap(cases))
  return profileCases(status, billing, 2026).filter(
    ([field, value, key]) => value === ' \t ' || !earlier.has(JSON.stringify([field, value, key])),
  )
})

test.each(shownGroups.map(([status, billing], index) => [status, billing, casesByGroup[index] ?? []] as const))(
  'with status %s and billing type %s each field reports its error on blur and clears it once corrected',
  async (status, billing, cases) => {
    const right = completeInput(status, billing)
    const container = await open(right)
    const isRight = billingKey(status, billing) === null
    const left = new Set<string>()
    for (const [field, value, key] of cases) {
      const typed = String(value ?? '')
      if (!canHold(container, field, typed)) continue
      await fill(container, field, typed)
      // The input replaces hyphens with spaces, so this value matches the pattern.
      if (field === 'privatePhone' && typed === '030-23125') {
        expect([control(container, field).value, isSubmitDisabled(container)]).toEqual(['030 23125', !isRight])
        continue
      }
      if (!left.has(field)) expect([field, value, errorBelow(container, field)]).toEqual([field, value, ''])
      expect([field, value, isSubmitDisabled(container)]).toEqual([field, value, key !== null || !isRight])
      await leave(container, field)
      left.add(field)
      expect([field, value, errorBelow(container, field)]).toEqual([field, value, key ? textOf(field, typed, key) : ''])
      await fill(container, field, String(right[field]))
      expect([field, value, errorBelow(container, field)]).toEqual([field, value, ''])
      expect(isSubmitDisabled(container)).toBe(!isRight)
    }
    // Each text input was tested.
    expect([...left].toSorted()).toEqual(
      shownFields(container)
        .filter(name => control(container, name ?? '').matches('input'))
        .toSorted(),
    )
  },
  30_000,
)

test('hovering the disabled button, or submitting by key, shows missing fields and focuses the first', async () => {
  const container = await open({}, { step: 2 })
  expect(errorBelow(container, 'givenName')).toBe('')
  const actions = container.querySelector('[type="submit"]')?.parentElement
  await act(async () => actions?.dispatchEvent(new MouseEvent('mouseover', { bubbles: true })))
  expect(errorBelow(container, 'givenName')).toBe(accounts.error.profile_field_mandatory)
  await send(container)
  expect(document.activeElement).toBe(control(container, 'formOfAddress'))
})

test('changing the status rebuilds the form: other fields, billing type converted, no errors left', async () => {
  const container = await open({ ...completeInput(EXTERNAL, 2), street: '' })
  await leave(container, 'street')
  expect(errorBelow(container, 'street')).not.toBe('')
  await fill(container, 'employeeStatus', String(PENSIONER))
  expect(control(container, 'billingType').value).toBe('1')
  expect(shownFields(container)).toContain('companyAddress')
  expect(shownFields(container)).not.toContain('ownerPersonnelNumber')
  expect(errorBelow(container, 'street')).toBe('')
})

test('the owner’s personnel number is required only for its billing type, and its input is preserved', async () => {
  const container = await open(completeInput(INSURED, 2))
  await fill(container, 'ownerPersonnelNumber', 'Alex Muster')
  await fill(container, 'billingType', '3')
  expect(shownFields(container)).not.toContain('ownerPersonnelNumber')
  await fill(container, 'billingType', '2')
  expect(control(container, 'ownerPersonnelNumber').value).toBe('Alex Muster')
})

test('apprentices default to the first division; employees must select one', async () => {
  const apprentice = await open({ ...completeInput(APPRENTICE, 1), divisionId: null })
  expect(control(apprentice, 'divisionId').value).toBe('1')
  await send(apprentice)
  expect(sent).toMatchObject([{ divisionId: 1 }])
  const employee = await open({ ...completeInput(EMPLOYEE, 1), divisionId: null })
  expect(isSubmitDisabled(employee)).toBe(true)
  await fill(employee, 'divisionId', '2')
  await send(employee)
  expect(sent).toMatchObject([{ divisionId: 2 }])
})

test('an incomplete stored profile shows its errors from the start', async () => {
  const container = await open({ ...completeInput(EMPLOYEE, 1), department: '' }, { isOpen: true })
  expect(errorBelow(container, 'department')).toBe(accounts.error.profile_field_mandatory)
})
