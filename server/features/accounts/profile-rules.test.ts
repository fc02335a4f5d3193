import { afterAll, beforeAll, expect, test } from 'vitest'
import { editWebUser, getWebUser, type WebUserInput } from '#contract/accounts.ts'
import { checkProfile } from '#contract/profile-check.ts'
import { completeProfile, PROFILE_FIELDS, type ProfileField, type ProfileInput } from '#contract/profile-rules.ts'
import type { BillingType, EmployeeStatus } from '#contract/values.ts'
import { insertDivision, insertUserWithSession } from '#server/test-factories.ts'
import { createTestServer, type TestServer } from '#server/test-server.ts'

const STATUSES: EmployeeStatus[] = [1, 2, 4, 5, 6, 7]
const currentYear = new Date().getFullYear()
const BILLINGS: (BillingType | null)[] = [null, 1, 2, 3, 4]

let server: TestServer
let person: { email: string; token: string }
let divisionId: number
beforeAll(async () => {
  server = await createTestServer()
  person = await insertUserWithSession(server.db)
  divisionId = (await insertDivision(server.db)).id
})
afterAll(() => server.close())

const whole = (employeeStatus: EmployeeStatus, billingType: BillingType | null) => ({
  email: person.email,
  formOfAddress: 'Divers' as const,
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
  divisionId,
  mobilePhone: '+49 (171) 39200/01',
  privatePhone: '030 23125',
  businessPhone: '12',
  street: 'Lindenallee 27',
  zip: '38210',
  city: 'Salzstadt',
  yearOfBirth: 1989,
})

/** Fitting the schema, and against the rules. */
const wrong: Partial<Record<ProfileField, unknown>> = {
  mobilePhone: 'x12',
  privatePhone: '1',
  businessPhone: '030-1',
  yearOfBirth: currentYear,
  billingType: 4,
}
const save = (body: object) => server.request(editWebUser, { body: body as WebUserInput, token: person.token })

const fields = PROFILE_FIELDS.filter(
  field => !['password', 'confirmPassword', 'email', 'employeeStatus'].includes(field),
)

test.each(STATUSES)('the server judges every field of status %i, empty or wrong, as the form does', async status => {
  for (const billing of BILLINGS) {
    for (const field of fields) {
      for (const value of ['formOfAddress', 'title'].includes(field) ? [] : [null, wrong[field] ?? null]) {
        const body = { ...whole(status, billing), [field]: value }
        const [violation] = checkProfile(body as ProfileInput, { currentYear, step: 'profile' })
        const answer = await save(body)
        const seen = { billing, field, value, status: answer.status, message: answer.body.message }
        expect(seen).toMatchObject(
          violation ? { status: 400, message: expect.stringContaining(`„${violation.field}“`) } : { status: 200 },
        )
      }
    }
  }
})

test('whatever group a person comes from, the profile holds what the new one uses', async () => {
  for (const from of STATUSES) {
    for (const to of STATUSES) {
      expect((await save(whole(from, 3))).body).toMatchObject({ status: 'Ok' })
      expect((await save(whole(to, 3))).body).toMatchObject({ status: 'Ok' })
      const stored = (await server.request(getWebUser, { token: person.token })).body
      const { billingType, divisionId, ...rest } = completeProfile(whole(to, 3))
      expect(stored).toMatchObject({ ...rest, billingType: billingType ?? 0, divisionId: divisionId ?? 0 })
    }
  }
})
