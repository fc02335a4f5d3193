import { expect, test } from 'vitest'
import { getLessonAttendance, getOfficeCourse, listOfficeCourses } from '#contract/office/office.ts'
import { getToday } from '#contract/office/today.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertMail, resumeOutgoingMessages, suspendOutgoingMessages } from '#server/platform/outbox/outbox.ts'
import {
  dateFromNow,
  insertBooking,
  insertCourse,
  insertInstructor,
  insertInstructorWithSession,
  insertTick,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { insertOfficer, openTestDesk } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()

/** A course with its first lesson today or tomorrow and its second yesterday. */
async function insertRunningCourse() {
  const course = await insertCourse(server.db, { capacity: 5 })
  const [first, second] = await server.db.query<{ id: number }>(
    sql`select id from course_dates where course_id = ${course.id} order by held_at`,
  )
  await server.db.execute(
    sql`update course_dates set held_at = current_date + 1 + time '07:00' where id = ${first?.id ?? 0}`,
  )
  await server.db.execute(
    sql`update course_dates set held_at = current_date - 1 + time '07:00' where id = ${second?.id ?? 0}`,
  )
  return { ...course, first: first?.id ?? 0, second: second?.id ?? 0 }
}

test('Today shows pending tasks, limited to the caller’s permissions', async () => {
  const course = await insertRunningCourse()
  const person = await insertUserWithSession(server.db, { familyName: 'Ohnepost', mobilePhone: '0151 1' })
  await insertBooking(server.db, course.id, person.id)
  await server.db.execute(sql`update web_users set email = 'none x' where id = ${person.id}`)
  const office = await openTestDesk(server, ['programme', 'bookings'])
  const see = async (token: string) => (await server.request(getToday, { token })).body
  const before = await see(office.token)
  expect(before.lessons).toMatchObject([{ courseDateId: course.first, state: 'planned', booked: 1 }])
  expect(before.unrecorded).toMatchObject([{ courseDateId: course.second, booked: 1 }])
  expect(before.unverified?.map(({ webUserId }) => webUserId)).toContain(person.id)
  expect(before.call).toEqual([])

  await office.act({ kind: 'cancel-lesson', courseDateId: course.first })
  const after = await see(office.token)
  expect(after.lessons).toMatchObject([{ courseDateId: course.first, state: 'cancelled' }])
  expect(after.call).toMatchObject([
    { webUserId: person.id, phone: '0151 1', about: expect.stringContaining('fällt aus') },
  ])

  const { token: programme } = await insertOfficer(server, ['programme'])
  expect(Object.keys(await see(programme)).sort()).toEqual([
    'absences',
    'clashes',
    'closures',
    'date',
    'decisions',
    'figures',
    'lessons',
    'licences',
    'openings',
    'substitutes',
    'totals',
    'unrecorded',
  ])
  const { token: content } = await insertOfficer(server, ['content'])
  expect(await see(content)).toEqual({ date: expect.any(String), totals: {} })
})

test('held messages are shown with the bookings permission until the operator releases them', async () => {
  const bookings = await insertOfficer(server, ['bookings'])
  const programme = await insertOfficer(server, ['programme'])
  const see = async (token: string) => (await server.request(getToday, { token })).body.held
  expect(await see(bookings.token)).toBeUndefined()
  await suspendOutgoingMessages(server.db)
  await server.db.execute(sql`delete from mails`)
  await insertMail(server.db, { webUserId: bookings.id, kind: 'password-changed', payload: {} })
  expect(await see(bookings.token)).toEqual({ since: expect.stringMatching(/^20..-..-..T..:..$/), mails: 1 })
  expect(await see(programme.token)).toBeUndefined()
  expect(await resumeOutgoingMessages(server.db)).toBe(true)
  expect(await see(bookings.token)).toBeUndefined()
})

test('the figures count seats, waiting people, attendance and new bookings', async () => {
  const { token } = await openTestDesk(server, ['programme'])
  const see = async () => (await server.request(getToday, { token })).body.figures
  const before = await see()
  const course = await insertCourse(server.db, { capacity: 1 })
  const [first, second] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  await insertBooking(server.db, course.id, first.id)
  await insertBooking(server.db, course.id, second.id, { state: 2 })
  const after = await see()
  expect(after).toMatchObject({
    courses: (before?.courses ?? 0) + 1,
    places: (before?.places ?? 0) + 1,
    booked: (before?.booked ?? 0) + 1,
    waiting: (before?.waiting ?? 0) + 1,
    waitingCourses: (before?.waitingCourses ?? 0) + 1,
  })
  expect(after?.daily).toHaveLength(28)
  expect((after?.daily.at(-1) ?? 0) - (before?.daily.at(-1) ?? 0)).toBe(2)
})

test('two lessons in one room at the same time are shown with its name', async () => {
  const { token } = await openTestDesk(server, ['programme'])
  await server.db.execute(sql`insert into rooms (name, site) values ('Halle Doppelt', '')`)
  const [one, other] = [await insertRunningCourse(), await insertRunningCourse()]
  await server.db.execute(
    sql`update courses set venue = 'Halle Doppelt', city = '' where id = any(${[one.id, other.id]}::int[])`,
  )
  const { clashes } = (await server.request(getToday, { token })).body
  const courses = await server.db.query<{ number: string; name: string }>(sql`
    select number, name from courses where id in (${one.id}, ${other.id}) order by id`)
  expect(clashes).toMatchObject([
    {
      courseDateId: one.first,
      number: courses[0]?.number,
      name: courses[0]?.name,
      otherCourseId: other.id,
      otherCourse: `${courses[1]?.number} ${courses[1]?.name}`,
      shared: 'Halle Doppelt',
    },
  ])
  await server.db.execute(sql`update courses set name2 = 'Strength' where id = ${other.id}`)
  const english = (await server.request(getToday, { token, language: 'en' })).body.clashes
  expect(english?.map(({ otherCourse }) => otherCourse)).toEqual([`${courses[1]?.number} Strength`])
})

test('a course below its minimum is listed within a week of its decision date, until it is confirmed', async () => {
  const decideOn = dateFromNow(5)
  const course = await insertCourse(server.db, { dates: [`${dateFromNow(12)} 18:00`], startsOn: dateFromNow(12) })
  for (let count = 0; count < 2; count += 1)
    await insertBooking(server.db, course.id, (await insertWebUser(server.db)).id)
  const office = await openTestDesk(server, ['programme'])
  const listed = async () =>
    (await server.request(getToday, { token: office.token })).body.decisions?.filter(one => one.courseId === course.id)
  expect(await listed()).toEqual([])
  await office.act({ kind: 'change-course', courseId: course.id, minParticipants: 3, decideOn: dateFromNow(9) })
  expect(await listed()).toEqual([])
  await office.act({ kind: 'change-course', courseId: course.id, decideOn })
  expect(await listed()).toMatchObject([{ number: course.number, booked: 2, minParticipants: 3, decideOn }])
  await office.act({ kind: 'confirm-course', courseId: course.id })
  expect(await listed()).toEqual([])
})

test('each list has its true total, and all of its tasks can be read page by page', async () => {
  const office = await openTestDesk(server, ['programme', 'bookings'])
  const see = async (query?: { all: 'unrecorded'; limit: string; after?: string }) =>
    (await server.request(getToday, { token: office.token, ...(query && { query }) })).body
  const before = (await see()).totals.unrecorded ?? 0
  // Lessons more than two weeks ago still have to be recorded before the course can be settled.
  const dates = Array.from({ length: 53 }, (_, index) => `${dateFromNow(-20 - index)} 18:00`)
  const course = await insertCourse(server.db, { dates })
  await insertBooking(server.db, course.id, (await insertWebUser(server.db)).id)
  await server.db.execute(sql`update courses set is_participating_complete = true where id = ${course.id}`)
  const today = await see()
  expect(today.totals.unrecorded).toBe(before + dates.length)
  expect(today.unrecorded).toHaveLength(50)

  const first = await see({ all: 'unrecorded', limit: '40' })
  const second = await see({ all: 'unrecorded', limit: '40', after: first.next ?? '' })
  const listed = [...(first.unrecorded ?? []), ...(second.unrecorded ?? [])]
  expect(listed).toHaveLength(before + dates.length)
  expect(new Set(listed.map(({ courseDateId }) => courseDateId)).size).toBe(listed.length)
  expect(second).toMatchObject({ next: null, totals: { unrecorded: listed.length } })
  expect(Object.keys(second).sort()).toEqual(['date', 'next', 'totals', 'unrecorded'])

  await server.db.execute(sql`update course_dates set is_excluded = true where course_id = ${course.id}`)
  expect((await see()).totals.unrecorded).toBe(before)
  const { token } = await insertOfficer(server, ['content'])
  expect(await server.request(getToday, { token, query: { all: 'call' } })).toMatchObject({ status: 403 })
})

test('a list on paper is entered at the desk; replacing what others recorded needs a reason', async () => {
  const office = await openTestDesk(server, ['bookings'])
  const course = await insertCourse(server.db, { dates: [`${dateFromNow(-30)} 18:00`, `${dateFromNow(-1)} 18:00`] })
  const [{ id: courseDateId = 0 } = {}] = await server.db.query<{ id: number }>(sql`
    select id from course_dates where course_id = ${course.id} order by held_at`)
  const people = [
    await insertWebUser(server.db, { familyName: 'Zorn', givenName: 'Ada' }),
    await insertWebUser(server.db, { familyName: 'Abel', givenName: 'Bo' }),
    await insertWebUser(server.db, { familyName: 'Fremd' }),
  ] as const
  const [ada, bo, stranger] = people
  for (const { id } of [ada, bo]) await insertBooking(server.db, course.id, id)
  const read = async () =>
    (await server.request(getLessonAttendance, { token: office.token, params: { id: courseDateId } })).body.people
  const nothing = [
    { webUserId: bo.id, name: 'Abel, Bo', isPresent: null },
    { webUserId: ada.id, name: 'Zorn, Ada', isPresent: null },
  ]
  expect(await read()).toEqual(nothing)
  const enter = (present: number[], absent: number[], reason?: string) =>
    office.act({ kind: 'record-attendance', courseDateId, present, absent, ...(reason && { reason }) })

  expect(await enter([ada.id, stranger.id], [])).toMatchObject({ status: 'Failed', code: 'attendance.notInLesson' })
  expect(await enter([ada.id], [ada.id])).toMatchObject({ status: 'Failed', code: 'office.failed.personTwice' })
  expect(await read()).toEqual(nothing)
  const { recordId, ...entered } = await enter([ada.id], [bo.id])
  expect(entered).toMatchObject({ status: 'Ok', result: { recorded: 2 } })
  const [line] = await server.db.query<{ line: { actor: number; after: object } }>(sql`
    select line::jsonb as line from office_record where number = ${recordId}`)
  expect(line?.line).toMatchObject({ after: { present: [ada.id], absent: [bo.id] } })
  expect((await read()).map(({ isPresent }) => isPresent)).toEqual([false, true])
  // The department may correct its own entry, but not silently replace what the instructor recorded.
  expect(await enter([bo.id], [ada.id])).toMatchObject({ status: 'Ok', result: { recorded: 2 } })
  await insertTick(server.db, { courseDateId, webUserId: bo.id, isPresent: false, recordedBy: stranger.id })
  expect(await enter([bo.id], [ada.id])).toMatchObject({ status: 'Reason', code: 'office.reason.recordedAttendance' })
  expect(await enter([bo.id], [ada.id], 'Liste auf Papier')).toMatchObject({ status: 'Ok', result: { recorded: 1 } })
  expect((await read()).map(({ isPresent }) => isPresent)).toEqual([true, false])

  await server.db.execute(sql`
    update web_users set mobile_phone = '', private_phone = '0511 123', business_phone = '45' where id = ${ada.id}`)
  const late = await insertWebUser(server.db)
  await insertBooking(server.db, course.id, late.id, { bookedAt: new Date() })
  const { body } = await server.request(getOfficeCourse, { token: office.token, params: { id: course.id } })
  const seen = body.booked.map(({ webUserId, phone, held, present }) => ({ webUserId, phone, held, present }))
  expect(seen).toEqual([
    { webUserId: ada.id, phone: '0511 123', held: 1, present: 0 },
    { webUserId: bo.id, phone: expect.any(String), held: 1, present: 1 },
    { webUserId: late.id, phone: expect.any(String), held: 0, present: 0 },
  ])
})

test('instructors get one reminder about all their unrecorded lessons; those without an address are to be called', async () => {
  const office = await openTestDesk(server, ['programme'])
  const teacher = await insertInstructorWithSession(server.db)
  const guest = await insertInstructor(server.db)
  const dates = [3, 2].map(day => `${dateFromNow(-day)} 18:00`)
  const first = await insertCourse(server.db, { dates, instructorEmails: [teacher.email] })
  const second = await insertCourse(server.db, { dates, instructorEmails: [teacher.email, guest.email] })
  const third = await insertCourse(server.db, { dates, instructor: 'Frau Ohnepost' })
  const lessons = await server.db.query<{ id: number; courseId: number }>(sql`
    select id, course_id as "courseId" from course_dates
    where course_id = any(${[first.id, second.id, third.id]}::int[]) order by id`)
  const person = await insertWebUser(server.db)
  for (const { id } of [first, second, third]) await insertBooking(server.db, id, person.id)
  const [recorded, ...missing] = lessons
  await insertTick(server.db, {
    courseDateId: recorded?.id ?? 0,
    webUserId: person.id,
    isPresent: true,
    recordedBy: teacher.id,
  })
  const done = await office.actAsPreviewed({ kind: 'remind-attendance', courseDateIds: lessons.map(({ id }) => id) })
  expect(done).toMatchObject({
    result: { lessons: missing.length, instructors: 2 },
    consequences: { mails: 2, messages: 1, told: [{ id: teacher.id }, { id: 0 }] },
  })
  expect(done.consequences.call).toEqual([{ id: 0, name: 'Frau Ohnepost', phone: '' }])
  const [mail] = await server.db.query<{ payload: { de: { title: string; paragraphs: string[] } } }>(sql`
    select payload from mails where web_user_id = ${teacher.id} and kind = 'notice'`)
  expect(mail?.payload.de.title).toBe('Bitte erfassen Sie die Anwesenheit für 3 Termine')
  expect(mail?.payload.de.paragraphs[1]?.split('\n')).toHaveLength(3)
  const { unrecorded } = (await server.request(getToday, { token: office.token })).body
  const reminded = unrecorded?.filter(({ remindedOn }) => remindedOn !== null)
  expect(reminded?.map(({ courseDateId }) => courseDateId).sort()).toEqual(missing.map(({ id }) => id).sort())
})

test('a lesson whose attendance was withdrawn counts as unrecorded in every figure', async () => {
  const { token } = await openTestDesk(server, ['programme'])
  const course = await insertRunningCourse()
  const person = await insertUserWithSession(server.db)
  await insertBooking(server.db, course.id, person.id)
  const see = async () => {
    const { figures, unrecorded } = (await server.request(getToday, { token })).body
    const { items } = (await server.request(listOfficeCourses, { token, query: { seasonId: String(course.seasonId) } }))
      .body
    return {
      expected: figures?.expected,
      present: figures?.present,
      isUnrecorded: unrecorded?.some(({ courseDateId }) => courseDateId === course.second),
      lastRecorded: items[0]?.lastRecorded,
    }
  }
  const before = await see()
  expect(before).toMatchObject({ isUnrecorded: true, lastRecorded: null })
  const tick = { courseDateId: course.second, webUserId: person.id, recordedBy: null }
  await insertTick(server.db, { ...tick, isPresent: true })
  expect(await see()).toMatchObject({ present: (before.present ?? 0) + 1, isUnrecorded: false })
  await insertTick(server.db, { ...tick, isPresent: null })
  expect(await see()).toEqual(before)
})

test('an accepted overlap is no task, and each other one is shown once, also while its first lesson is being held', async () => {
  const { token, act } = await openTestDesk(server, ['programme'])
  const roomId = Number((await act({ kind: 'save-room', name: 'Halle Zusage', capacity: 20 })).result.roomId)
  const [one, other] = [await insertRunningCourse(), await insertRunningCourse()]
  const see = async () =>
    (await server.request(getToday, { token })).body.clashes?.filter(({ shared }) => shared === 'Halle Zusage')
  await act({ kind: 'change-lesson', courseDateId: one.first, roomId })
  const second = { kind: 'change-lesson', courseDateId: other.first, roomId } as const
  expect(await act(second)).toMatchObject({ status: 'Reason' })
  expect(await act({ ...second, reason: 'Hallenteilung' })).toMatchObject({ status: 'Ok' })
  expect(await see()).toEqual([])
  // With the later one of the lessons moved, they overlap anew.
  await server.db.execute(sql`update course_dates set held_at = held_at + interval '10 min' where id = ${other.first}`)
  expect(await see()).toMatchObject([{ shared: 'Halle Zusage' }])
  await server.db.execute(sql`
    update course_dates set ends_at = null, held_at = case id when ${one.first} then localtimestamp + interval '5 min'
      else localtimestamp - interval '5 min' end where id in (${one.first}, ${other.first})`)
  expect(await see()).toMatchObject([{ courseDateId: one.first }])
})

test('a lesson that the department has excluded needs no reminder', async () => {
  const course = await insertRunningCourse()
  const office = await openTestDesk(server, ['programme'])
  const remind = { kind: 'remind-attendance' as const, courseDateIds: [course.second], preview: true }
  expect((await office.act(remind)).status).toBe('Ok')
  await server.db.execute(sql`update course_dates set is_excluded = true where id = ${course.second}`)
  expect(await office.act(remind)).toMatchObject({ status: 'Failed', code: 'office.failed.noGap' })
})

test('a call noted about a notice ends that task only, and a call about something else none', async () => {
  const course = await insertRunningCourse()
  const person = await insertUserWithSession(server.db, { familyName: 'Telefon' })
  await insertBooking(server.db, course.id, person.id)
  await server.db.execute(sql`update web_users set email = 'none y' where id = ${person.id}`)
  const office = await openTestDesk(server, ['programme', 'bookings'])
  const called = async () =>
    (await server.request(getToday, { token: office.token })).body.call?.filter(
      ({ webUserId }) => webUserId === person.id,
    )
  await office.act({ kind: 'cancel-lesson', courseDateId: course.first })
  await office.act({ kind: 'restore-lesson', courseDateId: course.first })
  const call = { kind: 'note-call', webUserId: person.id } as const
  await office.act({ ...call, text: 'Fragt nach einem Kurs im Herbst' })
  const [first, second, ...more] = (await called()) ?? []
  expect(more).toEqual([])
  await office.act({ ...call, letterId: first?.letterId ?? 0, text: 'Weiß Bescheid' })
  expect(await called()).toEqual([second])
  const other = await insertUserWithSession(server.db)
  const letterId = second?.letterId ?? 0
  const mistaken = await office.act({ ...call, webUserId: other.id, letterId, text: 'Falsche Person' })
  expect(mistaken).toMatchObject({ status: 'Failed', code: 'office.unknown.letters' })
  expect(await called()).toEqual([second])
})
