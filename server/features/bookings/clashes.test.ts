import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bookCourse, cancelCourse, listBookedCourses } from '#contract/endpoints/courses.ts'
import { findClashes } from '#contract/lessons.ts'
import { sql } from '#server/platform/db/client.ts'
import { renderMail } from '#server/platform/outbox/letter.ts'
import { leaseDueMessages } from '#server/platform/outbox/outbox.ts'
import { dateFromNow, insertCourse, insertUserWithSession, markProgrammeChanged } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()

type Person = Awaited<ReturnType<typeof insertUserWithSession>>
const book = ({ token }: Person, id: number) => server.request(bookCourse, { token, body: { id } })
const TIMES = ['16:00', '16:30', '17:00', '17:15', '17:30', '18:00', '18:15', '18:30', '19:00']

type Setting = { time: number; length: number; days: number[]; venue: string; city: string; elsewhere?: string }

await server.db.execute(sql`insert into rooms (name, site) values ('Halle 1', 'Salzstadt'), ('Bad', 'Oderwerk')`)

/** @param elsewhere room of the last lesson */
const insertOf = async ({ time, length, days, venue, city, elsewhere = '' }: Setting, values = {}) => {
  const startTime = TIMES[time] ?? '17:00'
  const end = Number(startTime.slice(0, 2)) * 60 + Number(startTime.slice(3)) + length
  const endTime = `${Math.floor(end / 60)}:${String(end % 60).padStart(2, '0')}`
  const dates = days.map(day => `${dateFromNow(day)} ${startTime}`)
  const course = await insertCourse(server.db, { startTime, endTime, venue, city, dates, ...values })
  await server.db.execute(sql`
    update course_dates d set room_id = r.id from rooms r
    where r.name = ${elsewhere} and d.course_id = ${course.id} and d.held_at = ${dates.at(-1) ?? ''}::timestamp`)
  await markProgrammeChanged(server.db)
  return course
}

/** Promotes the person from the waiting list by cancelling another booking. @returns the e-mail's clashes */
async function moveUp(kim: Person, id: number) {
  const first = await insertUserWithSession(server.db)
  await book(first, id)
  await book(kim, id)
  await server.request(cancelCourse, { token: first.token, body: { id } })
  const { payload } = await server.db.one<{ payload: { clashes: { name: string; kind: string; at: string }[] } }>(sql`
    select payload from mails where web_user_id = ${kim.id} and kind = 'promotion' order by id desc limit 1`)
  return payload.clashes
}

test('the promotion e-mail names the same clashes as the app', async () => {
  const setting = fc.record({
    time: fc.nat(TIMES.length - 1),
    length: fc.constantFrom(30, 45, 60),
    // The last one is ahead: a course whose lessons have all begun takes no bookings.
    days: fc
      .tuple(fc.uniqueArray(fc.integer({ min: -2, max: 4 }), { maxLength: 2 }), fc.integer({ min: 5, max: 7 }))
      .map(([days, last]) => [...days, last]),
    venue: fc.constantFrom('', 'Halle 1', 'Bad'),
    city: fc.constantFrom('', 'Salzstadt', 'Oderwerk'),
  })
  await fc.assert(
    fc.asyncProperty(setting, fc.array(setting, { minLength: 1, maxLength: 3 }), async (wanted, others) => {
      const kim = await insertUserWithSession(server.db)
      for (const other of others) await book(kim, (await insertOf(other)).id)
      const { id } = await insertOf(wanted, { capacity: 1 })
      const mailed = await moveUp(kim, id)
      const { body: own } = await server.request(listBookedCourses, { token: kim.token })
      const { wall } = await server.db.one<{ wall: string }>(sql`select localtimestamp(0) as wall`)
      const course = own.find(each => each.id === id)
      const found = course ? findClashes(course, own, Date.parse(`${wall.replace(' ', 'T')}Z`)) : []
      const digits = (value: { day: number; hour: number; minute: number }) =>
        `${value.day} ${value.hour}:${value.minute}`
      expect(
        mailed
          .map(({ name, kind, at }) => {
            const [day = 0, hour = 0, minute = 0] = [at.slice(8, 10), at.slice(11, 13), at.slice(14, 16)].map(Number)
            return `${name} ${kind} ${digits({ day, hour, minute })}`
          })
          .sort(),
      ).toEqual(found.map(({ course: { name }, kind, at }) => `${name} ${kind} ${digits(at)}`).sort())
    }),
    { numRuns: 25 },
  )
}, 60_000)

test('a lesson moved to another room clashes by the way from there, not from the room of its course', async () => {
  const kim = await insertUserWithSession(server.db)
  const site = { venue: 'Halle 1', city: 'Salzstadt' }
  const near = await insertOf({ time: 5, length: 30, days: [3], ...site, elsewhere: 'Bad' }, { name: 'Yoga' })
  const far = await insertOf({ time: 6, length: 30, days: [4], venue: 'Bad', city: 'Oderwerk', elsewhere: 'Halle 1' })
  for (const other of [near, far]) await book(kim, other.id)
  const { id } = await insertOf({ time: 2, length: 60, days: [3, 4], ...site }, { capacity: 1 })
  expect(await moveUp(kim, id)).toMatchObject([{ name: 'Yoga', kind: 'travel' }])
})

test('the promotion e-mail states the other course, its time and the reason', async () => {
  const kim = await insertUserWithSession(server.db)
  const site = { venue: 'Halle 1', city: 'Salzstadt' }
  const yoga = await insertOf({ time: 2, length: 60, days: [3], ...site }, { name: 'Yoga' })
  await book(kim, yoga.id)
  const { id } = await insertOf({ time: 5, length: 60, days: [3, 4], venue: 'Bad', city: 'Salzstadt' }, { capacity: 1 })
  await moveUp(kim, id)
  const mails = await leaseDueMessages(server.db, 'mail', { limit: 1000, leaseMs: 1000 })
  const mail = mails.find(({ kind, recipient }) => kind === 'promotion' && recipient === kim.email)
  if (!mail) throw new Error('no mail')
  const text = String(renderMail({ ...mail, payload: mail.payload as never }, server.context.config).text)
  const [year, month, day] = dateFromNow(3).split('-')
  expect(text).toMatch(
    new RegExp(`Achtung, wenig Zeit für den Weg: Yoga \\(\\w+, ${day}\\.${month}\\.${year}, 18:00 Uhr\\)`),
  )
})

test('the promotion e-mail names no clash with a lesson that was cancelled', async () => {
  const kim = await insertUserWithSession(server.db)
  const other = await insertOf({ time: 2, length: 60, days: [3, 6], venue: '', city: '' })
  await book(kim, other.id)
  const { id } = await insertOf({ time: 2, length: 60, days: [3, 4, 6], venue: '', city: '' }, { capacity: 1 })
  const cancelled = [
    [other.id, dateFromNow(3)],
    [id, dateFromNow(6)],
  ] as const
  for (const [courseId, day] of cancelled)
    await server.db.execute(sql`
      update course_dates set state = 'cancelled' where course_id = ${courseId} and held_at::date = ${day}::date`)
  await markProgrammeChanged(server.db)
  expect(await moveUp(kim, id)).toEqual([])
})
