import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  changePresence,
  completeParticipation,
  type GuestRequest,
  getCourseDates,
  noteDoorGuest,
  type PresenceRequest,
  recordedAttendanceOf,
} from '#contract/endpoints/attendance.ts'
import { announceAbsence, listBookedCourses } from '#contract/endpoints/courses.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCourse,
  insertInstructorWithSession,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { openTestDesk } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'
import { insertTaughtCourse } from '#server/test/taught-course.ts'
import { listUnhandledWalkInGuests } from './repository.ts'
import { decideAttendanceChange } from './rules.ts'
import { insertAttendanceChanges } from './tick-repository.ts'

const server = await openTestServer()
const instructor = await insertInstructorWithSession(server.db)
const colleague = await insertInstructorWithSession(server.db)

/** A course of the instructor with a past, a present and a future date, and one participant. */
async function insertRunningCourse(values = {}) {
  // Today in the portal's time zone, not in that of the machine that runs the tests.
  const { dates } = await server.db.one<{ dates: string[] }>(
    sql`select array[current_date - 7, current_date, current_date + 7]::timestamp[] as dates`,
  )
  return insertTaughtCourse(server.db, { teacher: instructor, startsOn: dateFromNow(-7), dates, ...values })
}

const change = (body: PresenceRequest, token = instructor.token) => server.request(changePresence, { body, token })

type Tick = Awaited<ReturnType<typeof insertRunningCourse>>['tick']
const isPresent = async ({ courseDateId, webUserId }: Tick) =>
  (
    await server.db.maybeOne<{ is_present: boolean }>(sql`
      select is_present from attendances where course_date_id = ${courseDateId} and web_user_id = ${webUserId}`)
  )?.is_present
/** A change of two days ago. */
const lateChange = (tick: Tick) =>
  ({ ...tick, changeState: 'deleted', changeId: randomUUID(), changedAt: daysFromNow(-2).toISOString() }) as const

test('the list shows the booked participants date by date, with recalculated counts', async () => {
  const course = await insertRunningCourse({ capacity: 2 })
  const [first = 0, second = 0, third = 0] = course.lessonIds
  await server.db.execute(
    sql`update web_users set family_name = 'Özdemir', given_name = 'Ada' where id = ${course.person.id}`,
  )
  const other = await insertWebUser(server.db, { familyName: 'Otto', givenName: 'Zoë' })
  const waiting = await insertWebUser(server.db)
  const gone = await insertWebUser(server.db)
  await insertBooking(server.db, course.id, other.id)
  await insertBooking(server.db, course.id, waiting.id)
  await insertBooking(server.db, course.id, gone.id, { cancelledAt: new Date() })
  for (const courseDateId of [first, second]) {
    await change({ changeState: 'added', courseDateId, webUserId: course.person.id })
  }
  await change({ changeState: 'added', courseDateId: second, webUserId: other.id })
  await change({ changeState: 'deleted', courseDateId: second, webUserId: other.id })

  const { status, body } = await server.request(getCourseDates, { params: { id: course.id }, token: instructor.token })
  expect(status).toBe(200)
  const listed = (isOttoRecorded: boolean, isOezdemirPresent: boolean) => [
    {
      id: course.person.id,
      name: 'Özdemir, Ada',
      participation: 2,
      isUserPresent: isOezdemirPresent,
      isRecorded: isOezdemirPresent,
    },
    { id: other.id, name: 'Otto, Zoë', isUserPresent: false, isRecorded: isOttoRecorded, participation: 0 },
  ]
  expect(body.courseDates.map(({ id, participants }) => ({ id, participants }))).toEqual([
    { id: first, participants: listed(false, true) },
    { id: second, participants: listed(true, true) },
    { id: third, participants: listed(false, false) },
  ])
  expect(body).toMatchObject({
    courseId: course.id,
    participants: listed(true, true),
    preSelectCourseDateId: second,
    participatingComplete: false,
    state: 'Ok',
  })
})

test('a course without lessons and participants has an empty list', async () => {
  const course = await insertCourse(server.db, { instructorEmails: [instructor.email], dates: [] })
  const { body } = await server.request(getCourseDates, { params: { id: course.id }, token: instructor.token })
  expect(body).toMatchObject({ participants: [], courseDates: [], preSelectCourseDateId: 0 })
})

test('attendance cannot be recorded before the day of the lesson', async () => {
  const course = await insertRunningCourse()
  const [, today = 0, toCome = 0] = course.lessonIds
  for (const changeState of ['added', 'deleted'] as const) {
    const answer = await change({ changeState, courseDateId: toCome, webUserId: course.person.id })
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'Failed', message: expect.stringContaining('ab dem Tag') },
    })
    expect(await isPresent({ ...course.tick, courseDateId: toCome })).toBeUndefined()
  }
  const onTheDay = await change({ changeState: 'added', courseDateId: today, webUserId: course.person.id })
  expect(onTheDay.body.status).toBe('Ok')
})

test('repeated changes to present and absent return the same fields', async () => {
  const course = await insertRunningCourse()
  for (const changeState of ['added', 'added', 'deleted', 'deleted'] as const) {
    const body = { changeState, ...course.tick }
    const answer = await change(body)
    expect(answer).toMatchObject({ status: 200, body: { ...body, status: 'Ok' } })
    expect(await isPresent(course.tick)).toBe(changeState === 'added')
  }
})

test('withdrawn attendance stays withdrawn when an older change arrives', async () => {
  const course = await insertRunningCourse()
  const body = course.tick
  const listed = async () => {
    const { body } = await server.request(getCourseDates, { params: { id: course.id }, token: instructor.token })
    return body.courseDates[0]?.participants[0]
  }
  expect(await listed()).toMatchObject({ isUserPresent: false, isRecorded: false })
  await change({ ...body, changeState: 'added', changedAt: daysFromNow(-2).toISOString() })
  expect(await listed()).toMatchObject({ isUserPresent: true, isRecorded: true, participation: 1 })
  const back = { ...body, changeState: 'deleted', isRecorded: false, changeId: randomUUID() } as const
  for (const answer of [await change(back), await change(back)])
    expect(answer.body).toMatchObject({ ...back, status: 'Ok' })
  expect(await listed()).toMatchObject({ isUserPresent: false, isRecorded: false, participation: 0 })
  const late = await change({ ...body, changeState: 'added', changedAt: daysFromNow(-1).toISOString() })
  expect(late.body).toMatchObject({ status: 'Ok', isUserPresent: false, isRecorded: false })
  const absent = await change({ ...body, changeState: 'deleted', changedAt: daysFromNow(-1).toISOString() })
  expect(absent.body).toMatchObject({ status: 'Ok', isUserPresent: false, isRecorded: false })
  expect(await listed()).toMatchObject({ isUserPresent: false, isRecorded: false })
  const findings = async () =>
    (await auditPortal(server.db)).findings.filter(finding => finding.includes(`person ${course.person.id},`))
  expect(await findings()).toEqual([])
  await change({ ...body, changeState: 'deleted' })
  expect(await listed()).toMatchObject({ isUserPresent: false, isRecorded: true })
  expect(await findings()).toEqual([])
})

test('an older change is acknowledged and stored, but does not overwrite a newer one', async () => {
  const course = await insertRunningCourse()
  const body = course.tick
  const older = lateChange(course.tick)
  await change({ ...body, changeState: 'added', changedAt: daysFromNow(-1).toISOString() })
  expect((await change(older)).body).toMatchObject({ ...older, status: 'Ok' })
  expect(await isPresent(course.tick)).toBe(true)
  expect(await server.db.query(sql`select 1 from attendance_changes where change_id = ${older.changeId}`)).toHaveLength(
    1,
  )
})

test('a change of many people leaves what somebody has recorded and returns it with its time', async () => {
  const course = await insertRunningCourse({ instructorEmails: [instructor.email, colleague.email] })
  const bulk = { ...course.tick, changeState: 'deleted', ifUnrecorded: true, changeId: randomUUID() } as const
  await change({ ...course.tick, changeState: 'added' }, colleague.token)
  for (const { body } of [await change(bulk), await change(bulk)]) {
    expect(body).toMatchObject({ ...bulk, status: 'Ok', recorded: { isUserPresent: true } })
    expect(body.message).toMatch(/schon „da“ eingetragen/)
    expect(Date.parse(body.recorded?.changedAt ?? '')).not.toBeNaN()
  }
  expect(await isPresent(course.tick)).toBe(true)
  // A withdrawn record counts as none.
  await change({ ...course.tick, changeState: 'deleted', isRecorded: false }, colleague.token)
  const own = { ...bulk, changeId: randomUUID() }
  for (const { body } of [await change(own), await change(own)]) expect(body).not.toHaveProperty('recorded')
  expect(await isPresent(course.tick)).toBe(false)
})

test('the undo of a change of many people withdraws only what that change has recorded', async () => {
  const course = await insertRunningCourse({ instructorEmails: [instructor.email, colleague.email] })
  const bulkOf = () => ({ ...course.tick, changeState: 'deleted', ifUnrecorded: true, changeId: randomUUID() }) as const
  const undoOf = (...ifChangeIds: string[]) =>
    ({ ...course.tick, changeState: 'deleted', isRecorded: false, ifChangeIds, changeId: randomUUID() }) as const
  const recorded = async () =>
    (await server.request(getCourseDates, { params: { id: course.id }, token: instructor.token })).body.courseDates
      .find(({ id }) => id === course.tick.courseDateId)
      ?.participants.map(recordedAttendanceOf)
  const first = bulkOf()
  await change(first)
  // Sent again because the response was lost, it has no further effect.
  const undo = undoOf(randomUUID(), first.changeId)
  for (const { body } of [await change(undo), await change(undo)]) {
    expect(body.status).toBe('Ok')
    expect(body).not.toHaveProperty('recorded')
    expect(await recorded()).toEqual(['none'])
  }
  // The same value, recorded by a colleague before or after the change of many people.
  const mark = { ...course.tick, changeState: 'deleted' } as const
  await change(mark, colleague.token)
  const second = bulkOf()
  await change(second)
  expect((await change(undoOf(second.changeId))).body.recorded).toMatchObject({ isUserPresent: false })
  await change({ ...mark, isRecorded: false }, colleague.token)
  const third = bulkOf()
  await change(third)
  await change(mark, colleague.token)
  const late = undoOf(third.changeId)
  for (const { body } of [await change(late), await change(late)])
    expect(body).toMatchObject({ ...late, status: 'Ok', recorded: { isUserPresent: false } })
  expect(await recorded()).toEqual(['absent'])
})

test('an announced absence is in the instructor’s list, and changes neither seat nor attendance', async () => {
  const course = await insertRunningCourse({ capacity: 1 })
  const { id, token } = course.person
  const own = async () => (await server.request(listBookedCourses, { token })).body.find(of => of.id === course.id)
  const today = (await own())?.dates[1]
  if (!today) throw new Error('no lesson today')
  // A lesson that lasts the whole day: it is over at no hour.
  await server.db.execute(sql`update courses set start_time = '00:00', end_time = '23:59:59' where id = ${course.id}`)
  const announce = (isAbsent: boolean, at = today, by = token) =>
    server.request(announceAbsence, { token: by, body: { id: course.id, at, isAbsent } })
  const listed = async () =>
    (await server.request(getCourseDates, { params: { id: course.id }, token: instructor.token })).body.courseDates.map(
      ({ participants }) => participants.map(of => of.isAbsenceAnnounced ?? false),
    )
  const before = await own()
  for (let times = 0; times < 2; times += 1) expect((await announce(true)).body.status).toBe('Ok')
  expect(await listed()).toEqual([[false], [true], [false]])
  expect(await own()).toEqual({ ...before, absences: [today] })
  const lesson = course.lessonIds[1] ?? 0
  expect((await change({ changeState: 'added', courseDateId: lesson, webUserId: id })).body.status).toBe('Ok')
  expect((await announce(false)).body.status).toBe('Ok')
  expect(await listed()).toEqual([[false], [false], [false]])
  expect(await own()).not.toHaveProperty('absences')

  expect((await announce(true, before?.dates[0])).body).toMatchObject({
    status: 'Failed',
    message: 'Dieser Termin ist vorbei oder fällt aus.',
    code: 'booking.absence.over',
  })
  expect((await announce(true, { ...today, year: 9999, month: 2, day: 31 })).status).toBe(404)
  const stranger = await insertUserWithSession(server.db)
  expect((await announce(true, today, stranger.token)).body.code).toBe('booking.absence.notBooked')
})

test('an unchanged list is answered with 304, and any change of it with the new list', async () => {
  const course = await insertRunningCourse()
  const ask = (tag = '') =>
    server.app.request(`/api/course/${course.id}/dates`, {
      headers: { SessionToken: instructor.token, 'If-None-Match': tag },
    })
  const tag = (await ask()).headers.get('ETag') ?? ''
  expect((await ask(tag)).status).toBe(304)
  await change({ ...course.tick, changeState: 'added' })
  const changed = await ask(tag)
  expect([changed.status, changed.headers.get('ETag') === tag]).toEqual([200, false])
  const late = await insertWebUser(server.db)
  await insertBooking(server.db, course.id, late.id)
  expect((await ask(changed.headers.get('ETag') ?? '')).status).toBe(200)
})

test('the response to a superseded change contains the effective value, also on retry', async () => {
  const course = await insertRunningCourse()
  const body = course.tick
  const late = lateChange(course.tick)
  const standing = await change({ ...body, changeState: 'added' })
  expect(standing.body).not.toHaveProperty('isUserPresent')
  for (const { body: answer } of [await change(late), await change(late)]) {
    expect(answer).toMatchObject({ ...late, status: 'Ok', isUserPresent: true })
    expect(answer.message).toContain('Sie haben hier später auf einem anderen Gerät „da“ eingetragen')
  }
  // A superseded change with the effective value is not reported.
  const agreeing = await change({ ...late, changeState: 'added', changeId: randomUUID() })
  expect(agreeing.body).not.toHaveProperty('isUserPresent')
})

test.each([
  [{ changeState: 'added' }, { isUserPresent: true, isRecorded: true }, 'Kollege hat hier später „da“ eingetragen'],
  [
    { changeState: 'deleted' },
    { isUserPresent: false, isRecorded: true },
    'Kollege hat hier später „fehlt“ eingetragen',
  ],
  [
    { changeState: 'deleted', isRecorded: false },
    { isUserPresent: false, isRecorded: false },
    'Kollege hat die Eintragung später zurückgenommen',
  ],
] as const)('a change superseded by a colleague’s (%o) returns the effective value', async (theirs, stands, words) => {
  const course = await insertRunningCourse({ instructorEmails: [instructor.email, colleague.email] })
  const body = course.tick
  await change({ ...body, ...theirs }, colleague.token)
  const all = [
    { changeState: 'added' },
    { changeState: 'deleted' },
    { changeState: 'deleted', isRecorded: false },
  ] as const
  for (const mine of all) {
    const { body: answer } = await change({ ...body, ...mine, changedAt: daysFromNow(-1).toISOString() })
    expect(answer.status).toBe('Ok')
    if (
      recordedAttendanceOf({ isUserPresent: mine.changeState === 'added', ...mine }) === recordedAttendanceOf(stands)
    ) {
      expect(answer).not.toHaveProperty('isUserPresent')
    } else {
      expect(answer).toMatchObject(stands)
      expect(answer.message).toContain(words)
    }
  }
})

test('of two changes with the same timestamp the later arrival takes precedence', async () => {
  const course = await insertRunningCourse()
  const body = { ...course.tick, changedAt: daysFromNow(-1).toISOString() }
  await change({ ...body, changeState: 'added' })
  await change({ ...body, changeState: 'deleted' })
  expect(await isPresent(course.tick)).toBe(false)
})

test('a change with a future timestamp is treated as made now, so that the next one overwrites it', async () => {
  const course = await insertRunningCourse()
  const body = course.tick
  await change({ ...body, changeState: 'added', changedAt: daysFromNow(365).toISOString() })
  expect(await isPresent(course.tick)).toBe(true)
  await change({ ...body, changeState: 'deleted' })
  expect(await isPresent(course.tick)).toBe(false)
})

test.each([
  ['that the same phone dates after it', 1],
  ['without a time', null],
])('after the clock of the server was set back, a change %s replaces what was recorded before', async (_, laterMs) => {
  const course = await insertRunningCourse()
  await change({ ...course.tick, changeState: 'added', changeId: randomUUID() })
  for (const table of ['attendances', 'attendance_changes'])
    await server.db.execute(sql`
      update ${sql.raw(table)} set changed_at = changed_at + interval '90 seconds'
      where course_date_id = ${course.tick.courseDateId}`)
  const { at } = await server.db.one<{ at: Date }>(sql`
    select changed_at as at from attendances where course_date_id = ${course.tick.courseDateId}`)
  const changedAt = laterMs === null ? undefined : new Date(at.getTime() + laterMs).toISOString()
  await change({ ...course.tick, changeState: 'deleted', ...(changedAt && { changedAt }) })
  expect(await isPresent(course.tick)).toBe(false)
  await change({ ...course.tick, changeState: 'added', changedAt: new Date(at.getTime() - 1).toISOString() })
  expect(await isPresent(course.tick)).toBe(false)
})

test('a repeated change id changes nothing, whatever its content, even after the list was closed', async () => {
  const course = await insertRunningCourse()
  const body = { ...course.tick, changeId: randomUUID() }
  await change({ ...body, changeState: 'added' })
  expect((await change({ ...body, changeState: 'deleted' })).body.status).toBe('Ok')
  expect(await isPresent(course.tick)).toBe(true)
  await server.request(completeParticipation, {
    body: { courseId: course.id, isCompleted: true },
    token: instructor.token,
  })
  expect((await change({ ...body, changeState: 'added' })).body.status).toBe('Ok')
})

test('a replaced instructor may repeat the own change without its time, but no other one', async () => {
  const course = await insertRunningCourse()
  const body = { ...course.tick, changeState: 'added', changeId: randomUUID() } as const
  expect((await change(body)).body.status).toBe('Ok')
  await server.db.execute(sql`
    update course_dates set instructor_email = ${colleague.email} where id = ${course.tick.courseDateId}`)
  expect(await change(body)).toMatchObject({ status: 200, body: { status: 'Ok' } })
  expect(await isPresent(course.tick)).toBe(true)
  expect((await change({ ...body, changeId: randomUUID() })).status).toBe(403)
  const stranger = await insertInstructorWithSession(server.db)
  expect((await change(body, stranger.token)).status).toBe(403)
})

test('a closed attendance list rejects changes until it is reopened', async () => {
  const course = await insertRunningCourse()
  const body = { changeState: 'added', ...course.tick } as const
  const complete = (isCompleted: boolean) =>
    server.request(completeParticipation, { body: { courseId: course.id, isCompleted }, token: instructor.token })
  const revision = () => server.db.one<{ revision: number }>(sql`select revision from courses where id = ${course.id}`)

  const before = (await revision()).revision
  expect(await complete(true)).toMatchObject({
    status: 200,
    body: { courseId: course.id, isCompleted: true, state: 'Ok' },
  })
  await complete(true)
  expect((await revision()).revision).toBe(before + 1)
  const list = await server.request(getCourseDates, { params: { id: course.id }, token: instructor.token })
  expect(list.body.participatingComplete).toBe(true)
  const refused = await server.request(changePresence, { body, token: instructor.token, language: 'en' })
  expect(refused).toMatchObject({
    status: 200,
    body: { ...body, status: 'Failed', message: expect.stringContaining('closed') },
  })
  expect(await isPresent(course.tick)).toBeUndefined()
  await complete(false)
  expect((await change(body)).body.status).toBe('Ok')
})

test('each closing of the list sends its instructor one e-mail, and repeating it sends none', async () => {
  const course = await insertRunningCourse({ name: 'Rückenfit' })
  for (const isCompleted of [true, true, false, true]) {
    const body = { courseId: course.id, isCompleted }
    await server.request(completeParticipation, { body, token: instructor.token })
  }
  const mails = await server.db.query(sql`
    select recipient, payload from mails where kind = 'course-closed' and payload ->> 'courseId' = ${String(course.id)}`)
  expect(mails).toHaveLength(2)
  expect(mails[0]).toMatchObject({ recipient: instructor.email, payload: { name: 'Rückenfit', participants: 1 } })
})

test('attendance of people who cancelled before the lesson, are on the waiting list or never booked is rejected', async () => {
  const course = await insertRunningCourse({ capacity: 1 })
  const waiting = await insertWebUser(server.db)
  await insertBooking(server.db, course.id, waiting.id)
  const body = { changeState: 'added', courseDateId: course.tick.courseDateId } as const
  const refused = { status: 'Failed', code: 'attendance.notInLesson' }
  expect((await change({ ...body, webUserId: waiting.id })).body).toMatchObject(refused)
  const stranger = await insertWebUser(server.db)
  expect((await change({ ...body, webUserId: stranger.id })).body).toMatchObject(refused)
  expect(await isPresent({ ...body, webUserId: stranger.id })).toBeUndefined()
  await server.db.execute(sql`update bookings set cancelled_at = booked_at where web_user_id = ${course.person.id}`)
  expect((await change({ ...body, webUserId: course.person.id })).body).toMatchObject(refused)
  await insertBooking(server.db, course.id, course.person.id, { state: 1 })
  expect((await change({ ...body, webUserId: course.person.id })).body.status).toBe('Ok')
})

test("only the course's instructors have access; unknown ids are 404", async () => {
  const course = await insertRunningCourse()
  const stranger = await insertUserWithSession(server.db)
  const body = { changeState: 'added', ...course.tick } as const
  const closing = { courseId: course.id, isCompleted: true }
  for (const [token, status] of [
    [undefined, 401],
    ['unknown', 401],
    [stranger.token, 403],
    [colleague.token, 403],
  ] as const) {
    const as = token === undefined ? {} : { token }
    expect((await server.request(getCourseDates, { params: { id: course.id }, ...as })).status).toBe(status)
    expect((await server.request(changePresence, { body, ...as })).status).toBe(status)
    expect((await server.request(completeParticipation, { body: closing, ...as })).status).toBe(status)
  }
  const token = instructor.token
  expect((await server.request(getCourseDates, { params: { id: 2_000_000_000 }, token })).status).toBe(404)
  expect((await change({ ...body, courseDateId: 2_000_000_000 })).status).toBe(404)
  expect((await change({ ...body, webUserId: 2_000_000_000 })).status).toBe(404)
  const nowhere = { courseId: 2_000_000_000, isCompleted: true }
  expect((await server.request(completeParticipation, { body: nowhere, token })).status).toBe(404)
  expect(await isPresent(course.tick)).toBeUndefined()
})

test.each([
  ['changedAt', '2026-02-31T10:00:00Z'],
  ['changedAt', '2026-02-01T10:00:00'],
  ['changedAt', 'yesterday'],
  ['changeId', '1'],
  ['changeState', 'toggled'],
  ['webUserId', '1'],
  ['courseDateId', 1.5],
])('an invalid %s (%s) is rejected by name', async (field, value) => {
  const body = { changeState: 'added', courseDateId: 1, webUserId: 1, [field]: value } as never
  const answer = await change(body)
  expect(answer).toMatchObject({ status: 400, body: { status: 'Failed', message: expect.stringContaining(field) } })
})

test('a walk-in guest is recorded once, shown to the instructor and the office, and deleted permanently', async () => {
  const course = await insertRunningCourse({ capacity: 3 })
  const [past = 0, , future = 0] = course.lessonIds
  const person = await insertWebUser(server.db, { familyName: 'Özdemir', givenName: 'Jo' })
  const guestId = randomUUID()
  const note = (values: Partial<GuestRequest> = {}, token = instructor.token) =>
    server.request(noteDoorGuest, {
      token,
      body: { changeState: 'added', guestId, courseDateId: past, name: ' Jo Özdemir ', ...values },
    })
  const guests = async () => {
    const { body } = await server.request(getCourseDates, { params: { id: course.id }, token: instructor.token })
    return body.courseDates.map(date => date.guests)
  }
  const waiting = async () =>
    (await listUnhandledWalkInGuests(server.db)).filter(({ courseId }) => courseId === course.id)
  expect(await guests()).toEqual([undefined, undefined, undefined])

  for (let times = 0; times < 2; times += 1) {
    expect((await note()).body).toMatchObject({ status: 'Ok', guestId, name: 'Jo Özdemir', changeState: 'added' })
  }
  expect(await guests()).toEqual([[{ guestId, name: 'Jo Özdemir' }], undefined, undefined])
  expect(await waiting()).toMatchObject([
    { guestId, name: 'Jo Özdemir', freePlaces: 2, accounts: [{ webUserId: person.id, email: person.email }] },
  ])

  expect((await note({}, colleague.token)).status).toBe(403)
  expect((await note({ courseDateId: course.tick.courseDateId + 1 })).status).toBe(404)
  expect((await note({ guestId: randomUUID(), courseDateId: future })).body).toMatchObject({ status: 'Failed' })
  expect((await note({ guestId: randomUUID(), name: ' ' })).status).toBe(400)

  // A guest who has been booked requires no further action.
  await insertBooking(server.db, course.id, person.id)
  expect(await waiting()).toEqual([])

  expect((await note({ changeState: 'deleted' })).body).toMatchObject({ status: 'Ok' })
  // A delayed copy of the first request.
  expect((await note()).body).toMatchObject({ status: 'Ok' })
  expect(await guests()).toEqual([undefined, undefined, undefined])
  const rows = await server.db.query<{ name: string }>(sql`select name from door_guests where id = ${guestId}`)
  expect(rows).toEqual([{ name: '' }])
})

test('a guest recorded after the list was closed is rejected with the reason, but a repeated earlier entry is not', async () => {
  const course = await insertRunningCourse()
  const note = (guestId: string) =>
    server.request(noteDoorGuest, {
      token: instructor.token,
      body: { changeState: 'added', guestId, courseDateId: course.tick.courseDateId, name: 'Kim Gast' },
    })
  const early = randomUUID()
  await note(early)
  await server.request(completeParticipation, {
    token: instructor.token,
    body: { courseId: course.id, isCompleted: true },
  })
  expect((await note(randomUUID())).body).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining('abgeschlossen'),
  })
  expect((await note(early)).body).toMatchObject({ status: 'Ok' })
})

test('a change for a distant day is rejected like one for tomorrow', async () => {
  const course = await insertRunningCourse()
  const [, , later = 0] = course.lessonIds
  const tick = { courseDateId: later, webUserId: course.person.id, changeState: 'added' } as const
  const early = await change(tick)
  await server.db.execute(sql`update course_dates set held_at = '10000-01-01 10:00' where id = ${later}`)
  expect(await change(tick)).toMatchObject({ status: early.status, body: { message: early.body.message } })
})

test('the SQL statement applies the same rules as decideAttendanceChange', async () => {
  const recordedBy = (await insertWebUser(server.db)).id
  for (const isComplete of [false, true])
    for (const fallsOut of [false, true])
      for (const [state, standing] of [
        ['confirmed', 'inLesson'],
        ['waiting', 'outside'],
        ['cancelled', 'outside'],
        ['none', 'outside'],
        ['unknown', 'unknown'],
      ] as const) {
        const course = await insertRunningCourse({ isParticipatingComplete: isComplete })
        if (fallsOut)
          await server.db.execute(sql`update course_dates set state = 'cancelled' where course_id = ${course.id}`)
        await server.db.execute(sql`
          insert into consents (web_user_id, kind, version, withdrawn_at) values (${course.person.id}, 'attendance', '1', now())`)
        if (state === 'none') await server.db.execute(sql`delete from bookings where course_id = ${course.id}`)
        if (state === 'waiting')
          await server.db.execute(sql`update bookings set state = 2 where course_id = ${course.id}`)
        if (state === 'cancelled')
          await server.db.execute(sql`update bookings set cancelled_at = booked_at where course_id = ${course.id}`)
        for (const [index, heldOn] of ['4', '5', '6'].entries()) {
          const asked = {
            changeId: randomUUID(),
            courseDateId: course.lessonIds[index] ?? 0,
            webUserId: state === 'unknown' ? 2_000_000_000 : course.person.id,
          }
          const given = { ...asked, isPresent: true, changedAt: null, recordedBy, email: instructor.email }
          const isWithdrawn = index === 0 && isComplete === fallsOut
          await server.db.execute(sql`
            update courses set central_test_institute = ${isWithdrawn ? 'KU-BE-4711' : ''} where id = ${course.id}`)
          const facts = { isComplete, fallsOut, isWithdrawn, standing, heldOn, today: '5' }
          const verdict = decideAttendanceChange({ ...facts, isKnown: false })
          const sent = async () => (await insertAttendanceChanges(server.db, [given]))[0]
          expect([facts, await sent()]).toEqual([
            facts,
            { verdict, isWritten: verdict === 'recorded', webUserId: asked.webUserId },
          ])
          if (verdict === 'recorded') expect(await sent()).toMatchObject({ verdict: 'known' })
        }
      }
})

test('a rejected change states whether the booking, the lesson or the whole course was cancelled', async () => {
  const refusalOf = async (
    cancel: (course: { id: number; lesson: number; person: number }) => ReturnType<typeof sql>,
  ) => {
    const { id, tick, person, teacher } = await insertTaughtCourse(server.db, { startsOn: dateFromNow(0) })
    await server.db.execute(cancel({ id, lesson: tick.courseDateId, person: person.id }))
    const { body } = await server.request(changePresence, {
      body: { changeState: 'added', ...tick },
      token: teacher.token,
    })
    expect(body.status).toBe('Failed')
    return body.message
  }
  expect(
    await refusalOf(({ person }) => sql`update bookings set cancelled_at = booked_at where web_user_id = ${person}`),
  ).toBe('Diese Person hatte bei diesem Termin keinen Platz im Kurs.')
  expect(
    await refusalOf(({ lesson }) => sql`update course_dates set state = 'cancelled' where id = ${lesson}`),
  ).toMatch(/^Dieser Termin fällt aus/)
  expect(await refusalOf(({ id }) => sql`update courses set cancelled_at = now() where id = ${id}`)).toMatch(
    /^Dieser Kurs fällt ganz aus/,
  )
})

test('a walk-in guest who has the freed place of the lesson, or of a cancelled course, is no task', async () => {
  const course = await insertRunningCourse({ capacity: 3 })
  const [past = 0] = course.lessonIds
  const person = await insertWebUser(server.db, { familyName: 'Tausch', givenName: 'Toni' })
  const note = (name: string) =>
    server.request(noteDoorGuest, {
      token: instructor.token,
      body: { changeState: 'added', guestId: randomUUID(), courseDateId: past, name },
    })
  for (const name of ['Toni Tausch', 'Nora Neu']) await note(name)
  const waiting = async () =>
    (await listUnhandledWalkInGuests(server.db)).flatMap(({ courseId, name }) => (courseId === course.id ? name : []))
  expect((await waiting()).sort()).toEqual(['Nora Neu', 'Toni Tausch'])
  await server.db.execute(sql`
    insert into freed_places (course_id, course_date_id, booking_id, held_at, followers_from, guest_id, taken_at)
    select d.course_id, d.id, b.id, d.held_at, now(), ${person.id}, now() from course_dates d join bookings b on b.course_id = d.course_id
    where d.id = ${past} and b.cancelled_at is null limit 1`)
  expect(await waiting()).toEqual(['Nora Neu'])
  await server.db.execute(sql`update courses set cancelled_at = clock_timestamp() where id = ${course.id}`)
  expect(await waiting()).toEqual([])
})

test('walk-in guests of the last lesson remain a task without a place to book, until something is charged', async () => {
  const course = await insertRunningCourse({ capacity: 3 })
  const [past = 0] = course.lessonIds
  const person = await insertWebUser(server.db, { familyName: 'Ende', givenName: 'Emil' })
  for (const name of ['Emil Ende', 'Nora Schluss'])
    await server.request(noteDoorGuest, {
      token: instructor.token,
      body: { changeState: 'added', guestId: randomUUID(), courseDateId: past, name },
    })
  await server.db.execute(sql`
    delete from course_dates where course_id = ${course.id} and held_at > localtimestamp`)
  const waiting = async () =>
    (await listUnhandledWalkInGuests(server.db)).flatMap(({ courseId, name, freePlaces }) =>
      courseId === course.id ? `${name}: ${freePlaces}` : [],
    )
  expect((await waiting()).sort()).toEqual(['Emil Ende: 0', 'Nora Schluss: 0'])
  const desk = await openTestDesk(server, ['billing'])
  const entry = { kind: 'add-entry', entryKind: 'correction', amount: 5, reason: 'Gast am letzten Termin' } as const
  expect(await desk.act({ ...entry, webUserId: person.id })).toMatchObject({ status: 'Ok' })
  expect(await waiting()).toEqual(['Nora Schluss: 0'])
})
