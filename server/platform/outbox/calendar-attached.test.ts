import ICAL from 'ical.js'
import { expect, test, vi } from 'vitest'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { startMailSender } from '#server/test/mail-sender.ts'
import { startTestMailServer } from '#server/test/mail-server.ts'
import { openTestServer } from '#server/test/server.ts'

/** The machine may be busy with other work. */
const until = <T>(check: () => T) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

const server = await openTestServer({ publicUrl: 'https://sport.example.com' })

const ATTACHED = /Content-Type: text\/calendar; charset=utf-8(?!;? *method)[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/

test('booking e-mails contain the lessons as of when they are sent, and other e-mails contain none', async () => {
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
  const [, encoded = ''] = ATTACHED.exec(mailServer.mails[0]?.source ?? '') ?? []
  const calendar = new ICAL.Component(ICAL.parse(Buffer.from(encoded, 'base64').toString()))
  const events = calendar.getAllSubcomponents('vevent').map(component => new ICAL.Event(component))
  const lessons = await server.db.query<{ start: Date }>(sql`
    select held_at::timestamptz as start from course_dates where course_id = ${course.id} order by held_at`)
  expect(events.map(event => [event.summary, event.startDate.toJSDate().getTime()])).toEqual(
    lessons.map(({ start }) => ['Back fit', start.getTime()]),
  )
  await server.request(cancelCourse, { token: person.token, body: { id: course.id } })
  await until(() => expect(mailServer.mails).toHaveLength(2))
  expect(mailServer.mails[1]?.source).not.toContain('text/calendar')
  await sender.stop()
  await mailServer.close()
})
