import { expect, test } from 'vitest'
import { decodeCourseIndex } from '#contract/endpoints/course-index.ts'
import {
  bookCourse,
  type CourseIndex,
  cancelCourse,
  getCourse,
  listBookedCourses,
  listCourses,
} from '#contract/endpoints/courses.ts'
import { createRandom } from '#contract/test/random.ts'
import { firstLessonDay } from '#server/features/bookings/pricing-rules.ts'
import { closeExpiredWaitingLists } from '#server/features/bookings/waiting-list-service.ts'
import { listCourseFacts } from '#server/features/courses/repository.ts'
import { listWaitingListEntries } from '#server/office/people/list-repository.ts'
import { auditRules } from '#server/operations/audit/rules.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  insertBooking,
  insertCourse,
  insertDivision,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, act, send } = await openTestOffice(['programme', 'bookings'])

const toWallClock = (at: Date) => at.toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' })

const see = async (id: number, token?: string) =>
  (await server.request(getCourse, { params: { id }, ...(token && { token }) })).body
const indexed = async (id: number) => {
  const { body } = await server.request(listCourses, { query: { view: 'index' } })
  return decodeCourseIndex(body as CourseIndex).find(course => course.id === id)
}
const dayOf = ({ year, month, day }: { year: number; month: number; day: number }) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
const lessonIds = async (courseId: number) =>
  (
    await server.db.query<{ id: number }>(
      sql`select id from course_dates where course_id = ${courseId} order by held_at`,
    )
  ).map(({ id }) => id)
const weekdayOf = (date: string) => new Date(date).getUTCDay()

test('start and end follow the lessons that take place, including moved, cancelled and extra ones', async () => {
  const { id } = await insertCourse(server.db, { startsOn: dateFromNow(7) })
  const [first = 0, , last = 0] = await lessonIds(id)
  const moved = { date: dateFromNow(30), reason: 'Halle gesperrt', quiet: false } as const
  await act({ kind: 'change-lesson', courseDateId: last, ...moved })
  for (const seen of [await see(id), await indexed(id)]) expect(dayOf(seen?.end as never)).toBe(dateFromNow(30))
  await act({ kind: 'cancel-lesson', courseDateId: first })
  for (const seen of [await see(id), await indexed(id)]) expect(dayOf(seen?.start as never)).toBe(dateFromNow(14))
  await act({
    kind: 'add-lesson',
    courseId: id,
    date: dateFromNow(3),
    startTime: '18:00',
    endTime: '19:00',
    reason: 'x',
  })
  expect(dayOf((await see(id)).start)).toBe(dateFromNow(3))
  await act({ kind: 'restore-lesson', courseDateId: first })
  const seen = await see(id)
  expect([dayOf(seen.start), dayOf(seen.end)]).toEqual([dateFromNow(3), dateFromNow(30)])
})

test('an imported date range that differs from the lessons is not shown', async () => {
  const startsOn = dateFromNow(-3)
  const dates = [`${dateFromNow(8)} 18:00`, `${dateFromNow(15)} 18:00`]
  const { id } = await insertCourse(server.db, { startsOn, endsOn: dateFromNow(40), dates })
  const seen = await see(id)
  expect([dayOf(seen.start), dayOf(seen.end), seen.running]).toEqual([dateFromNow(8), dateFromNow(15), false])
})

test('a moved or extra lesson adds no weekday in details, index and e-mail', async () => {
  const startsOn = dateFromNow(7)
  const { id } = await insertCourse(server.db, { startsOn })
  const [, second = 0] = await lessonIds(id)
  await act({ kind: 'change-lesson', courseDateId: second, date: dateFromNow(15), reason: 'x' })
  await act({
    kind: 'add-lesson',
    courseId: id,
    date: dateFromNow(17),
    startTime: '18:00',
    endTime: '19:00',
    reason: 'x',
  })
  const usual = [weekdayOf(startsOn)]
  expect((await see(id)).weekdays).toEqual(usual)
  expect((await indexed(id))?.weekdays).toEqual(usual)
  const person = await insertUserWithSession(server.db)
  await server.request(bookCourse, { body: { id }, token: person.token })
  const { payload } = await server.db.one<{ payload: { weekdays: number[] } }>(sql`
    select payload from mails where web_user_id = ${person.id}`)
  expect(payload.weekdays).toEqual(usual)
})

test('a moved lesson determines the weekday if it is the only one', async () => {
  const { id } = await insertCourse(server.db, { dates: [`${dateFromNow(7)} 18:00`], endsOn: dateFromNow(7) })
  const [only = 0] = await lessonIds(id)
  await act({ kind: 'change-lesson', courseDateId: only, date: dateFromNow(9), reason: 'x' })
  const seen = await see(id)
  expect([seen.weekdays, seen.day]).toEqual([[weekdayOf(dateFromNow(9))], weekdayOf(dateFromNow(9))])
})

/** Inserts a course whose last lesson began over an hour ago, because a local time in the repeated hour (end of summer time) is its second occurrence. */
const insertLastLesson = async (values = {}) => {
  const { at, before } = await server.db.one<{ at: string; before: string }>(sql`
    select (clock_timestamp() - interval '61 minutes')::timestamp(0)::text as at, (localtimestamp - interval '7 days')::timestamp(0)::text as before`)
  return insertCourse(server.db, {
    startsOn: before.slice(0, 10),
    endsOn: at.slice(0, 10),
    dates: [before, at],
    ...values,
  })
}

test('a course takes bookings until its last lesson has begun', async () => {
  const { id } = await insertLastLesson()
  const person = await insertUserWithSession(server.db)
  expect(await see(id, person.token)).toMatchObject({ bookable: false, obstacle: 'over' })
  const { body } = await server.request(bookCourse, { body: { id }, token: person.token })
  expect(body).toMatchObject({ status: 'Failed', bookingStatus: 0 })
})

test('people on the waiting list are notified once, by e-mail and in the inbox, when the last lesson has begun', async () => {
  const { id } = await insertLastLesson({ capacity: 1 })
  const [booked, waiting] = [
    await insertUserWithSession(server.db),
    await insertUserWithSession(server.db, { language: 'en' }),
  ]
  await server.db.execute(sql`
    insert into bookings (course_id, web_user_id, seq, state, price_cents, price_rule, booked_at)
    values (${id}, ${booked.id}, 1, 1, 0, 'fee', now() - interval '8 days'), (${id}, ${waiting.id}, 2, 2, 0, 'fee', now() - interval '8 days')`)
  await server.db.execute(sql`update courses set taken = 2, booking_seq = 2 where id = ${id}`)
  await Promise.all([1, 2, 3].map(() => closeExpiredWaitingLists(server.db, 'DE-NI')))
  expect((await server.request(listBookedCourses, { token: waiting.token })).body).toEqual([])
  expect(await see(id, booked.token)).toMatchObject({ bookingStatus: 1, currentWaiting: 0, currentBooked: 1 })
  const mails = await server.db.query(sql`select kind, language from mails where web_user_id = ${waiting.id}`)
  expect(mails).toEqual([{ kind: 'cancellation', language: 'en' }])
  const items = await server.db.query<{ title: string }>(
    sql`select title from inbox_items where web_user_id = ${waiting.id}`,
  )
  expect(items).toHaveLength(1)
  expect(await server.db.query(sql`select from mails where web_user_id = ${booked.id}`)).toEqual([])
})

test('a seat that staff cancel after the last lesson began ends the waiting list and sends its e-mails', async () => {
  const { id } = await insertLastLesson({ capacity: 1, dates: undefined })
  await server.db.execute(sql`delete from course_dates where course_id = ${id}`)
  await server.db.execute(sql`
    insert into course_dates (course_id, held_at)
    values (${id}, (clock_timestamp() - interval '61 minutes')::timestamp(0))`)
  await server.db.execute(sql`update programme set revision = revision + 1`)
  const [booked, waiting] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  await server.db.execute(sql`
    insert into bookings (course_id, web_user_id, seq, state, price_cents, price_rule, booked_at)
    values (${id}, ${booked.id}, 1, 1, 0, 'fee', now() - interval '8 days'), (${id}, ${waiting.id}, 2, 2, 0, 'fee', now() - interval '8 days')`)
  await server.db.execute(sql`update courses set taken = 2, booking_seq = 2 where id = ${id}`)
  const own = await server.request(cancelCourse, { body: { id }, token: booked.token })
  expect(own.body).toMatchObject({ status: 'Failed', bookingStatus: 1, currentWaiting: 1 })
  await act({ kind: 'cancel-booking', courseId: id, webUserId: booked.id, charge: 'none', reason: 'Umzug' })
  expect(await see(id, booked.token)).toMatchObject({ bookingStatus: 0, currentBooked: 0, currentWaiting: 0 })
  expect(await server.db.query(sql`select kind from mails where web_user_id = ${waiting.id}`)).toEqual([
    { kind: 'cancellation' },
  ])
})

test('staff cannot move a lesson, an opening or a message to the hour that summer time skips', async () => {
  const { id } = await insertCourse(server.db)
  const [first = 0] = await lessonIds(id)
  const reason = 'x'
  const night = { date: '2100-03-28', startTime: '02:30', endTime: '03:30' }
  const { seasonId } = await server.db.one<{ seasonId: number }>(
    sql`select season_id as "seasonId" from courses where id = ${id}`,
  )
  const message = { to: 'course', toId: id, title: 'Hallo', text: 'Hallo', mail: true } as const
  for (const act of [
    { kind: 'change-season', seasonId, bookableFrom: '2100-03-28T02:30' } as const,
    { kind: 'change-course', courseId: id, bookableFrom: '2100-03-28T02:30' } as const,
    { kind: 'save-message', state: 'scheduled', sendAt: '2100-03-28T02:30', ...message } as const,
    { kind: 'add-lesson', courseId: id, ...night, reason } as const,
    { kind: 'change-lesson', courseDateId: first, ...night, reason } as const,
  ])
    expect((await send(act)).body).toMatchObject({
      status: 'Failed',
      message: expect.stringContaining('28.03.2100, 02:30'),
    })
})

test('for a late booking, only later lessons are included, and the required attendance can be reached', async () => {
  const dates = [-21, -14, -7, 7, 14].map(days => `${dateFromNow(days)} 18:00`)
  const { id } = await insertCourse(server.db, {
    dates,
    startsOn: dateFromNow(-21),
    isFreeWithAttendance: true,
    feeCents: 4000,
  })
  const person = await insertUserWithSession(server.db)
  const { body } = await server.request(bookCourse, { body: { id }, token: person.token })
  expect(body.attendance).toEqual({ held: 0, present: 0, excused: 0, unrecorded: 0, planned: 2, needed: 2 })
})

test('a course runs until its last lesson ends, not until midnight', async () => {
  const at = (minutes: number) =>
    new Date(Date.now() + minutes * 60_000).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' }).slice(0, 16)
  const course = { startTime: '10:00', endTime: '11:00' }
  // More than an hour ago even if the clock has changed since.
  const over = await insertCourse(server.db, { ...course, dates: [`${dateFromNow(-7)} 10:00`, at(-125)] })
  const running = await insertCourse(server.db, { ...course, dates: [`${dateFromNow(-7)} 10:00`, at(-30)] })
  expect([(await see(over.id)).running, (await see(running.id)).running]).toEqual([false, true])
})

test('the first lesson stored with a booking is the one that is offered, whatever became of the lessons', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = createRandom(seed)
  const { id: webUserId } = await insertWebUser(server.db)
  for (let round = 0; round < 25; round++) {
    const days = Array.from({ length: 1 + Math.floor(random() * 5) }, () => Math.floor(random() * 40) - 15)
    const dates = [...new Set(days)].map(day => `${dateFromNow(day)} 18:00`)
    const { id } = await insertCourse(server.db, { startsOn: dateFromNow(-16), dates })
    await server.db.execute(sql`
      update course_dates set state = case when id % 10 < ${Math.floor(random() * 6)} then 'cancelled' else 'planned' end
      where course_id = ${id}`)
    const [facts] = await listCourseFacts(server.db, 'DE-NI', id)
    if (!facts) throw new Error(`course ${id} does not exist`)
    const since = `${dateFromNow(Math.floor(random() * 40) - 18)} 12:00:00`
    const { day } = await server.db.one<{ day: string }>(
      sql`select first_lesson_at(${id}, ${since}::timestamp)::date as day`,
    )
    expect(day, `seed ${seed}, course ${id}`).toBe(firstLessonDay(facts, since))

    const booking = await insertBooking(server.db, id, webUserId, { bookedAt: new Date() })
    const stored = async () =>
      (await server.db.one<{ day: string }>(sql`select first_lesson_on as day from bookings where id = ${booking.id}`))
        .day
    let told = await stored()
    for (let step = 0; step < 4; step++) {
      const change = [
        sql`update course_dates set held_at = held_at + interval '1 day' * ${Math.floor(random() * 15) - 7} + interval '1 minute' * ${step + 1}`,
        sql`update course_dates set state = 'cancelled'`,
        sql`update course_dates set state = 'planned'`,
        sql`delete from course_dates`,
      ][Math.floor(random() * 4)]
      await server.db.execute(sql`
        ${change ?? sql.empty} where id = (select id from course_dates where course_id = ${id} order by id offset ${Math.floor(random() * dates.length)} limit 1)`)
      const now = await stored()
      const [after] = await listCourseFacts(server.db, 'DE-NI', id)
      expect(now >= told, `seed ${seed}, course ${id}: ${told} → ${now}`).toBe(true)
      if (after) expect(now >= firstLessonDay(after, toWallClock(new Date())), `seed ${seed}, course ${id}`).toBe(true)
      told = now
    }
  }
})

test('who becomes external leaves the waiting lists with an e-mail, and the department can still make externals wait', async () => {
  const { id } = await insertCourse(server.db, { capacity: 1 })
  const [seated, becoming, staying, external] = [
    await insertUserWithSession(server.db),
    await insertUserWithSession(server.db),
    await insertUserWithSession(server.db),
    await insertUserWithSession(server.db, { employeeStatus: 2 }),
  ]
  for (const person of [seated, becoming, staying, external]) await insertBooking(server.db, id, person.id)
  await server.db.execute(sql`update web_users set employee_status = 2 where id = ${becoming.id}`)
  await closeExpiredWaitingLists(server.db, 'DE-NI')
  await closeExpiredWaitingLists(server.db, 'DE-NI')
  const statesOf = async (...people: { token: string }[]) =>
    Promise.all(people.map(async ({ token }) => (await see(id, token)).waitingListPosition))
  expect((await see(id, becoming.token)).bookingStatus).toBe(0)
  expect(await statesOf(staying, external)).toEqual([1, 2])
  const mails = await server.db.query<{ kind: string }>(sql`
    select kind, payload ->> 'isExternal' as "isExternal" from mails where web_user_id = ${becoming.id}`)
  expect(mails).toEqual([{ kind: 'cancellation', isExternal: 'true' }])
  await server.request(cancelCourse, { body: { id }, token: seated.token })
  expect((await see(id, staying.token)).bookingStatus).toBe(1)
})

test('the queue does not pass over a member of an online-only division whom the department put on it', async () => {
  const division = await insertDivision(server.db, { isOnlineOnly: true })
  const { id } = await insertCourse(server.db, { capacity: 1 })
  const [seated, online] = [
    await insertUserWithSession(server.db),
    await insertUserWithSession(server.db, { divisionId: division.id }),
  ]
  await insertBooking(server.db, id, seated.id)
  const put = { kind: 'book', courseId: id, webUserId: online.id, reason: 'mit dem Werk abgesprochen' } as const
  expect((await act(put)).result).toMatchObject({ bookingStatus: 2, position: 1 })
  await closeExpiredWaitingLists(server.db, 'DE-NI')
  expect(await see(id, online.token)).toMatchObject({ bookingStatus: 2, waitingListPosition: 1 })
  await server.request(cancelCourse, { body: { id }, token: seated.token })
  expect((await see(id, online.token)).bookingStatus).toBe(1)
})

test('the queue passes over who is locked, online-only or external by now, who keep their number and count again later', async () => {
  const division = await insertDivision(server.db)
  const { id } = await insertCourse(server.db, { capacity: 1 })
  const add = async (person = {}) => {
    const added = await insertUserWithSession(server.db, person)
    await insertBooking(server.db, id, added.id)
    return added
  }
  const [seated, locked, online] = [await add(), await add(), await add({ divisionId: division.id })]
  const [external, next, last] = [await add(), await add(), await add()]
  const setLocked = (isLocked: boolean) =>
    server.db.execute(
      sql`update web_users set locked_at = case when ${isLocked} then now() end where id = ${locked.id}`,
    )
  await setLocked(true)
  await server.db.execute(sql`update divisions set is_online_only = true where id = ${division.id}`)
  await server.db.execute(sql`update web_users set employee_status = 2 where id = ${external.id}`)
  const statusOf = async ({ token }: { token: string }) => (await see(id, token)).bookingStatus
  const takenOf = async () =>
    (await server.db.one<{ taken: number }>(sql`select taken from courses where id = ${id}`)).taken

  // Before the periodic task has run
  await server.request(cancelCourse, { body: { id }, token: seated.token })
  expect(await Promise.all([online, external, next, last].map(statusOf))).toEqual([2, 2, 1, 2])
  await server.request(cancelCourse, { body: { id }, token: next.token })
  await server.request(cancelCourse, { body: { id }, token: last.token })
  expect(await statusOf(external)).toBe(0)
  expect(await takenOf()).toBe(0)

  // The free place is booked directly.
  const late = await insertUserWithSession(server.db)
  expect((await server.request(bookCourse, { body: { id }, token: late.token })).body.bookingStatus).toBe(1)
  const behind = await insertUserWithSession(server.db)
  const waiting = (await server.request(bookCourse, { body: { id }, token: behind.token })).body
  expect(waiting).toMatchObject({ bookingStatus: 2, waitingListPosition: 3, currentWaiting: 3 })
  const listed = await listWaitingListEntries(server.db, null)
  expect(listed.find(({ webUserId }) => webUserId === behind.id)?.position).toBe(3)
  await server.request(cancelCourse, { body: { id }, token: online.token })
  expect(await takenOf()).toBe(2)
  expect((await see(id, behind.token)).waitingListPosition).toBe(2)
  const clean = async () =>
    (await Promise.all(auditRules.map(({ query }) => server.db.query<{ finding: string }>(query))))
      .flat()
      .filter(({ finding }) => /wait|counts|has a place/.test(finding))
  expect(await clean()).toEqual([])

  await setLocked(false)
  await closeExpiredWaitingLists(server.db, 'DE-NI')
  expect(await takenOf()).toBe(3)
  expect((await see(id, behind.token)).waitingListPosition).toBe(2)
  expect(await clean()).toEqual([])
  await server.request(cancelCourse, { body: { id }, token: late.token })
  expect(await statusOf(locked)).toBe(1)
})
