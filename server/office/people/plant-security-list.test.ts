import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { getGateList, getGateTable, getUtilisation } from '#contract/office/people.ts'
import { getToday } from '#contract/office/today.ts'
import { BILLING_TYPE, EMPLOYEE_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCourse,
  insertRow,
  insertWebUser,
} from '#server/test/factories.ts'
import { insertOfficer, openTestDesk } from '#server/test/office.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const { db } = server
const office = await openTestDesk(server, ['programme'])
const { token } = office
const day = dateFromNow(2)

async function insertPlaces(city: string, names: string[], values: Record<string, unknown> = {}) {
  const course = await insertCourse(db, { city, dates: [`${day} 17:30`], name: 'Rückenfit', capacity: 50, ...values })
  for (const familyName of names) {
    const status = { employeeStatus: EMPLOYEE_STATUS.External, billingType: BILLING_TYPE.Invoice }
    const { id } = await insertWebUser(db, { familyName, givenName: 'Kim', ...status, personnelNumber: '4711' })
    await insertBooking(db, course.id, id)
  }
  return course
}

test('the site access list contains name, status and billing type of participants with a lesson there, each once', async () => {
  const first = await insertPlaces('Salzstadt', ['Čapek', '=cmd'])
  await insertPlaces('Lindhafen', ['Fern'])
  await insertPlaces('', ['Online'])
  await insertPlaces('Salzstadt', ['Abgesagt'], { cancelledAt: new Date() })
  const other = await insertPlaces('Salzstadt', [])
  await db.execute(sql`
    with moved as (select web_user_id from bookings where course_id = ${first.id} limit 1)
    insert into bookings (course_id, web_user_id, seq, state, price_cents, energy_cents, price_rule)
    select ${other.id}, web_user_id, 1, 1, 0, 0, 'fee' from moved`)
  const gone = await insertWebUser(db, { familyName: 'Weggang' })
  await insertBooking(db, first.id, gone.id, { cancelledAt: new Date() })
  const query = { date: day, site: 'Salzstadt' }
  const csv = Buffer.from((await server.request(getGateTable, { token, query })).body)
  expect(parse(csv, { bom: true, delimiter: ';' })).toEqual([
    ['name', 'status', 'billingType'],
    ["'=cmd, Kim", 'Extern', 'Rechnung'],
    ['Čapek, Kim', 'Extern', 'Rechnung'],
  ])
  const pdf = await server.request(getGateList, { token, query })
  expect(pdf.headers.get('Content-Type')).toBe('application/pdf')
  const [text = '', ...more] = readPdfPages(pdf.body)
  expect(more).toEqual([])
  for (const part of ['Werkschutz', 'Salzstadt', 'Čapek, Kim Extern Rechnung', 'Unterschrift', 'Seite 1 von 1'])
    expect(text).toContain(part)
  for (const other of ['Fern', 'Online', 'Abgesagt', 'Weggang', 'Rückenfit', '17:30', '4711', '€', '@'])
    expect(text).not.toContain(other)
})

test('a course without a city is at the site of its room, in this list, in utilisation and on Today', async () => {
  const tomorrow = dateFromNow(1)
  await insertRow(db, 'rooms', { name: 'Becken', site: 'Seehafen' })
  const course = await insertPlaces('', ['Schwimm'], { venue: 'Becken', dates: [`${tomorrow} 17:30`] })
  const csv = await server.request(getGateTable, { token, query: { date: tomorrow, site: 'Seehafen' } })
  expect(Buffer.from(csv.body).toString()).toContain('Schwimm, Kim')
  const { site } = (await server.request(getUtilisation, { token, query: {} })).body
  expect(site.map(({ key }) => key)).toContain('Seehafen')
  const { lessons } = (await server.request(getToday, { token })).body
  expect(lessons?.find(({ courseId }) => courseId === course.id)).toMatchObject({ room: 'Becken', site: 'Seehafen' })
})

test('the list of a past lesson has those who held a seat when it began', async () => {
  const past = dateFromNow(-2)
  const course = await insertPlaces('Nordhafen', ['Dabei'], { dates: [`${past} 17:30`] })
  const insert = async (familyName: string, booking: Record<string, unknown>) =>
    insertBooking(db, course.id, (await insertWebUser(db, { familyName, givenName: 'Kim' })).id, booking)
  await insert('Storniert danach', { cancelledAt: daysFromNow(-0.5) })
  await insert('Storniert davor', { cancelledAt: daysFromNow(-5), bookedAt: daysFromNow(-9) })
  await insert('Danach gebucht', { bookedAt: daysFromNow(-0.5) })
  const csv = Buffer.from((await server.request(getGateTable, { token, query: { date: past } })).body)
  const names = parse(csv, { bom: true, delimiter: ';', fromLine: 2 }).map(([name]) => name)
  expect(names).toEqual(['Dabei, Kim', 'Storniert danach, Kim'])
})

test('without a site, the PDF has a page per site, and an empty day is stated as such', async () => {
  const pages = readPdfPages((await server.request(getGateList, { token, query: { date: day } })).body)
  expect(pages.map(page => /Lindhafen|Salzstadt/.exec(page)?.[0])).toEqual(['Lindhafen', 'Salzstadt'])
  const [empty] = readPdfPages((await server.request(getGateList, { token, query: { date: dateFromNow(300) } })).body)
  expect(empty).toContain('An diesem Tag gibt es hier keine Termine.')
})

test('the list requires the programme or bookings permission, and its participants see the access', async () => {
  const query = { date: day }
  const status = async (rights: Parameters<typeof insertOfficer>[1]) =>
    (await server.request(getGateList, { token: (await insertOfficer(server, rights)).token, query })).status
  expect([await status(['bookings']), await status(['programme']), await status(['content'])]).toEqual([200, 200, 403])
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from office_reads where call = 'getGateList' and web_user_id is not null`)
  expect(count).toBeGreaterThan(0)
})

test('the list of a site has the lessons whose room is there, wherever the room is written', async () => {
  const site = 'Werk Ost'
  await db.execute(sql`insert into rooms (name, site) values ('Osthalle', ${site}), ('Westhalle', 'Werk West')`)
  await insertPlaces('', ['Amort'], { venue: 'Osthalle' })
  const moved = await insertPlaces('Werk West', ['Umzug'], { venue: 'Westhalle' })
  await db.execute(sql`
    update course_dates set room_id = (select id from rooms where name = 'Osthalle') where course_id = ${moved.id}`)
  const namesAt = async (at: string) => {
    const csv = Buffer.from((await server.request(getGateTable, { token, query: { date: day, site: at } })).body)
    return parse(csv, { bom: true, delimiter: ';' })
      .slice(1)
      .map(([name]: string[]) => name)
  }
  expect(await namesAt(site)).toEqual(['Amort, Kim', 'Umzug, Kim'])
  expect(await namesAt('Werk West')).toEqual([])
})
