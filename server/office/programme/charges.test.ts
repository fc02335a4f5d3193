import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { listOwnMoney } from '#contract/endpoints/money.ts'
import { getOfficeCourse } from '#contract/office/office.ts'
import { getOfficeBooking, getOfficeList, getOfficePerson, listOfficeBookings } from '#contract/office/people.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { renderMail } from '#server/platform/outbox/letter.ts'
import { dateFromNow, insertBooking, insertCourse, insertSession, insertWebUser } from '#server/test/factories.ts'
import { openTestDesk, openTestOffice } from '#server/test/office.ts'
import { sendMails } from '#server/test/sent-mails.ts'

const { server, act, token, id: ownId } = await openTestOffice(['bookings'])
const { db } = server

const germanDay = (daysFromNow: number) => dateFromNow(daysFromNow).split('-').reverse().join('.')

/** A course of 49.50 €, booked in time to be within the free days or late. */
async function openBooking({ isLate = false, isExternal = false } = {}) {
  const course = await insertCourse(db, {
    feeCents: 4500,
    energyFeeCents: 450,
    startsOn: dateFromNow(isLate ? -60 : 2),
    endsOn: dateFromNow(30),
  })
  const person = await insertWebUser(db, isExternal ? { employeeStatus: EMPLOYEE_STATUS.External } : {})
  await insertBooking(db, course.id, person.id, {
    priceCents: isExternal ? 6000 : 4500,
    priceRule: isExternal ? 'external' : 'fee',
    processingCents: isExternal ? 1500 : 0,
    energyCents: 450,
    bookedAt: new Date(`${dateFromNow(-70)}T12:00Z`),
  })
  return { cancel: { kind: 'cancel-booking', courseId: course.id, webUserId: person.id } as const, course, person }
}

/** The rendered e-mail and the inbox message without markup. */
async function readBoth(webUserId: number) {
  const mail = (await sendMails(db))
    .filter(({ webUserId: id, kind }) => id === webUserId && kind === 'cancellation')
    .at(-1)
  const config = { ...readConfig({}), publicUrl: 'https://sport.example' }
  const letter = mail && { ...mail, language: 'de' as const, createdAt: new Date(), name: 'Kim' }
  const text = letter ? String(renderMail(letter, config).text) : ''
  const inbox = await db.one<{ title: string; text: string }>(sql`
    select title, text from inbox_items where web_user_id = ${webUserId} order by id desc limit 1`)
  return { mail: text, subject: letter && renderMail(letter, config).subject, ...inbox }
}

test('a charge within the free days requires a reason, and no text claims that they are over', async () => {
  for (const charge of ['processing', 'full'] as const) {
    const { cancel } = await openBooking()
    const asked = await act({ ...cancel, charge })
    expect(asked).toMatchObject({ status: 'Reason' })
    expect(asked.message).not.toContain('ist vorbei')
  }
  const { cancel, person } = await openBooking()
  const asked = await act({ ...cancel, charge: 'full' })
  expect(asked.message).toContain('49,50\u00a0€')
  const lastDay = /\d\d\.\d\d\.\d{4}/.exec(asked.message)?.[0] ?? 'no day'
  expect(await act({ ...cancel, charge: 'full', reason: 'Absprache vom Montag' })).toMatchObject({ status: 'Ok' })
  const { mail, text, title, subject } = await readBoth(person.id)
  expect(title).toBe(subject)
  for (const words of ['49,50\u00a0€', 'Absprache vom Montag', lastDay]) {
    expect(mail).toContain(words)
    expect(text).toContain(words)
  }
  const costs = await server.request(listOwnMoney, { token: await insertSession(db, person.id) })
  expect(costs.body.seasons[0]?.courses[0]?.lines).toMatchObject([
    { kind: 'late-cancellation', amount: 49.5, text: expect.stringMatching(/Absprache vom Montag. Letzter Tag .*: /) },
  ])
  expect(costs.body.seasons[0]?.courses[0]?.lines[0]?.text).toContain(lastDay)
  for (const words of [mail, text]) expect(words).not.toMatch(/Frist|war vorbei|zahlen nichts/)
  expect(mail.indexOf('Absprache vom Montag')).toBeLessThan(mail.indexOf('https://'))
  expect(mail).not.toContain(germanDay(0))
})

test('a cancellation without charge is stated as such in e-mail and inbox', async () => {
  const { cancel, person } = await openBooking()
  expect(await act({ ...cancel, charge: 'none' })).toMatchObject({ status: 'Ok' })
  const { mail, text } = await readBoth(person.id)
  for (const words of [mail, text]) expect(words).toContain('Sie zahlen nichts')
})

test('a share up to the price, the processing fee or the full price is stored and shown', async () => {
  const read = async (id: number, courseId: number) => {
    const { body } = await server.request(getOfficePerson, { params: { id }, token })
    const course = await server.request(getOfficeCourse, { params: { id: courseId }, token })
    return { own: body.bookings?.[0], former: course.body.former[0] }
  }
  const share = await openBooking({ isLate: true })
  const late = { ...share.cancel, charge: 'share', reason: 'Teil' } as const
  expect(await act(late)).toMatchObject({ status: 'Failed' })
  expect(await act({ ...late, amount: 49.51 })).toMatchObject({ status: 'Failed' })
  expect(await act({ ...late, charge: 'full', amount: 10 })).toMatchObject({ status: 'Failed' })
  expect(await act({ ...late, amount: 20.5 })).toMatchObject({ status: 'Ok' })
  const shown = { charge: 'share', chargeAmount: 20.5 }
  expect(await read(share.person.id, share.course.id)).toMatchObject({ own: shown, former: shown })
  expect((await readBoth(share.person.id)).text).toContain('20,50\u00a0€')

  const external = await openBooking({ isLate: true, isExternal: true })
  expect((await read(external.person.id, external.course.id)).own).toMatchObject({ processingFee: 15 })
  expect(await act({ ...external.cancel, charge: 'processing', reason: 'spät' })).toMatchObject({ status: 'Ok' })
  const processing = { charge: 'processing', chargeAmount: 15 }
  expect(await read(external.person.id, external.course.id)).toMatchObject({ own: processing, former: processing })
})

test('leaving the waiting list is never charged', async () => {
  const { course } = await openBooking()
  await db.execute(sql`update courses set capacity = 1 where id = ${course.id}`)
  const waiting = await insertWebUser(db)
  await insertBooking(db, course.id, waiting.id, { state: 2 })
  const cancel = { kind: 'cancel-booking', courseId: course.id, webUserId: waiting.id, charge: 'full' } as const
  expect(await act(cancel)).toMatchObject({ status: 'Ok' })
  expect(await db.one(sql`select charge, charge_cents from bookings where web_user_id = ${waiting.id}`)).toEqual({
    charge: 'none',
    charge_cents: 0,
  })
})

test('a booking by staff is described in the inbox as in its e-mail', async () => {
  const course = await insertCourse(db)
  const person = await insertWebUser(db)
  await act({ kind: 'book', courseId: course.id, webUserId: person.id })
  const { title, text } = await db.one<{ title: string; text: string }>(sql`
    select title, text from inbox_items where web_user_id = ${person.id} order by id desc limit 1`)
  expect(title).toBe(`Gebucht: ${course.name} (${course.number})`)
  expect(text).toContain('Ihr Platz ist sicher')
  expect(text).toContain('Kurs: ')
})

test('nobody cancels their own booking late for less than its price', async () => {
  const { cancel, person } = await openBooking({ isLate: true })
  await db.execute(sql`update bookings set web_user_id = ${ownId} where web_user_id = ${person.id}`)
  const own = { ...cancel, webUserId: ownId, reason: 'Keine Lust' } as const
  const refused = { status: 'Failed', code: 'office.failed.ownMoney' }
  expect(await act({ ...own, charge: 'none' })).toMatchObject(refused)
  expect(await act({ ...own, charge: 'share', amount: 49 })).toMatchObject(refused)
  const other = await insertCourse(db)
  const move = { kind: 'move-booking', fromCourseId: cancel.courseId, toCourseId: other.id, webUserId: ownId } as const
  expect(await act({ ...move, reason: 'Lieber dort' })).toMatchObject(refused)
  expect(await act({ ...own, charge: 'full' })).toMatchObject({ status: 'Ok' })
})

test('a late cancellation is charged to the booking that ends, also after a merge brought a newer one', async () => {
  const { course, person, cancel } = await openBooking({ isLate: true })
  const duplicate = await insertWebUser(db)
  const { id: earlier } = await insertBooking(db, course.id, duplicate.id, {
    priceCents: 4500,
    energyCents: 450,
    bookedAt: new Date(`${dateFromNow(-70)}T12:00Z`),
  })
  const asked = { charge: 'share', amount: 10, reason: 'Zu spät' } as const
  await act({ ...cancel, webUserId: duplicate.id, ...asked })
  const { id: booked } = await db.one<{ id: number }>(sql`
    select id from bookings where course_id = ${course.id} and web_user_id = ${person.id}`)
  await act({ kind: 'merge-people', webUserId: duplicate.id, intoWebUserId: person.id })
  await act({ ...cancel, ...asked, amount: 20 })
  expect(
    await db.query(sql`
      select b.id, b.charge_cents as cents, (select sum(e.cents)::int from ledger_entries e where e.booking_id = b.id) as owed
      from bookings b where b.course_id = ${course.id} order by b.id`),
  ).toEqual([
    { id: booked, cents: 2000, owed: 2000 },
    { id: earlier, cents: 1000, owed: 1000 },
  ])
})

test('a cancelled course whose charges were removed cannot be restored by an undo', async () => {
  const { course, cancel } = await openBooking()
  const office = await openTestDesk(server, ['programme'])
  await act({ ...cancel, charge: 'full', reason: 'Absprache' })
  const owed = () =>
    db.one(sql`
      select (select sum(charge_cents)::int from bookings where course_id = ${course.id}) as charged,
        (select sum(cents)::int from ledger_entries where course_id = ${course.id}) as cents,
        (select cancelled_at is not null from courses where id = ${course.id}) as "isCancelled"`)
  expect(await owed()).toEqual({ charged: 4950, cents: 4950, isCancelled: false })
  const actId = randomUUID()
  const cancelled = await office.act({ kind: 'cancel-course', courseId: course.id, actId, undoable: true })
  expect(cancelled.undoable).toBeFalsy()
  expect(
    await db.query(sql`
      select from outbox where channel in ('mail', 'push') and sent_at is null and due_at > clock_timestamp() + interval '1 s'`),
  ).toEqual([])
  expect(await owed()).toEqual({ charged: 0, cents: 0, isCancelled: true })
  const undone = await office.act({ kind: 'restore-course', courseId: course.id, undoes: actId })
  expect([undone.status, await owed()]).toEqual(['Failed', { charged: 0, cents: 0, isCancelled: true }])
})

test('the list of bookings has at most one full price for a person who cancelled late and booked again', async () => {
  const { course, person, cancel } = await openBooking({ isLate: true })
  await act({ ...cancel, charge: 'share', amount: 10, reason: 'Zu spät' })
  await insertBooking(db, course.id, person.id, { priceCents: 4500, energyCents: 450, bookedAt: new Date() })
  const other = await insertWebUser(db)
  await insertBooking(db, course.id, other.id, { priceCents: 4500, energyCents: 450 })
  await act({ ...cancel, webUserId: other.id, charge: 'share', amount: 20, reason: 'Zu spät' })
  const query = { seasonId: String(course.seasonId) }
  const { body } = await server.request(getOfficeList, { params: { file: 'bookings.csv' }, query, token })
  const [head = [], ...rows] = parse(Buffer.from(body), { bom: true, delimiter: ';' }) as string[][]
  const amounts = rows.map(row => [Number(row[head.indexOf('Person (Nummer im Portal)')]), row[head.indexOf('Betrag')]])
  expect(amounts.filter(([id]) => id === person.id).map(([, amount]) => amount)).toEqual(['0,00', '49,50'])
  expect(amounts.filter(([id]) => id === other.id).map(([, amount]) => amount)).toEqual(['20,00'])
  const listed = { courseId: String(course.id) }
  const { items } = (await server.request(listOfficeBookings, { query: listed, token })).body
  const own = items.filter(({ webUserId }) => webUserId === person.id)
  expect(own.map(({ amount }) => amount).sort()).toEqual([0, 49.5])
  for (const { bookingId: id, amount } of own)
    expect((await server.request(getOfficeBooking, { params: { id }, token })).body).toMatchObject({ amount })
})
