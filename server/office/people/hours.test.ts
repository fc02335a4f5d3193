import { expect, test } from 'vitest'
import { getOfficeList } from '#contract/office/people.ts'
import type { Language } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  insertBooking,
  insertCourse,
  insertInstructor,
  insertRow,
  insertSeason,
  insertWebUser,
} from '#server/test/factories.ts'
import { insertOwed } from '#server/test/money-scene.ts'
import { insertOfficer, openTestDesk, openTestOffice } from '#server/test/office.ts'

const { server, token } = await openTestOffice(['billing'])
const { db } = server

test('instructors’ hours include held lessons by actual instructor, but no cancelled or future ones', async () => {
  const ida = await insertInstructor(db, { familyName: 'Ahlers', givenName: 'Ida', hourlyFeeCents: 3_250 })
  const ole = await insertInstructor(db, { familyName: 'Berg', givenName: 'Ole' })
  const dates = [-22, -15, -8, 6].map(days => `${dateFromNow(days)} 18:00`)
  const course = await insertCourse(db, { number: 'H-1', name: 'Yoga', instructorEmails: [ida.email], dates })
  const nth = (index: number) =>
    sql`(select id from course_dates where course_id = ${course.id} order by held_at offset ${index} limit 1)`
  await db.execute(sql`update course_dates set state = 'cancelled' where id = ${nth(0)}`)
  await db.execute(sql`update course_dates set instructor_email = ${ole.email}, ends_at = '19:30' where id = ${nth(1)}`)
  const { body } = await server.request(getOfficeList, { params: { file: 'hours.csv' }, token })
  const [head, ...rows] = Buffer.from(body).toString().replace('\uFEFF', '').trim().split('\r\n')
  expect(head).toBe('Nachname;Vorname;E-Mail;Tag;Beginn;Ende;Minuten;Saison;Kursnummer;Kurs;Vertretung;Anwesend')
  expect(rows.map(row => row.split(';').toSpliced(2, 1).toSpliced(6, 1))).toEqual([
    ['Ahlers', 'Ida', dateFromNow(-8), '18:00', '19:00', '60', 'H-1', 'Yoga', 'nein', ''],
    ['Berg', 'Ole', dateFromNow(-15), '18:00', '19:30', '90', 'H-1', 'Yoga', 'ja', ''],
  ])

  const timesheet = await server.request(getOfficeList, { params: { file: 'timesheet.csv' }, token })
  const [columns, ...months] = Buffer.from(timesheet.body).toString().replace('\uFEFF', '').trim().split('\r\n')
  expect(columns).toBe(
    'Nachname;Vorname;E-Mail;Monat;Termine;davon in Vertretung;Nicht erfasst;Minuten;Stunden;Honorar je Stunde;Honorar;Freigegeben',
  )
  expect(months).toEqual([
    `Ahlers;Ida;${ida.email};${dateFromNow(-8).slice(0, 7)};1;0;1;60;1,00;32,50;32,50;`,
    `Berg;Ole;${ole.email};${dateFromNow(-15).slice(0, 7)};1;1;1;90;1,50;;;`,
  ])
  const workbook = await server.request(getOfficeList, { params: { file: 'timesheet.xlsx' }, token })
  expect([workbook.status, workbook.headers.get('Content-Type')]).toEqual([
    200,
    expect.stringContaining('spreadsheetml'),
  ])
})

test('lists name season and course in the language of the reader', async () => {
  const season = await insertSeason(db, { name: 'Herbst', name2: 'Autumn' })
  const names = { name: 'Rückenfit', name2: 'Back fitness', seasonId: season.id }
  const { email } = await insertInstructor(db)
  const dates = [`${dateFromNow(-8)} 18:00`, `${dateFromNow(6)} 18:00`]
  const course = await insertCourse(db, { ...names, capacity: 1, instructorEmails: [email], dates })
  for (const { id } of [await insertWebUser(db), await insertWebUser(db)]) await insertBooking(db, course.id, id)
  const { token: office } = await insertOfficer(server, ['bookings'])
  for (const list of ['bookings', 'waiting', 'participants', 'attendance', 'utilisation', 'hours']) {
    const read = async (language: Language) => {
      const query = { seasonId: String(season.id) }
      const params = { file: `${list}.csv` }
      const { body } = await server.request(getOfficeList, { params, query, token: office, language })
      return Buffer.from(body).toString()
    }
    expect(await read('de'), list).toMatch(/Herbst.*Rückenfit/)
    expect(await read('en'), list).toMatch(/Autumn.*Back fitness/)
  }
})

test('the sums of a person by calendar year contain what was charged, waived and corrected', async () => {
  const { email, accountId } = await insertOwed(
    db,
    { familyName: 'Jahr', givenName: 'Kim', personnelNumber: '0042' },
    -500,
  )
  for (const [kind, cents] of [
    ['fee', 4_500],
    ['energy-fee', 300],
    ['waiver', -4_500],
  ] as const)
    await insertRow(db, 'ledger_entries', { accountId, kind, cents })
  await insertRow(db, 'ledger_entries', { accountId, kind: 'fee', cents: 1_000, madeAt: new Date('2020-06-01') })
  const { body } = await server.request(getOfficeList, { params: { file: 'yearly.csv' }, token })
  const [columns, ...rows] = Buffer.from(body).toString().replace('\uFEFF', '').trim().split('\r\n')
  expect(columns).toBe('Nachname;Vorname;E-Mail;Personalnummer;Jahr;Berechnet;Erlassen;Andere Buchungen;Betrag')
  const { token: other } = await insertOfficer(server, ['bookings'])
  const refused = await server.request(getOfficeList, { params: { file: 'yearly.csv' }, token: other })
  expect(refused.status).toBe(403)
  const { year } = await db.one<{ year: number }>(sql`select extract(year from localtimestamp)::int as year`)
  expect(rows.filter(row => row.includes(email))).toEqual([
    `Jahr;Kim;${email};0042;2020;10,00;0,00;0,00;10,00`,
    `Jahr;Kim;${email};0042;${year};48,00;-45,00;-5,00;-2,00`,
  ])
})

test('instructors’ hours include the lessons held before their course was cancelled', async () => {
  const { email } = await insertInstructor(db, { familyName: 'Zander', givenName: 'Uli', hourlyFeeCents: 3_000 })
  const dates = [-20, -13, -6, 8].map(days => `${dateFromNow(days)} 18:00`)
  const cancelledAt = new Date(`${dateFromNow(-10)}T10:00Z`)
  const course = await insertCourse(db, { number: 'H-9', instructorEmails: [email], dates, cancelledAt })
  const rowsOf = async (file: `${string}.csv`) => {
    const query = { seasonId: String(course.seasonId) }
    const { body } = await server.request(getOfficeList, { params: { file }, query, token })
    return Buffer.from(body).toString().trim().split('\r\n').slice(1)
  }
  const hours = await rowsOf('hours.csv')
  expect(hours.map(row => row.split(';')[3])).toEqual([dateFromNow(-20), dateFromNow(-13)])
  const sheets = await rowsOf('timesheet.csv')
  expect(sheets.reduce((sum, row) => sum + Number(row.split(';')[4]), 0)).toBe(2)
})

test('the sums of a merged person are in one row a year', async () => {
  const names = { familyName: 'Zweifach', givenName: 'Kim', personnelNumber: '0815' }
  const [from, into] = [await insertOwed(db, names, 700), await insertOwed(db, names, 500)]
  const officer = await openTestDesk(server, ['bookings'])
  await officer.act({ kind: 'merge-people', webUserId: from.id, intoWebUserId: into.id })
  const { body } = await server.request(getOfficeList, { params: { file: 'yearly.csv' }, token })
  const rows = Buffer.from(body)
    .toString()
    .split('\r\n')
    .filter(row => row.startsWith('Zweifach'))
  expect(rows.map(row => row.split(';').at(-1))).toEqual(['12,00'])
})

test('a lesson that is assigned to one of the instructors of its course is not substituted', async () => {
  const ida = await insertInstructor(db, { familyName: 'Cordes', givenName: 'Ida' })
  const ole = await insertInstructor(db, { familyName: 'Dorn', givenName: 'Ole' })
  const course = await insertCourse(db, {
    instructorEmails: [ida.email, ole.email],
    dates: [`${dateFromNow(-15)} 18:00`],
  })
  await db.execute(sql`update course_dates set instructor_email = ${ole.email} where course_id = ${course.id}`)
  const query = { seasonId: String(course.seasonId) }
  const { body } = await server.request(getOfficeList, { params: { file: 'hours.csv' }, query, token })
  const rows = Buffer.from(body).toString().trim().split('\r\n').slice(1)
  expect(rows.map(row => row.split(';')).map(row => [row[0], row[10]])).toEqual([['Dorn', 'nein']])
})
