import { expect, test } from 'vitest'
import { changePresence, getCourseDates, getParticipantList } from '#contract/endpoints/attendance.ts'
import { daysFromNow } from '#server/test/factories.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { openTestServer } from '#server/test/server.ts'
import { insertTaughtCourse } from '#server/test/taught-course.ts'

const server = await openTestServer()

const WEEK = 7

/** A course whose last lesson ended so many days ago, with two people in it. */
const insertEndedCourse = (days: number) =>
  insertTaughtCourse(server.db, {
    closesAt: daysFromNow(-days),
    startsOn: '2026-01-05',
    endsOn: '2026-01-19',
    people: [
      { familyName: 'Zahl', employeeStatus: 5, billingType: 3 },
      { familyName: 'Abel', employeeStatus: 5, billingType: 3 },
    ],
  })
const ask = async ({ id, teacher }: { id: number; teacher: { token: string } }, language: 'de' | 'en' = 'de') => {
  const request = { params: { id }, token: teacher.token, language }
  const { body } = await server.request(getCourseDates, request)
  const list = await server.request(getParticipantList, request)
  return { body, list: { status: list.status, text: readPdfPages(list.body).join() } }
}

test('the instructor sees the names of participants until 8 weeks after the last lesson', async () => {
  const { body, list } = await ask(await insertEndedCourse(8 * WEEK - 1))
  expect(body.participants.map(({ name }) => name)).toEqual(['Abel, Kim', 'Zahl, Kim'])
  expect(body.message).toBe('')
  expect(list.text).toMatch(/Abel[\s\S]*BKK/)
})

test('after 8 weeks, names are replaced by numbers, and attendance can still be recorded', async () => {
  const course = await insertEndedCourse(8 * WEEK + 1)
  const { people, teacher, tick } = course
  const change = { changeState: 'added' as const, ...tick }
  expect((await server.request(changePresence, { body: change, token: teacher.token })).body.status).toBe('Ok')
  const { body, list } = await ask(course)
  expect(body).toMatchObject({ state: 'Ok', message: expect.stringContaining('8 Wochen') })
  expect(body.participants.map(({ id, name, participation }) => ({ id, name, participation }))).toEqual([
    { id: people[0]?.id, name: 'Nr. 1', participation: 1 },
    { id: people[1]?.id, name: 'Nr. 2', participation: 0 },
  ])
  for (const date of body.courseDates) expect(date.participants.map(({ name }) => name)).toEqual(['Nr. 1', 'Nr. 2'])
  expect(list.status).toBe(200)
  expect(list.text).toContain('Nr. 2')
  expect(list.text).not.toMatch(/Abel|Zahl|Kim|BKK|Rechnung/)
  const english = await ask(course, 'en')
  expect(english.body.participants[0]?.name).toBe('No. 1')
  expect(english.body.message).toContain('8 weeks')
})
