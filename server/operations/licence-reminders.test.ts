import { expect, test } from 'vitest'
import { getToday } from '#contract/office/today.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  insertCourse,
  insertInstructor,
  insertInstructorWithSession,
  insertSeason,
} from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'
import { remindOfLicences } from './licence-reminders.ts'

const { server, act, token } = await openTestOffice(['programme'])
const { db } = server

const mailsTo = async (email: string) =>
  await db.query<{ title: string; text: string; path: string }>(sql`
    select payload #>> '{de,title}' as title, payload #>> '{de,paragraphs,0}' as text, payload ->> 'path' as path
    from mails where recipient = ${email} order by id`)
const listed = async () => (await server.request(getToday, { token })).body

test('a licence that ends within six weeks is on Today, and its instructor is reminded once', async () => {
  const withAccount = await insertInstructorWithSession(db, { licence: 'DOSB C', licenceUntil: dateFromNow(20) })
  const withoutAccount = await insertInstructor(db, { licenceUntil: dateFromNow(-3), familyName: 'Ohnekonto' })
  const valid = await insertInstructor(db, { licenceUntil: dateFromNow(60) })
  const idle = await insertInstructor(db, { licenceUntil: dateFromNow(5) })
  const draft = await insertSeason(db, { isDraft: true })
  const dates = [19, 26, 33].map(day => `${dateFromNow(day)} 18:00:00`)
  const teach = ({ email }: { email: string }, values = {}) =>
    insertCourse(db, { dates, instructorEmails: [email], ...values })
  await teach(withAccount)
  await teach(withoutAccount)
  await teach(valid)
  await teach(idle, { seasonId: draft.id })

  const { licences, totals } = await listed()
  expect(licences).toEqual([
    {
      instructorEmail: withoutAccount.email,
      name: 'Alex Ohnekonto',
      licence: '',
      until: dateFromNow(-3),
      lessons: 3,
      uncovered: 3,
    },
    expect.objectContaining({ instructorEmail: withAccount.email, licence: 'DOSB C', lessons: 3, uncovered: 2 }),
  ])
  expect(totals.licences).toBe(2)

  expect(await Promise.all([remindOfLicences(db), remindOfLicences(db)]).then(([a, b]) => a + b)).toBe(2)
  expect(await remindOfLicences(db)).toBe(0)
  const day = dateFromNow(20).split('-').reverse().join('.')
  expect(await mailsTo(withAccount.email)).toEqual([
    {
      title: `Ihre Lizenz gilt bis ${day}`,
      text: `Ihre Lizenz DOSB C gilt bis ${day}. Im Programm stehen noch 3 Ihrer Termine.`,
      path: '/courses/instructor',
    },
  ])
  expect((await mailsTo(withoutAccount.email)).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Ihre Lizenz galt bis /),
  ])
  expect([...(await mailsTo(valid.email)), ...(await mailsTo(idle.email))]).toEqual([])

  // A renewed licence disappears from Today; its next last day is another reminder.
  expect(
    await act({ kind: 'save-instructor', email: withAccount.email, licenceUntil: dateFromNow(400) }),
  ).toMatchObject({
    status: 'Ok',
  })
  expect((await listed()).licences?.map(({ instructorEmail }) => instructorEmail)).toEqual([withoutAccount.email])
  await act({ kind: 'save-instructor', email: withAccount.email, licenceUntil: dateFromNow(30) })
  expect(await remindOfLicences(db)).toBe(1)
})
