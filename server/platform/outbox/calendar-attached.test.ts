import ICAL from 'ical.js'
import { expect, test, vi } from 'vitest'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { startMailSender } from '#server/test/mail-sender.ts'
import { startTestMailServer } from '#server/test/mail-server.ts'
import { openTestDesk } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

/** The machine may be busy with other work. */
const until = <T>(check: () => T) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

const server = await openTestServer({ publicUrl: 'https://sport.example.com' })

const ATTACHED = /Content-Type: text\/calendar; charset=utf-8(?!;? *method)[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/
const readEvents = (source = '') => {
  const [, encoded = ''] = ATTACHED.exec(source) ?? []
  const calendar = new ICAL.Component(ICAL.parse(Buffer.from(encoded, 'base64').toString()))
  return calendar.getAllSubcomponents('vevent').map(component => new ICAL.Event(component))
}

test('e-mails about bookings and changed lessons contain the lessons as of when they are sent, others contain none', async () => {
  const mailServer = await startTestMailServer()
  const person = await insertUserWithSession(server.db, { language: 'en' })
  const course = await insertCourse(server.db, { name2: 'Back fit' })
  await server.request(bookCourse, { token: person.token, body: { id: course.id } })
  await server.db.execute(sql`
    update course_dates set held_at = held_at + interval '1 hour' where id = (
      select id from course_dates where course_id = ${course.id} order by held_at limit 1)`)
  const config = { ...server.context.config, smtpUrl: mailServer.url }
  const sender = startMailSender({ ...server.context, config }, { idleMs: 20 })
  await until(() => expect(mailServer.mails).toHaveLength(1))
  const events = readEvents(mailServer.mails[0]?.source)
  const lessons = await server.db.query<{ start: Date }>(sql`
    select held_at::timestamptz as start from course_dates where course_id = ${course.id} order by held_at`)
  expect(events.map(event => [event.summary, event.startDate.toJSDate().getTime()])).toEqual(
    lessons.map(({ start }) => ['Back fit', start.getTime()]),
  )
  const [lesson] = await server.db.query<{ id: number }>(
    sql`select id from course_dates where course_id = ${course.id} order by held_at`,
  )
  const office = await openTestDesk(server, ['programme'])
  await office.act({ kind: 'cancel-lesson', courseDateId: Number(lesson?.id) })
  // Not an e-mail that is being sent, which would be sent a second time.
  await server.db.execute(sql`
    update mails set due_at = clock_timestamp() where id = (select max(id) from mails) and attempts = 0`)
  await until(() => expect(mailServer.mails).toHaveLength(2))
  expect(readEvents(mailServer.mails[1]?.source).map(event => event.component.getFirstPropertyValue('status'))).toEqual(
    ['CANCELLED', ...lessons.slice(1).map(() => 'CONFIRMED')],
  )
  await server.request(cancelCourse, { token: person.token, body: { id: course.id } })
  await until(() => expect(mailServer.mails).toHaveLength(3))
  expect(mailServer.mails[2]?.source).not.toContain('text/calendar')
  await sender.stop()
  await mailServer.close()
})
