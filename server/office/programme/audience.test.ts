import { expect, test } from 'vitest'
import { DEFAULT_REMINDERS } from '#contract/endpoints/reminders.ts'
import { saveReminders } from '#server/features/reminders/repository.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  insertBooking,
  insertCourse,
  insertInstructor,
  insertInstructorWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { openTestOffice, type TestAct } from '#server/test/office.ts'
import { sendMails } from '#server/test/sent-mails.ts'

const { server, actAsPreviewed, act } = await openTestOffice(['programme', 'bookings'])

/** A weekly course from next week on, taught by instructors without accounts, with a participant and a waiting person. */
async function openCourse() {
  const ida = await insertInstructor(server.db, { givenName: 'Ida', familyName: 'Nah' })
  const ole = await insertInstructor(server.db, { givenName: 'Ole', familyName: 'Tal' })
  const course = await insertCourse(server.db, {
    instructorEmails: [ida.email],
    capacity: 1,
    startsOn: dateFromNow(7),
    dates: [`${dateFromNow(7)} 18:00:00`, `${dateFromNow(14)} 18:00:00`],
  })
  const person = await insertWebUser(server.db)
  const waiting = await insertWebUser(server.db)
  await insertBooking(server.db, course.id, person.id)
  await insertBooking(server.db, course.id, waiting.id)
  const [first = { id: 0 }, second = { id: 0 }] = await server.db.query<{ id: number }>(sql`
    select id from course_dates where course_id = ${course.id} order by held_at`)
  return { course, ida, ole, person, waiting, first: first.id, second: second.id }
}

const recipientsOf = async (body: TestAct) => {
  const before = (await sendMails(server.db)).length
  const answer = await actAsPreviewed(body)
  expect(answer).toMatchObject({ status: 'Ok' })
  const mails = (await sendMails(server.db)).slice(before)
  expect(answer.consequences.mails).toBe(mails.length)
  return { answer, mails, recipients: mails.map(({ recipient }) => recipient).sort() }
}

test('an instructor without an account is notified of a cancelled and a restored lesson, and included in the counts', async () => {
  const { ida, person, first } = await openCourse()
  const cancelled = await recipientsOf({ kind: 'cancel-lesson', courseDateId: first, note: 'Trainer krank' })
  expect(cancelled.recipients).toEqual([ida.email, person.email].sort())
  expect(cancelled.answer.consequences.told.map(({ name }) => name)).toContain('Ida Nah')
  expect(cancelled.answer.consequences.call).toEqual([])
  const restored = await recipientsOf({ kind: 'restore-lesson', courseDateId: first })
  expect(restored.recipients).toEqual([ida.email, person.email].sort())
})

test('the substitute and the replaced instructor are notified, also when the substitution is reverted', async () => {
  const { ida, ole, person, first } = await openCourse()
  const made = await recipientsOf({ kind: 'change-lesson', courseDateId: first, instructorEmail: ole.email })
  expect(made.recipients).toEqual([ida.email, ole.email, person.email].sort())
  const cancelled = await recipientsOf({ kind: 'cancel-lesson', courseDateId: first })
  expect(cancelled.recipients).toEqual([ida.email, ole.email, person.email].sort())
  await act({ kind: 'restore-lesson', courseDateId: first, quiet: true, reason: 'Irrtum' })
  const back = await recipientsOf({ kind: 'change-lesson', courseDateId: first, instructorEmail: '' })
  expect(back.recipients).toEqual([ida.email, ole.email, person.email].sort())
})

test('a participant without e-mails about changes gets the one about the lesson or course that is taken from them', async () => {
  const { ida, ole, person, first, course } = await openCourse()
  await saveReminders(server.db, person.id, { ...DEFAULT_REMINDERS, changes: { mail: false, push: false } })
  await insertInstructor(server.db, { email: person.email })
  await act({ kind: 'change-lesson', courseDateId: first, instructorEmail: person.email, quiet: true, reason: 'leise' })
  const lesson = await recipientsOf({ kind: 'change-lesson', courseDateId: first, instructorEmail: ole.email })
  expect(lesson.recipients).toEqual([ida.email, ole.email, person.email].sort())
  await server.db.execute(sql`insert into course_instructors (course_id, email) values (${course.id}, ${person.email})`)
  const own = await recipientsOf({ kind: 'change-course', courseId: course.id, instructorEmails: [ida.email] })
  expect(own.recipients).toContain(person.email)
})

test('the waiting list is notified of another time or venue, but not of a substitute', async () => {
  const { ole, person, waiting, first, course } = await openCourse()
  const moved = await recipientsOf({ kind: 'change-lesson', courseDateId: first, startTime: '19:30', endTime: '21:00' })
  expect(moved.recipients).toEqual(expect.arrayContaining([person.email, waiting.email]))
  const place = await recipientsOf({ kind: 'change-lesson', courseDateId: first, venue: 'Halle 5' })
  expect(place.recipients).toContain(waiting.email)
  const substitute = await recipientsOf({ kind: 'change-lesson', courseDateId: first, instructorEmail: ole.email })
  expect(substitute.recipients).not.toContain(waiting.email)
  const time = await recipientsOf({ kind: 'change-course', courseId: course.id, startTime: '17:00', endTime: '18:00' })
  expect(time.recipients).toEqual(expect.arrayContaining([person.email, waiting.email]))
  const { price } = await server.db.one<{ price: number }>(sql`
    select price_cents as price from bookings where course_id = ${course.id} and web_user_id = ${waiting.id}`)
  const room = await recipientsOf({ kind: 'change-course', courseId: course.id, venue: 'Halle 6', fee: 99 })
  expect(room.recipients).toContain(waiting.email)
  expect(
    await server.db.one(sql`
      select price_cents as price from bookings where course_id = ${course.id} and web_user_id = ${waiting.id}`),
  ).toEqual({ price })
})

test('instructors and substitutes get their own text about a cancelled and a restored course', async () => {
  const { course, ida, ole, person, waiting, second } = await openCourse()
  await act({ kind: 'change-lesson', courseDateId: second, instructorEmail: ole.email, quiet: true, reason: 'leise' })
  const { recipients, mails } = await recipientsOf({
    kind: 'cancel-course',
    courseId: course.id,
    note: 'Wasserschaden',
  })
  expect(recipients).toEqual([ida.email, ole.email, person.email, waiting.email].sort())
  const words = (email: string) => JSON.stringify(mails.find(({ recipient }) => recipient === email)?.payload)
  expect(words(person.email)).toContain('Sie zahlen nichts')
  expect(words(ida.email)).not.toContain('Sie zahlen nichts')
  expect(words(ida.email)).toContain('Wasserschaden')
  const restored = await recipientsOf({ kind: 'restore-course', courseId: course.id })
  expect(restored.recipients).toEqual([ida.email, ole.email, person.email, waiting.email].sort())
  const back = (email: string) => JSON.stringify(restored.mails.find(({ recipient }) => recipient === email)?.payload)
  expect(back(waiting.email)).toContain('buchen Sie den Kurs bitte neu')
  expect(back(ida.email)).toContain('Der Kurs, den Sie leiten')
})

test('nobody who was booked is notified of a restored course that is over', async () => {
  const { course, ida } = await openCourse()
  await act({ kind: 'cancel-course', courseId: course.id })
  await server.db.execute(sql`
    update course_dates set held_at = held_at - interval '30 days' where course_id = ${course.id}`)
  const { recipients } = await recipientsOf({ kind: 'restore-course', courseId: course.id, reason: 'Fand doch statt' })
  expect(recipients).toEqual([ida.email])
})

test('the instructor of a course without bookings is notified of another room and time', async () => {
  const ida = await insertInstructor(server.db)
  const ole = await insertInstructor(server.db)
  const course = await insertCourse(server.db, {
    instructorEmails: [ida.email],
    startsOn: dateFromNow(7),
    dates: [`${dateFromNow(7)} 18:00:00`],
  })
  const room = await recipientsOf({ kind: 'change-course', courseId: course.id, venue: 'Halle 11' })
  expect(room.recipients).toEqual([ida.email])
  const replaced = await recipientsOf({ kind: 'change-course', courseId: course.id, instructorEmails: [ole.email] })
  expect(replaced.recipients).toEqual([ida.email, ole.email].sort())
})

test('a new instructor of a course gets one e-mail, and notices state weekday, start and end', async () => {
  const { course, first, person } = await openCourse()
  const fresh = await insertInstructorWithSession(server.db)
  const made = await recipientsOf({ kind: 'change-course', courseId: course.id, instructorEmails: [fresh.email] })
  expect(made.recipients.filter(email => email === fresh.email)).toHaveLength(1)
  const moved = await recipientsOf({ kind: 'change-lesson', courseDateId: first, endTime: '19:30' })
  const said = JSON.stringify(moved.mails.find(({ recipient }) => recipient === person.email)?.payload)
  const time = /day, \d\d\.\d\d\.\d{4}, 18:00–19:00, now \w+day, \d\d\.\d\d\.\d{4}, 18:00–19:30/
  expect(said).toMatch(time)
})

test('an instructor with an account gets one e-mail and one message; one without an address is listed to be called', async () => {
  const ida = await insertInstructor(server.db)
  const account = await insertWebUser(server.db, { email: ida.email })
  const course = await insertCourse(server.db, { instructorEmails: [ida.email], dates: [`${dateFromNow(7)} 18:00:00`] })
  const added = { kind: 'add-lesson', date: dateFromNow(8), startTime: '18:00', endTime: '19:00' } as const
  const told = await recipientsOf({ ...added, courseId: course.id, reason: 'Ferien' })
  expect(told.recipients).toEqual([ida.email])
  expect(told.answer.consequences).toMatchObject({ messages: 1, told: [{ id: account.id }] })

  const named = await insertCourse(server.db, { instructor: 'Ute Frei', dates: [`${dateFromNow(7)} 18:00:00`] })
  const call = await recipientsOf({ ...added, courseId: named.id, reason: 'Ferien' })
  expect(call.answer.consequences).toMatchObject({ mails: 0, told: [], call: [{ id: 0, name: 'Ute Frei', phone: '' }] })
})

test('a quiet action sends no notifications and lists no calls', async () => {
  const { first } = await openCourse()
  const quiet = await recipientsOf({ kind: 'cancel-lesson', courseDateId: first, quiet: true, reason: 'leise' })
  expect(quiet.answer.consequences).toMatchObject({ mails: 0, told: [], call: [] })
})
