import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookCourse } from '#contract/endpoints/courses.ts'
import { checkSession, login } from '#contract/endpoints/session.ts'
import { RIGHTS } from '#contract/values.ts'
import { runImport } from '#server/commands/import.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import type { Config } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertUserWithSession, insertWebUser } from '#server/test/factories.ts'
import { createTestFolder } from '#server/test/import-folder.ts'
import { openTestDesk } from '#server/test/office.ts'
import { createTestServer, type TestServer } from '#server/test/server.ts'
import { loadDemoProgramme } from './demo.ts'
import {
  demoFolder,
  describeDemoAccounts,
  disableDemoAccounts,
  hasOtherAccounts,
  removeDemoAccounts,
} from './demo-accounts.ts'

const EMPLOYEE = 'employee@demo.example'
const DESK = 'desk@demo.example'
let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
  await loadDemoProgramme(server.db, { region: 'DE-NI' })
}, 120_000)
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.execute(sql`update web_users set locked_at = null, password_hash = imported_password_hash`)
  await server.db.execute(sql`
    insert into office_rights (web_user_id, "right")
    select id, unnest(${[...RIGHTS]}::text[]) from web_users where email = ${DESK} on conflict do nothing`)
})

const logIn = async (userName = EMPLOYEE) =>
  (await server.request(login, { body: { userName, password: 'Demo-Sport-2026' } })).body
const close = (demoAccounts: Config['demoAccounts']) => disableDemoAccounts(server.db, { demoAccounts })

async function importFiles(path: string, demoAccounts: Config['demoAccounts']): Promise<string> {
  let said = ''
  const sink = { write: (text: string) => (said += text) }
  const silent = { write: () => undefined }
  const options = { folder: path }
  expect(
    await runImport(server.db, { ...server.context.config, demoAccounts, dataDir: path, publicUrl: '' }, options, {
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

test('on this machine, the demo accounts remain enabled even after the demo programme was imported again', async () => {
  expect(await close('until-import')).toBeNull()
  expect(await importFiles(demoFolder, 'until-import')).not.toContain('demo accounts')
  expect(await logIn()).toMatchObject({ status: 'Ok' })
  expect(await describeDemoAccounts(server.db)).toContain(EMPLOYEE)
}, 60_000)

test('passkeys stay off until somebody else can log in, which people without an e-mail address cannot', async () => {
  expect(await hasOtherAccounts(server.db)).toBe(false)
  const { id } = await insertWebUser(server.db, { email: 'no-address-1' })
  expect(await hasOtherAccounts(server.db)).toBe(false)
  await server.db.execute(sql`update web_users set email = 'somebody@firma.example' where id = ${id}`)
  expect(await hasOtherAccounts(server.db)).toBe(true)
  await server.db.execute(sql`delete from web_users where id = ${id}`)
})

test('with a public URL, the demo accounts are disabled with one message, and their sessions end', async () => {
  const { id } = await logIn()
  expect(await close('closed')).toMatch(/^Closed \d+ demo accounts.*PUBLIC_URL is set.*--remove[^\n]*$/)
  expect(await logIn()).toMatchObject({ status: 'WrongPWorUser' })
  expect(await logIn('lea.marquardt@demo.example')).toMatchObject({ status: 'WrongPWorUser' })
  expect((await server.request(checkSession, { query: { sessionToken: id } })).body.status).toBe('NotFound')
  expect(await describeDemoAccounts(server.db)).toBeNull()
  expect(await close('closed')).toBeNull()
})

test('disabled accounts stay without password and permissions, even if they are unlocked or imported again', async () => {
  await close('closed')
  const office = await openTestDesk(server, ['bookings'])
  const { id } = await server.db.one<{ id: number }>(sql`select id from web_users where email = ${DESK}`)
  expect(await office.act({ kind: 'unlock-person', webUserId: id })).toMatchObject({ status: 'Ok' })
  expect(await logIn(DESK)).toMatchObject({ status: 'WrongPWorUser' })
  await importFiles(demoFolder, 'until-import')
  expect(await logIn(DESK)).toMatchObject({ status: 'WrongPWorUser' })
  expect(await server.db.query(sql`select from office_rights where web_user_id = ${id}`)).toEqual([])
  await server.db.execute(sql`delete from web_users where id = ${office.id}`)
}, 60_000)

test('accounts that an earlier version only locked lose password and permissions at the next start', async () => {
  await server.db.execute(sql`update web_users set locked_at = clock_timestamp() where email like '%@demo.example'`)
  expect(await close('closed')).toBeNull()
  await server.db.execute(sql`update web_users set locked_at = null`)
  expect(await logIn(DESK)).toMatchObject({ status: 'WrongPWorUser' })
})

test('a course disables them if it is imported, but not if it is created at the desk', async () => {
  const office = await openTestDesk(server, ['programme'])
  const { seasonId, categoryId } = await server.db.one<{ seasonId: number; categoryId: number }>(sql`
    select season_id as "seasonId", category_id as "categoryId" from courses order by id limit 1`)
  const course = { seasonId, courseCategoryId: categoryId, name: 'Neu', startTime: '18:00', endTime: '19:00' }
  const days = { start: '2100-01-14', end: '2100-01-28', participants: 5 }
  expect(await office.act({ kind: 'create-course', number: 'DESK-1', ...course, ...days })).toMatchObject({
    status: 'Ok',
  })
  await server.db.execute(sql`delete from web_users where id = ${office.id}`)
  expect(await close('until-import')).toBeNull()
  expect(await logIn()).toMatchObject({ status: 'Ok' })

  const folder = await createTestFolder({
    'courses.csv': `number,seasonId,courseCategoryId,name,startTime,endTime,start,participants\nREAL-1,${seasonId},${categoryId},Neu,18:00,19:00,2100-01-14,5\n`,
  })
  expect(await importFiles(folder.path, 'until-import')).toMatch(/Closed \d+ demo accounts/)
  await folder.remove()
  expect(await logIn()).toMatchObject({ status: 'WrongPWorUser' })
})

test('importing other people disables them immediately unless DEMO=on', async () => {
  expect(await importPerson('open')).toContain('are open beside other data')
  expect(await logIn()).toMatchObject({ status: 'Ok' })
  expect(await importPerson('until-import')).toMatch(/Closed \d+ demo accounts.*another programme was imported/)
  expect(await logIn()).toMatchObject({ status: 'WrongPWorUser' })
})

test('the command deletes them, promotes people from the waiting lists, and leaves a consistent database', async () => {
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
