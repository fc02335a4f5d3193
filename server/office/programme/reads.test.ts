// Fixed dates: school holidays of later years are not known; past lessons are listed alike.
import { expect, test } from 'vitest'
import { getOfficeCourse, listOfficeCourses } from '#contract/office/office.ts'
import { getRoomSheets } from '#contract/office/planning.ts'
import {
  getOfficeGrid,
  listCourseTemplates,
  listOfficeCategories,
  listOfficeInstructors,
  listOfficeSeasons,
} from '#contract/office/programme.ts'
import { getToday } from '#contract/office/today.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  insertBooking,
  insertCourse,
  insertInstructor,
  insertSeason,
  insertWebUser,
} from '#server/test/factories.ts'
import { openTestDesk, openTestOffice } from '#server/test/office.ts'
import { readPdfPages } from '#server/test/pdf.ts'

const { server, ...office } = await openTestOffice(['programme'])

test('the grid marks lessons that need the same room or instructor at the same time, and holidays', async () => {
  const { email } = await insertInstructor(server.db, { familyName: 'Zwei', givenName: 'Eva' })
  await office.act({ kind: 'save-room', name: 'Saal', site: '', capacity: 20, shared: false })
  await office.act({ kind: 'save-room', name: 'Becken', site: '', capacity: 20, shared: true })
  // 2027-03-29 is Easter Monday.
  const on = (time: string, more = {}) =>
    insertCourse(server.db, { startsOn: '2027-03-30', dates: [`2027-03-30 ${time}`], ...more })
  const first = await on('18:00', { venue: 'Saal' })
  const second = await on('18:30', { venue: 'Saal' })
  const after = await on('19:30', { venue: 'Saal', instructorEmails: [email] })
  const [pool, poolToo] = [await on('18:00', { venue: 'Becken' }), await on('18:00', { venue: 'Becken' })]
  const taught = await on('20:00', { instructorEmails: [email] })
  const gone = await on('18:00', { venue: 'Saal', cancelledAt: '2027-01-01' })
  const { body } = await server.request(getOfficeGrid, {
    query: { from: '2027-03-29', to: '2027-04-04' },
    token: office.token,
  })
  const clashes = Object.fromEntries(body.lessons.map(({ courseId, clash, clashes }) => [courseId, clash && clashes]))
  expect(clashes).toEqual({
    [first.id]: ['room'],
    [second.id]: ['room'],
    [after.id]: ['instructor'],
    [taught.id]: ['instructor'],
    [pool.id]: false,
    [poolToo.id]: false,
    [gone.id]: false,
  })
  expect(body.lessons.find(({ courseId }) => courseId === after.id)).toMatchObject({
    room: 'Saal',
    instructors: [{ email, name: 'Eva Zwei' }],
    startTime: '19:30',
    endTime: '20:30',
    places: 10,
  })
  expect(body.holidays).toEqual(['2027-03-29', '2027-03-30', '2027-03-31', '2027-04-01', '2027-04-02', '2027-04-03'])
  const bad = await server.request(getOfficeGrid, { query: { from: '2027-02-30' }, token: office.token })
  expect(bad.status).toBe(400)
})

test('seasons are listed with their counts, including drafts, and lists are paginated', async () => {
  const { id } = await insertSeason(server.db, { isDraft: true, shortcut: 'S' })
  const course = await insertCourse(server.db, { seasonId: id, capacity: 1 })
  for (const _ of [1, 2]) await insertBooking(server.db, course.id, (await insertWebUser(server.db)).id)
  const { body } = await server.request(listOfficeSeasons, { query: { limit: '500' }, token: office.token })
  expect(body.items.find(season => season.id === id)).toMatchObject({
    draft: true,
    version: 1,
    courses: 1,
    places: 1,
    booked: 1,
    waiting: 1,
    lastRecorded: null,
    shortcut: 'S',
  })
  const bookings = await openTestDesk(server, ['bookings'])
  expect((await server.request(listOfficeSeasons, { token: bookings.token })).status).toBe(200)
  expect((await server.request(listOfficeCategories, { token: bookings.token })).status).toBe(403)
  await insertInstructor(server.db)
  const one = await server.request(listOfficeInstructors, { query: { limit: '1' }, token: office.token })
  const next = await server.request(listOfficeInstructors, {
    query: { limit: '1', after: one.body.next ?? '' },
    token: office.token,
  })
  expect(next.body.items[0]?.email).not.toBe(one.body.items[0]?.email)
  expect(next.body.items[0]).toMatchObject({ version: 1, favoriteWorkout2: '' })
})

test('the sheets for the doors have a page for each room and day, without names of participants', async () => {
  const day = dateFromNow(150)
  const next = dateFromNow(151)
  const { email } = await insertInstructor(server.db, { givenName: 'Ida', familyName: 'Türschild' })
  await server.db.execute(
    sql`insert into rooms (name, site) values ('Halle T', 'Türheim'), ('Raum T2', 'Türheim'), ('Online', '')`,
  )
  const place = { venue: 'Halle T', city: 'Türheim', startTime: '18:00', endTime: '19:00' }
  const yoga = await insertCourse(server.db, {
    ...place,
    name: 'Yoga',
    dates: [`${day} 18:00`, `${next} 18:00`],
    instructorEmails: [email],
  })
  const person = await insertWebUser(server.db, { familyName: 'Unsichtbar' })
  await insertBooking(server.db, yoga.id, person.id)
  await insertCourse(server.db, { ...place, name: 'Rücken', instructor: 'Ole Schild', dates: [`${day} 20:00`] })
  await insertCourse(server.db, {
    ...place,
    name: 'Zirkel',
    venue: 'Raum T2',
    dates: [`${day} 07:00`],
    cancelledAt: new Date(),
  })
  await insertCourse(server.db, {
    ...place,
    name: 'Online',
    venue: 'Online',
    meetingUrl: 'https://meet.example/1',
    dates: [`${day} 18:00`],
  })
  const hybrid = { name: 'Hybrid', meetingUrl: 'https://meet.example/2', dates: [`${day} 21:00`] }
  await insertCourse(server.db, { ...place, ...hybrid })
  const draft = await insertSeason(server.db, { isDraft: true })
  await insertCourse(server.db, { ...place, name: 'Entwurf', seasonId: draft.id, dates: [`${day} 18:00`] })
  const pagesOf = async (query: { from: string; to?: string; room?: string }) =>
    readPdfPages((await server.request(getRoomSheets, { token: office.token, query })).body)

  const [first = '', second = '', third = '', ...more] = await pagesOf({ from: day, to: next })
  expect(more).toEqual([])
  for (const part of [
    'Halle T',
    'Türheim',
    'Yoga',
    yoga.number,
    'Ida Türschild',
    'Rücken',
    'Ole Schild',
    'Hybrid',
    day.split('-').reverse().join('.'),
  ])
    expect(first).toContain(part)
  for (const other of ['Unsichtbar', 'Online', 'Entwurf', 'Zirkel']) expect(first).not.toContain(other)
  expect(second).toMatch(/Raum T2.*Zirkel.*fällt aus/s)
  expect(third).toContain(next.split('-').reverse().join('.'))
  expect(await pagesOf({ from: day, to: next, room: 'Raum T2' })).toHaveLength(1)
  expect((await pagesOf({ from: dateFromNow(400) })).join()).toContain('keine Termine')
})

test('a course template is created, replaced and removed; HTML is cleaned, and names are unique', async () => {
  const { token } = office
  const list = async () => (await server.request(listCourseTemplates, { token })).body.items
  const { id, seasonId } = await insertCourse(server.db)
  const { categoryId } = await server.db.one<{ categoryId: number }>(
    sql`select category_id as "categoryId" from courses where id = ${id}`,
  )
  const fields = { courseCategoryId: categoryId, fee: 42.5, startTime: '18:00', endTime: '19:00', participants: 12 }
  const textWeb = '<p>Matte mitbringen<script>alert(1)</script></p>'
  const made = await office.actAsPreviewed({
    kind: 'save-template',
    templateName: 'Yoga, 10 Termine',
    textWeb,
    ...fields,
  })
  const templateId = Number(made.result.templateId)
  expect(await list()).toEqual([
    {
      templateId,
      version: 1,
      templateName: 'Yoga, 10 Termine',
      fields: { ...fields, textWeb: '<p>Matte mitbringen</p>' },
    },
  ])
  expect((await office.act({ kind: 'save-template', templateName: 'Yoga, 10 Termine' })).status).toBe('Failed')
  expect((await office.act({ kind: 'save-template', templateName: 'Neu', courseCategoryId: 999_999 })).status).toBe(
    'Failed',
  )
  expect((await office.act({ kind: 'save-template', templateName: 'Neu', meetingURL: 'javascript:1' })).status).toBe(
    'Failed',
  )

  // The values are those that a new course accepts.
  const [{ fields: given = {} } = {}] = await list()
  const course = await office.act({
    kind: 'create-course',
    number: 'VORLAGE-1',
    name: 'Yoga',
    seasonId,
    start: dateFromNow(160),
    reason: 'Ferien',
    ...given,
  } as Parameters<typeof office.act>[0])
  expect(course.status).toBe('Ok')

  const change = { kind: 'save-template', templateId, version: 1, templateName: 'Yoga kurz', fee: 20 } as const
  expect((await office.act(change)).status).toBe('Ok')
  expect(await list()).toMatchObject([{ templateId, version: 2, templateName: 'Yoga kurz', fields: { fee: 20 } }])
  expect(Object.keys((await list())[0]?.fields ?? {})).toEqual(['fee'])
  expect((await office.act(change)).status).toBe('Changed')
  const remove = { kind: 'remove', what: 'template', id: templateId } as const
  expect((await office.act(remove)).status).toBe('Ok')
  expect(await list()).toEqual([])
  for (const late of [remove, { kind: 'save-template', templateId, templateName: 'Neu' } as const]) {
    const answer = await office.act(late)
    expect([answer.status, answer.message]).toEqual(['Failed', 'Diese Vorlage gibt es nicht.'])
  }
})

test('instructors are named in the list of courses, in lessons and on Today, with an e-mail address or without', async () => {
  const { email } = await insertInstructor(server.db, { familyName: 'Namhaft', givenName: 'Ida' })
  const dates = [`${dateFromNow(1)} 18:00`]
  const listed = await insertCourse(server.db, { instructorEmails: [email], dates })
  const written = await insertCourse(server.db, { instructor: 'Team Nord', dates })
  const { token } = office
  const { items } = (await server.request(listOfficeCourses, { query: { limit: '500' }, token })).body
  const today = (await server.request(getToday, { token })).body.lessons
  for (const [{ id }, name] of [
    [listed, 'Ida Namhaft'],
    [written, 'Team Nord'],
  ] as const) {
    expect(items.find(course => course.id === id)?.instructor).toBe(name)
    const { lessons } = (await server.request(getOfficeCourse, { params: { id }, token })).body
    expect(lessons.map(({ instructor }) => instructor)).toEqual([name])
    expect(today?.filter(({ courseId }) => courseId === id).map(({ instructor }) => instructor)).toEqual([name])
  }
})
