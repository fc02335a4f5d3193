import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { changePresence, getParticipantList, noteDoorGuest } from '#contract/endpoints/attendance.ts'
import { BILLING_TYPE, EMPLOYEE_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { printDocument } from '#server/platform/pdf/printer.ts'
import {
  daysFromNow,
  insertBooking,
  insertCourse,
  insertInstructorWithSession,
  insertSeason,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { openTestServer } from '#server/test/server.ts'
import { insertTaughtCourse } from '#server/test/taught-course.ts'
import { layOutParticipantList } from './participant-list.ts'

const server = await openTestServer()
const instructor = await insertInstructorWithSession(server.db)

const COURSE = {
  number: 'H-0301',
  name: 'Rückenfit: Kraft/Mobilität',
  name2: 'Back fit',
  venue: 'Halle 2',
  city: 'Lindhafen',
  instructor: 'Ines Brandt',
  startsOn: '2026-09-07',
  endsOn: '2026-09-21',
  startTime: '17:30',
  endTime: '18:45',
  dates: ['2026-09-07 17:30', '2026-09-14 17:30', '2026-09-21 17:30'],
  capacity: 60,
}

const download = (id: number, token: string, language: 'de' | 'en' = 'de') =>
  server.request(getParticipantList, { params: { id }, token, language })

test('the list contains the course, its participants with status and billing, and their attendance', async () => {
  const course = await insertCourse(server.db, {
    ...COURSE,
    // names are shown for 8 more weeks
    closesAt: daysFromNow(-1),
    instructorEmails: [instructor.email],
  })
  const people = [
    { familyName: 'Čapek', givenName: 'Ľudmila', employeeStatus: EMPLOYEE_STATUS.Pensioner },
    { familyName: 'Aydın', givenName: 'Şule', billingType: BILLING_TYPE.Invoice },
    { familyName: 'Größl', givenName: '<b>Ünal</b>', personnelNumber: '4711-0815', bkkNumber: 'A123456789' },
  ]
  for (const values of people) {
    const { id } = await insertWebUser(server.db, values)
    await insertBooking(server.db, course.id, id, values.billingType ? { priceCents: 4500 } : {})
  }
  const cancelled = await insertWebUser(server.db, { familyName: 'Weggang' })
  await insertBooking(server.db, course.id, cancelled.id, { cancelledAt: new Date('2026-09-01') })
  const { dates, person } = await server.db.one<{ dates: number[]; person: number }>(sql`
    select array(select id from course_dates where course_id = ${course.id} order by held_at) as dates,
      (select id from web_users where family_name = 'Čapek') as person`)
  const said = [{ changeState: 'added' }, { changeState: 'deleted' }, { changeState: 'added' }] as const
  for (const [index, of] of said.entries()) {
    const body = { ...of, courseDateId: dates[index] ?? 0, webUserId: person }
    await server.request(changePresence, { body, token: instructor.token })
  }
  const takenBack = { changeState: 'deleted', isRecorded: false } as const
  const body = { ...takenBack, courseDateId: dates[2] ?? 0, webUserId: person }
  await server.request(changePresence, { body, token: instructor.token })

  for (const [name, index] of [
    ['Peter Überraschung', 1],
    ['Noch Jemand', 2],
  ] as const) {
    const guest = { guestId: randomUUID(), courseDateId: dates[index] ?? 0, name }
    for (const changeState of name === 'Noch Jemand' ? (['added', 'deleted'] as const) : (['added'] as const))
      expect(
        (await server.request(noteDoorGuest, { body: { ...guest, changeState }, token: instructor.token })).body.status,
      ).toBe('Ok')
  }

  const { status, headers, body: pdf } = await download(course.id, instructor.token)
  expect(status).toBe(200)
  expect(headers.get('Content-Type')).toBe('application/pdf')
  expect(decodeURIComponent(headers.get('Content-Disposition') ?? '')).toBe(
    `attachment; filename="H-0301 Ruckenfit Kraft Mobilitat.pdf"; filename*=UTF-8''H-0301 Rückenfit Kraft Mobilität.pdf`,
  )
  const [text = '', ...morePages] = readPdfPages(pdf)
  expect(morePages).toEqual([])
  for (const part of [
    'H-0301 Rückenfit: Kraft/ Mobilität',
    '07.09.2026 – 21.09.2026',
    '17:30 bis 18:45 Uhr',
    'Halle 2, Lindhafen',
    'Ines Brandt',
    '07.09. 14.09. 21.09.',
    'Seite 1 von 1',
    'Werksport',
    'X: da, –: fehlt, leer: nicht erfasst oder ohne Platz',
  ])
    expect(text).toContain(part)
  const row = (name: string) => text.slice(text.indexOf(name))
  expect(row('Aydın,')).toMatch(/^Aydın, Şule Beschäftigt Rechnung 0 – – 2 Čapek/)
  expect(row('Čapek,')).toMatch(
    /^Čapek, Ľudmila In Rente 1 X – 3 Größl, <b>Ünal<\/ ?b> Beschäftigt 0 – – 4 Peter Überraschung \(Gast\) X /,
  )
  expect(text).toContain('Teilnehmende: 3')
  for (const secret of ['4711', 'A123456789', 'Weggang', 'Jemand', '@', '45,00', '€', 'kostenlos', 'Preis'])
    expect(text).not.toContain(secret)
})

test('the list is in the requested language', async () => {
  const course = await insertCourse(server.db, { ...COURSE, number: 'H-0302', instructorEmails: [instructor.email] })
  const { headers, body } = await download(course.id, instructor.token, 'en')
  const [text] = readPdfPages(body)
  expect(text).toContain('Participant list Werksport H-0302 Back fit')
  expect(text).toContain('Page 1 of 1')
  expect(decodeURIComponent(headers.get('Content-Disposition') ?? '')).toContain('H-0302 Back fit.pdf')
})

test('a long list repeats its header on every page and numbers the pages', async () => {
  const lessons = Array.from({ length: 20 }, (_, index) => ({
    id: index + 1,
    heldAt: `2026-09-${String(index + 1).padStart(2, '0')} 17:30:00`,
  }))
  const participants = Array.from({ length: 60 }, (_, index) => ({
    name: `Müller-Lüdenscheidt ${index}, Jörg-Maria`,
    employeeStatus: EMPLOYEE_STATUS.Employee,
    billingType: BILLING_TYPE.PersonnelNumber,
    presentLessonIds: [],
    absentLessonIds: [],
    hasSeat: true,
    participation: 0,
  }))
  const { venue, instructor: instructors, ...course } = COURSE
  const brand = { portal: 'Werksport', color: '#0d4f55' }
  const list = { ...course, brand, venue, instructors, printedAt: '2026-11-21 12:00:00', lessons, participants }
  const pdf = await printDocument({ pdf: layOutParticipantList(list, 'de') })
  const pages = readPdfPages(pdf)
  expect(pages.length).toBeGreaterThan(1)
  pages.forEach((text, index) => {
    expect(text).toContain('Abrechnung')
    expect(text).toContain('20.09.')
    expect(text).toContain(`Seite ${index + 1} von ${pages.length}`)
  })
})

test('users who teach no course get an empty file, instructors of other courses are rejected', async () => {
  const course = await insertCourse(server.db, { instructorEmails: [instructor.email] })
  const visitor = await insertUserWithSession(server.db)
  const empty = await download(course.id, visitor.token)
  expect(empty).toMatchObject({ status: 200, body: new Uint8Array() })
  expect(empty.headers.get('Content-Type')).toBe('application/pdf')
  const colleague = await insertInstructorWithSession(server.db)
  expect((await download(course.id, colleague.token)).status).toBe(403)
  expect((await download(2_000_000_000, instructor.token)).status).toBe(404)
  expect((await server.request(getParticipantList, { params: { id: course.id } })).status).toBe(401)
})

test('the name of a course that is not visible yet is hidden from other instructors', async () => {
  const season = await insertSeason(server.db, { viewableFrom: '2999-01-01' })
  const course = await insertTaughtCourse(server.db, { seasonId: season.id })
  const visitor = await insertUserWithSession(server.db)
  const answers = []
  for (const { token } of [visitor, instructor, course.teacher]) answers.push(await download(course.id, token))
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 200])
  for (const { headers } of answers.slice(0, 2)) expect(JSON.stringify([...headers])).not.toContain(course.name)
})
