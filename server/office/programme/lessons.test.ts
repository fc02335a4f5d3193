import { expect, test } from 'vitest'
import { changePresence, getCourseDates } from '#contract/endpoints/attendance.ts'
import { bookCourse, getCourse } from '#contract/endpoints/courses.ts'
import { listMessages } from '#contract/endpoints/inbox.ts'
import { sql } from '#server/platform/db/client.ts'
import { toMailContent } from '#server/platform/outbox/mail-content.ts'
import {
  dateFromNow,
  insertCourse,
  insertInstructor,
  insertSeason,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'
import { sendMails } from '#server/test/sent-mails.ts'
import { insertTaughtCourse } from '#server/test/taught-course.ts'

const { server, act } = await openTestOffice(['programme'])

const see = async (id: number, token?: string) =>
  (await server.request(getCourse, { params: { id }, ...(token && { token }) })).body

test('a cancelled lesson notifies participants and instructor once, leaves the dates, and is listed as a change', async () => {
  const { teacher, person, tick, ...course } = await insertTaughtCourse(server.db)
  const first = tick.courseDateId
  const until = (await see(course.id, person.token)).cancelUntil
  const body = { kind: 'cancel-lesson', courseDateId: first, note: 'Trainer krank', note2: 'Trainer ill' } as const
  const preview = await act({ ...body, preview: true })
  expect((await see(course.id)).changes).toEqual([])
  const done = await act(body)
  expect(done.consequences).toEqual(preview.consequences)
  expect(done.consequences).toMatchObject({ mails: 2, messages: 2, told: { length: 2 } })

  const seen = await see(course.id, person.token)
  expect(seen.dates).toHaveLength(2)
  expect(seen.changes).toMatchObject([
    { kind: 'cancelled', from: null, to: null, note: 'Trainer krank', note2: 'Trainer ill' },
  ])
  const told = seen.cancelUntil
  expect(JSON.stringify(told) === JSON.stringify(until)).toBe(false)
  const list = await server.request(getCourseDates, { params: { id: course.id }, token: teacher.token })
  expect(list.body.courseDates).toHaveLength(2)
  const answer = await server.request(changePresence, { body: { changeState: 'added', ...tick }, token: teacher.token })
  expect(answer).toMatchObject({ status: 200, body: { status: 'Failed' } })

  expect((await act({ kind: 'restore-lesson', courseDateId: first })).status).toBe('Ok')
  expect((await see(course.id)).changes).toEqual([])
  // The later day, which the person has read, is not taken back.
  expect((await see(course.id, person.token)).cancelUntil).toEqual(told)
})

test('a lesson can be moved and get a room and a substitute, and no cancellation deadline becomes earlier', async () => {
  const { person, tick, ...course } = await insertTaughtCourse(server.db)
  const { email } = await insertInstructor(server.db, { givenName: 'Rita', familyName: 'Ersatz' })
  const room = (await act({ kind: 'save-room', name: 'Halle 9', capacity: 20 })).result.roomId as number
  const until = (await see(course.id, person.token)).cancelUntil
  const answer = await act({
    kind: 'change-lesson',
    courseDateId: tick.courseDateId,
    startTime: '17:00',
    endTime: '18:00',
    date: dateFromNow(6),
    roomId: room,
    instructorEmail: email,
    reason: 'Ferien',
  })
  expect(answer.status).toBe('Ok')
  const seen = await see(course.id, person.token)
  expect(seen.changes.map(({ kind }) => kind)).toEqual(['moved', 'room', 'instructor'])
  expect(seen.changes[1]).toMatchObject({ to: 'Halle 9' })
  expect(seen.changes[2]).toMatchObject({ to: 'Rita Ersatz' })
  expect(seen.cancelUntil).toEqual(until)
})

test('a lesson that moves to the room of the same name at another site is announced and recorded with both sites', async () => {
  const { person, tick, ...course } = await insertTaughtCourse(server.db, { venue: 'Halle 8', city: 'Celle' })
  await act({ kind: 'save-room', name: 'Halle 8', site: 'Celle', capacity: 20 })
  const elsewhere = await act({ kind: 'save-room', name: 'Halle 8', site: 'Peine', capacity: 20 })
  const roomId = Number(elsewhere.result.roomId)
  const { recordId } = await act({ kind: 'change-lesson', courseDateId: tick.courseDateId, roomId })
  expect((await see(course.id)).changes).toMatchObject([{ kind: 'room', from: 'Halle 8, Celle', to: 'Halle 8, Peine' }])
  const [message] = await server.db.query<{ text: string }>(sql`
    select text from inbox_items where web_user_id = ${person.id}`)
  expect(message?.text).toContain('Ort: bisher Halle 8, Celle, jetzt Halle 8, Peine')
  const { line } = await server.db.one<{ line: object }>(sql`
    select line::jsonb as line from office_record where number = ${recordId ?? 0}`)
  expect(line).toMatchObject({ before: { venue: 'Halle 8, Celle' }, after: { venue: 'Halle 8, Peine' } })
})

test('a change of a cancelled lesson is announced as one of a lesson that is still cancelled', async () => {
  const { person, tick } = await insertTaughtCourse(server.db)
  await act({ kind: 'cancel-lesson', courseDateId: tick.courseDateId })
  await act({ kind: 'change-lesson', courseDateId: tick.courseDateId, venue: 'Halle 4' })
  const inbox = await server.db.query<{ text: string }>(sql`
    select text from inbox_items where web_user_id = ${person.id} order by id`)
  expect(inbox.at(-1)?.text).toContain('Ort: bisher –, jetzt Halle 4<br>Der Termin fällt weiterhin aus.')
})

test('an added lesson in an occupied room requires a reason, and is announced', async () => {
  const course = await insertTaughtCourse(server.db)
  const other = await insertCourse(server.db, { startsOn: dateFromNow(7), venue: 'Halle 7' })
  await act({ kind: 'save-room', name: 'Halle 7' })
  await server.db.execute(sql`update courses set venue = 'Halle 7' where id = ${course.id}`)
  const add = {
    kind: 'add-lesson',
    courseId: course.id,
    date: dateFromNow(14),
    startTime: '18:30',
    endTime: '19:30',
  } as const
  expect((await act(add)).status).toBe('Reason')
  expect(await act({ ...add, reason: 'geteilt' })).toMatchObject({
    status: 'Ok',
    consequences: {
      mails: 2,
      clashes: expect.arrayContaining([expect.objectContaining({ room: 'Halle 7', courseId: other.id })]),
    },
  })
})

test('a course is restored into a room or to an instructor that is taken meanwhile with a reason only', async () => {
  const instructor = await insertInstructor(server.db)
  await act({ kind: 'save-room', name: 'Halle 9' })
  const venue = { venue: 'Halle 9', instructorEmails: [instructor.email] }
  const course = await insertCourse(server.db, venue)
  await act({ kind: 'cancel-course', courseId: course.id })
  const other = await insertCourse(server.db, venue)
  const restore = { kind: 'restore-course', courseId: course.id } as const
  expect(await act(restore)).toMatchObject({
    status: 'Reason',
    consequences: {
      clashes: expect.arrayContaining([expect.objectContaining({ room: 'Halle 9', courseId: other.id })]),
    },
  })
  expect(await act({ ...restore, reason: 'geteilt' })).toMatchObject({ status: 'Ok' })
})

test('a course is restored into a room that is closed meanwhile with a reason only', async () => {
  const { roomId } = (await act({ kind: 'save-room', name: 'Halle 10' })).result
  const course = await insertCourse(server.db, { venue: 'Halle 10' })
  await act({ kind: 'cancel-course', courseId: course.id })
  const span = { from: dateFromNow(0), to: dateFromNow(200) }
  await act({ kind: 'set-closure', roomIds: [Number(roomId)], ...span, lessons: [] })
  const restore = { kind: 'restore-course', courseId: course.id } as const
  expect(await act(restore)).toMatchObject({ status: 'Reason', code: 'office.reason.closed' })
  expect(await act({ ...restore, reason: 'Bis dahin fertig' })).toMatchObject({ status: 'Ok' })
})

test('cancelling a course ends all bookings and prevents new ones until it is restored', async () => {
  const { person, tick, ...course } = await insertTaughtCourse(server.db)
  const answer = await act({ kind: 'cancel-course', courseId: course.id, note: 'zu wenige' })
  expect(answer).toMatchObject({ status: 'Ok', consequences: { ended: [{ id: person.id }], mails: 2, messages: 2 } })
  expect(await see(course.id, person.token)).toMatchObject({
    cancelled: true,
    bookingStatus: 0,
    obstacle: 'cancelled',
    obstacleText: 'Dieser Kurs fällt aus. zu wenige',
  })
  const refused = await server.request(bookCourse, { body: { id: course.id }, token: person.token })
  expect(refused.body.status).toBe('Failed')
  // Nobody is notified of lessons that do not take place anyway.
  for (const kind of ['cancel-lesson', 'restore-lesson'] as const) {
    const { status, consequences } = await act({ kind, courseDateId: tick.courseDateId })
    expect([status, consequences.mails, consequences.told]).toEqual(['Ok', 0, []])
  }
  await act({ kind: 'restore-course', courseId: course.id })
  const booked = await server.request(bookCourse, { body: { id: course.id }, token: person.token })
  expect(booked.body).toMatchObject({ status: 'Ok', cancelled: false, currentParticipants: 1 })
})

test('a season can be a draft again as long as it has no bookings', async () => {
  const season = await insertSeason(server.db)
  const course = await insertCourse(server.db, { seasonId: season.id })
  await act({ kind: 'unpublish-season', seasonId: season.id })
  expect((await server.request(getCourse, { params: { id: course.id } })).status).toBe(404)
  await act({ kind: 'publish-season', seasonId: season.id })
  const person = await insertUserWithSession(server.db)
  await server.request(bookCourse, { body: { id: course.id }, token: person.token })
  expect((await act({ kind: 'unpublish-season', seasonId: season.id })).status).toBe('Failed')
})

test('a lesson moved into a room at another site has this site on the page, in the message and in e-mails about bookings', async () => {
  const course = await insertCourse(server.db, { venue: 'Halle 1', city: 'Salzstadt' })
  const { id: courseDateId } = await server.db.one<{ id: number }>(sql`
    select id from course_dates where course_id = ${course.id} order by held_at limit 1`)
  const [booked, later] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  const book = ({ token }: { token: string }) => server.request(bookCourse, { body: { id: course.id }, token })
  await book(booked)
  const { roomId } = (await act({ kind: 'save-room', name: 'Becken', site: 'Lindhafen', capacity: 20 })).result
  await act({ kind: 'change-lesson', courseDateId, roomId: roomId as number })
  expect((await see(course.id)).changes).toMatchObject([
    { kind: 'room', from: 'Halle 1, Salzstadt', to: 'Becken, Lindhafen' },
  ])
  const [message] = (await server.request(listMessages, { token: booked.token })).body
  expect(message?.text).toContain('Ort: bisher Halle 1, Salzstadt, jetzt Becken, Lindhafen')
  await book(later)
  const payload = (await sendMails(server.db)).find(({ webUserId }) => webUserId === later.id)?.payload
  const { facts } = toMailContent({ kind: 'booking', payload, language: 'de', name: '' }, server.context.config)
  expect(facts.map(([, value]) => value)).toContainEqual(expect.stringContaining('18:00 Uhr, Becken, Lindhafen'))
})
