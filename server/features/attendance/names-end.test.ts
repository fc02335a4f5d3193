import { expect, test } from 'vitest'
import { changePresence, getCourseDates, getParticipantList } from '#contract/attendance.ts'
import {
  daysFromNow,
  insertBooking,
  insertCourse,
  insertInstructorWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const teacher = await insertInstructorWithSession(server.db)

const WEEK = 7

/** A course whose last lesson ended so many days ago, with two people in it. */
async function insertEndedCourse(days: number) {
  const { id } = await insertCourse(server.db, {
    instructorEmails: [teacher.email],
    closesAt: daysFromNow(-days),
    startsOn: '2026-01-05',
    endsOn: '2026-01-19',
  })
  const people = [
    await insertWebUser(server.db, { familyName: 'Zahl', employeeStatus: 5, billingType: 3 }),
    await insertWebUser(server.db, { familyName: 'Abel', employeeStatus: 5, billingType: 3 }),
  ]
  for (const person of people) await insertBooking(server.db, id, person.id)
  return { id, people }
}
const ask = async (courseId: number, language: 'de' | 'en' = 'de') => {
  const request = { params: { id: courseId }, token: teacher.token, language }
  const { body } = await server.request(getCourseDates, request)
  const list = await server.request(getParticipantList, request)
  return { body, list: { status: list.status, text: readPdfPages(list.body).join() } }
}

test('until 8 weeks after the last lesson the instructor sees who took the course', async () => {
  const { id } = await insertEndedCourse(8 * WEEK - 1)
  const { body, list } = await ask(id)
  expect(body.participants.map(({ name }) => name)).toEqual(['Abel, Kim', 'Zahl, Kim'])
  expect(body.message).toBe('')
  expect(list.text).toMatch(/Abel[\s\S]*BKK/)
})

test('after that numbers stand for the names, and presence goes on counting', async () => {
  const { id, people } = await insertEndedCourse(8 * WEEK + 1)
  const { courseDates } = (await ask(id)).body
  const change = { changeState: 'added' as const, courseDateId: courseDates[0]?.id ?? 0, webUserId: people[0]?.id ?? 0 }
  expect((await server.request(changePresence, { body: change, token: teacher.token })).body.status).toBe('Ok')
  const { body, list } = await ask(id)
  expect(body).toMatchObject({ state: 'Ok', message: expect.stringContaining('8 Wochen') })
  expect(body.participants.map(({ id, name, participation }) => ({ id, name, participation }))).toEqual([
    { id: people[0]?.id, name: 'Nr. 1', participation: 1 },
    { id: people[1]?.id, name: 'Nr. 2', participation: 0 },
  ])
  for (const date of body.courseDates) expect(date.participants.map(({ name }) => name)).toEqual(['Nr. 1', 'Nr. 2'])
  expect(list.status).toBe(200)
  expect(list.text).toContain('Nr. 2')
  expect(list.text).not.toMatch(/Abel|Zahl|Kim|BKK|Rechnung/)
  const english = await ask(id, 'en')
  expect(english.body.participants[0]?.name).toBe('No. 1')
  expect(english.body.message).toContain('8 weeks')
})
