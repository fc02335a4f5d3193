import { expect, test } from 'vitest'
import { updateProfile } from '#server/features/accounts/repository.ts'
import { findProfile, type StoredProfile } from '#server/features/session/account-repository.ts'
import { hashPassword, matchesMailedPassword, verifyPassword } from '#server/features/session/passwords.ts'
import { type Database, sql } from '#server/platform/db/client.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { insertSession, insertWebUser } from '#server/test/factories.ts'
import { countsOf, dumpTables, openImport } from '#server/test/import-folder.ts'
import { sendMails } from '#server/test/sent-mails.ts'

const HEADER = 'email,password,givenName,familyName,employeeStatus,divisionId,mobilePhone'
const users = (...rows: string[]) => ({ 'users.csv': `${[HEADER, ...rows].join('\n')}\n` })

const DIVISIONS = { 'divisions.csv': 'id,name,onlineOnly\n1,Pumpen,nein\n2,Guss,ja\n' }

type User = {
  id: number
  password_hash: string | null
  reset_password_hash: string | null
  is_active: boolean
  state: string
  city: string
  personnel_number: string
  mobile_phone: string
}
const user = (db: Database, email: string) =>
  db.one<User>(sql`select *, confirmed_at is not null as is_active from web_users where email = ${email}`)

test('people are imported as active with the password in the file, and a second import changes nothing', async () => {
  const { db, folder, run } = await openImport(DIVISIONS)
  await folder.write(users('Kim@Example.com,Geheim-2026,Kim,Muster,1,2,0171 1', 'lee@example.com,Anders-2026,Lee,,,,'))
  expect(countsOf(await run())).toMatchObject({ 'divisions.csv': { created: 2 }, 'users.csv': { created: 2 } })
  const kim = await user(db, 'kim@example.com')
  expect(kim.is_active).toBe(true)
  expect(await verifyPassword(kim.password_hash, 'Geheim-2026')).toBe(true)
  const before = await dumpTables(db)
  expect(await run()).toMatchObject({ hasChanged: false })
  expect(await dumpTables(db)).toEqual(before)
})

test('an empty cell does not delete a phone number that the person has entered', async () => {
  const { db, folder, run } = await openImport(DIVISIONS)
  await folder.write(users('kim@example.com,Geheim-2026,Kim,Muster,1,2,'))
  await run()
  await db.execute(sql`update web_users set mobile_phone = '+49 171 5' where email = 'kim@example.com'`)
  await folder.write(users('kim@example.com,Geheim-2026,Kim,Anders,1,2,'))
  expect(countsOf(await run())).toMatchObject({ 'users.csv': { updated: 1 } })
  expect(await user(db, 'kim@example.com')).toMatchObject({ family_name: 'Anders', mobile_phone: '+49 171 5' })
})

test('instructors’ names are normalized like those of people', async () => {
  const { db, folder, run } = await openImport({})
  // A ligature, a full-width letter and a zero-width space.
  await folder.write({ 'instructors.csv': 'email,familyName,givenName\nines@example.com,Griﬃn,\uff29n\u200bes\n' })
  await run()
  expect(await db.one(sql`select family_name, given_name from instructors where email = 'ines@example.com'`)).toEqual({
    family_name: 'Griffin',
    given_name: 'Ines',
  })
})

test('a person without a password receives one by e-mail, once', async () => {
  const { db, folder, run } = await openImport(DIVISIONS)
  await folder.write(users('kim@example.com,,Kim,Muster,1,,'))
  await run()
  const [mail, ...others] = await sendMails(db)
  expect(others).toEqual([])
  expect(mail).toMatchObject({ kind: 'welcome-import', recipient: 'kim@example.com' })
  const kim = await user(db, 'kim@example.com')
  expect(kim.password_hash).toBeNull()
  expect(matchesMailedPassword(kim.reset_password_hash, mail?.payload.password ?? '')).toBe(true)
  expect(await run()).toMatchObject({ hasChanged: false })
  expect(await db.query(sql`select id from mails`)).toHaveLength(1)
})

test('a weak password must be changed at the first login', async () => {
  const { db, folder, run } = await openImport(DIVISIONS)
  await folder.write(users('kim@example.com,1234,Kim,Muster,1,,', 'lee@example.com,Kaffee-Tasse-77,Lee,Muster,1,,'))
  await run()
  expect(await user(db, 'kim@example.com')).toMatchObject({ is_password_to_change: true })
  expect(await user(db, 'lee@example.com')).toMatchObject({ is_password_to_change: false })
  expect(await run()).toMatchObject({ hasChanged: false })
})

test('a password that the person has chosen since remains until the file contains another one', async () => {
  const { db, folder, run } = await openImport(DIVISIONS)
  await folder.write(users('kim@example.com,Geheim-2026,Kim,Muster,1,,', 'lee@example.com,Anders-2026,Lee,Muster,1,,'))
  await run()
  const { id } = await user(db, 'kim@example.com')
  await db.execute(sql`update web_users set password_hash = ${await hashPassword('Selbst-gewählt-1')} where id = ${id}`)
  await insertSession(db, id)

  await folder.write(users('kim@example.com,Geheim-2026,Kim,Muster,1,,', 'lee@example.com,Neu-2026-neu,Lee,Muster,1,,'))
  expect(countsOf(await run())).toMatchObject({ 'users.csv': { updated: 1, unchanged: 1 } })
  expect(await verifyPassword((await user(db, 'kim@example.com')).password_hash, 'Selbst-gewählt-1')).toBe(true)
  expect(await verifyPassword((await user(db, 'lee@example.com')).password_hash, 'Neu-2026-neu')).toBe(true)
  expect(await db.query(sql`select web_user_id from sessions`)).toEqual([{ web_user_id: id }])

  await folder.write(users('kim@example.com,Frisch-2026,Kim,Muster,1,,'))
  await run()
  expect(await verifyPassword((await user(db, 'kim@example.com')).password_hash, 'Frisch-2026')).toBe(true)
  expect(await db.query(sql`select web_user_id from sessions`)).toEqual([])
})

test('an unverified registration is replaced by the person in the file', async () => {
  const { db, folder, run } = await openImport(DIVISIONS)
  const password_hash = await hashPassword('Fremdes.Fahrrad8')
  const stranger = { passwordHash: password_hash, confirmedAt: null, city: 'Anderswo', personnelNumber: '666' }
  for (const email of ['kim@example.com', 'lee@example.com']) {
    const { id } = await insertWebUser(db, { email, ...stranger })
    await db.execute(sql`
      insert into account_tokens (token_hash, web_user_id, purpose, expires_at)
      values (sha256(${email}::bytea), ${id}, 'activation', clock_timestamp() + interval '1 day')`)
    await insertMail(db, { webUserId: id, kind: 'activation', payload: {} })
  }
  await folder.write(users('kim@example.com,,Kim,Muster,1,,', 'lee@example.com,Geheim-2026,Lee,Muster,1,,'))
  expect(countsOf(await run())).toMatchObject({ 'users.csv': { created: 2, updated: 0 } })
  const [kim, lee] = [await user(db, 'kim@example.com'), await user(db, 'lee@example.com')]
  for (const one of [kim, lee]) expect(one).toMatchObject({ state: 'known', city: '', personnel_number: '' })
  expect(kim.password_hash).toBeNull()
  expect(await verifyPassword(lee.password_hash, 'Fremdes.Fahrrad8')).toBe(false)
  expect(await db.query(sql`select from account_tokens`)).toEqual([])
  expect(await db.query(sql`select web_user_id, kind from mails`)).toEqual([
    { web_user_id: kim.id, kind: 'welcome-import' },
  ])
  expect(await run()).toMatchObject({ hasChanged: false })
})

test('a person whose account was merged or got another address is left out, with a note, as long as that can be undone', async () => {
  const { db, folder, run } = await openImport(DIVISIONS)
  const { id } = await insertWebUser(db, { email: 'kim@example.com' })
  await db.execute(sql`
    insert into account_tokens (token_hash, web_user_id, purpose, new_email, expires_at) values
      ('\\x01', ${id}, 'merge', 'merged@example.com', clock_timestamp() + interval '1 day'),
      ('\\x02', ${id}, 'undo', 'former@example.com', clock_timestamp() + interval '1 day'),
      ('\\x03', ${id}, 'undo', 'long-ago@example.com', clock_timestamp() - interval '1 day')`)
  await folder.write({
    ...users(
      'merged@example.com,,Kim,Muster,1,,',
      'former@example.com,,Kim,Muster,1,,',
      'kim@example.com,,Kim,Neu,1,,',
      'long-ago@example.com,,Kim,,,,',
    ),
    'messages.csv': 'email,created,title,text\nmerged@example.com,2026-11-01 09:00,Willkommen,Hallo\n',
  })
  const outcome = await run()
  expect(countsOf(outcome)).toMatchObject({ 'users.csv': { created: 1, updated: 1 }, 'messages.csv': { created: 0 } })
  expect(outcome).toMatchObject({
    notes: [
      'Left out, because the account was merged or got another address: "former@example.com", "merged@example.com"',
    ],
  })
  expect(await db.query(sql`select email from web_users order by id`)).toEqual([
    { email: 'kim@example.com' },
    { email: 'long-ago@example.com' },
  ])
})

test('a person who registers during the import is not mistaken for the person in the file', async () => {
  const { db, database, folder, run } = await openImport(DIVISIONS)
  await folder.write(users('kim@example.com,,Kim,Muster,1,,'))
  const { importing } = await db.transaction(async tx => {
    await insertWebUser(tx, { email: 'kim@example.com', confirmedAt: null, passwordHash: 'stranger' })
    const importing = run()
    await Promise.race([database.untilWaiting(1), importing])
    return { importing }
  })
  expect(countsOf(await importing)).toMatchObject({ 'users.csv': { created: 1 } })
  expect(await user(db, 'kim@example.com')).toMatchObject({ state: 'known', password_hash: null })
})

test('people in users.csv are verified until they enter another personnel number', async () => {
  const { db, folder, run } = await openImport(DIVISIONS)
  const { id } = await insertWebUser(db, { email: 'kim@example.com', personnelNumber: '4711' })
  await insertWebUser(db, { email: 'max@example.com', personnelNumber: '4711' })
  const state = async (email: string) => (await user(db, email)).state
  expect(await state('kim@example.com')).toBe('proved')
  await folder.write({ 'users.csv': 'email,personnelNumber,givenName,familyName\nkim@example.com,4711,Kim,Muster\n' })
  expect(countsOf(await run())).toMatchObject({ 'users.csv': { created: 0, updated: 1 } })
  expect([await state('kim@example.com'), await state('max@example.com')]).toEqual(['known', 'proved'])
  expect(await run()).toMatchObject({ hasChanged: false })
  await updateProfile(db, id, {
    ...((await findProfile(db, id)) as StoredProfile),
    mobilePhone: '0171 1',
  })
  expect(await state('kim@example.com')).toBe('known')
  await updateProfile(db, id, {
    ...((await findProfile(db, id)) as StoredProfile),
    personnelNumber: '4712',
  })
  expect(await state('kim@example.com')).toBe('proved')
  expect(await run()).toMatchObject({ hasChanged: true })
  expect(await user(db, 'kim@example.com')).toMatchObject({ state: 'known', personnel_number: '4711' })
  expect(await db.query(sql`select web_user_id, actor, kinds from account_changes order by id`)).toEqual([
    { web_user_id: id, actor: 'person', kinds: 'personnelNumber' },
    { web_user_id: id, actor: 'import', kinds: 'personnelNumber' },
  ])
})

test('mistakes about people are reported without their passwords', async () => {
  const { folder, run } = await openImport(DIVISIONS)
  await folder.write(
    users(
      'kim@example,Geheim-2026,Kim,Muster,3,7,anrufen',
      'lee@example.com,abc,Lee,Muster,1,,',
      'lee@example.com,,Lee,Muster,1,,',
    ),
  )
  const problems = countsOf(await run())
  expect(problems).toEqual([
    'users.csv:2: email: "kim@example" is not an e-mail address of at most 50 characters',
    'users.csv:2: employeeStatus: "3" is not one of 1, 2, 4, 5, 6, 7',
    expect.stringMatching(/^users\.csv:2: mobilePhone: "anrufen" is not a phone number/),
    'users.csv:2: divisionId: "7" is neither in divisions.csv nor in the portal',
    'users.csv:3: password: a password has 4 to 50 characters',
    'users.csv:4: email: "lee@example.com" already stands in line 3',
  ])
})

test('inbox messages are matched by person, time and title, and keep their read state', async () => {
  const { db, folder, run } = await openImport(DIVISIONS)
  await folder.write({
    ...users('kim@example.com,Geheim-2026,Kim,Muster,1,,'),
    'messages.csv':
      'email,created,title,text\nKIM@example.com,2026-11-01 09:00,Willkommen,<p>Hallo<script>x</script></p>\n',
  })
  await run()
  await db.execute(sql`update inbox_items set seen_at = clock_timestamp()`)
  expect(await run()).toMatchObject({ hasChanged: false })
  await folder.write({
    'messages.csv':
      'email,created,title,text\nkim@example.com,1.11.2026 9:00,Willkommen,<p>Hallo Kim</p>\nlee@example.com,1.11.2026,X,\n',
  })
  expect(countsOf(await run())).toEqual([
    'messages.csv:3: email: "lee@example.com" is neither in users.csv nor in the portal',
  ])
  await folder.write({
    'messages.csv': 'email,created,title,text\nkim@example.com,1.11.2026 9:00,Willkommen,<p>Hallo Kim</p>\n',
  })
  expect(countsOf(await run())).toMatchObject({ 'messages.csv': { updated: 1 } })
  expect(
    await db.query(
      sql`select title, text, created_at::timestamp::text as created, seen_at is not null as seen from inbox_items`,
    ),
  ).toEqual([{ title: 'Willkommen', text: '<p>Hallo Kim</p>', created: '2026-11-01 09:00:00', seen: true }])
})
