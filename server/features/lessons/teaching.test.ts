import { expect, test } from 'vitest'
import {
  changePresence,
  completeParticipation,
  getCourseDates,
  getParticipantList,
  noteDoorGuest,
} from '#contract/endpoints/attendance.ts'
import { createFeed } from '#contract/endpoints/calendar.ts'
import { getCourse, listInstructorCourses } from '#contract/endpoints/courses.ts'
import { queueDueReminders } from '#server/operations/due-reminders.ts'
import { sql } from '#server/platform/db/client.ts'
import { dateFromNow, insertInstructorWithSession } from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { insertTaughtCourse } from '#server/test/taught-course.ts'

const { server, act } = await openTestOffice(['programme'])

/** Inserts a course with lessons last week, today and next week; a substitute teaches today's lesson. */
async function insertSubstituted() {
  const { dates } = await server.db.one<{ dates: string[] }>(
    sql`select array[current_date - 7, current_date, current_date + 7]::timestamp[] as dates`,
  )
  const course = await insertTaughtCourse(server.db, { dates, meetingUrl: 'https://meet.example/9' })
  const substitute = await insertInstructorWithSession(server.db)
  const [past = 0, today = 0, next = 0] = course.lessonIds
  const appoint = async (email = substitute.email) => {
    await act({ kind: 'change-lesson', courseDateId: today, instructorEmail: email, reason: 'Krank' })
  }
  const tick = (courseDateId: number, token: string, changedAt?: Date) =>
    server.request(changePresence, {
      body: {
        changeState: 'added',
        courseDateId,
        webUserId: course.person.id,
        ...(changedAt && { changedAt: changedAt.toISOString() }),
      },
      token,
    })
  return { ...course, substitute, past, today, next, appoint, tick }
}
const taughtBy = async (token: string) => (await server.request(listInstructorCourses, { token })).body
const datesFor = async (id: number, token: string) => {
  const { status, body } = await server.request(getCourseDates, { params: { id }, token })
  return status === 200 ? body.courseDates.map(date => [date.id, date.isReadOnly ?? false]) : status
}

test('a substitute sees the course, and only the substituted lesson, as soon as the action was performed', async () => {
  const { id, substitute, teacher, today, appoint, past, next } = await insertSubstituted()
  expect(await taughtBy(substitute.token)).toEqual([])
  expect(await datesFor(id, substitute.token)).toBe(403)
  await appoint()
  expect(await taughtBy(substitute.token)).toMatchObject([
    { id, dates: { length: 1 }, meetingURL: 'https://meet.example/9' },
  ])
  expect(await datesFor(id, substitute.token)).toEqual([[today, false]])
  expect(await taughtBy(teacher.token)).toMatchObject([{ id, dates: { length: 2 } }])
  expect(await datesFor(id, teacher.token)).toEqual([
    [past, false],
    [today, true],
    [next, false],
  ])
  const { body } = await server.request(getCourse, { params: { id }, token: substitute.token })
  expect(body).toMatchObject({ dates: { length: 3 }, participation: 1, meetingURL: 'https://meet.example/9' })
})

test('role × endpoint × lesson: read and record permissions', async () => {
  const { id, substitute, teacher, person, today, next, appoint, tick } = await insertSubstituted()
  const stranger = await insertInstructorWithSession(server.db)
  await appoint()
  const guest = async (courseDateId: number, token: string) =>
    (
      await server.request(noteDoorGuest, {
        body: { changeState: 'added', courseDateId, guestId: crypto.randomUUID(), name: 'Jo' },
        token,
      })
    ).status
  const complete = async (token: string) =>
    (await server.request(completeParticipation, { body: { courseId: id, isCompleted: false }, token })).status
  const list = async (token: string) => (await server.request(getParticipantList, { params: { id }, token })).status
  const allowed = async (token: string) => ({
    list: await list(token),
    tickToday: (await tick(today, token)).status,
    tickNext: (await tick(next, token)).status,
    guestToday: await guest(today, token),
    guestNext: await guest(next, token),
    complete: await complete(token),
  })
  expect(await allowed(teacher.token)).toEqual({
    list: 200,
    tickToday: 403,
    tickNext: 200,
    guestToday: 403,
    guestNext: 200,
    complete: 200,
  })
  expect(await allowed(substitute.token)).toEqual({
    list: 200,
    tickToday: 200,
    tickNext: 403,
    guestToday: 200,
    guestNext: 403,
    complete: 403,
  })
  const none = { tickToday: 403, tickNext: 403, guestToday: 403, guestNext: 403, complete: 403 }
  expect(await allowed(stranger.token)).toEqual({ list: 403, ...none })
  expect(await allowed(person.token)).toEqual({ list: 200, ...none })
})

test('an attendance change is authorized by who taught at its time', async () => {
  const { substitute, teacher, today, appoint, tick } = await insertSubstituted()
  const before = new Date(Date.now() - 60_000)
  await appoint()
  expect((await tick(today, teacher.token)).status).toBe(403)
  expect(await tick(today, teacher.token, before)).toMatchObject({ status: 200, body: { status: 'Ok' } })
  expect((await tick(today, substitute.token, before)).status).toBe(403)
  expect(await tick(today, substitute.token)).toMatchObject({ status: 200, body: { status: 'Ok' } })
  const during = new Date()
  await appoint('')
  expect((await tick(today, substitute.token)).status).toBe(403)
  expect((await tick(today, substitute.token, during)).status).toBe(200)
  expect((await tick(today, teacher.token)).status).toBe(200)
  expect((await tick(today, teacher.token, during)).status).toBe(403)
})

test('an attendance change made before the instructor was replaced is accepted afterwards', async () => {
  const { id, teacher, today, tick } = await insertSubstituted()
  const other = await insertInstructorWithSession(server.db)
  const before = new Date()
  await act({ kind: 'change-course', courseId: id, instructorEmails: [other.email] })
  expect((await tick(today, teacher.token)).status).toBe(403)
  expect((await tick(today, teacher.token, before)).status).toBe(200)
  expect((await tick(today, other.token)).status).toBe(200)
})

test('a substituted lesson is in the participant list and calendar of the substitute', async () => {
  const { id, substitute, teacher, appoint } = await insertSubstituted()
  await appoint()
  const columns = async (token: string) => {
    const { body } = await server.request(getParticipantList, { params: { id }, token })
    const text = readPdfPages(body).join()
    return [-7, 0, 7]
      .map(days => dateFromNow(days).split('-').reverse().join('.').slice(0, 6))
      .filter(day => text.includes(day))
  }
  const day = (days: number) => dateFromNow(days).split('-').reverse().join('.').slice(0, 6)
  expect(await columns(substitute.token)).toContain(day(0))
  expect(await columns(teacher.token)).toHaveLength(3)
  const feed = async (token: string) => {
    const { body } = await server.request(createFeed, { token })
    const answer = await server.app.request(new URL(body.url).pathname)
    return (await answer.text()).match(/UID:lesson-\d+/g)?.length ?? 0
  }
  expect([await feed(substitute.token), await feed(teacher.token)]).toEqual([1, 2])
})

test('the evening reminder of a lesson goes to the person who teaches it', async () => {
  const { substitute, teacher, next, appoint: _ } = await insertSubstituted()
  await act({ kind: 'change-lesson', courseDateId: next, instructorEmail: substitute.email })
  for (const { id } of [substitute, teacher])
    await server.db.execute(sql`
      insert into reminders (web_user_id, changes_by_mail, changes_by_push, lesson_eve_by_mail, lesson_eve_by_push,
        opening_by_mail, opening_by_push, waiting_by_mail, waiting_by_push)
      values (${id}, false, false, true, false, false, false, false, false)`)
  const { evening } = await server.db.one<{ evening: Date }>(
    sql`select (current_date + 6 + time '19:00')::timestamptz as evening`,
  )
  await queueDueReminders(server.db, evening)
  await queueDueReminders(server.db, evening)
  const told = await server.db.query<{ id: number }>(sql`
    select web_user_id as id from mails where kind = 'lesson-eve' and web_user_id in (${substitute.id}, ${teacher.id})`)
  expect(told).toEqual([{ id: substitute.id }])
})
