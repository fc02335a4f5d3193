import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { getCourseCalendar } from '#contract/endpoints/calendar.ts'
import {
  bookCourse,
  type Course,
  cancelCourse,
  getCourse,
  listBookedCourses,
  listCourses,
  listCoursesOfSession,
} from '#contract/endpoints/courses.ts'
import { listMessages } from '#contract/endpoints/inbox.ts'
import { BOOKING_STATUS, type DateTimeValue, EMPLOYEE_STATUS, type Language } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  daysFromNow,
  insertCourse,
  insertDivision,
  insertSeason,
  insertUserWithSession,
  markProgrammeChanged,
  updateCourse,
} from '#server/test/factories.ts'
import { beforeMoment } from '#server/test/moments.ts'
import { openTestServer } from '#server/test/server.ts'
import { promoteOrCloseWaitingList } from './waiting-list-service.ts'

const { NotBooked, Booked, Waitinglist } = BOOKING_STATUS

const server = await openTestServer()

type Person = Awaited<ReturnType<typeof insertUserWithSession>>
const person = (values = {}): Promise<Person> => insertUserWithSession(server.db, values)
const persons = (count: number) => Promise.all(Array.from({ length: count }, () => person()))

const book = async ({ token }: Person, id: number, language?: Language) =>
  (await server.request(bookCourse, { token, body: { id }, language })).body
const cancel = async ({ token }: Person, id: number) =>
  (await server.request(cancelCourse, { token, body: { id } })).body
const see = async ({ token }: Person, id: number) => (await server.request(getCourse, { token, params: { id } })).body
const mailsOf = async ({ id }: Person) =>
  server.db.query<{ kind: string; recipient: string; language: string; payload: Record<string, unknown> }>(
    sql`select kind, recipient, language, payload from mails where web_user_id = ${id} order by id`,
  )

test('a seat is booked, confirmed by one e-mail, and visible everywhere', async () => {
  const { id } = await insertCourse(server.db, {
    name: 'Rückenfit',
    feeCents: 4000,
    meetingUrl: 'https://meet.example/1',
    startsOn: '2100-03-01',
  })
  const kim = await person({ language: 'en' })
  const booked = await book(kim, id)
  expect(booked).toMatchObject({
    id,
    status: 'Ok',
    message: '„Rückenfit“ ist für Sie gebucht. Die Bestätigung kommt per E-Mail.',
    bookingStatus: Booked,
    bookable: false,
    cancellabel: true,
    currentBooked: 1,
    meetingURL: 'https://meet.example/1',
  })
  expect(await see(kim, id)).toEqual({ ...booked, message: '' })
  expect((await server.request(listBookedCourses, { token: kim.token })).body).toEqual([{ ...booked, message: '' }])
  const [mail, ...others] = await mailsOf(kim)
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    kind: 'booking',
    recipient: kim.email,
    language: 'en',
    payload: {
      courseId: id,
      name: 'Rückenfit',
      priceCents: 4000,
      position: 0,
      state: Booked,
      meetingURL: 'https://meet.example/1',
      cancelUntil: { year: 2100, month: 3, day: 8 },
    },
  })
})

test('a full course assigns waiting-list positions in order, each with an e-mail', async () => {
  const { id } = await insertCourse(server.db, { capacity: 1, meetingUrl: 'https://meet.example/1' })
  const [first, second, third] = (await persons(3)) as [Person, Person, Person]
  await book(first, id)
  expect(await book(second, id)).toMatchObject({ bookingStatus: Waitinglist, waitingListPosition: 1, meetingURL: '' })
  const answer = await book(third, id, 'en')
  expect(answer).toMatchObject({
    status: 'Ok',
    bookingStatus: Waitinglist,
    waitingListPosition: 2,
    currentBooked: 1,
    currentWaiting: 2,
    message: expect.stringContaining('number 2 on the waiting list'),
  })
  expect(await mailsOf(third)).toMatchObject([
    { kind: 'waiting-list', payload: { position: 2, state: Waitinglist, meetingURL: '' } },
  ])
})

test('booking or cancelling twice changes nothing', async () => {
  const { id } = await insertCourse(server.db, { capacity: 1 })
  const [kim, alex] = (await persons(2)) as [Person, Person]
  await book(kim, id)
  await book(alex, id)
  expect(await book(kim, id)).toMatchObject({
    status: 'Ok',
    bookingStatus: Booked,
    currentBooked: 1,
    currentWaiting: 1,
  })
  expect(await book(alex, id)).toMatchObject({ status: 'Ok', waitingListPosition: 1, currentWaiting: 1 })
  await cancel(kim, id)
  expect(await cancel(kim, id)).toMatchObject({ status: 'Ok', bookingStatus: NotBooked, currentBooked: 1 })
  expect((await mailsOf(kim)).map(({ kind }) => kind)).toEqual(['booking', 'cancellation'])
})

test('ten concurrent clicks create one booking', async () => {
  const { id } = await insertCourse(server.db)
  const kim = await person()
  const answers = await Promise.all(Array.from({ length: 10 }, () => book(kim, id)))
  for (const answer of answers) expect(answer).toMatchObject({ status: 'Ok', bookingStatus: Booked, currentBooked: 1 })
  expect(await mailsOf(kim)).toHaveLength(1)
})

test('a freed seat goes to the first person on the waiting list, with an e-mail and a message in their language', async () => {
  const { id } = await insertCourse(server.db, { capacity: 1, name: 'Kraft <& Ruhe>', name2: 'Power <& calm>' })
  const first = await person()
  const second = await person({ language: 'en' })
  const third = await person()
  for (const one of [first, second, third]) await book(one, id)
  expect(await cancel(first, id)).toMatchObject({
    status: 'Ok',
    bookingStatus: NotBooked,
    currentBooked: 1,
    currentWaiting: 1,
  })
  expect(await see(second, id)).toMatchObject({ bookingStatus: Booked, waitingListPosition: 0, cancellabel: true })
  expect(await see(third, id)).toMatchObject({ bookingStatus: Waitinglist, waitingListPosition: 1 })
  expect((await mailsOf(second)).at(-1)).toMatchObject({
    kind: 'promotion',
    language: 'en',
    payload: { state: Booked },
  })
  const [message] = (await server.request(listMessages, { token: second.token })).body
  expect(message?.title).toMatch(/^A place for you: Power <& calm> \(C\d+\)$/)
  expect(message?.text).toContain('Power &lt;&amp; calm&gt;')
  expect(await mailsOf(third)).toHaveLength(1)
})

test('cancelling and booking again moves a person to the end of the waiting list', async () => {
  const { id } = await insertCourse(server.db, { capacity: 1 })
  const [first, second, third] = (await persons(3)) as [Person, Person, Person]
  for (const one of [first, second, third]) await book(one, id)
  expect(await cancel(second, id)).toMatchObject({ status: 'Ok', message: expect.stringContaining('Warteliste') })
  expect(await book(second, id)).toMatchObject({ waitingListPosition: 2 })
  expect(await see(third, id)).toMatchObject({ waitingListPosition: 1 })
})

test('a higher capacity promotes the waiting list in order', async () => {
  const { id } = await insertCourse(server.db, { capacity: 1 })
  const all = await persons(5)
  for (const one of all) await book(one, id)
  await server.db.transaction(async tx => {
    await updateCourse(tx, id, { capacity: 3 })
    await promoteOrCloseWaitingList(tx, id, 'DE-NI')
  })
  const states = await Promise.all(all.map(one => see(one, id)))
  expect(states.map(({ bookingStatus, waitingListPosition }) => [bookingStatus, waitingListPosition])).toEqual([
    [Booked, 0],
    [Booked, 0],
    [Booked, 0],
    [Waitinglist, 1],
    [Waitinglist, 2],
  ])
})

describe('a rejection states the reason in both languages', () => {
  const refused = async (one: Person, id: number, de: RegExp, en: RegExp) => {
    const answer = await book(one, id)
    expect(answer).toMatchObject({ status: 'Failed', bookingStatus: NotBooked, message: expect.stringMatching(de) })
    expect((await book(one, id, 'en')).message).toMatch(en)
    expect(await mailsOf(one)).toEqual([])
    return answer
  }

  test('before booking opens, with the opening time', async () => {
    const { id } = await insertCourse(server.db, { bookableFrom: new Date('2099-01-04T07:00:00Z') })
    const opening = /04\.01\.2099 (um|at) 08:00/
    expect(await refused(await person(), id, opening, opening)).toMatchObject({
      seasonBookable: false,
      bookable: false,
    })
  })

  test('after the last date', async () => {
    const { id } = await insertCourse(server.db, { startsOn: dateFromNow(-30), endsOn: dateFromNow(-2) })
    await refused(await person(), id, /schon begonnen/, /already begun/)
  })

  test('a full course for an external participant, who pays the external fee for a free seat', async () => {
    const { id } = await insertCourse(server.db, { capacity: 2, feeCents: 4000 })
    const external = await person({ employeeStatus: EMPLOYEE_STATUS.External })
    expect(await book(external, id)).toMatchObject({ status: 'Ok', bookingStatus: Booked, externalFee: 55 })
    expect(await mailsOf(external)).toMatchObject([{ payload: { priceCents: 5500 } }])
    await book(await person(), id)
    const another = await person({ employeeStatus: EMPLOYEE_STATUS.External })
    expect(await see(another, id)).toMatchObject({ bookable: false, directlyBookable: false })
    await refused(another, id, /ausgebucht/, /fully booked/)
  })

  test('an on-site course for an online-only division', async () => {
    const division = await insertDivision(server.db, { isOnlineOnly: true })
    const one = await person({ divisionId: division.id })
    const hall = await insertCourse(server.db)
    const online = await insertCourse(server.db, { meetingUrl: 'https://meet.example/1' })
    await refused(one, hall.id, /Onlinekursen/, /online courses/)
    expect(await book(one, online.id)).toMatchObject({ status: 'Ok', bookingStatus: Booked })
  })

  test('an insurer member under 16', async () => {
    const startsOn = dateFromNow(30)
    const { id } = await insertCourse(server.db, { startsOn })
    const year = Number(startsOn.slice(0, 4))
    const insured = (yearOfBirth: number | null) =>
      person({ employeeStatus: EMPLOYEE_STATUS.HealthInsurance, yearOfBirth })
    await refused(await insured(year - 15), id, /16/, /16/)
    await refused(await insured(null), id, /Geburtsjahr/, /year of birth/)
    expect(await book(await insured(year - 16), id)).toMatchObject({ status: 'Ok', bookingStatus: Booked })
  })

  test('a cancellation after the fifth working day', async () => {
    const { id } = await insertCourse(server.db, { startsOn: dateFromNow(-12), endsOn: dateFromNow(12) })
    const kim = await person()
    await book(kim, id)
    await bookedBefore(kim, 20)
    const answer = await cancel(kim, id)
    expect(answer).toMatchObject({ status: 'Failed', bookingStatus: Booked, cancellabel: false, cancelUntil: null })
    // The message does not state a past deadline.
    expect(answer.message).toBe(
      'Die Frist für die kostenlose Online-Stornierung ist abgelaufen. Bitte schreiben Sie uns eine E-Mail, wir stornieren dann für Sie. Ein kostenpflichtiger Kurs bleibt in der Regel zahlungspflichtig.',
    )
    expect(await mailsOf(kim)).toHaveLength(1)
  })
})

/** Moves the booking or promotion some days into the past. */
const bookedBefore = ({ id }: Person, days: number) =>
  server.db.execute(sql`
    update bookings b set booked_at = b.booked_at - a.age, promoted_at = b.promoted_at - a.age,
      first_lesson_on = first_lesson_at(b.course_id, (coalesce(b.promoted_at, b.booked_at) - a.age)::timestamp)::date
    from (select ${days} * interval '1 day' as age) a where b.web_user_id = ${id}`)

const today = () => dateFromNow(0)
const dayOf = ({ year, month, day }: DateTimeValue) =>
  [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
const mailedDay = ({ payload }: { payload: Record<string, unknown> } | undefined = { payload: {} }) =>
  payload.cancelUntil === null ? null : dayOf(payload.cancelUntil as DateTimeValue)

describe('a late booking includes a trial lesson, and no response or e-mail names a deadline in the past', () => {
  const running = { startsOn: dateFromNow(-20), endsOn: dateFromNow(22), feeCents: 7200 }
  // Five working days after the next lesson may take two weeks.
  const lessons = [-20, -13, -6, 1, 8, 15, 22].map(days => `${dateFromNow(days)} 18:00`)
  const nextLesson = dateFromNow(1)

  test('booking a running course permits a cancellation after the next lesson', async () => {
    const { id } = await insertCourse(server.db, { ...running, dates: lessons })
    const kim = await person()
    const offered = await see(kim, id)
    const booked = await book(kim, id)
    expect(booked).toMatchObject({ status: 'Ok', cancellabel: true, cancelUntil: { hour: 23, minute: 59, second: 59 } })
    expect(offered.cancelUntil).toEqual(booked.cancelUntil)
    const day = dayOf(booked.cancelUntil as DateTimeValue)
    expect(day > nextLesson).toBe(true)
    const [mail] = await mailsOf(kim)
    expect(mailedDay(mail)).toBe(day)
    expect(await cancel(kim, id)).toMatchObject({ status: 'Ok', bookingStatus: NotBooked })
  })

  test('a promotion in a running course permits it, too, with the same deadline in the e-mail', async () => {
    const { id } = await insertCourse(server.db, { ...running, dates: lessons, capacity: 1 })
    const [first, second] = (await persons(2)) as [Person, Person]
    await book(first, id)
    const waiting = await book(second, id)
    expect(waiting).toMatchObject({ bookingStatus: Waitinglist, cancellabel: true, cancelUntil: null })
    expect(mailedDay((await mailsOf(second))[0])).toBeNull()
    await bookedBefore(second, 20)
    await cancel(first, id)
    const moved = await see(second, id)
    expect(moved).toMatchObject({ bookingStatus: Booked, cancellabel: true })
    expect(mailedDay((await mailsOf(second))[1])).toBe(dayOf(moved.cancelUntil as DateTimeValue))
    const [message] = (await server.request(listMessages, { token: second.token })).body
    expect(message?.text).toContain(nextLesson.split('-').reverse().join('.'))
    expect(await cancel(second, id)).toMatchObject({ status: 'Ok', bookingStatus: NotBooked })
  })

  test('the e-mail about a cancellation states no deadline', async () => {
    const { id } = await insertCourse(server.db, { ...running, dates: lessons })
    const kim = await person()
    await book(kim, id)
    await cancel(kim, id)
    const mails = await mailsOf(kim)
    expect(mails.map(mail => mailedDay(mail))).toEqual([expect.stringMatching(/^\d/), null])
    for (const day of mails.map(mail => mailedDay(mail))) if (day) expect(day >= today()).toBe(true)
  })
})

test('the obstacle to booking a course is stated in the caller’s language', async () => {
  const season = await insertSeason(server.db, { bookableFrom: daysFromNow(3) })
  const { id } = await insertCourse(server.db, { seasonId: season.id })
  const kim = await person()
  expect(await see(kim, id)).toMatchObject({
    obstacle: 'notOpen',
    obstacleText: expect.stringMatching(/^Die Buchung öffnet am/),
  })
  const asked = await server.request(getCourse, { params: { id }, language: 'en' })
  expect(asked.body).toMatchObject({
    obstacle: 'notLoggedIn',
    obstacleText: 'You must be logged in to book the course.',
    price: null,
    cancelUntil: null,
    attendance: null,
  })
  const states = await server.request(listCoursesOfSession, {
    token: kim.token,
    query: { view: 'states' },
    language: 'en',
  })
  expect(states.body.find(course => course.id === id)).toMatchObject({
    obstacle: 'notOpen',
    obstacleText: expect.stringMatching(/^Booking opens on/),
  })
  const open = await insertCourse(server.db)
  expect(await see(kim, open.id)).toMatchObject({ obstacle: '', obstacleText: '', bookable: true })
  expect(await book(kim, open.id)).toMatchObject({ obstacle: '', obstacleText: '', bookable: false })
  expect(await see(await person({ employeeStatus: null }), open.id)).toMatchObject({ obstacle: 'profileIncomplete' })
})

test('the total price is shown to each person, and the agreed price is kept', async () => {
  const { id } = await insertCourse(server.db, { feeCents: 0, externalFeeCents: 1500, energyFeeCents: 900 })
  const external = await person({ employeeStatus: EMPLOYEE_STATUS.External })
  const price = { amount: 24, fee: 15, energyFee: 9, kind: 'external', freeWithAttendance: false, waived: false }
  expect(await see(external, id)).toMatchObject({ price })
  expect(await book(external, id)).toMatchObject({ price })
  expect((await mailsOf(external))[0]?.payload).toMatchObject({ priceCents: 1500, energyFeeCents: 900 })
  await updateCourse(server.db, id, { externalFeeCents: 9900, energyFeeCents: 2900 })
  expect(await see(external, id)).toMatchObject({ price })
  expect(await see(await person(), id)).toMatchObject({ price: { amount: 29, fee: 0, energyFee: 29, kind: 'fee' } })
})

test('the fee is waived for regular attendance once the course is over or closed', async () => {
  const { id } = await insertCourse(server.db, {
    feeCents: 4000,
    energyFeeCents: 500,
    isFreeWithAttendance: true,
    closesAt: daysFromNow(9),
    dates: [-8, -5, -2].map(days => `${dateFromNow(days)} 18:00`),
  })
  const kim = await person()
  await book(kim, id)
  await server.db.execute(sql`update bookings set booked_at = ${daysFromNow(-20)} where course_id = ${id}`)
  const lessonIds = await server.db.query<{ id: number }>(sql`
    select id from course_dates where course_id = ${id} order by held_at`)
  const attend = ({ id: lesson }: { id: number }) =>
    server.db.execute(sql`insert into attendances values (${lesson}, ${kim.id}, true, now())`)
  const [first, second] = lessonIds as [{ id: number }, { id: number }]
  await attend(first)
  expect(await see(kim, id)).toMatchObject({
    attendance: { held: 3, present: 1, excused: 0, unrecorded: 2, planned: 3, needed: 2 },
    price: { amount: 45, fee: 40, energyFee: 5, kind: 'fee', freeWithAttendance: true, waived: false },
  })
  await attend(second)
  expect((await see(kim, id)).price).toMatchObject({
    amount: 5,
    fee: 40,
    energyFee: 5,
    kind: 'fee',
    freeWithAttendance: true,
    waived: true,
  })
})

test('a past lesson is unrecorded only if nobody’s attendance was recorded', async () => {
  const { id } = await insertCourse(server.db, {
    closesAt: daysFromNow(9),
    dates: [-8, -5, -2].map(days => `${dateFromNow(days)} 18:00`),
  })
  const [present, absent] = [await person(), await person()]
  for (const one of [present, absent]) await book(one, id)
  await server.db.execute(sql`update bookings set booked_at = ${daysFromNow(-20)} where course_id = ${id}`)
  await server.db.execute(sql`
    insert into attendances select min(id), ${present.id}::int, true, now() from course_dates where course_id = ${id}`)
  const attendance = { held: 3, excused: 0, unrecorded: 2, planned: 3, needed: 2 }
  expect(await see(present, id)).toMatchObject({ attendance: { ...attendance, present: 1 } })
  expect(await see(absent, id)).toMatchObject({ attendance: { ...attendance, present: 0 } })
})

test('the weekdays of a course are those of all its lessons', async () => {
  const { id } = await insertCourse(server.db, { dates: ['2100-03-04 12:00', '2100-03-01 12:00', '2100-03-08 12:00'] })
  expect(await see(await person(), id)).toMatchObject({ weekdays: [1, 4] })
  const list = (await server.request(listCourses)).body as Course[]
  expect(list.find(course => course.id === id)).toMatchObject({ weekdays: [1, 4] })
})

test('waiting people may leave at any time', async () => {
  const { id } = await insertCourse(server.db, { capacity: 0, startsOn: dateFromNow(-12), endsOn: dateFromNow(12) })
  const kim = await person()
  await book(kim, id)
  expect(await cancel(kim, id)).toMatchObject({ status: 'Ok', bookingStatus: NotBooked, currentWaiting: 0 })
})

test('once the last lesson has begun, nobody can cancel and nobody is promoted', async () => {
  const { id } = await insertCourse(server.db, { capacity: 1 })
  const [first, second] = (await persons(2)) as [Person, Person]
  await book(first, id)
  await book(second, id)
  await updateCourse(server.db, id, { closesAt: daysFromNow(-0.01) })
  expect(await cancel(first, id)).toMatchObject({ status: 'Failed', cancellabel: false, cancelUntil: null })
  const course = await see(first, id)
  expect(course).toMatchObject({ bookingStatus: Booked, cancellabel: false, cancelUntil: null })
  expect((await mailsOf(second)).map(({ kind }) => kind)).toEqual(['waiting-list'])
})

test('booking opens exactly at the opening time', async () => {
  const [early, late] = (await persons(2)) as [Person, Person]
  const { given, waitMs } = await beforeMoment(async opensAt => {
    const { id } = await insertCourse(server.db, { opensAt })
    return { id, answer: await book(early, id) }
  })
  expect(given.answer).toMatchObject({ status: 'Failed' })
  await sleep(waitMs + 50)
  const { id } = given
  expect(await book(late, id)).toMatchObject({ status: 'Ok', bookingStatus: Booked })
})

test('an acknowledged booking is immediately in every list', async () => {
  const { id } = await insertCourse(server.db)
  for (const one of await persons(4)) {
    const { currentBooked } = await book(one, id)
    const list = (await server.request(listCourses)).body as { id: number; currentBooked: number }[]
    expect(list.find(course => course.id === id)?.currentBooked).toBe(currentBooked)
  }
})

describe('permissions', () => {
  test('visitors are asked to log in', async () => {
    const { id } = await insertCourse(server.db)
    for (const endpoint of [bookCourse, cancelCourse]) {
      expect(await server.request(endpoint, { body: { id } })).toMatchObject({ status: 401 })
      expect(await server.request(endpoint, { body: { id }, token: 'unknown' })).toMatchObject({ status: 401 })
    }
    expect(await server.request(listBookedCourses)).toMatchObject({ status: 401 })
  })

  test('unknown courses and courses that are not visible yet are 404', async () => {
    const season = await insertSeason(server.db, { viewableFrom: daysFromNow(1) })
    const hidden = await insertCourse(server.db, { seasonId: season.id })
    const { token } = await person()
    for (const endpoint of [bookCourse, cancelCourse])
      for (const id of [hidden.id, 2_147_483_647])
        expect(await server.request(endpoint, { body: { id }, token })).toMatchObject({ status: 404 })
  })

  test('who has a place or waits sees the course and can cancel, even if its season becomes visible later', async () => {
    const season = await insertSeason(server.db)
    const { id } = await insertCourse(server.db, { seasonId: season.id, capacity: 1 })
    const [kim, alex, other] = (await persons(3)) as [Person, Person, Person]
    await book(kim, id)
    await book(alex, id)
    await server.db.execute(sql`update seasons set viewable_from = ${daysFromNow(30)} where id = ${season.id}`)
    await markProgrammeChanged(server.db)
    const seen = async ({ token }: Person) => ({
      details: (await server.request(getCourse, { params: { id }, token })).status,
      calendar: (await server.request(getCourseCalendar, { params: { id }, token })).status,
      booked: (await server.request(listBookedCourses, { token })).body.map(course => course.bookingStatus),
    })
    const nothing = { details: 404, calendar: 404, booked: [] }
    expect(await seen(kim)).toEqual({ details: 200, calendar: 200, booked: [Booked] })
    expect(await seen(alex)).toEqual({ details: 200, calendar: 200, booked: [Waitinglist] })
    expect(await seen(other)).toEqual(nothing)
    expect((await server.request(listCourses)).body).not.toContainEqual(expect.objectContaining({ id }))
    expect(await cancel(kim, id)).toMatchObject({ status: 'Ok', bookingStatus: NotBooked })
    expect(await seen(kim)).toEqual(nothing)
    expect(await seen(alex)).toMatchObject({ booked: [Booked] })
  })

  test.each([[0], [-1], [1.5], ['1'], [null], [2_147_483_648]])('%s is not a course id', async id => {
    const { token } = await person()
    const answer = await server.request(bookCourse, { body: { id: id as number }, token })
    expect(answer).toMatchObject({ status: 400, body: { status: 'Failed', message: expect.stringContaining('id') } })
  })

  test('a booking can be seen and cancelled only by its owner', async () => {
    const { id } = await insertCourse(server.db)
    const [kim, alex] = (await persons(2)) as [Person, Person]
    await book(kim, id)
    expect(await cancel(alex, id)).toMatchObject({ status: 'Ok', bookingStatus: NotBooked, currentBooked: 1 })
    expect((await server.request(listBookedCourses, { token: alex.token })).body).toEqual([])
    expect(await see(kim, id)).toMatchObject({ bookingStatus: Booked })
  })
})
