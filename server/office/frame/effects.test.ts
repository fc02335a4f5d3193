import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deleteAccount, getWebUser } from '#contract/endpoints/accounts.ts'
import { getCourseDates } from '#contract/endpoints/attendance.ts'
import { checkSession, resetPassword } from '#contract/endpoints/session.ts'
import { listRights } from '#contract/office/office.ts'
import { getOfficeList, getOfficePerson } from '#contract/office/people.ts'
import { completeInput } from '#contract/test/profiles.ts'
import { RIGHTS, type Right } from '#contract/values.ts'
import { importProgramme } from '#server/features/programme/import-programme.ts'
import { runRetention } from '#server/operations/retention.ts'
import { sql } from '#server/platform/db/client.ts'
import { createToken, hashToken } from '#server/platform/http/token.ts'
import { createAccountCalls } from '#server/test/account-calls.ts'
import {
  dateFromNow,
  insertBooking,
  insertCourse,
  insertInstructor,
  insertInstructorWithSession,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { createTestFolder } from '#server/test/import-folder.ts'
import { insertInvoice, insertProof } from '#server/test/money-scene.ts'
import { insertOfficer, openTestDesk, openTestProgram, type TestAct } from '#server/test/office.ts'
import { PASSWORD } from '#server/test/password.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const { db } = server
const calls = createAccountCalls(server)
const office = await openTestDesk(server, ['bookings'])
const owner = await openTestDesk(server, ['owner', 'bookings'])
const programme = await openTestDesk(server, ['programme'])

let last = 0
const unique = (name: string) => `${name}${++last}@effects.example`
const isAlive = async (token: string) =>
  (await server.request(checkSession, { query: { sessionToken: token } })).body.status === 'Ok'
const inboxOf = async (id: number) =>
  (await db.query<{ title: string }>(sql`select title from inbox_items where web_user_id = ${id} order by id`)).map(
    ({ title }) => title,
  )
const registerClaim = async (email: string, password = PASSWORD) => {
  await calls.register({ ...completeInput(2, 3), email, password, confirmPassword: password } as never)
  return db.one<{ id: number; state: string }>(sql`select id, state from web_users where email = ${email}`)
}

describe('an action on an account with rights', async () => {
  const holder = await insertOfficer(server, ['content'])
  const acts: TestAct[] = [
    { kind: 'change-person', webUserId: holder.id, city: 'Celle' },
    { kind: 'change-person', webUserId: holder.id, email: unique('evil') },
    { kind: 'lock-person', webUserId: holder.id },
    { kind: 'unlock-person', webUserId: holder.id },
    { kind: 'merge-people', webUserId: holder.id, intoWebUserId: office.id },
    { kind: 'merge-people', webUserId: (await insertWebUser(db)).id, intoWebUserId: holder.id },
  ]
  test.each(acts)('requires the owner permission: %j', async act => {
    expect((await office.send({ ...act, preview: true })).status).toBe(403)
    expect((await owner.send({ ...act, preview: true })).status).toBe(200)
  })
})

describe('an instructor', async () => {
  const { id, email } = await insertInstructorWithSession(db)
  const person = await insertWebUser(db)
  await insertCourse(db, { instructorEmails: [email] })
  const program = await openTestProgram(server, ['bookings'])
  const moved = { kind: 'change-person', webUserId: id, email: unique('moved') } as const
  const guarded: TestAct[] = [
    moved,
    { kind: 'unlock-person', webUserId: id },
    { kind: 'merge-people', webUserId: id, intoWebUserId: person.id },
    { kind: 'merge-people', webUserId: person.id, intoWebUserId: id },
  ]
  test.each(guarded)('is protected like somebody with rights: %j', async act => {
    expect((await office.send({ ...act, preview: true })).status).toBe(403)
    expect((await program.send({ ...act, preview: true })).status).toBe(403)
    expect((await owner.send({ ...act, preview: true })).status).toBe(200)
  })

  test('can be booked and changed by everybody with the permission', async () => {
    expect((await office.act({ kind: 'change-person', webUserId: id, city: 'Celle' })).status).toBe('Ok')
    expect((await office.act({ kind: 'lock-person', webUserId: id })).status).toBe('Ok')
    expect((await owner.act({ kind: 'unlock-person', webUserId: id })).status).toBe('Ok')
  })

  test('is given another address before the eyes of the owners and of everybody with the programme', async () => {
    const [other, colleague] = [await insertOfficer(server, ['owner']), await insertOfficer(server, ['programme'])]
    await owner.act(moved)
    expect(await inboxOf(other.id)).toContainEqual(expect.stringContaining('Neue E-Mail-Adresse'))
    expect(await inboxOf(colleague.id)).toContain('Neue Kursleitung eingetragen')
  })

  test('who is assigned by a service token is reported to the owners as well', async () => {
    const boss = await insertOfficer(server, ['owner'])
    const { send } = await openTestProgram(server, ['programme'])
    const accomplice = await insertUserWithSession(db)
    await send({ kind: 'save-instructor', email: accomplice.email, familyName: 'Neu' })
    expect(await inboxOf(boss.id)).toEqual(['Neue Kursleitung eingetragen'])
  })

  test('is not assigned and removed again without a notice', async () => {
    const alone = await openTestServer()
    const desk = await openTestDesk(alone, ['programme'])
    const { email: substitute } = await insertInstructorWithSession(alone.db)
    const course = await insertCourse(alone.db)
    const lesson = await alone.db.one<{ id: number }>(sql`
      select id from course_dates where course_id = ${course.id} limit 1`)
    const act = { kind: 'change-lesson', courseDateId: lesson.id, instructorEmail: substitute } as const
    const shown = { ...act, actId: randomUUID(), undoable: true }
    expect(await desk.act(shown)).not.toHaveProperty('undoable')
    const undo = { ...act, instructorEmail: '', undoes: shown.actId }
    expect((await desk.send(undo)).body).toMatchObject({ status: 'Failed' })
  })
})

describe('an API client with a service token', async () => {
  const program = await openTestProgram(server, ['programme', 'bookings'])
  const holder = await insertOfficer(server, ['content'])
  const person = await insertWebUser(db)
  const course = await insertCourse(db)
  await insertInstructor(db, { email: holder.email })
  const lesson = await db.one<{ id: number }>(sql`select id from course_dates where course_id = ${course.id} limit 1`)
  const quiet = { quiet: true, reason: 'Eilt' } as const
  const invited = await owner.act({ kind: 'invite-person', email: unique('pending'), rights: ['content'] })
  const acts: TestAct[] = [
    ...[holder.id, Number(invited.result.webUserId)].flatMap((webUserId): TestAct[] => [
      { kind: 'book', courseId: course.id, webUserId },
      { kind: 'cancel-booking', courseId: course.id, webUserId, charge: 'none' },
      { kind: 'change-person', webUserId, city: 'Celle' },
      { kind: 'change-person', webUserId, email: unique('evil') },
      { kind: 'lock-person', webUserId },
      { kind: 'unlock-person', webUserId },
      { kind: 'verify-person', webUserId },
      { kind: 'merge-people', webUserId, intoWebUserId: person.id },
      { kind: 'merge-people', webUserId: person.id, intoWebUserId: webUserId },
      { kind: 'send-message', to: 'person', id: webUserId, title: 'Hallo', mail: true },
    ]),
    { kind: 'invite-person', email: unique('guest') },
    { kind: 'save-instructor', email: owner.email, familyName: 'Neu', ...quiet },
    { kind: 'change-course', courseId: course.id, instructorEmails: [holder.email], ...quiet },
    { kind: 'change-lesson', courseDateId: lesson.id, instructorEmail: holder.email, ...quiet },
  ]
  test.each(acts)('cannot perform: %j', async act => {
    for (const preview of [true, false])
      expect(await program.send({ ...act, preview })).toMatchObject({
        status: 403,
        body: { code: 'request.notByToken' },
      })
  })

  test('is named by its token in notices, not as a person', async () => {
    const colleague = await insertOfficer(server, ['programme'])
    const accomplice = await insertUserWithSession(db)
    const answer = await program.send({ kind: 'save-instructor', email: accomplice.email, familyName: 'Neu', ...quiet })
    expect(answer.body).toMatchObject({ status: 'Ok' })
    const { text } = await db.one<{ text: string }>(sql`
      select text from inbox_items where web_user_id = ${colleague.id} order by id desc limit 1`)
    expect(text).toContain('Programm programme bookings')
  })

  test.each([
    { kind: 'grant-right', email: person.email, right: 'content' },
    { kind: 'revoke-right', email: holder.email, right: 'content' },
    { kind: 'create-token', name: 'x', token: createToken(), scopes: ['lists'], expiresOn: dateFromNow(9) },
    { kind: 'revoke-token', tokenId: program.tokenId },
  ] satisfies TestAct[])('has no scope for: %j', async act => {
    expect(await program.send(act)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })
})

describe('a changed e-mail address', () => {
  test('ends sessions and known devices, invalidates e-mailed passwords, and can be undone from the former address', async () => {
    const email = unique('old')
    const { id, token } = await insertUserWithSession(db, { email })
    await db.execute(sql`insert into known_devices (token_hash, web_user_id) values (${hashToken(email)}, ${id})`)
    await server.request(resetPassword, { body: { userName: email } })
    const mailed = (await calls.mailsTo(email)).findLast(({ kind }) => kind === 'password-reset')?.payload.password
    const next = unique('new')
    const answer = await office.actAsPreviewed({ kind: 'change-person', webUserId: id, email: next })
    expect(answer.consequences.told).toMatchObject([{ id }])
    expect(await isAlive(token)).toBe(false)
    expect(await db.query(sql`select from known_devices where web_user_id = ${id}`)).toEqual([])
    expect((await calls.logIn(next, mailed)).status).toBe('WrongPWorUser')
    const undo = await calls.linkTo(email, 'email-changed')
    expect(await calls.undo(undo)).toMatchObject({ status: 'Ok' })
    expect(await db.one(sql`select email from web_users where id = ${id}`)).toEqual({ email })
  })

  test('cannot be undone from the former address once the account has a right', async () => {
    const email = unique('insider')
    const { result } = await office.act({ kind: 'create-person', familyName: 'Neu', email })
    const password = (await calls.mailsTo(email)).at(-1)?.payload.password
    const { id: token } = await calls.logIn(email, password)
    await calls.choosePassword(token, 'Fremdes.Fahrrad8')
    const colleague = unique('colleague')
    await office.act({ kind: 'change-person', webUserId: Number(result.webUserId), email: colleague })
    const undo = await calls.linkTo(email, 'email-changed')
    await owner.act({ kind: 'grant-right', email: colleague, right: 'programme' })
    expect((await calls.logIn(colleague, 'Fremdes.Fahrrad8')).status).toBe('WrongPWorUser')
    expect(await calls.undo(undo)).toMatchObject({ status: 'NotFound' })
    // The owner of the mailbox can log in.
    const own = (await calls.mailsTo(colleague)).findLast(({ kind }) => kind === 'password-reset')?.payload.password
    expect(await calls.logIn(colleague, own)).toMatchObject({ status: 'Ok', rights: ['programme'] })
  })

  test('ends all sessions when removed, and notifies the former address', async () => {
    const { id, token, email } = await insertUserWithSession(db)
    await office.act({ kind: 'change-person', webUserId: id, email: '' })
    expect(await isAlive(token)).toBe(false)
    expect((await calls.mailsTo(email)).at(-1)).toMatchObject({ kind: 'email-changed', payload: { newEmail: '' } })
  })
})

describe('the last owner who can log in', () => {
  test('cannot be locked, revoked, merged, deleted or left without an address', async () => {
    const others = await db.query<{ id: number }>(sql`
      delete from office_rights where "right" = 'owner' and web_user_id <> ${owner.id} returning web_user_id as id`)
    expect(others).toBeDefined()
    const locked = await insertOfficer(server, ['owner'])
    await db.execute(sql`update web_users set locked_at = now() where id = ${locked.id}`)
    await registerClaim(unique('claim'))
    for (const act of [
      { kind: 'lock-person', webUserId: owner.id },
      { kind: 'revoke-right', email: owner.email, right: 'owner' },
      { kind: 'change-person', webUserId: owner.id, email: '' },
    ] satisfies TestAct[])
      expect([act, (await owner.act(act)).status]).toEqual([act, 'Failed'])
    const into = await insertWebUser(db)
    expect((await owner.act({ kind: 'merge-people', webUserId: owner.id, intoWebUserId: into.id })).status).toBe(
      'Failed',
    )

    const only = await insertUserWithSession(db, { passwordHash: null })
    await db.execute(sql`
      update web_users set password_hash = (select password_hash from web_users where password_hash is not null limit 1) where id = ${only.id}`)
    const { status } = (await server.request(deleteAccount, { token: owner.token, body: { password: 'wrong' } })).body
    expect(status).toBe('WrongPWorUser')
    const another = await insertOfficer(server, ['owner'])
    expect((await owner.act({ kind: 'lock-person', webUserId: another.id })).status).toBe('Ok')
    await owner.act({ kind: 'unlock-person', webUserId: locked.id })
    expect((await owner.act({ kind: 'revoke-right', email: owner.email, right: 'owner', preview: true })).status).toBe(
      'Ok',
    )
  })

  test('is not replaced by an owner whose address nobody has proved', async () => {
    await db.execute(sql`
      delete from office_rights where "right" = 'owner' and web_user_id <> ${owner.id}`)
    const email = unique('typo')
    await office.act({ kind: 'create-person', familyName: 'Neu', email })
    await owner.act({ kind: 'grant-right', email, right: 'owner' })
    const acts: TestAct[] = [
      { kind: 'lock-person', webUserId: owner.id },
      { kind: 'revoke-right', email: owner.email, right: 'owner' },
    ]
    for (const act of acts) expect([act, (await owner.act(act)).status]).toEqual([act, 'Failed'])
    const password = (await calls.mailsTo(email)).find(({ payload }) => payload.password)?.payload.password
    expect(await calls.logIn(email, password)).toMatchObject({ status: 'Ok', rights: ['owner'] })
    for (const act of acts) expect([act, (await owner.act({ ...act, preview: true })).status]).toEqual([act, 'Ok'])
  })

  test('cannot delete the account until another owner can log in', async () => {
    const email = unique('rita')
    await registerClaim(email)
    await calls.confirm(await calls.linkTo(email, 'activation'))
    const { id: token, webUserId } = await calls.logIn(email)
    await db.execute(sql`insert into office_rights (web_user_id, "right") values (${webUserId}, 'owner')`)
    const erase = async () => (await server.request(deleteAccount, { token, body: { password: PASSWORD } })).body
    await db.transaction(async tx => {
      await tx.execute(sql`update web_users set locked_at = now() where id in (
        select web_user_id from office_rights where "right" = 'owner' and web_user_id <> ${webUserId})`)
    })
    expect(await erase()).toMatchObject({ status: 'Failed', message: expect.stringContaining('Rechte') })
    await db.execute(sql`update web_users set locked_at = null where id = ${owner.id}`)
    expect(await erase()).toMatchObject({ status: 'Ok' })
  })
})

describe('an unconfirmed registration', () => {
  test('is treated as no account by every action', async () => {
    const email = unique('colleague')
    const { id } = await registerClaim(email)
    const person = await insertWebUser(db)
    const course = await insertCourse(db)
    const acts: TestAct[] = [
      { kind: 'book', courseId: course.id, webUserId: id },
      { kind: 'move-booking', fromCourseId: course.id, toCourseId: (await insertCourse(db)).id, webUserId: id },
      { kind: 'cancel-booking', courseId: course.id, webUserId: id, charge: 'none' },
      { kind: 'merge-people', webUserId: person.id, intoWebUserId: id },
      { kind: 'merge-people', webUserId: id, intoWebUserId: person.id },
      { kind: 'verify-person', webUserId: id },
      { kind: 'lock-person', webUserId: id },
      { kind: 'unlock-person', webUserId: id },
      { kind: 'change-person', webUserId: id, city: 'Celle' },
      { kind: 'send-message', to: 'person', id, title: 'Hallo', mail: true },
      { kind: 'grant-right', email, right: 'owner' },
      { kind: 'revoke-right', email, right: 'owner' },
    ]
    for (const act of acts) expect([act.kind, (await owner.act(act)).status]).toEqual([act.kind, 'Failed'])
  })

  test('is replaced by a person to whom staff assign its address', async () => {
    const email = unique('taken')
    await registerClaim(email)
    const { id } = await insertWebUser(db)
    expect(await office.act({ kind: 'change-person', webUserId: id, email })).toMatchObject({ status: 'Ok' })
    expect((await calls.logIn(email)).status).toBe('WrongPWorUser')
    const other = unique('taken')
    await registerClaim(other)
    expect(await office.act({ kind: 'invite-person', email: other })).toMatchObject({ status: 'Ok' })
    expect((await calls.logIn(other)).status).toBe('WrongPWorUser')
  })

  test('with bookings of an earlier build blocks neither registration, import nor retention', async () => {
    const course = await insertCourse(db, { capacity: 5 })
    const [again, imported, old] = [unique('again'), unique('imported'), unique('old')]
    for (const email of [again, imported, old]) await insertBooking(db, course.id, (await registerClaim(email)).id)
    await db.execute(sql`delete from throttle_events`)
    expect((await registerClaim(again, 'Blauer.Elefant9')).state).toBe('claimed')
    const folder = await createTestFolder({ 'users.csv': `email,givenName,familyName\n${imported},Rita,Rot\n` })
    expect(await importProgramme(db, { folder: folder.path, region: 'DE-NI' })).toMatchObject({ isDone: true })
    await folder.remove()
    await db.execute(sql`update web_users set created_at = now() - interval '15 days' where email = ${old}`)
    await runRetention({ db, now: new Date() })
    expect(await db.query(sql`select from web_users where email = ${old}`)).toEqual([])
    expect(await db.one(sql`select taken from courses where id = ${course.id}`)).toEqual({ taken: 0 })
  })

  test('gets no message of messages.csv', async () => {
    const email = unique('post')
    const { id } = await registerClaim(email)
    const folder = await createTestFolder({
      'messages.csv': `email,createdAt,title,text\n${email},2026-01-01T10:00,Hallo,Hallo\n`,
    })
    await importProgramme(db, { folder: folder.path, region: 'DE-NI' })
    await folder.remove()
    expect(await inboxOf(id)).toEqual([])
  })
})

describe('assigning an instructor', () => {
  const namesIn = async (courseId: number, token: string) =>
    (await server.request(getCourseDates, { params: { id: courseId }, token })).status

  test('notifies the other users with the programme permission and the course’s instructors, quiet or not', async () => {
    const colleague = await insertOfficer(server, ['programme'])
    const teacher = await insertUserWithSession(db)
    await insertInstructor(db, { email: teacher.email })
    const course = await insertCourse(db, { instructorEmails: [teacher.email] })
    const accomplice = await insertUserWithSession(db)
    const quiet = { quiet: true, reason: 'Eilt' } as const
    await programme.act({ kind: 'save-instructor', email: accomplice.email, familyName: 'Neu', ...quiet })
    expect(await inboxOf(colleague.id)).toEqual(['Neue Kursleitung eingetragen'])
    const emails = [teacher.email, accomplice.email]
    const { consequences } = await programme.actAsPreviewed({
      kind: 'change-course',
      courseId: course.id,
      instructorEmails: emails,
      ...quiet,
    })
    expect(consequences.told.map(({ id }) => id)).toEqual(
      expect.arrayContaining([colleague.id, teacher.id, accomplice.id]),
    )
    expect(consequences.told.map(({ id }) => id)).not.toContain(programme.id)
    const { text } = await db.one<{ text: string }>(sql`
      select text from inbox_items where web_user_id = ${teacher.id} order by id desc limit 1`)
    expect(text).toContain(accomplice.email)
    expect(text).toContain('Kim Muster')
    const lesson = await db.one<{ id: number }>(sql`select id from course_dates where course_id = ${course.id} limit 1`)
    const substitute = await insertInstructor(db)
    const before = (await inboxOf(colleague.id)).length
    await programme.act({ kind: 'change-lesson', courseDateId: lesson.id, instructorEmail: substitute.email, ...quiet })
    expect(await inboxOf(colleague.id)).toHaveLength(before + 1)
  })

  test('requires the owner permission for oneself', async () => {
    const course = await insertCourse(db)
    const quiet = { quiet: true, reason: 'Eilt' } as const
    const own = { kind: 'save-instructor', email: programme.email, familyName: 'Ich', ...quiet } as const
    expect((await programme.send(own)).status).toBe(403)
    const both = await openTestDesk(server, ['programme', 'owner'])
    expect((await both.send({ ...own, email: both.email })).status).toBe(200)
    await insertInstructor(db, { email: programme.email })
    const acts: TestAct[] = [
      { kind: 'change-course', courseId: course.id, instructorEmails: [programme.email], ...quiet },
      {
        kind: 'change-lesson',
        courseDateId: (
          await db.one<{ id: number }>(sql`select id from course_dates where course_id = ${course.id} limit 1`)
        ).id,
        instructorEmail: programme.email,
        ...quiet,
      },
    ]
    for (const act of acts) expect([act.kind, (await programme.send(act)).status]).toEqual([act.kind, 403])
    expect(await namesIn(course.id, programme.token)).toBe(403)
  })
})

describe('a recent passkey confirmation', async () => {
  const guarded = await openTestServer({ isPasskeyRequired: true })
  const confirm = (token: string, secondsAgo: number) =>
    guarded.db.execute(sql`
      update sessions set confirmed_at = clock_timestamp(), passkey_at = clock_timestamp() - ${secondsAgo} * interval '1 second'
      where token_hash = ${hashToken(token)}`)
  const boss = await openTestDesk(guarded, RIGHTS)
  const colleague = await insertOfficer(guarded, ['owner'])
  const locked = await insertOfficer(guarded, ['owner'])
  await guarded.db.execute(sql`update web_users set locked_at = now() where id = ${locked.id}`)
  const person = await insertWebUser(guarded.db)
  const mails = async (id: number) =>
    (
      await guarded.db.one<{ count: number }>(sql`
      select count(*) as count from mails where web_user_id = ${id} and kind = 'notice'`)
    ).count
  const token = { kind: 'create-token', name: 'Halle', expiresOn: dateFromNow(30) } as const
  const secret = createToken

  test.each([
    { kind: 'grant-right', email: person.email, right: 'owner' },
    { kind: 'invite-person', email: unique('invited'), rights: ['content', 'owner'] },
    { kind: 'change-person', webUserId: colleague.id, email: unique('moved') },
    { kind: 'unlock-person', webUserId: locked.id },
    { ...token, scopes: ['lists'], token: secret() },
    {
      kind: 'save-webhook',
      name: 'Halle',
      url: 'https://hall.example/hook',
      secret: `whsec_${randomBytes(32).toString('base64')}`,
      kinds: ['booking.created'],
    },
  ] satisfies TestAct[])('is required again, and all owners are notified: %j', async act => {
    await confirm(boss.token, 61)
    expect(await boss.send(act)).toMatchObject({ status: 403, body: { status: 'PasskeyRequired' } })
    expect((await boss.send({ ...act, preview: true })).status).toBe(200)
    await confirm(boss.token, 30)
    const before = await mails(boss.id)
    expect(await boss.send(act)).toMatchObject({ status: 200, body: { status: 'Ok' } })
    expect(await mails(boss.id)).toBe(before + 1)
  })

  test.each([
    { kind: 'grant-right', email: person.email, right: 'content' },
    { kind: 'lock-person', webUserId: person.id },
  ] satisfies TestAct[])('is not required for: %j', async act => {
    await confirm(boss.token, 61)
    expect((await boss.send(act)).status).toBe(200)
  })
})

describe('an invited person', () => {
  test('gets rights with the first login, and a link for the first passkey unless passkeys are off', async () => {
    const email = unique('invited')
    expect((await office.send({ kind: 'invite-person', email, rights: ['programme'] })).status).toBe(403)
    const act = { kind: 'invite-person', email, language: 'en', rights: ['programme', 'bookings'] } satisfies TestAct
    const { result } = await owner.act(act)
    const webUserId = Number(result.webUserId)
    const rightsIn = () => db.query(sql`select "right" from office_rights where web_user_id = ${webUserId} order by 1`)
    expect(await rightsIn()).toEqual([])
    // Until then the account is under the same protection as one with rights.
    const away = { kind: 'change-person', webUserId, email: unique('evil') } as const
    expect((await office.send(away)).status).toBe(403)
    expect(await owner.act({ ...act, actId: randomUUID() })).toMatchObject({ status: 'Failed' })
    const mail = (await calls.mailsTo(email)).at(-1)
    expect(mail).toMatchObject({ kind: 'invitation', language: 'en' })
    const session = await calls.logIn(email, mail?.payload.password)
    expect(session).toMatchObject({ status: 'Ok', rights: ['programme', 'bookings'] })
    expect(await rightsIn()).toEqual([{ right: 'bookings' }, { right: 'programme' }])
    // Passkeys are optional only by default, and become required later.
    expect((await calls.mailsTo(email)).map(({ kind }) => kind)).toEqual(['invitation', 'passkey-link'])
    expect((await server.request(getWebUser, { token: session.id })).status).toBe(403)
    const other = unique('invited')
    await owner.act({ kind: 'invite-person', email: other, rights: ['programme'] })
    const { password } = (await calls.mailsTo(other)).at(-1)?.payload ?? {}
    server.context.config.isPasskeyOffByDefault = false
    await calls.logIn(other, password).finally(() => {
      server.context.config.isPasskeyOffByDefault = true
    })
    expect((await calls.mailsTo(other)).map(({ kind }) => kind)).toEqual(['invitation'])
  })

  const listed = async (webUserId: number) =>
    (await server.request(listRights, { token: owner.token })).body.items.find(one => one.webUserId === webUserId)

  test('is listed, and gets nothing once the pending rights have been revoked', async () => {
    const email = unique('mistyped')
    const { result } = await owner.act({ kind: 'invite-person', email, rights: ['owner', 'billing'] })
    const webUserId = Number(result.webUserId)
    expect(await listed(webUserId)).toMatchObject({ email, rights: [], pending: ['billing', 'owner'] })
    const person = await server.request(getOfficePerson, { params: { id: webUserId }, token: owner.token })
    expect(person.body).toMatchObject({ rights: [], pending: ['billing', 'owner'] })
    const password = (await calls.mailsTo(email)).at(-1)?.payload.password
    const other = await insertOfficer(server, ['owner'])
    const revoke = (right: Right) => owner.actAsPreviewed({ kind: 'revoke-right', email, right })
    expect((await revoke('owner')).consequences.told.map(({ id }) => id)).toContain(other.id)
    expect(await listed(webUserId)).toMatchObject({ pending: ['billing'] })
    await revoke('billing')
    expect(await listed(webUserId)).toBeUndefined()
    expect(await calls.logIn(email, password)).toMatchObject({ status: 'WrongPWorUser' })
    await server.request(resetPassword, { body: { userName: email } })
    const mailed = (await calls.mailsTo(email)).findLast(({ kind }) => kind === 'password-reset')
    expect(await calls.logIn(email, mailed?.payload.password)).toMatchObject({ status: 'Ok', rights: [] })
  })

  test('no longer gets a mail that was not sent when the last pending right was revoked', async () => {
    const email = unique('mistyped')
    const { result } = await owner.act({ kind: 'invite-person', email, rights: ['content'] })
    const { consequences } = await owner.act({ kind: 'revoke-right', email, right: 'content' })
    expect(consequences.told.map(({ id }) => id)).not.toContain(result.webUserId)
    expect(await calls.mailsTo(email)).toEqual([])
  })

  test('keeps the pending rights for 14 days', async () => {
    const invite = async (age: string) => {
      const email = unique('late')
      const { result } = await owner.act({ kind: 'invite-person', email, rights: ['content'] })
      await db.execute(sql`
        update invited_rights set invited_at = invited_at - ${age}::interval where web_user_id = ${result.webUserId}`)
      const password = (await calls.mailsTo(email)).at(-1)?.payload.password
      return { webUserId: Number(result.webUserId), logIn: () => calls.logIn(email, password) }
    }
    const [late, early] = [await invite('14 days'), await invite('13 days 23 hours')]
    expect(await listed(late.webUserId)).toBeUndefined()
    await runRetention({ db, now: new Date() })
    expect(await db.query(sql`select from invited_rights where web_user_id = ${late.webUserId}`)).toEqual([])
    expect(await late.logIn()).toMatchObject({ status: 'Ok', rights: [] })
    expect(await early.logIn()).toMatchObject({ status: 'Ok', rights: ['content'] })
  })

  test('loses the pending rights if a former address takes the account back', async () => {
    const email = unique('wrong')
    const { result } = await owner.act({ kind: 'invite-person', email, rights: ['owner'] })
    const webUserId = Number(result.webUserId)
    await owner.act({ kind: 'change-person', webUserId, email: unique('right') })
    expect(await listed(webUserId)).toMatchObject({ pending: ['owner'] })
    expect(await calls.undo(await calls.linkTo(email, 'email-changed'))).toMatchObject({ status: 'Ok' })
    expect(await listed(webUserId)).toBeUndefined()
  })

  test('requires only the programme or bookings permission if invited without rights', async () => {
    const invite = () => ({ kind: 'invite-person', email: unique('guest') }) as const
    expect((await programme.act(invite())).consequences.mails).toBe(1)
    expect((await office.act({ ...invite(), rights: [] })).consequences.mails).toBe(1)
  })
})

test('nobody decides about their own proof, costs or invoice', async () => {
  const billing = await openTestDesk(server, ['billing'])
  const colleague = await openTestDesk(server, ['billing'])
  const proof = await insertProof(db, billing.id)
  const entry = {
    kind: 'add-entry',
    webUserId: billing.id,
    entryKind: 'goodwill',
    amount: -5,
    reason: 'Kulanz',
  } as const
  const { number, accountId } = await insertInvoice(db)
  await db.execute(sql`update ledger_accounts set web_user_id = ${billing.id} where id = ${accountId}`)
  const { id: courseId } = await insertCourse(db)
  const reason = 'Wie besprochen'
  const acts: TestAct[] = [
    { kind: 'decide-proof', proofId: proof.id, decision: 'accepted' },
    entry,
    { kind: 'accept-payer', webUserId: billing.id, reason },
    { kind: 'decide-attendance', courseId, webUserId: billing.id, regular: true, reason },
    { kind: 'mark-paid', invoiceNumber: number, paidOn: dateFromNow(0), amount: 45 },
    { kind: 'cancel-invoice', invoiceNumber: number },
  ]
  for (const act of acts)
    expect(await billing.act(act)).toMatchObject({ status: 'Failed', code: 'office.failed.ownMoney' })
  expect(await colleague.act(acts[0] ?? entry)).toMatchObject({ status: 'Ok' })
})

test('a service token reads health insurance numbers only with the scope for them', async () => {
  const person = await insertUserWithSession(db, { employeeStatus: 5, bkkNumber: 'K-4711' })
  await insertBooking(db, (await insertCourse(db)).id, person.id)
  const listOf = async (scopes: ('lists' | 'health')[]) => {
    const { headers } = await openTestProgram(server, scopes)
    return server.request(getOfficeList, { params: { file: 'bookings.csv' }, headers })
  }
  const textOf = (body: unknown) => Buffer.from(body as Uint8Array).toString()
  expect(textOf((await listOf(['lists'])).body)).not.toContain('K-4711')
  expect(textOf((await listOf(['lists', 'health'])).body)).toContain('K-4711')
  expect((await listOf(['health'])).status).toBe(403)
})
