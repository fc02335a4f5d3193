import { describe, expect, test } from 'vitest'
import { getParticipantList } from '#contract/endpoints/attendance.ts'
import {
  bookCourse,
  type Course,
  cancelCourse,
  getCourse,
  listBookedCourses,
  listCoursesOfSession,
} from '#contract/endpoints/courses.ts'
import { billingChoices } from '#contract/rules/profile-rules.ts'
import { answeredPrice, COURSE_KINDS, EXPECTED, groupOf, KIND_NAMES } from '#contract/test/prices.ts'
import { STATUSES } from '#contract/test/profiles.ts'
import { type BillingType, EMPLOYEE_STATUS, type EmployeeStatus } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { renderMail } from '#server/platform/outbox/letter.ts'
import { leaseDueMessages } from '#server/platform/outbox/outbox.ts'
import { insertCourse, insertInstructorWithSession, insertUserWithSession } from '#server/test/factories.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const instructor = await insertInstructorWithSession(server.db)

const cents = (euros: number | null) => (euros === null ? null : euros * 100)
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

/** Texts of the pending e-mails by recipient. */
async function takeLetters(): Promise<Map<string, string>> {
  const mails = await leaseDueMessages(server.db, 'mail', { limit: 1000, leaseMs: 60_000 })
  return new Map(
    mails.map(mail => {
      const whole = { ...mail, payload: mail.payload as never }
      const message = renderMail(whole, server.context.config)
      return [mail.recipient, plain(String(message.text))] as const
    }),
  )
}

const people = STATUSES.flatMap(status => billingChoices(status).map(billing => [status, billing] as const))

describe.each(KIND_NAMES)('a course of the kind %s', kind => {
  test('has the same price for each group in every response, however it is billed', async () => {
    const { fee, externalFee, energyFee, freeWithAttendance, meetingURL } = COURSE_KINDS[kind]
    const course = await insertCourse(server.db, {
      feeCents: cents(fee),
      externalFeeCents: cents(externalFee),
      energyFeeCents: cents(energyFee),
      meetingUrl: meetingURL,
      isFreeWithAttendance: freeWithAttendance,
      capacity: 60,
      instructorEmails: [instructor.email],
    })
    const booked: { email: string; name: string; status: EmployeeStatus }[] = []
    for (const [status, billing] of people) {
      const name = `Gruppe${status}Art${billing}`
      const person = await insertPerson(status, billing, name)
      const price = answeredPrice(kind, groupOf(status))
      const { id } = course
      const request = { token: person.token }
      const offered = (await server.request(getCourse, { ...request, params: { id } })).body
      const listed = (await server.request(listCoursesOfSession, { ...request, query: { view: 'states' } })).body
      const answered = (await server.request(bookCourse, { ...request, body: { id } })).body
      const mine = (await server.request(listBookedCourses, request)).body
      const seen = [offered, (listed as Course[]).find(state => state.id === id), answered, mine[0]]
      expect(
        seen.map(each => each?.price),
        name,
      ).toEqual(Array(4).fill(price))
      const stored = await server.db.one<{ owed: number }>(sql`
        select price_cents + energy_cents as owed from bookings where course_id = ${id} and web_user_id = ${person.id}`)
      expect(stored.owed, name).toBe(price.amount * 100)
      booked.push({ ...person, name, status })
    }
    const letters = await takeLetters()
    const pdf = (await server.request(getParticipantList, { token: instructor.token, params: { id: course.id } })).body
    expect(plain(readPdfPages(pdf).join(' '))).not.toMatch(/€|kostenlos/)
    for (const { email, name, status } of booked) {
      const [, line] = EXPECTED[kind][groupOf(status)]
      expect(letters.get(email), name).toContain(`Preis: ${line}\n`)
    }
  })
})

const insertPerson = (employeeStatus: EmployeeStatus, billingType: BillingType, familyName: string) =>
  insertUserWithSession(server.db, { employeeStatus, billingType, familyName, givenName: 'Kim' })

test('the promotion e-mail states the agreed price as the app does', async () => {
  const { id } = await insertCourse(server.db, {
    feeCents: 4500,
    externalFeeCents: 6000,
    energyFeeCents: 900,
    isFreeWithAttendance: true,
    capacity: 1,
  })
  const first = await insertUserWithSession(server.db)
  const second = await insertUserWithSession(server.db)
  for (const { token } of [first, second]) await server.request(bookCourse, { token, body: { id } })
  await server.db.execute(
    sql`update web_users set employee_status = ${EMPLOYEE_STATUS.Apprentice} where id = ${second.id}`,
  )
  await server.db.execute(sql`update courses set energy_fee_cents = 2900, fee_cents = 9900 where id = ${id}`)
  await takeLetters()
  await server.request(cancelCourse, { token: first.token, body: { id } })
  const letters = await takeLetters()
  expect(letters.get(second.email)).toContain(
    'Preis: 54,00 € (45,00 € Kursgebühr + 9,00 € Energiezuschlag), Kursgebühr entfällt bei regelmäßiger Teilnahme\n',
  )
  expect(letters.get(first.email)).toContain('Sie zahlen nichts')
})
