import { beforeEach, expect, test } from 'vitest'
import { editWebUser, type ProfileRequest, register, resendEmail } from '#contract/endpoints/accounts.ts'
import { checkSession, login } from '#contract/endpoints/session.ts'
import { completeInput } from '#contract/test/profiles.ts'
import { sql } from '#server/platform/db/client.ts'
import { createAccountCalls } from '#server/test/account-calls.ts'
import { daysFromNow, insertSession, insertUserWithSession, insertWebUser } from '#server/test/factories.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
beforeEach(() => server.db.execute(sql`delete from throttle_events`))

type Person = Awaited<ReturnType<typeof insertUserWithSession>>
const insertPerson = () => insertUserWithSession(server.db, { passwordHash })
const calls = createAccountCalls(server, 'en')
const { choosePassword, confirm, describe, linkTo, logIn, undo } = calls
const mailedPassword = async (email: string): Promise<string> =>
  (await calls.mailsTo(email)).findLast(({ kind }) => kind === 'password-reset')?.payload.password ?? ''
const edit = async (person: Person, email: string, values: Partial<ProfileRequest> = {}) => {
  const body = { ...completeInput(2, 3), password: '', confirmPassword: '', email, ...values } as ProfileRequest
  return (await server.request(editWebUser, { body, token: person.token, language: 'en' })).body
}
const isAlive = async (sessionToken: string) => (await calls.check(sessionToken)).status === 'Ok'
/** Expects that the person can log in again with an e-mailed password. */
async function expectBack({ id, email }: Person) {
  expect(await logIn(email, await mailedPassword(email))).toMatchObject({
    status: 'Ok',
    webUserId: id,
    isPasswordToChange: true,
  })
}

/** Takes over the account of a stolen session. @returns the new e-mail address */
async function takeOver(person: Person): Promise<string> {
  const email = `dieb.${person.email}`
  expect(await edit(person, email)).toMatchObject({ status: 'Ok' })
  expect(await confirm(await linkTo(email, 'new-email'))).toMatchObject({ status: 'Ok' })
  expect(await choosePassword(person.token, 'Fremdes.Fahrrad8')).toMatchObject({ changed: true })
  return email
}

/** A person whose account was taken over, with the links in the attacker's last and in their own notice. */
async function insertRobbed(kind: 'email-changed' | 'new-email-notice') {
  const person = await insertPerson()
  const thief = await takeOver(person)
  return { person, thief, theirs: await linkTo(thief, 'password-changed'), own: await linkTo(person.email, kind) }
}

test('the link in the notice of a new address restores the account: address, sessions and password', async () => {
  const { person, thief, own: link } = await insertRobbed('email-changed')
  expect(await describe(link)).toMatchObject({ status: 'Ok', purpose: 'undo', initials: 'K. M.' })
  expect(await isAlive(person.token)).toBe(true)

  expect(await undo(link)).toMatchObject({ status: 'Ok', message: expect.stringContaining('yours again') })
  expect(await isAlive(person.token)).toBe(false)
  for (const address of [thief, person.email]) {
    for (const password of [PASSWORD, 'Fremdes.Fahrrad8'])
      expect(await logIn(address, password)).toMatchObject({ status: 'WrongPWorUser' })
  }
  await expectBack(person)
  expect(await undo(link)).toMatchObject({ status: 'NotFound' })
})

test('the link in the notice of a new device ends its session, invalidates the password and lets the owner log in again', async () => {
  const person = await insertPerson()
  // A browser that has returned is a known device, so that a login on another one is notified.
  const own = await server.request(login, { body: { userName: person.email, password: PASSWORD } })
  const device = /Device=[^;]+/.exec(own.headers.getSetCookie().join())?.[0] ?? ''
  await server.request(checkSession, {
    headers: { SessionToken: own.body.id, Cookie: `XSRF-TOKEN=test; ${device}` },
  })
  const thief = await logIn(person.email)
  const link = await linkTo(person.email, 'new-device')
  expect(await describe(link)).toMatchObject({ status: 'Ok', purpose: 'undo' })
  expect(await isAlive(thief.id)).toBe(true)

  expect(await undo(link)).toMatchObject({ status: 'Ok' })
  expect(await isAlive(thief.id)).toBe(false)
  expect(await logIn(person.email)).toMatchObject({ status: 'WrongPWorUser' })
  await expectBack(person)
})

test('an older notice overrides later changes, which may be an attacker’s', async () => {
  const { person, thief, theirs, own } = await insertRobbed('new-email-notice')
  expect(await undo(theirs)).toMatchObject({ status: 'Ok' })
  const mailed = await mailedPassword(thief)
  expect(await undo(own)).toMatchObject({ status: 'Ok' })
  expect(await undo(theirs)).toMatchObject({ status: 'NotFound' })
  expect(await logIn(thief, mailed)).toMatchObject({ status: 'WrongPWorUser' })
  await expectBack(person)
})

test('an undo revokes later undo links, which may be in the attacker’s mailbox', async () => {
  const { person, theirs, own } = await insertRobbed('email-changed')
  expect(await undo(own)).toMatchObject({ status: 'Ok' })
  expect(await undo(theirs)).toMatchObject({ status: 'NotFound' })
  await expectBack(person)
})

test('the link in the notice works for seven days, during which no other account can use the address', async () => {
  const { person, own: link } = await insertRobbed('email-changed')
  const body = { ...completeInput(2, 3), email: person.email } as ProfileRequest
  expect(await calls.register(body)).toMatchObject({ status: 'Duplicate' })
  await server.db.execute(sql`update account_tokens set expires_at = expires_at - interval '8 days'`)
  await server.db.execute(sql`update mails set created_at = created_at - interval '8 days'`)
  expect(await undo(link)).toMatchObject({ status: 'NotFound' })
  expect(await calls.register(body)).toMatchObject({ status: 'Ok' })
})

test('if the department has created a second account with the address, undo closes the compromised one', async () => {
  const { person, thief, own: link } = await insertRobbed('email-changed')
  const second = await insertWebUser(server.db, { email: person.email, passwordHash })
  expect(await undo(link)).toMatchObject({ status: 'NotActive', message: expect.stringContaining('contact us') })
  expect(await isAlive(person.token)).toBe(false)
  expect(await logIn(thief, 'Fremdes.Fahrrad8')).toMatchObject({ status: 'WrongPWorUser' })
  expect(await logIn(person.email)).toMatchObject({ status: 'Ok', webUserId: second.id })
})

test('login to a locked account is rejected, with the reason if the password is correct', async () => {
  const person = await insertPerson()
  await server.db.execute(sql`update web_users set locked_at = now() where id = ${person.id}`)
  expect(await isAlive(person.token)).toBe(false)
  expect(await logIn(person.email)).toMatchObject({
    status: 'NotActive',
    message: expect.stringMatching(/geschlossen|closed/),
  })
})

test('opening an activation link changes nothing, confirming activates, and "not me" ends the registration', async () => {
  const emails = ['eins@undo.example', 'zwei@undo.example'] as const
  for (const email of emails) {
    const body = { ...completeInput(2, 3), email, givenName: 'Rita', familyName: 'öztürk' } as ProfileRequest
    expect(await calls.register(body)).toMatchObject({ status: 'Ok' })
  }
  const [own, strange] = [await linkTo(emails[0], 'activation'), await linkTo(emails[1], 'activation')]
  const { year } = (await describe(own)).registeredAt ?? { year: 0 }
  expect(await describe(own)).toMatchObject({ purpose: 'activation', initials: 'R. Ö.', status: 'Ok' })
  expect(year).toBe(new Date().getFullYear())
  expect(await logIn(emails[0])).toMatchObject({ status: 'NotActive' })
  expect(await confirm(own)).toMatchObject({ status: 'Ok' })
  expect(await logIn(emails[0])).toMatchObject({ status: 'Ok' })
  expect(await undo(own)).toMatchObject({ status: 'NotFound' })

  expect(await undo(strange)).toMatchObject({ status: 'Ok' })
  expect(await confirm(strange)).toMatchObject({ status: 'NotFound' })
  expect((await server.request(resendEmail, { params: { userName: emails[1] } })).body).toMatchObject({
    status: 'NotFound',
  })
  expect(await describe(strange)).toMatchObject({ status: 'NotFound', purpose: '', registeredAt: null })
})

test('at most 20 registration e-mails a day are sent to an address, and "not me" still lets its owner register', async () => {
  const email = 'oft@undo.example'
  const send = async (givenName: string) => {
    const body = { ...completeInput(2, 3), email, givenName } as ProfileRequest
    return (await server.request(register, { body })).status
  }
  expect(await send('Anna')).toBe(200)
  await server.db.execute(sql`
    insert into throttle_events (kind, subject, address)
    select 'registration', ${email}, '192.0.2.1' from generate_series(1, 19)`)
  expect(await send('Berta')).toBe(429)
  expect(await undo(await linkTo(email, 'activation'))).toMatchObject({ status: 'Ok' })
  expect(await send('Rita')).toBe(200)
})

test('"not me" in the e-mail to a new address revokes the link', async () => {
  const person = await insertPerson()
  const email = `neu.${person.email}`
  await edit(person, email)
  const link = await linkTo(email, 'new-email')
  expect(await describe(link)).toMatchObject({ purpose: 'new-email' })
  expect(await undo(link)).toMatchObject({ status: 'Ok' })
  expect(await confirm(link)).toMatchObject({ status: 'NotFound' })
})

test('an older session requires the current password for a new address and allows five attempts', async () => {
  const person = await insertPerson()
  const token = await insertSession(server.db, person.id, { createdAt: daysFromNow(-1 / 20) })
  const older = { ...person, token }
  const email = `neu.${person.email}`
  expect(await edit(older, email)).toMatchObject({ status: 'WrongPWorUser', message: expect.stringContaining('takes') })
  expect(await edit(older, email, { password: 'Falsch-123456' })).toMatchObject({ status: 'WrongPWorUser' })
  expect(await edit(person, email, { password: 'Falsch-123456' })).toMatchObject({ status: 'WrongPWorUser' })
  expect(await linkTo(email, 'new-email')).toBe('')
  expect(await edit(older, person.email, { password: 'not asked for here' })).toMatchObject({ status: 'Ok' })
  expect(await edit(older, email, { password: PASSWORD })).toMatchObject({ status: 'Ok' })
  expect(await linkTo(email, 'new-email')).not.toBe('')
  for (let guess = 2; guess <= 5; guess++) await edit(older, `${guess}.${email}`, { password: 'Falsch-123456' })
  expect(await edit(older, email, { password: PASSWORD })).toMatchObject({ status: 'TooManyFailures' })
})
