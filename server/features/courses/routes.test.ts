// Fixed dates: only their format is checked.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeCourseIndex } from '#contract/endpoints/course-index.ts'
import {
  COURSE_STATE_FIELDS,
  type Course,
  type CourseIndex,
  getCourse,
  listCourses,
  listCoursesOfSession,
  listInstructorCourses,
  listSeasons,
} from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCategory,
  insertCourse,
  insertInstructor,
  insertInstructorWithSession,
  insertSeason,
  insertUserWithSession,
  markProgrammeChanged,
  updateCourse,
} from '#server/test/factories.ts'
import { beforeMoment } from '#server/test/moments.ts'
import { openTestServer } from '#server/test/server.ts'
import { createCourseService } from './service.ts'

const server = await openTestServer()

const wholeList = async () => (await server.request(listCourses)).body as Course[]
const find = (list: Course[], id: number) => list.find(course => course.id === id)
const one = async (id: number, token?: string) => (await server.request(getCourse, { params: { id }, token })).body

test('a course is returned with all its fields', async () => {
  const season = await insertSeason(server.db, { name: 'Winter', name2: 'Winter term' })
  const category = await insertCategory(server.db, { name: 'Ausdauer', name2: 'Endurance', icon: 'cardio' })
  const { id } = await insertCourse(server.db, {
    seasonId: season.id,
    categoryId: category.id,
    number: 'A-7',
    name: 'Rückenfit',
    name2: 'Back fit',
    textWeb: '<p>Stark &amp; frei</p>',
    startsOn: '2026-12-01',
    endsOn: '2026-12-15',
    day: 2,
    startTime: '18:15',
    endTime: '19:30',
    dates: ['2026-12-01 18:15', '2026-12-15 18:45'],
    feeCents: 4250,
    energyFeeCents: 130,
    totalHours: 12.5,
    bookableFrom: new Date('2026-11-02T07:00:00Z'),
    isConfirmed: true,
    meetingUrl: 'https://meet.example/7',
  })
  const none = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  expect(await one(id)).toMatchObject({
    id,
    number: 'A-7',
    name: 'Rückenfit',
    name2: 'Back fit',
    textWeb: '<p>Stark &amp; frei</p>',
    textWeb2: '',
    day: 2,
    startTime: { ...none, hour: 18, minute: 15 },
    endTime: { ...none, hour: 19, minute: 30 },
    start: { ...none, year: 2026, month: 12, day: 1 },
    end: { ...none, year: 2026, month: 12, day: 15 },
    dates: [
      { year: 2026, month: 12, day: 1, hour: 18, minute: 15, second: 0 },
      { year: 2026, month: 12, day: 15, hour: 18, minute: 45, second: 0 },
    ],
    bookableFrom: { year: 2026, month: 11, day: 2, hour: 8, minute: 0, second: 0 },
    fee: 42.5,
    energyFee: 1.3,
    externalFee: 57.5,
    totalHours: 12.5,
    participants: 10,
    currentParticipants: 0,
    currentBooked: 0,
    currentWaiting: 0,
    confirmed: true,
    bookable: false,
    directlyBookable: false,
    cancellabel: false,
    bookingStatus: BOOKING_STATUS.NotBooked,
    participation: 0,
    courseCategory: 'Ausdauer',
    courseCategory2: 'Endurance',
    courseCategoryId: category.id,
    categoryIcon: 'cardio',
    season: 'Winter',
    season2: 'Winter term',
    meetingURL: '',
    status: 'Ok',
    message: '',
  })
})

test('a course runs from its first to its last lesson', async () => {
  const span = { startsOn: dateFromNow(-3), endsOn: dateFromNow(4) }
  const around = await insertCourse(server.db, span)
  const later = await insertCourse(server.db, { startsOn: dateFromNow(3) })
  const cancelled = await insertCourse(server.db, { ...span, cancelledAt: new Date() })
  const list = await wholeList()
  const running = [around, later, cancelled].map(({ id }) => find(list, id)?.running)
  expect(running).toEqual([true, false, false])
})

test('lists follow the beginning and the end of lessons without any other change', async () => {
  const { given } = await beforeMoment(async moment => {
    // The server compares times rounded to seconds.
    const ms = Math.ceil((moment.getTime() + 500) / 1000) * 1000
    const { at, hourBefore } = await server.db.one<{ at: string; hourBefore: string }>(sql`
      select m.at::text, (m.at - interval '1 hour')::text as "hourBefore" from (select ${new Date(ms)}::timestamptz::timestamp as at) m`)
    const later = `${dateFromNow(7)} 18:00`
    const beginning = await insertCourse(server.db, { dates: [at, later] })
    const ending = await insertCourse(server.db, { dates: [`${dateFromNow(-7)} 18:00`, hourBefore] })
    await server.db.execute(
      sql`update course_dates set is_extra = true where course_id = ${beginning.id} and held_at = ${at}`,
    )
    await markProgrammeChanged(server.db)
    const stateOf = (courses: Pick<Course, 'id' | 'changes'>[]) =>
      courses.find(({ id }) => id === beginning.id)?.changes.length
    const read = async () => {
      const texts = (await server.request(listCourses, { query: { view: 'texts' } })).body as Course[]
      const lists = [await wholeList(), [await one(beginning.id), await one(ending.id)]]
      return [
        stateOf(texts),
        ...lists.map(list => [find(list, beginning.id)?.running, find(list, ending.id)?.running, stateOf(list)]),
      ]
    }
    return { read, before: await read() }
  })
  expect(given.before).toEqual([1, [false, true, 1], [false, true, 1]])
  await expect.poll(given.read, { interval: 50, timeout: 10_000 }).toEqual([0, [true, false, 0], [true, false, 0]])
})

test('a season and its courses are hidden until the season is visible', async () => {
  const season = await insertSeason(server.db, { viewableFrom: daysFromNow(1) })
  const { email, token } = await insertInstructorWithSession(server.db)
  const { id } = await insertCourse(server.db, { seasonId: season.id, instructorEmails: [email] })
  expect((await server.request(listSeasons)).body.map(({ id }) => id)).not.toContain(season.id)
  expect(find(await wholeList(), id)).toBeUndefined()
  expect((await server.request(getCourse, { params: { id } })).status).toBe(404)
  expect((await server.request(getCourse, { params: { id }, token })).status).toBe(404)
  expect((await server.request(listInstructorCourses, { token })).body).toEqual([])
})

test('a season becomes visible at its time without any other change', async () => {
  const before = await beforeMoment(async moment => {
    const season = await insertSeason(server.db, { viewableFrom: moment })
    const hidden = await insertCourse(server.db, { seasonId: season.id })
    const closed = await insertCourse(server.db, { opensAt: moment })
    return { hidden: hidden.id, closed: closed.id, list: await wholeList() }
  })
  const { hidden, closed, list } = before.given
  expect(find(list, hidden)).toBeUndefined()
  expect(find(list, closed)?.seasonBookable).toBe(false)
  const both = async () => {
    const list = await wholeList()
    return [hidden, closed].map(id => find(list, id)?.seasonBookable)
  }
  await expect.poll(both, { interval: 50 }).toEqual([true, true])
})

test('the list is complete, uncompressed and sorted by start', async () => {
  const list = await wholeList()
  const starts = list.map(({ start }) => start.year * 10_000 + start.month * 100 + start.day)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  expect(list[0]?.dates.length).toBeGreaterThan(0)
})

test('the index equals the list, plus teasers', async () => {
  await insertCourse(server.db, { textWeb: `<p>${'Kraft und Ausdauer '.repeat(30)}</p>` })
  const { body } = await server.request(listCourses, { query: { view: 'index' } })
  const index = decodeCourseIndex(body as CourseIndex)
  const list = await wholeList()
  expect(index).toHaveLength(list.length)
  index.forEach(({ textWeb, textWeb2, ...course }, row) => {
    expect(list[row]).toMatchObject(course)
    expect([textWeb.length, textWeb2.length].every(length => length <= 91)).toBe(true)
  })
})

test('texts and index combined equal the complete course', async () => {
  const [whole] = await wholeList()
  const texts = (await server.request(listCourses, { query: { view: 'texts' } })).body as Partial<Course>[]
  const { body } = await server.request(listCourses, { query: { view: 'index' } })
  const [indexed] = decodeCourseIndex(body as CourseIndex)
  const personal = COURSE_STATE_FIELDS.filter(field => field !== 'id')
  const others = [
    'certificateShare',
    'participatingComplete',
    'status',
    'message',
    'meetingURL',
    'meetingID',
    'meetingCode',
  ]
  const missing = Object.keys(whole ?? {}).filter(field => !(field in { ...indexed, ...texts[0] }))
  expect(missing.sort()).toEqual([...personal, ...others].sort())
})

test('the list is 304 until the next booking', async () => {
  const course = await insertCourse(server.db)
  const first = await server.request(listCourses)
  const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
  expect(first.headers.get('Cache-Control')).toBe('private, no-cache')
  expect((await server.request(listCourses, { headers })).status).toBe(304)
  const { id } = await insertUserWithSession(server.db)
  await insertBooking(server.db, course.id, id)
  expect((await server.request(listCourses, { headers })).status).toBe(200)
  expect(find(await wholeList(), course.id)?.currentBooked).toBe(1)
})

test('the list is compressed for clients that accept it', async () => {
  const response = await server.app.request('/api/course?view=index', { headers: { 'Accept-Encoding': 'gzip, br' } })
  expect(response.headers.get('Content-Encoding')).toBe('br')
  const index = JSON.parse(brotliDecompressSync(Buffer.from(await response.arrayBuffer())).toString())
  expect(decodeCourseIndex(index).length).toBeGreaterThan(0)
})

test('every booking is in the next list for every caller', async () => {
  const course = await insertCourse(server.db, { capacity: 3 })
  for (const expected of [1, 2, 3, 4, 5]) {
    const { id } = await insertUserWithSession(server.db)
    await insertBooking(server.db, course.id, id)
    const lists = await Promise.all(Array.from({ length: 5 }, wholeList))
    for (const list of lists) {
      const { currentParticipants, currentWaiting } = find(list, course.id) as Course
      expect([currentParticipants, currentWaiting]).toEqual([Math.min(3, expected), Math.max(0, expected - 3)])
    }
  }
})

test('during a burst of bookings, the list is rebuilt at most four times a second', async () => {
  const course = await insertCourse(server.db, { capacity: 1000 })
  const start = performance.now()
  const tags = new Set<string | null>()
  while (performance.now() - start < 1000) {
    await server.db.execute(sql`update courses set taken = taken + 1, revision = revision + 1 where id = ${course.id}`)
    tags.add((await server.request(listCourses)).headers.get('ETag'))
  }
  expect(tags.size).toBeGreaterThan(1)
  expect(tags.size).toBeLessThanOrEqual((performance.now() - start) / 250 + 1)
})

describe('for a logged-in person', () => {
  const meeting = { meetingUrl: 'https://meet.example/1', meetingId: '123', meetingCode: 'abc' }

  const courseWith = async () => {
    const teacher = await insertInstructorWithSession(server.db)
    const course = await insertCourse(server.db, { capacity: 1, instructorEmails: [teacher.email], ...meeting })
    const [booked, waiting, other] = [
      await insertUserWithSession(server.db),
      await insertUserWithSession(server.db),
      await insertUserWithSession(server.db),
    ]
    await insertBooking(server.db, course.id, booked.id)
    await insertBooking(server.db, course.id, waiting.id)
    return { course, teacher, booked, waiting, other }
  }

  test('the list, its states and the single course agree', async () => {
    const { course, teacher, booked, waiting, other } = await courseWith()
    const expected = [
      [booked, { bookingStatus: BOOKING_STATUS.Booked, bookable: false, cancellabel: true, waitingListPosition: 0 }],
      [waiting, { bookingStatus: BOOKING_STATUS.Waitinglist, cancellabel: true, waitingListPosition: 1 }],
      [other, { bookingStatus: BOOKING_STATUS.NotBooked, bookable: true, directlyBookable: false, cancellabel: false }],
      [teacher, { bookingStatus: BOOKING_STATUS.NotBooked, participation: 1 }],
    ] as const
    for (const [{ token }, state] of expected) {
      expect(await one(course.id, token)).toMatchObject(state)
      const list = (await server.request(listCoursesOfSession, { token })).body as Course[]
      expect(find(list, course.id)).toMatchObject(state)
      const states = (await server.request(listCoursesOfSession, { token, query: { view: 'states' } })).body
      expect(states.find(({ id }) => id === course.id)).toMatchObject(state)
    }
  })

  test('only booked participants and the instructor of the course receive the meeting data', async () => {
    const { course, teacher, booked, waiting, other } = await courseWith()
    const stranger = await insertInstructorWithSession(server.db)
    const shown = async (token?: string) => {
      const { meetingURL, meetingID, meetingCode } = await one(course.id, token)
      return [meetingURL, meetingID, meetingCode].join()
    }
    for (const { token } of [booked, teacher]) expect(await shown(token)).toBe('https://meet.example/1,123,abc')
    for (const { token } of [waiting, other, stranger]) expect(await shown(token)).toBe(',,')
    expect(await shown()).toBe(',,')
    expect(find(await wholeList(), course.id)?.meetingURL).toBe('')
    const list = (await server.request(listCoursesOfSession, { token: waiting.token })).body as Course[]
    expect(find(list, course.id)?.meetingURL).toBe('')
  })

  test('the counter of a booked person counts the dates on which they were present', async () => {
    const { course, booked } = await courseWith()
    await server.db.execute(sql`
      insert into attendances (course_date_id, web_user_id, is_present, changed_at)
      select id, ${booked.id}, held_at <> (select max(held_at) from course_dates where course_id = ${course.id}), now()
      from course_dates where course_id = ${course.id}`)
    expect((await one(course.id, booked.token)).participation).toBe(2)
  })

  test('a booking can be cancelled online until the end of the fifth working day', async () => {
    const { course, booked, waiting } = await courseWith()
    await server.db.execute(sql`delete from course_dates where course_id = ${course.id}`)
    await updateCourse(server.db, course.id, { planStartsOn: dateFromNow(-20), planEndsOn: dateFromNow(20) })
    await server.db.execute(sql`
      update bookings set booked_at = ${daysFromNow(-30)}, first_lesson_on = null where course_id = ${course.id}`)
    expect((await one(course.id, booked.token)).cancellabel).toBe(false)
    expect((await one(course.id, waiting.token)).cancellabel).toBe(true)
  })

  test('a course without a text for its instructors shows their names', async () => {
    const people = [
      await insertInstructor(server.db, { familyName: 'Sommer', givenName: 'Ada' }),
      await insertInstructor(server.db, { familyName: 'Berg', givenName: '' }),
    ]
    const values = { instructorEmails: people.map(({ email }) => String(email)) }
    const [unnamed, named] = [
      await insertCourse(server.db, values),
      await insertCourse(server.db, { ...values, instructor: 'Sommer und Berg' }),
    ]
    expect((await one(unnamed.id)).instructor).toBe('Berg, Ada Sommer')
    expect((await one(named.id)).instructor).toBe('Sommer und Berg')
  })

  test('instructors list their own courses, and other callers are rejected', async () => {
    const { course, teacher, booked } = await courseWith()
    const { body } = await server.request(listInstructorCourses, { token: teacher.token })
    expect(body.map(({ id }) => id)).toEqual([course.id])
    expect(body[0]).toMatchObject({ participation: 1, meetingID: '123' })
    expect(await server.request(listInstructorCourses, { token: booked.token })).toMatchObject({ status: 403 })
    expect(await server.request(listInstructorCourses)).toMatchObject({ status: 401 })
  })
})

test.each(['abc', '-1', '1e3', '1.5'])('%s is not a course id', async id => {
  expect((await server.request(getCourse, { params: { id } })).status).toBe(400)
})

test('long personal responses are compressed and never cached', async () => {
  const course = await insertCourse(server.db, { textWeb: '<p>Rücken und Rumpf.</p>'.repeat(400) })
  const plain = await server.app.request(`/api/course/${course.id}`)
  const packed = await server.app.request(`/api/course/${course.id}`, { headers: { 'Accept-Encoding': 'gzip' } })
  expect(packed.headers.get('Content-Encoding')).toBe('gzip')
  expect(packed.headers.get('Cache-Control')).toBe('no-store')
  expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(await plain.text())
})

test('an unknown course is 404, an unknown view is 400', async () => {
  expect((await server.request(getCourse, { params: { id: 2_147_483_647 } })).status).toBe(404)
  expect((await server.request(listCourses, { query: { view: 'all' } })).status).toBe(400)
})

test('the link preview of a course describes it, unless the course is not visible yet', async () => {
  const courses = createCourseService(server.context)
  const hidden = await insertSeason(server.db, { viewableFrom: '2999-01-01' })
  const course = await insertCourse(server.db, {
    name: 'Aqua & Co.',
    textWeb: '<p>Kraft &amp; <b>Ausdauer</b> im Wasser.</p>',
  })
  const later = await insertCourse(server.db, { seasonId: hidden.id })
  expect(await courses.describePage(`/course-details/${course.id}`)).toEqual({
    title: 'Aqua & Co. · Werksport',
    description: 'Kraft & Ausdauer im Wasser.',
    picture: `/api/public/course-picture/${course.id}.png`,
  })
  for (const path of [`/course-details/${later.id}`, '/course-details/999999999', '/course-details/x']) {
    expect(await courses.describePage(path)).toBe('missing')
  }
  expect(await courses.describePage('/courses')).toBeNull()
  expect(await courses.describePage(`/course-details/${course.number.toLowerCase()}`)).toMatchObject({
    title: 'Aqua & Co. · Werksport',
  })
})
