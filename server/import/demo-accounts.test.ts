import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookCourse } from '#contract/bookings.ts'
import { checkSession, login } from '#contract/session.ts'
import { auditPortal } from '#server/audit/audit.ts'
import type { Config } from '#server/config.ts'
import { sql } from '#server/db/client.ts'
import { insertUserWithSession } from '#server/test/factories.ts'
import { createTestFolder } from '#server/test/import-folder.ts'
import { createTestServer, type TestServer } from '#server/test/server.ts'
import { runImport } from './command.ts'
import { loadDemo } from './demo.ts'
import { closeDemoAccounts, demoFolder, describeDemoAccounts, removeDemoAccounts } from './demo-accounts.ts'

const EMPLOYEE = 'employee@demo.example'
let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
  await loadDemo(server.db, { region: 'DE-NI' })
}, 120_000)
afterAll(() => server.close())
beforeEach(() => server.db.execute(sql`update web_users set locked_at = null`))

const logIn = async (userName = EMPLOYEE) =>
  (await server.request(login, { body: { userName, password: 'Demo-Sport-2026' } })).body
const close = (demoAccounts: Config['demoAccounts']) => closeDemoAccounts(server.db, { demoAccounts })

async function importFiles(path: string, demoAccounts: Config['demoAccounts']): Promise<string> {
  let said = ''
  const sink = { write: (text: string) => (said += text) }
  const silent = { write: () => undefined }
  const options = { folder: path }
  expect(
    await runImport(server.db, { region: 'DE-NI', demoAccounts, dataDir: path, publicUrl: '' }, options, {
      stdout: sink,
      stderr: silent,
    }),
  ).toBe(0)
  return said
}
async function importPerson(demoAccounts: Config['demoAccounts']): Promise<string> {
  const folder = await createTestFolder({ 'users.csv': 'email,givenName,familyName\nrita@firma.example,Rita,Rot\n' })
  return importFiles(folder.path, demoAccounts).finally(folder.remove)
}

test('on this machine the demo is open, also after its own programme was imported again', async () => {
  expect(await close('until-import')).toBeNull()
  expect(await importFiles(demoFolder, 'until-import')).not.toContain('demo accounts')
  expect(await logIn()).toMatchObject({ status: 'Ok' })
  expect(await describeDemoAccounts(server.db)).toContain(EMPLOYEE)
}, 60_000)

test('where the portal has a public address the accounts close, with one line, and sessions end', async () => {
  const { id } = await logIn()
  expect(await close('closed')).toMatch(/^Closed \d+ demo accounts.*PUBLIC_URL is set.*--remove[^\n]*$/)
  expect(await logIn()).toMatchObject({ status: 'NotActive' })
  expect(await logIn('lea.marquardt@demo.example')).toMatchObject({ status: 'NotActive' })
  expect((await server.request(checkSession, { query: { sessionToken: id } })).body.status).toBe('NotFound')
  expect(await describeDemoAccounts(server.db)).toBeNull()
  expect(await close('closed')).toBeNull()
})

test('an import of anybody else closes them at once, unless DEMO=on says otherwise', async () => {
  expect(await importPerson('open')).toContain('are open beside other data')
  expect(await logIn()).toMatchObject({ status: 'Ok' })
  expect(await importPerson('until-import')).toMatch(/Closed \d+ demo accounts.*another programme was imported/)
  expect(await logIn()).toMatchObject({ status: 'NotActive' })
})

test('the command deletes them: who waited gets their places, and nothing in the database contradicts', async () => {
  const waiting = await insertUserWithSession(server.db)
  const full = await server.db.one<{ id: number }>(sql`
    select id from courses where taken >= capacity and opens_at < now() and closes_at > now() order by id limit 1`)
  const booked = await server.request(bookCourse, { body: { id: full.id }, token: waiting.token })
  expect(booked.body).toMatchObject({ status: 'Ok', bookingStatus: 2 })
  const removed = await removeDemoAccounts(server.db, 'DE-NI')
  expect(removed).toBeGreaterThan(50)
  expect(await logIn()).toMatchObject({ status: 'WrongPWorUser' })
  expect(await server.db.query(sql`select state from bookings where web_user_id = ${waiting.id}`)).toEqual([
    { state: 1 },
  ])
  expect(
    await server.db.query(sql`select id from web_users where email like '%@demo.example' and id <> ${waiting.id}`),
  ).toEqual([])
  expect((await auditPortal(server.db)).findings).toEqual([])
  expect(await removeDemoAccounts(server.db, 'DE-NI')).toBe(0)
})
