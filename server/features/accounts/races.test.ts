import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { confirmAccount, deleteAccount, editWebUser, register } from '#contract/endpoints/accounts.ts'
import { bookCourse } from '#contract/endpoints/courses.ts'
import { changePassword, resetPassword } from '#contract/endpoints/session.ts'
import { updateMailedPassword } from '#server/features/session/repository.ts'
import { runRetention } from '#server/operations/retention.ts'
import { sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { dateFromNow, insertBooking, insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { sendMails } from '#server/test/sent-mails.ts'
import { openTestServer } from '#server/test/server.ts'
import { insertMailedLink } from './token-repository.ts'

const server = await openTestServer({}, 10)
beforeEach(() => server.db.execute(sql`delete from throttle_events`))

type Person = { id: number; email: string; token: string }
/** A person whose account remains as an empty row when it is deleted. */
async function insertFormerParticipant(values = {}): Promise<Person> {
  const person = await insertUserWithSession(server.db, { passwordHash, ...values })
  const past = await insertCourse(server.db, { startsOn: dateFromNow(-60), endsOn: dateFromNow(-30) })
  await insertBooking(server.db, past.id, person.id)
  return person
}

const EXTERNAL = {
  formOfAddress: 'Herr' as const,
  givenName: 'Kim',
  familyName: 'Muster',
  yearOfBirth: 1989,
  employeeStatus: 2 as const,
  billingType: 3 as const,
  street: 'Lindenallee 27',
  zip: '38210',
  city: 'Salzstadt',
}
const edit = ({ token }: Person, body: object) =>
  server.request(editWebUser, { body: { ...EXTERNAL, email: '', ...body }, token, language: 'de' })
const book = ({ token }: Person, courseId: number) => server.request(bookCourse, { body: { id: courseId }, token })
const remove = ({ token }: Person) => server.request(deleteAccount, { body: { password: PASSWORD }, token })
const linksTo = async (email: string) =>
  (await sendMails(server.db)).filter(({ recipient }) => recipient === email).map(({ payload }) => payload.token)
const rowOf = ({ id }: Person) => server.db.one<Record<string, unknown>>(sql`select * from web_users where id = ${id}`)
const mailsSince = (id: number) =>
  server.db.query<{ kind: string; recipient: string }>(
    sql`select kind, recipient from mails where id > ${id} order by id`,
  )
const lastMail = async () => (await server.db.one<{ id: number }>(sql`select coalesce(max(id), 0) as id from mails`)).id

/** Starts each call once the previous one waits for a lock (the first one for `lock`), then releases the lock. */
async function whileLocked<Answers extends unknown[]>(
  lock: SqlFragment,
  ...calls: { [Index in keyof Answers]: () => Promise<Answers[Index]> }
): Promise<Answers> {
  const { running } = await server.db.transaction(async tx => {
    await tx.execute(lock)
    const started: Promise<unknown>[] = []
    for (const call of calls) {
      started.push(call())
      await Promise.race([server.database.untilWaiting(started.length), ...started])
    }
    return { running: Promise.all(started) }
  })
  return (await running) as Answers
}

test.each([
  ['link', insertMailedLink],
  ['password', updateMailedPassword],
] as const)('an e-mailed %s is stored after a concurrent account change, without a deadlock', async (what, store) => {
  const { id } = await insertFormerParticipant()
  await insertMail(server.db, { webUserId: id, kind: what === 'link' ? 'activation' : 'password-reset', payload: {} })
  const mailId = await lastMail()
  const { stored } = await server.db.transaction(async tx => {
    await tx.execute(sql`select from web_users where id = ${id} for update`)
    const stored =
      store === insertMailedLink
        ? insertMailedLink(server.db, { mailId, purpose: 'activation', tokenHash: Buffer.from(`link ${id}`) })
        : updateMailedPassword(server.db, mailId, 'hash')
    await server.database.untilWaiting(1)
    // As a replacing registration and a new password do.
    await tx.execute(sql`delete from mails where web_user_id = ${id} and sent_at is null`)
    return { stored }
  })
  expect(await stored).toBe(false)
})

test('if two people verify the same new address concurrently, the second gets Duplicate', async () => {
  const [one, other] = [await insertFormerParticipant(), await insertFormerParticipant()]
  const email = `ziel.${one.email}`
  for (const person of [one, other]) expect((await edit(person, { email })).body).toMatchObject({ status: 'Ok' })
  // Both requests find the address unused before the first one stores it.
  await server.db.execute(sql`
    create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(0.4); return new; end $$`)
  await server.db.execute(sql`create trigger dawdle before update on web_users for each row execute function dawdle()`)
  const answers = await Promise.all(
    (await linksTo(email)).map(token => server.request(confirmAccount, { body: { token }, language: 'de' })),
  )
  await server.db.execute(sql`drop trigger dawdle on web_users`)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers.map(({ body }) => body.status).sort()).toEqual(['Duplicate', 'Ok'])
  expect(answers.find(({ body }) => body.status === 'Duplicate')?.body.message).toContain('anderen Konto')
  const owners = await server.db.query(sql`select id from web_users where email = ${email}`)
  expect(owners).toHaveLength(1)
})

test('verifying a new address takes precedence over a concurrent registration with it', async () => {
  for (let round = 1; round <= 10; round++) {
    const person = await insertFormerParticipant()
    const email = `runde.${person.email}`
    await edit(person, { email })
    const [token = ''] = await linksTo(email)
    const body = { ...EXTERNAL, email, password: PASSWORD, confirmPassword: PASSWORD }
    const [proved, registered] = await Promise.all([
      server.request(confirmAccount, { body: { token } }),
      server.request(register, { body }),
    ])
    expect([proved.status, registered.status]).toEqual([200, 200])
    expect(proved.body).toMatchObject({ status: 'Ok' })
    expect(['Ok', 'Duplicate']).toContain(registered.body.status)
    expect(await server.db.query(sql`select id, state from web_users where email = ${email}`)).toEqual([
      { id: person.id, state: 'proved' },
    ])
  }
})

test('sending the same new address twice concurrently returns Ok twice and creates one link', async () => {
  const person = await insertFormerParticipant()
  const email = `doppelt.${person.email}`
  const answers = await Promise.all([1, 2, 3].map(() => edit(person, { email, city: 'Oderwerk' })))
  expect(answers.map(({ body }) => body.status)).toEqual(['Ok', 'Ok', 'Ok'])
  expect(await linksTo(email)).toHaveLength(1)
})

test('a concurrent booking prevents the deletion of its account', async () => {
  const person = await insertFormerParticipant()
  const course = await insertCourse(server.db, { name: 'Aqua Fit' })
  const [booked, deleted] = await whileLocked(
    sql`select from courses where id = ${course.id} for update`,
    () => book(person, course.id),
    () => remove(person),
  )
  expect(booked.body).toMatchObject({ status: 'Ok', bookingStatus: 1 })
  expect(deleted.body).toMatchObject({ status: 'Failed', message: expect.stringContaining('Aqua Fit') })
  expect(await rowOf(person)).toMatchObject({ email: person.email, deleted_at: null })
})

test('nothing is written for an account while it is being deleted', async () => {
  const person = await insertFormerParticipant()
  const course = await insertCourse(server.db)
  const mail = await lastMail()
  const password = 'Blauer.Elefant9'
  const [deleted, ...others] = await whileLocked(
    sql`select from sessions where web_user_id = ${person.id} for update`,
    () => remove(person),
    () => book(person, course.id),
    () => edit(person, { email: person.email }),
    () => edit(person, { email: `neu.${person.email}` }),
    () => server.request(changePassword, { body: { password, confirmPassword: password }, token: person.token }),
    () => remove(person),
    () => server.request(resetPassword, { body: { userName: person.email } }),
  )
  const reset = others.pop()
  expect(reset).toMatchObject({ status: 200, body: { status: 'WrongPWorUser' } })
  expect(deleted.body).toMatchObject({ status: 'Ok' })
  expect(others.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  expect(await mailsSince(mail)).toEqual([{ kind: 'account-deleted', recipient: person.email }])
  expect(await server.db.query(sql`select from web_users where id = ${person.id}`)).toEqual([])
  expect(await server.db.one(sql`select taken, booking_seq from courses where id = ${course.id}`)).toEqual({
    taken: 0,
    booking_seq: 0,
  })
})

test('concurrent bookings and deletions leave no booking without its person', async () => {
  for (let round = 1; round <= 30; round++) {
    const person =
      round % 2 ? await insertFormerParticipant() : await insertUserWithSession(server.db, { passwordHash })
    const course = await insertCourse(server.db)
    // Checking the password takes time, so that the booking waits.
    const [booked, deleted] = await Promise.all([sleep(round).then(() => book(person, course.id)), remove(person)])
    const isBooked = booked.status === 200 && booked.body.bookingStatus === 1
    const isDeleted = deleted.status === 200 && deleted.body.status === 'Ok'
    expect([booked.status, isBooked, isDeleted]).toEqual(isBooked ? [200, true, false] : [401, false, true])
    expect(await server.db.one(sql`select count(*) from bookings where course_id = ${course.id}`)).toEqual({
      count: isBooked ? 1 : 0,
    })
  }
})

test('a concurrent booking also prevents the retention run from deleting its account', async () => {
  const person = await insertUserWithSession(server.db, { createdAt: new Date('2010-01-01') })
  const veteran = await insertUserWithSession(server.db, { createdAt: new Date('2010-01-01') })
  await insertBooking(server.db, (await insertCourse(server.db)).id, veteran.id, { bookedAt: new Date('2011-01-01') })
  const course = await insertCourse(server.db)
  const [one, other] = await whileLocked(
    sql`select from courses where id = ${course.id} for update`,
    () => book(person, course.id),
    () => book(veteran, course.id),
    () => runRetention({ db: server.db, now: new Date() }),
  )
  expect([one.status, other.status]).toEqual([200, 200])
  for (const kept of [person, veteran]) expect(await rowOf(kept)).toMatchObject({ email: kept.email })
  expect(await server.db.one(sql`select taken from courses where id = ${course.id}`)).toEqual({ taken: 2 })
})

test('the placeholder address of a deleted account cannot be registered', async () => {
  await remove(await insertFormerParticipant())
  const { email } = await server.db.one<{ email: string }>(sql`
    select email from web_users where deleted_at is not null order by id desc limit 1`)
  const body = { ...EXTERNAL, email, password: PASSWORD, confirmPassword: PASSWORD }
  expect((await server.request(register, { body })).status).toBe(400)
})
