import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { readFeed } from '#contract/endpoints/calendar.ts'
import { getCourse } from '#contract/endpoints/courses.ts'
import { DEFAULT_REMINDERS } from '#contract/endpoints/reminders.ts'
import { endpoints } from '#contract/endpoints.ts'
import { saveReminders } from '#server/features/reminders/repository.ts'
import { queueDueReminders } from '#server/operations/due-reminders.ts'
import { sql } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import {
  dateFromNow,
  insertCourse,
  insertFeed,
  insertInstructorWithSession,
  insertSeason,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, send, act } = await openTestOffice(['programme', 'bookings'])
const { db } = server

const SECRET = 'Geheimkurs'
const instructor = await insertInstructorWithSession(db)
const stranger = await insertUserWithSession(db)

/** Inserts a course of a draft with lessons in the past and future, taught by the instructor, and an album of it. */
async function insertDraft() {
  const season = await insertSeason(db, { isDraft: true, name: SECRET })
  const dates = [dateFromNow(-7), dateFromNow(0), dateFromNow(1)].map(day => `${day} 18:00`)
  const { id } = await insertCourse(db, {
    seasonId: season.id,
    name: SECRET,
    name2: SECRET,
    dates,
    instructorEmails: [instructor.email],
  })
  const lessons = await db.query<{ id: number; at: string }>(sql`
    select id, held_at::text as at from course_dates where course_id = ${id} order by held_at`)
  const [past, , next] = lessons
  const album = await db.one<{ id: number }>(sql`
    insert into albums (id, name, course_id, is_individual_course) select coalesce(max(id), 0) + 1, ${SECRET}, ${id}::int, true from albums
    returning id`)
  return {
    seasonId: season.id,
    courseId: id,
    pastLessonId: past?.id ?? 0,
    albumId: album.id,
    at: toDateTimeValue(next?.at ?? null),
  }
}
type Draft = Awaited<ReturnType<typeof insertDraft>>

const UNKNOWN = 2_147_000_000
const byCourse = ({ courseId }: Draft) => ({ params: { id: courseId } })
const bookingOf = ({ courseId }: Draft) => ({ body: { id: courseId } })

/** A call for each endpoint that names a course, a lesson, a season or an album. */
const CALLS: Record<string, (draft: Draft) => object> = {
  getCourse: byCourse,
  getCourseDates: byCourse,
  getParticipantList: byCourse,
  getCourseCalendar: byCourse,
  getOwnRequest: byCourse,
  getWaitingOdds: byCourse,
  bookCourse: bookingOf,
  cancelCourse: bookingOf,
  announceAbsence: ({ courseId, at }) => ({ body: { id: courseId, at, isAbsent: true } }),
  changeLessonPlace: ({ courseId, at }) => ({ body: { id: courseId, at, isTaken: true } }),
  changePresence: ({ pastLessonId }) => ({
    body: { changeState: 'added', courseDateId: pastLessonId, webUserId: stranger.id },
  }),
  noteDoorGuest: ({ pastLessonId }) => ({
    body: { changeState: 'added', guestId: randomUUID(), courseDateId: pastLessonId, name: 'Jo' },
  }),
  completeParticipation: ({ courseId }) => ({ body: { courseId, isCompleted: true } }),
  followThing: ({ courseId }) => ({ body: { kind: 'course', id: courseId } }),
  listPhotos: ({ albumId }) => ({ params: { albumId } }),
  getBookingOrder: ({ seasonId }) => ({ params: { seasonId } }),
  getBookingOrderHashes: ({ seasonId }) => ({ params: { seasonId } }),
  readCoursePicture: ({ courseId }) => ({ params: { file: `${courseId}.png` } }),
}

const outside = Object.entries(endpoints).filter(([, { access }]) => access !== 'office')
const namesCourse = ([, { path, method }]: [string, Endpoint]) =>
  /:(seasonId|albumId)/.test(path) || (path.startsWith('/api/course') && (path.includes(':id') || method !== 'GET'))

test('every endpoint that names a course is checked', () => {
  const named = outside.filter(namesCourse).map(([name]) => name)
  expect(Object.keys(CALLS)).toEqual(expect.arrayContaining(named))
})

test.each(Object.entries(CALLS))('%s responds to a draft as to an unknown id', async (name, call) => {
  const endpoint = endpoints[name] as Endpoint
  const draft = await insertDraft()
  const unknown = { ...draft, seasonId: UNKNOWN, courseId: UNKNOWN, pastLessonId: UNKNOWN, albumId: UNKNOWN }
  for (const token of [undefined, stranger.token, instructor.token]) {
    const [answer, expected] = [
      await server.request(endpoint, { ...call(draft), token } as object),
      await server.request(endpoint, { ...call(unknown), token } as object),
    ]
    expect([answer.status, answer.body]).toEqual([expected.status, expected.body])
  }
})

/** The data of one's own account include the numbers of all courses taught. */
const listed = outside.filter(
  ([name, { method, path, redirects }]) =>
    method === 'GET' &&
    !path.includes(':') &&
    !redirects &&
    !['exportPersonalData', 'getOpenApi', 'getDocs'].includes(name),
)

test.each(listed)('%s does not list a draft', async (_name, endpoint) => {
  await insertDraft()
  for (const token of [undefined, stranger.token, instructor.token]) {
    const { body } = await server.request(endpoint as Endpoint, { token } as object)
    expect(Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body)).not.toContain(SECRET)
  }
})

test('calendar feed and reminders contain the lessons from the publication on', async () => {
  const draft = await insertDraft()
  await saveReminders(db, instructor.id, { ...DEFAULT_REMINDERS, lessonEve: { mail: true, push: false } })
  const feed = await insertFeed(db, instructor.id)
  const lessons = async () => {
    const { body } = await server.request(readFeed, { params: { file: `${feed}.ics` } })
    return Buffer.from(body).toString().split(SECRET).length - 1
  }
  const evening = new Date(`${dateFromNow(0)}T19:00:00+01:00`)
  expect(await lessons()).toBe(0)
  expect(await queueDueReminders(db, evening)).toBe(0)
  await act({ kind: 'publish-season', seasonId: draft.seasonId })
  expect(await lessons()).toBeGreaterThan(0)
  expect(await queueDueReminders(db, evening)).toBe(1)
})

test('nobody gets a place in a draft, whatever the reason', async () => {
  const { seasonId, courseId } = await insertDraft()
  const { id: fromCourseId } = await insertCourse(db)
  const book = { kind: 'book', courseId, webUserId: stranger.id, reason: 'so gewollt' } as const
  expect((await send(book)).body).toMatchObject({ status: 'Failed', code: 'office.failed.draftCourse' })
  await act({ kind: 'book', courseId: fromCourseId, webUserId: stranger.id })
  const move = { kind: 'move-booking', fromCourseId, toCourseId: courseId, webUserId: stranger.id } as const
  expect((await send({ ...move, reason: 'so gewollt' })).body).toMatchObject({ code: 'office.failed.draftCourse' })
  await act({ kind: 'publish-season', seasonId })
  expect((await send(book)).body).toMatchObject({ status: 'Ok', result: { bookingStatus: 1 } })
  expect((await server.request(getCourse, { params: { id: courseId }, token: stranger.token })).body).toMatchObject({
    bookingStatus: 1,
  })
})
