import { describe, expect, test } from 'vitest'
import { editWebUser, getWebUser, type ProfileRequest, register } from '#contract/endpoints/accounts.ts'
import type { ProfileField } from '#contract/tables/person.ts'
import {
  billingKey,
  completeInput,
  GROUPS,
  profileCases,
  STATUSES,
  specifiedBilling,
  specifiedUse,
} from '#contract/test/profiles.ts'
import type { BillingType, EmployeeStatus } from '#contract/values.ts'
import { insertDivision, insertUserWithSession } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

const currentYear = new Date().getFullYear()
const NUMBERS: ProfileField[] = ['divisionId', 'yearOfBirth']
const PASSWORDS: ProfileField[] = ['password', 'confirmPassword']

const server = await openTestServer()
const person = await insertUserWithSession(server.db)
await insertDivision(server.db, { id: completeInput(1, 1).divisionId })

/** A field's value in the request: numbers as numbers, null if empty. */
function toWire(field: ProfileField, value: unknown): unknown {
  if (!NUMBERS.includes(field) || typeof value !== 'string') return value
  if (value.trim() === '') return null
  return Number.isNaN(Number(value)) ? value : Number(value)
}
const profileOf = (status: EmployeeStatus, billing: BillingType | null) => ({
  ...completeInput(status, billing),
  email: person.email,
})
const save = (body: object) => server.request(editWebUser, { body: body as ProfileRequest, token: person.token })
/** Of several invalid fields, one is named. */
const refusalOf = (fields: string[]) =>
  fields.length > 0
    ? { status: 400, message: expect.stringMatching(new RegExp(`„(?:${fields.join('|')})“`)) }
    : { status: 200 }

describe.each(GROUPS)('status %s, billing type %s', (status, billing) => {
  test('the server validates every field, empty and filled in, by section 5', async () => {
    for (const [field, value, key] of profileCases(status, billing, currentYear)) {
      if (PASSWORDS.includes(field)) continue
      const { status: code, body } = await save({ ...profileOf(status, billing), [field]: toWire(field, value) })
      const wrong = [...(key ? [field] : []), ...(billingKey(status, billing) ? ['billingType'] : [])]
      expect({ field, value, status: code, message: body.message }).toMatchObject(refusalOf(wrong))
    }
  })
})

test('the passwords of a registration are validated by section 5', async () => {
  for (const [field, value, key] of profileCases(2, 3, currentYear)) {
    if (!PASSWORDS.includes(field)) continue
    const body = { ...profileOf(2, 3), email: 'neu@demo.example', [field]: value } as ProfileRequest
    const answer = await server.request(register, { body })
    expect(key).not.toBeNull()
    expect({ field, value, status: answer.status, message: answer.body.message }).toMatchObject(refusalOf([field]))
  }
})

test('after a change of group, the profile contains the fields of the new group', async () => {
  for (const from of STATUSES) {
    for (const to of STATUSES) {
      expect((await save(profileOf(from, 3))).body).toMatchObject({ status: 'Ok' })
      expect((await save(profileOf(to, 3))).body).toMatchObject({ status: 'Ok' })
      const { password: _password, confirmPassword: _confirmPassword, ...sent } = profileOf(to, 3)
      const billingType = specifiedBilling(to, 3)
      const stored = Object.entries(sent).map(([name, value]) => {
        const isUnused = specifiedUse(name as ProfileField, to, billingType) === 'hidden'
        return [name, isUnused ? (typeof value === 'number' ? 0 : '') : value]
      })
      expect((await server.request(getWebUser, { token: person.token })).body).toMatchObject({
        ...Object.fromEntries(stored),
        billingType,
      })
    }
  }
})
