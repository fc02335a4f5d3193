import { expect, test } from 'vitest'
import { checkEmailPassword, editWebUser, type ProfileRequest, register } from '#contract/endpoints/accounts.ts'
import { completeInput } from '#contract/test/profiles.ts'
import { importProgramme } from '#server/features/programme/import-programme.ts'
import { parsePersonClaims } from '#server/identity/oidc/rules.ts'
import { parseScimPerson } from '#server/identity/scim/scim-rules.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertDivision, insertUserWithSession, insertWebUser } from '#server/test/factories.ts'
import { createTestFolder } from '#server/test/import-folder.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, act } = await openTestOffice(['bookings', 'owner'])
const { db } = server
const divisionId = (await insertDivision(db)).id

const HIDDEN = 'Ma\u200bra\u2063'
const nameOf = (email: string) =>
  db.maybeOne<{ name: string; number: string }>(sql`
    select given_name as name, personnel_number as number from web_users where email = ${email}`)
const form = (email: string) =>
  ({ ...completeInput(1, 1), email, givenName: HIDDEN, personnelNumber: '４７\u200b11', divisionId }) as ProfileRequest

test('invisible characters are removed from a registration and a changed profile', async () => {
  const body = form('mar\u200ba@demo.example')
  expect((await server.request(register, { body })).body.status).toBe('Ok')
  expect(await nameOf('mara@demo.example')).toEqual({ name: 'Mara', number: '4711' })
  await insertWebUser(db, { email: 'taken@demo.example' })
  const { password, confirmPassword } = body
  const taken = { email: 'ta\u2060ken@demo.example', password, confirmPassword }
  expect((await server.request(checkEmailPassword, { body: taken })).body.status).toBe('Duplicate')
  const wrong = await server.request(register, { body: form('a@corp..example') })
  expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('email')])

  const { token, email } = await insertUserWithSession(db)
  expect((await server.request(editWebUser, { token, body: { ...form(email), password: '' } })).body.status).toBe('Ok')
  expect(await nameOf(email)).toEqual({ name: 'Mara', number: '4711' })
})

test('invisible characters are removed from an office action', async () => {
  const person = {
    email: 'ak\u00adt@demo.example',
    givenName: HIDDEN,
    familyName: 'Mu\u200dster',
    personnelNumber: '8\u200b8',
  }
  await act({ kind: 'create-person', employeeStatus: 1, ...person })
  expect(await nameOf('akt@demo.example')).toEqual({ name: 'Mara', number: '88' })
})

test('invisible characters are removed from an import', async () => {
  const row = `im\u200bport@demo.example,${HIDDEN},Mu\u2063ster,9\u200b9`
  const folder = await createTestFolder({ 'users.csv': `email,givenName,familyName,personnelNumber\n${row}\n` })
  expect(await importProgramme(db, { folder: folder.path, region: 'DE-NI' })).toMatchObject({ isDone: true })
  await folder.remove()
  expect(await nameOf('import@demo.example')).toEqual({ name: 'Mara', number: '99' })
})

test('invisible characters are removed from SCIM data and claims of the company login', () => {
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  expect(parseScimPerson({ userName: 'a\u200bda', [enterprise]: { employeeNumber: '1\u20630' } })).toMatchObject({
    userName: 'ada',
    personnelNumber: '10',
  })
  const claims = { number: '1\u200b0', given_name: HIDDEN, email: 'a\u200bda@demo.example', email_verified: true }
  const mapping = { personnelNumber: 'number', givenName: 'given_name', familyName: 'f', email: 'email' }
  expect(parsePersonClaims(claims, { scope: '', isEmailTrusted: false, ...mapping })).toMatchObject({
    personnelNumber: '10',
    givenName: 'Mara',
    email: 'ada@demo.example',
  })
})
