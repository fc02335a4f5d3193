import { expect, test } from 'vitest'
import { addProof, listOwnMoney, listOwnProofs, withdrawConsent } from '#contract/endpoints/money.ts'
import { getProofFile } from '#contract/office/money.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertBooking, insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { insertPastCourse, insertPlace, insertProof } from '#server/test/money-scene.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['billing', 'bookings', 'programme'])
const { db } = server

const moneyOf = async ({ token }: { token: string }) => (await server.request(listOwnMoney, { token })).body

test('an unsettled course is open with the agreed amounts, which the balance excludes until then', async () => {
  const course = await insertPastCourse(db, 3, { energyFeeCents: 900 })
  const person = await insertPlace(db, course, 0, { energyCents: 900, person: { billingType: 3 } })
  const open = await moneyOf(person)
  expect(open.balance).toBe(0)
  expect(open.seasons).toMatchObject([
    {
      seasonId: course.seasonId,
      courses: [
        {
          courseId: course.id,
          state: 'open',
          sum: 54,
          lines: [
            { kind: 'fee', amount: 45 },
            { kind: 'energy-fee', amount: 9 },
          ],
        },
      ],
    },
  ])
  await office.act({ kind: 'settle-courses', courseIds: [course.id] })
  expect(await moneyOf(person)).toMatchObject({ balance: 54, seasons: [{ courses: [{ state: 'settled', sum: 54 }] }] })
})

test('a cancelled booking, a waiting-list entry and a course without a price are not open', async () => {
  const course = await insertPastCourse(db)
  const free = await insertPastCourse(db, 3, { feeCents: 0 })
  const cancelled = await insertPlace(db, course, 0)
  await db.execute(sql`update bookings set cancelled_at = now() where id = ${cancelled.bookingId}`)
  const waiting = await insertPlace(db, course, 0)
  await db.execute(sql`update bookings set state = 2 where id = ${waiting.bookingId}`)
  const guest = await insertPlace(db, free, 0)
  for (const person of [cancelled, waiting, guest]) expect((await moneyOf(person)).seasons).toEqual([])
})

test('a late cancellation and another booking of the same course cost one full price at most', async () => {
  const course = await insertPastCourse(db, 3, { energyFeeCents: 900 })
  await db.execute(sql`update course_dates set held_at = held_at + interval '21 days' where course_id = ${course.id}`)
  const person = await insertPlace(db, { ...course, lessonIds: [] }, 0, {
    promisedLessons: 3,
    energyCents: 900,
    person: { billingType: 3 },
  })
  const cancel = { kind: 'cancel-booking', courseId: course.id, webUserId: person.id, reason: 'Zu spät' } as const
  await office.act({ ...cancel, charge: 'share', amount: 30 })
  await office.act({ kind: 'book', courseId: course.id, webUserId: person.id, reason: 'Doch' })
  const [season] = (await moneyOf(person)).seasons
  expect(season?.courses).toMatchObject([{ state: 'open', sum: 54 }])
  expect(season?.courses[0]?.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['late-cancellation', 30],
    ['fee', 45],
    ['energy-fee', 9],
    ['late-cancellation', -30],
  ])
})

test('a course of a season that was never settled is not open, because it was billed elsewhere', async () => {
  const long = new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 10)
  const old = { startsOn: long, endsOn: long, feeCents: 4500 }
  const never = await insertCourse(db, { ...old, dates: [`${long} 18:00`] })
  const late = await insertCourse(db, { ...old, dates: [`${long} 18:00`] })
  const sibling = await insertPastCourse(db, 1, { seasonId: late.seasonId })
  await office.act({ kind: 'settle-courses', courseIds: [sibling.id], reason: 'Fiel aus' })
  const person = await insertUserWithSession(db)
  for (const { id } of [never, late]) await insertBooking(db, id, person.id, { priceCents: 4500 })
  const { seasons } = await moneyOf(person)
  expect(seasons.flatMap(({ courses }) => courses.map(({ courseId, state }) => [courseId, state]))).toEqual([
    [late.id, 'open'],
  ])
})

test('an absence proof is uploaded as a form, and a rejection names the field or the file', async () => {
  const course = await insertPastCourse(db)
  const { token } = await insertPlace(db, course, 0)
  const file = new File(['%PDF-1.4 proof'], 'nachweis.pdf', { type: 'application/pdf' })
  const span = { kind: 'sick', from: '2026-11-02', to: '2026-11-11' } as const
  expect((await server.request(addProof, { token, form: span, file })).body).toMatchObject({ status: 'Ok' })
  expect((await server.request(listOwnProofs, { token })).body.items).toMatchObject([
    { ...span, state: 'open', fileName: 'nachweis.pdf', effect: '' },
  ])
  const late = await server.request(addProof, { token, form: { ...span, to: '2026-10-31' }, file })
  expect(late).toMatchObject({ status: 400, body: { message: expect.stringContaining('to') } })
  const text = new File(['hello'], 'nachweis.pdf', { type: 'application/pdf' })
  expect(await server.request(addProof, { token, form: span, file: text })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('JPEG, PNG, HEIC') },
  })
})

test('a proof that is sent again after a lost response is stored once, and again once it is decided', async () => {
  const { token } = await insertPlace(db, await insertPastCourse(db), 0)
  const file = new File(['%PDF-1.4 proof'], 'nachweis.pdf', { type: 'application/pdf' })
  const form = { kind: 'shift', from: '2026-11-02', to: '2026-11-11' } as const
  const send = async (to: string = form.to) =>
    (await server.request(addProof, { token, form: { ...form, to }, file })).body.id
  const id = await send()
  expect(await send()).toBe(id)
  expect(await send('2026-11-12')).not.toBe(id)
  await office.act({ kind: 'decide-proof', proofId: id, decision: 'refused', reason: 'Unleserlich' })
  expect(await send()).not.toBe(id)
})

test('consent to a sick note is recorded with its text, and withdrawing it deletes the file, not the decision', async () => {
  const { id: webUserId, token } = await insertPlace(db, await insertPastCourse(db), 0)
  const list = async () => (await server.request(listOwnProofs, { token })).body.items
  const withdraw = async (id: number, of = token) => server.request(withdrawConsent, { token: of, params: { id } })
  const file = new File(['%PDF-1.4 proof'], 'a.pdf', { type: 'application/pdf' })
  const span = { from: '2026-11-02', to: '2026-11-11' }
  const { body } = await server.request(addProof, { token, form: { kind: 'sick', ...span, consent: '2' }, file })
  await server.request(addProof, { token, form: { kind: 'shift', ...span }, file })
  const consent = { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/), version: '2', withdrawnAt: null }
  expect(await list()).toMatchObject([
    { kind: 'shift', consent: null },
    { kind: 'sick', consent },
  ])
  await office.act({ kind: 'decide-proof', proofId: body.id, decision: 'accepted', reason: 'Rechtzeitig' })
  const download = async () =>
    (await server.request(getProofFile, { token: office.token, params: { id: body.id } })).status
  expect(await download()).toBe(200)
  const stranger = await insertPlace(db, await insertPastCourse(db), 0)
  expect((await withdraw(body.id, stranger.token)).status).toBe(404)
  expect((await withdraw(body.id)).body).toMatchObject({ status: 'Ok' })
  expect(await download()).toBe(404)
  expect(await list()).toMatchObject([
    { kind: 'shift' },
    { kind: 'sick', state: 'accepted', consent: { version: '2', withdrawnAt: expect.stringContaining('T') } },
  ])
  // An open absence proof has no decision and is deleted completely.
  const open = await insertProof(db, webUserId, { kind: 'sick' })
  expect((await withdraw(open.id)).body).toMatchObject({ status: 'Ok' })
  expect((await list()).map(({ id }) => id)).not.toContain(open.id)
})
