import { randomUUID } from 'node:crypto'
import ICAL from 'ical.js'
import { beforeEach, expect, test } from 'vitest'
import { deleteAccount } from '#contract/endpoints/accounts.ts'
import { changePresence, getCourseDates } from '#contract/endpoints/attendance.ts'
import { createFeed } from '#contract/endpoints/calendar.ts'
import {
  announceAbsence,
  bookCourse,
  cancelCourse,
  changeLessonPlace,
  getCourse,
  listBookedCourses,
  listLessonPlaces,
} from '#contract/endpoints/courses.ts'
import { followThing } from '#contract/endpoints/reminders.ts'
import { getOfficeCourse } from '#contract/office/office.ts'
import { getOfficePerson } from '#contract/office/people.ts'
import { EMPLOYEE_STATUS, RIGHTS } from '#contract/values.ts'
import { UNDO_SECONDS } from '#server/office/frame/undo-repository.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { queueDueReminders } from '#server/operations/due-reminders.ts'
import { sql } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import {
  dateFromNow,
  insertCourse,
  insertInstructorWithSession,
  insertUserWithSession,
  markProgrammeChanged,
} from '#server/test/factories.ts'
import { openTestDesk, type TestAct } from '#server/test/office.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { openTestServer } from '#server/test/server.ts'
import { updateLessonPlaces } from './lesson-place-service.ts'

const server = await openTestServer()
const desk = await openTestDesk(server, RIGHTS)
const teacher = await insertInstructorWithSession(server.db)

type Person = Awaited<ReturnType<typeof insertUserWithSession>>
let course: Awaited<ReturnType<typeof insertCourse>>
let lessons: { id: number; heldAt: string }[]
let [owner, waiting, second, follower] = [] as unknown as [Person, Person, Person, Person]

/** A course with one seat: an owner, two people on the waiting list, and one who follows. */
beforeEach(async () => {
  course = await insertCourse(server.db, { capacity: 1, instructorEmails: [teacher.email] })
  lessons = await server.db.query(sql`
    select id, held_at::text as "heldAt" from course_dates where course_id = ${course.id} order by held_at`)
  ;[owner, waiting, second, follower] = await Promise.all([
    insertUserWithSession(server.db),
    insertUserWithSession(server.db),
    insertUserWithSession(server.db),
    insertUserWithSession(server.db),
  ])
  for (const { token } of [owner, waiting, second]) await server.request(bookCourse, { token, body: { id: course.id } })
  await server.request(followThing, { token: follower.token, body: { kind: 'course', id: course.id } })
})

const at = (lesson = 0) => toDateTimeValue(lessons[lesson]?.heldAt ?? null)
const announce = async (isAbsent: boolean, isFreed?: boolean, { token } = owner) =>
  (
    await server.request(announceAbsence, {
      token,
      body: { id: course.id, at: at(), isAbsent, ...(isFreed !== undefined && { isFreed }) },
    })
  ).body
const place = async ({ token }: Person, isTaken = true) =>
  (await server.request(changeLessonPlace, { token, body: { id: course.id, at: at(), isTaken } })).body
const offers = async ({ token }: Person) => (await server.request(listLessonPlaces, { token })).body
const ownCourse = async ({ token } = owner) =>
  (await server.request(listBookedCourses, { token })).body.find(({ id }) => id === course.id)
const listed = async (lesson = 0) => {
  const { body } = await server.request(getCourseDates, { token: teacher.token, params: { id: course.id } })
  return body.courseDates[lesson]?.participants.map(({ id, isGuest = false, isAbsenceAnnounced = false }) => [
    id,
    isGuest,
    isAbsenceAnnounced,
  ])
}
const inBerlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' })
/** Events of the feed that the person's calendar has subscribed to. */
const calendarOf = async ({ token }: Person) => {
  const { url } = (await server.request(createFeed, { token })).body
  const text = await (await server.app.request(new URL(url).pathname)).text()
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map(component => {
    const event = new ICAL.Event(component)
    const status = String(component.getFirstPropertyValue('status'))
    return [event.uid, status, inBerlin.format(event.startDate.toJSDate())]
  })
}
const toldOf = async (kind: string) =>
  (
    await server.db.query<{ id: number }>(sql`
      select web_user_id as id from mails where kind = ${kind} and web_user_id = any(${[owner, waiting, second, follower].map(({ id }) => id)})
      order by id`)
  ).map(({ id }) => id)
/** The lesson begins in two hours, or just before midnight, because its list is open on its day only. */
const moveFirstLessonToToday = async () => {
  await server.db.execute(sql`
    update course_dates set held_at = least(date_trunc('second', localtimestamp) + interval '2 hours', current_date + interval '23 hours 59 minutes 59 seconds')
    where id = ${lessons[0]?.id ?? 0}`)
  await markProgrammeChanged(server.db)
  lessons = await server.db.query(sql`
    select id, held_at::text as "heldAt" from course_dates where course_id = ${course.id} order by held_at`)
}
/** The act that changed the instructor of the lesson can no longer be undone, and the scheduled task runs. */
const runTaskAfterUndoPeriod = async () => {
  await server.db.execute(sql`
    update former_instructors set until = until - interval '1 minute' where course_date_id = ${lessons[0]?.id ?? 0}`)
  await updateLessonPlaces(server.db, 'DE-NI', UNDO_SECONDS)
}
const openForFollowers = () => server.db.execute(sql`update freed_places set followers_from = clock_timestamp()`)
const noFindings = async () => expect((await auditPortal(server.db)).findings).toEqual([])

test('a guest is told once that the lesson is in another hall, and not of other lessons', async () => {
  await announce(true, true)
  await openForFollowers()
  expect(await place(follower)).toMatchObject({ status: 'Ok' })
  const titles = async () =>
    (
      await server.db.query<{ text: string }>(sql`
        select text from inbox_items where web_user_id = ${follower.id} order by id`)
    ).map(({ text }) => text)
  await desk.act({ kind: 'change-lesson', courseDateId: lessons[1]?.id ?? 0, venue: 'Halle 8' })
  expect(await titles()).toEqual([])
  await desk.act({ kind: 'change-lesson', courseDateId: lessons[0]?.id ?? 0, venue: 'Halle 9' })
  expect(await titles()).toEqual([expect.stringContaining('Halle 9')])
  const write = async (to: Pick<TestAct & { kind: 'send-message' }, 'to' | 'id' | 'filter'>) => {
    const { consequences } = await desk.act({ kind: 'send-message', ...to, title: 'Matte', mail: false })
    return consequences.told.map(({ id }) => id).sort()
  }
  const day = lessons[0]?.heldAt.slice(0, 10) ?? ''
  const both = [owner.id, follower.id].sort()
  expect(await write({ to: 'lesson', id: lessons[0]?.id })).toEqual(both)
  expect(await write({ to: 'filter', filter: { courseIds: [course.id], date: day } })).toEqual(both)
  expect(await write({ to: 'lesson', id: lessons[1]?.id })).toEqual([owner.id])
  expect(await write({ to: 'course', id: course.id })).toEqual([owner.id])
  const before = (await titles()).length
  // A lesson at another time ends the place, which has a message of its own.
  await desk.act({ kind: 'change-lesson', courseDateId: lessons[0]?.id ?? 0, startTime: '19:00', endTime: '20:00' })
  expect(await titles()).toHaveLength(before + 1)
})

test.each(['change-course', 'change-courses'] as const)(
  '%s tells a guest of what changes for the own lesson alone',
  async kind => {
    await announce(true, true)
    await openForFollowers()
    await place(follower)
    const courseId = course.id
    const isTold = async (change: object) => {
      const target = kind === 'change-course' ? { kind, courseId } : { kind, courseIds: [courseId] }
      const { consequences, status } = await desk.actAsPreviewed({
        ...target,
        ...change,
        // The instructor teaches the courses of the other tests at the same time.
        reason: 'so besprochen',
      })
      expect(status).toBe('Ok')
      return consequences.told.some(({ id }) => id === follower.id)
    }
    expect(await isTold({ venue: 'Halle 7' })).toBe(true)
    await desk.act({ kind: 'change-lesson', courseDateId: lessons[0]?.id ?? 0, venue: 'Halle 9' })
    expect(await isTold({ venue: 'Halle 8' })).toBe(false)
    if (kind === 'change-courses') return
    expect(await isTold({ meetingURL: 'https://meet.example/8' })).toBe(true)
    expect(await isTold({ endTime: '19:30' })).toBe(true)
  },
)

test('the guest of an online lesson sees the link to the meeting, until the place is returned', async () => {
  await server.db.execute(sql`update courses set meeting_url = 'https://meet.example/7' where id = ${course.id}`)
  await markProgrammeChanged(server.db)
  const linkFor = async ({ token }: Person) =>
    (await server.request(getCourse, { token, params: { id: course.id } })).body.meetingURL
  await announce(true, true)
  expect(await linkFor(waiting)).toBe('')
  await place(waiting)
  expect([await linkFor(owner), await linkFor(waiting), await linkFor(second)]).toEqual([
    'https://meet.example/7',
    'https://meet.example/7',
    '',
  ])
  await place(waiting, false)
  expect(await linkFor(waiting)).toBe('')
})

test('a freed place is offered to those who wait, later to those who follow, and the first has it', async () => {
  expect(await announce(true)).toMatchObject({ status: 'Ok' })
  expect(await offers(waiting)).toEqual([])
  expect(await announce(true, true)).toMatchObject({ status: 'Ok' })
  expect((await ownCourse())?.freedPlaces).toEqual([{ at: at(), isTaken: false }])
  expect(await offers(waiting)).toEqual([{ id: course.id, at: at(), isMine: false }])
  expect(await offers(follower)).toEqual([])
  expect(await place(follower)).toMatchObject({ status: 'Failed', code: 'booking.place.gone' })
  await queueDueReminders(server.db)
  await queueDueReminders(server.db)
  expect(await toldOf('lesson-place')).toEqual([waiting.id, second.id].sort((a, b) => a - b))
  await openForFollowers()
  await queueDueReminders(server.db)
  expect(await toldOf('lesson-place')).toContain(follower.id)

  const answers = await Promise.all([place(waiting), place(second), place(follower)])
  expect(answers.map(({ status }) => status).sort()).toEqual(['Failed', 'Failed', 'Ok'])
  const guest = [waiting, second, follower][answers.findIndex(({ status }) => status === 'Ok')] ?? waiting
  expect(await place(guest)).toMatchObject({ status: 'Ok' })
  expect(await offers(guest)).toEqual([{ id: course.id, at: at(), isMine: true }])
  expect(await listed()).toEqual(
    expect.arrayContaining([
      [owner.id, false, true],
      [guest.id, true, false],
    ]),
  )
  expect(await listed(1)).toEqual([[owner.id, false, false]])
  // A guest who follows has this event alone; one who waits also those of the waiting list.
  expect((await calendarOf(guest)).filter(([uid]) => uid?.startsWith('place-'))).toEqual([
    [expect.stringMatching(/^place-\d+@/), 'CONFIRMED', lessons[0]?.heldAt.slice(0, 16)],
  ])
  expect((await ownCourse())?.freedPlaces).toEqual([{ at: at(), isTaken: true }])
  for (const taken of [await announce(false), await announce(true, false)])
    expect(taken).toMatchObject({ status: 'Failed', code: 'booking.absence.taken' })
  expect((await ownCourse())?.bookingStatus).toBe(1)

  expect(await place(guest, false)).toMatchObject({ status: 'Ok' })
  expect((await calendarOf(guest)).filter(([uid]) => uid?.startsWith('place-'))).toEqual([])
  // Nobody is told of the same lesson again within the hour.
  const told = await toldOf('lesson-place')
  await queueDueReminders(server.db)
  expect(await toldOf('lesson-place')).toEqual(told)
  await server.db.execute(sql`update alerts set created_at = created_at - interval '1 hour'`)
  await queueDueReminders(server.db)
  expect(await toldOf('lesson-place')).toHaveLength(told.length + 3)
  expect(await announce(false)).toMatchObject({ status: 'Ok' })
  expect(await listed()).toEqual([[owner.id, false, false]])
  expect(await place(second)).toMatchObject({ status: 'Failed' })
  await noFindings()
})

test('a guest is ticked present, which counts for neither', async () => {
  await announce(true, true)
  await place(waiting)
  await server.db.execute(sql`
    update bookings set booked_at = booked_at - interval '20 days' where course_id = ${course.id}`)
  await server.db.execute(sql`
    update course_dates set held_at = held_at - interval '8 days' where course_id = ${course.id}`)
  await server.db.execute(sql`
    update freed_places set held_at = held_at - interval '8 days' where course_id = ${course.id}`)
  await markProgrammeChanged(server.db)
  const tick = async (webUserId: number) =>
    await server.request(changePresence, {
      token: teacher.token,
      body: { changeState: 'added', courseDateId: lessons[0]?.id ?? 0, webUserId },
    })
  expect((await tick(waiting.id)).body.status).toBe('Ok')
  expect((await tick(second.id)).body).toMatchObject({ status: 'Failed', code: 'attendance.notInLesson' })
  expect((await ownCourse())?.attendance).toMatchObject({ held: 1, present: 0 })
  expect((await ownCourse(waiting))?.participation).toBe(0)
  expect(await offers(follower)).toEqual([])
  const shown = await server.request(getOfficeCourse, { token: desk.token, params: { id: course.id } })
  expect(shown.body.lessons.map(({ guests }) => guests.map(({ webUserId }) => webUserId))).toEqual([
    [waiting.id],
    ...lessons.slice(1).map(() => []),
  ])
  const { guestLessons } = (await server.request(getOfficePerson, { token: desk.token, params: { id: waiting.id } }))
    .body
  expect(guestLessons).toMatchObject([{ courseId: course.id, isPresent: true }])
  await noFindings()
})

test('a lesson counts as not recorded if everyone who was ticked before it began has left, unless that is undone', async () => {
  await moveFirstLessonToToday()
  const courseDateId = lessons[0]?.id ?? 0
  const tick = { changeState: 'added' as const, courseDateId, webUserId: owner.id }
  expect((await server.request(changePresence, { token: teacher.token, body: tick })).body.status).toBe('Ok')
  await announce(true, true)
  await openForFollowers()
  await place(follower)
  const ofGuest = { ...tick, webUserId: follower.id }
  expect((await server.request(changePresence, { token: teacher.token, body: ofGuest })).body.status).toBe('Ok')
  await desk.act({ kind: 'change-course', courseId: course.id, participants: 3 })
  const presences = async () =>
    (
      await server.db.query<{ id: number }>(sql`
        select web_user_id as id from attendances where course_date_id = ${courseDateId} and is_present is not null order by 1`)
    ).map(({ id }) => id)
  const seat = { courseId: course.id, webUserId: owner.id }
  const actId = randomUUID()
  await desk.act({ kind: 'cancel-booking', ...seat, charge: 'none', actId, undoable: true })
  await updateLessonPlaces(server.db, 'DE-NI', UNDO_SECONDS)
  await desk.act({ kind: 'book', ...seat, undoes: actId })
  expect(await presences()).toEqual([owner.id, follower.id].sort((a, b) => a - b))

  await server.request(cancelCourse, { token: owner.token, body: { id: course.id } })
  await updateLessonPlaces(server.db, 'DE-NI', UNDO_SECONDS)
  await server.db.execute(sql`
    update bookings set cancelled_at = cancelled_at - interval '30 s' where web_user_id = ${owner.id}`)
  await server.db.execute(
    sql`update freed_places set ended_at = ended_at - interval '30 s' where course_id = ${course.id}`,
  )
  await updateLessonPlaces(server.db, 'DE-NI', UNDO_SECONDS)
  expect(await presences()).toEqual([])
  await noFindings()
})

test('a change for a former guest without a booking is answered like one for a former participant', async () => {
  await announce(true, true)
  await openForFollowers()
  await place(follower)
  await desk.act({ kind: 'cancel-booking', courseId: course.id, webUserId: owner.id, charge: 'none' })
  const body = { changeState: 'added' as const, courseDateId: lessons[0]?.id ?? 0, webUserId: follower.id }
  await server.db.execute(sql`
    update bookings set booked_at = booked_at - interval '20 days' where course_id = ${course.id}`)
  await server.db.execute(sql`
    update course_dates set held_at = held_at - interval '8 days' where course_id = ${course.id}`)
  await markProgrammeChanged(server.db)
  const answer = await server.request(changePresence, { token: teacher.token, body })
  expect(answer).toMatchObject({ status: 200, body: { status: 'Failed', code: 'attendance.notInLesson' } })
})

test('a place ends with the lesson or the seat, and its guest is told once; an undone action restores it', async () => {
  await announce(true, true)
  await place(waiting)
  const courseDateId = lessons[0]?.id ?? 0
  const inbox = async () =>
    (await server.db.query(sql`select from inbox_items where web_user_id = ${waiting.id}`)).length
  const before = await inbox()
  const cancel = { kind: 'cancel-lesson', courseDateId } as const
  const preview = await desk.send({ ...cancel, preview: true })
  expect(preview.body.consequences?.told.map(({ id }) => id)).toEqual(expect.arrayContaining([owner.id, waiting.id]))
  expect((await listed())?.length).toBe(2)
  const actId = randomUUID()
  expect(await desk.act({ ...cancel, actId, undoable: true })).toMatchObject({ undoable: true })
  expect(await inbox()).toBe(before + 1)
  expect(await offers(waiting)).toEqual([])
  expect(await desk.act({ kind: 'restore-lesson', courseDateId, undoes: actId })).toMatchObject({ status: 'Ok' })
  expect(await inbox()).toBe(before)
  expect(await listed()).toContainEqual([waiting.id, true, false])

  await desk.act({ kind: 'cancel-booking', courseId: course.id, webUserId: owner.id, charge: 'none' })
  // The first person on the waiting list is the guest, and now has the seat.
  expect(await listed()).toEqual([[waiting.id, false, false]])
  expect(await inbox()).toBe(before + 1)
  await announce(true, true, waiting)
  expect(await place(second)).toMatchObject({ status: 'Ok' })
  await desk.act({ kind: 'cancel-booking', courseId: course.id, webUserId: waiting.id, charge: 'none' })
  await noFindings()
})

test('an announced absence ends while the lesson is on another day, but not with another time', async () => {
  await announce(true)
  const courseDateId = lessons[0]?.id ?? 0
  const move = (change: object) => desk.act({ kind: 'change-lesson', courseDateId, ...change, reason: 'Test' })
  const [day = '', time = ''] = (lessons[0]?.heldAt ?? '').split(' ')
  const absences = async () => [(await listed())?.[0], (await ownCourse())?.absences]
  await move({ startTime: '06:00', endTime: '07:00' })
  expect(await absences()).toEqual([[owner.id, false, true], [toDateTimeValue(`${day} 06:00:00`)]])
  const actId = randomUUID()
  await desk.act({ kind: 'change-lesson', courseDateId, date: dateFromNow(1), reason: 'Test', actId, undoable: true })
  expect(await absences()).toEqual([[owner.id, false, false], undefined])
  await desk.act({ kind: 'change-lesson', courseDateId, date: day, reason: 'Test', undoes: actId })
  expect(await absences()).toMatchObject([[owner.id, false, true], [{ hour: 6 }]])
  await move({ date: dateFromNow(1), startTime: time.slice(0, 5), endTime: '23:00' })
  expect(await absences()).toEqual([[owner.id, false, false], undefined])
  await noFindings()
})

test('undoing a booking or a cancellation leaves guests their place and owners what they announced', async () => {
  await announce(true, true)
  await openForFollowers()
  await place(follower)
  const seatOf = ({ id: webUserId }: Person) => ({ courseId: course.id, webUserId })
  const booked = randomUUID()
  await desk.act({ kind: 'change-course', courseId: course.id, participants: 4 })
  expect(await desk.act({ kind: 'book', ...seatOf(follower), actId: booked, undoable: true })).toMatchObject({
    undoable: true,
  })
  await updateLessonPlaces(server.db, 'DE-NI', UNDO_SECONDS)
  expect(await listed()).toContainEqual([follower.id, false, false])
  await desk.act({ kind: 'cancel-booking', ...seatOf(follower), charge: 'none', undoes: booked })
  await updateLessonPlaces(server.db, 'DE-NI', UNDO_SECONDS)
  expect(await listed()).toContainEqual([follower.id, true, false])

  const cancelled = randomUUID()
  const cancel = { kind: 'cancel-booking', ...seatOf(owner), charge: 'none' } as const
  expect(await desk.act({ ...cancel, actId: cancelled, undoable: true })).toMatchObject({ undoable: true })
  expect(await listed()).not.toContainEqual([follower.id, true, false])
  expect(await desk.act({ kind: 'book', ...seatOf(owner), undoes: cancelled })).toMatchObject({ status: 'Ok' })
  expect(await listed()).toEqual(
    expect.arrayContaining([
      [owner.id, false, true],
      [follower.id, true, false],
    ]),
  )

  await desk.act({ kind: 'book', ...seatOf(follower) })
  await server.db.execute(
    sql`update bookings set booked_at = booked_at - interval '1 minute' where course_id = ${course.id}`,
  )
  await updateLessonPlaces(server.db, 'DE-NI', UNDO_SECONDS)
  expect((await ownCourse())?.freedPlaces).toEqual([{ at: at(), isTaken: false }])
  await noFindings()
})

test('the place of a guest who deletes the account is offered again', async () => {
  await announce(true, true)
  await server.db.execute(sql`update web_users set password_hash = ${passwordHash} where id = ${second.id}`)
  await queueDueReminders(server.db)
  await server.db.execute(sql`update alerts set created_at = created_at - interval '1 hour'`)
  await place(second)
  await server.request(cancelCourse, { token: second.token, body: { id: course.id } })
  expect((await server.request(deleteAccount, { token: second.token, body: { password: PASSWORD } })).body.status).toBe(
    'Ok',
  )
  await queueDueReminders(server.db)
  expect(await toldOf('lesson-place')).toEqual([waiting.id, waiting.id])
  await noFindings()
})

test('neither externals nor people whose division is online-only may take a place', async () => {
  await announce(true, true)
  await openForFollowers()
  await server.db.execute(sql`
    update web_users set employee_status = ${EMPLOYEE_STATUS.External} where id = ${follower.id}`)
  expect(await offers(follower)).toEqual([])
  expect(await place(follower)).toMatchObject({ status: 'Failed' })
  await server.db.execute(sql`update web_users set locked_at = now() where id = ${waiting.id}`)
  await queueDueReminders(server.db)
  expect(await toldOf('lesson-place')).toEqual([second.id])
})

test('the instructor of a lesson is offered no place in it, but one in a lesson with a substitute', async () => {
  await server.request(followThing, { token: teacher.token, body: { kind: 'course', id: course.id } })
  await announce(true, true)
  await openForFollowers()
  await queueDueReminders(server.db)
  expect(await offers(teacher)).toEqual([])
  expect(await place(teacher)).toMatchObject({ status: 'Failed' })
  const substitute = await insertInstructorWithSession(server.db)
  await desk.act({
    kind: 'change-lesson',
    courseDateId: lessons[0]?.id ?? 0,
    instructorEmail: substitute.email,
    reason: 'Vertretung',
  })
  expect(await place(substitute)).toMatchObject({ status: 'Failed' })
  expect(await place(teacher)).toMatchObject({ status: 'Ok' })
  expect(await listed()).toContainEqual([teacher.id, true, false])
  // Who teaches the lesson after all is no longer its guest, and the place is offered again.
  await desk.act({
    kind: 'change-lesson',
    courseDateId: lessons[0]?.id ?? 0,
    instructorEmail: '',
    reason: 'wieder gesund',
  })
  await runTaskAfterUndoPeriod()
  expect(await listed()).toEqual([[owner.id, false, true]])
  expect(await place(follower)).toMatchObject({ status: 'Ok' })
  await noFindings()
})

test('a guest who becomes the instructor leaves no presence behind, but retains the place if that is undone', async () => {
  await moveFirstLessonToToday()
  const courseDateId = lessons[0]?.id ?? 0
  const substitute = await insertInstructorWithSession(server.db)
  const change = { kind: 'change-lesson', courseDateId, reason: 'Vertretung' } as const
  await desk.act({ ...change, instructorEmail: substitute.email })
  await server.request(followThing, { token: teacher.token, body: { kind: 'course', id: course.id } })
  await announce(true, true)
  await openForFollowers()
  expect(await place(teacher)).toMatchObject({ status: 'Ok' })
  const tick = { changeState: 'added' as const, courseDateId, webUserId: teacher.id }
  expect((await server.request(changePresence, { token: substitute.token, body: tick })).body.status).toBe('Ok')
  const presences = () =>
    server.db.query(sql`select is_present from attendances where course_date_id = ${courseDateId}`)
  const actId = randomUUID()
  expect(await desk.act({ ...change, instructorEmail: '', actId, undoable: true })).toMatchObject({ undoable: true })
  await updateLessonPlaces(server.db, 'DE-NI', UNDO_SECONDS)
  expect(await desk.act({ ...change, instructorEmail: substitute.email, undoes: actId })).toMatchObject({
    status: 'Ok',
  })
  await runTaskAfterUndoPeriod()
  expect(await listed()).toContainEqual([teacher.id, true, false])
  expect(await presences()).toEqual([{ is_present: true }])

  await desk.act({ ...change, instructorEmail: '' })
  await runTaskAfterUndoPeriod()
  expect(await listed()).toEqual([[owner.id, false, true]])
  expect(await presences()).toEqual([{ is_present: null }])
  await noFindings()
})

test('a place returned after the instructor recorded its guest leaves no presence behind', async () => {
  await moveFirstLessonToToday()
  await announce(true, true)
  await openForFollowers()
  await place(follower)
  const change = { changeState: 'added' as const, courseDateId: lessons[0]?.id ?? 0, webUserId: follower.id }
  const tick = async (changeId: string, changedAt = new Date()) =>
    (
      await server.request(changePresence, {
        token: teacher.token,
        body: { ...change, changeId, changedAt: changedAt.toISOString() },
      })
    ).body
  const acknowledged = randomUUID()
  const beforeReturn = new Date()
  expect(await tick(acknowledged, beforeReturn)).toMatchObject({ status: 'Ok' })
  expect(await place(follower, false)).toMatchObject({ status: 'Ok' })
  await noFindings()
  // The acknowledged change stays acknowledged; one that the phone sends only now is refused, because its person
  // does not belong to the lesson.
  expect(await tick(acknowledged, beforeReturn)).toMatchObject({ status: 'Ok' })
  expect(await tick(randomUUID(), beforeReturn)).toMatchObject({ status: 'Failed', code: 'attendance.notInLesson' })
  await server.db.execute(sql`
    update bookings set booked_at = booked_at - interval '20 days' where course_id = ${course.id}`)
  await server.db.execute(sql`
    update course_dates set held_at = held_at - interval '1 day' where id = ${lessons[0]?.id ?? 0}`)
  await markProgrammeChanged(server.db)
  // Nobody recorded this lesson: the owner is not absent from it.
  expect((await ownCourse())?.attendance).toMatchObject({ unrecorded: 1 })
})

test('a tick remains when the account is deleted on the day of the lesson', async () => {
  await moveFirstLessonToToday()
  const courseDateId = lessons[0]?.id ?? 0
  await server.db.execute(sql`update web_users set password_hash = ${passwordHash} where id = ${owner.id}`)
  await server.db.execute(
    sql`update bookings set booked_at = booked_at - interval '3 days' where web_user_id = ${owner.id}`,
  )
  const body = { changeState: 'added' as const, courseDateId, webUserId: owner.id }
  expect((await server.request(changePresence, { token: teacher.token, body })).body.status).toBe('Ok')
  // The lesson has begun.
  await server.db.execute(sql`
    update course_dates set held_at = greatest(localtimestamp(0) - interval '2 hours', current_date)
    where id = ${courseDateId}`)
  await server.request(cancelCourse, { token: owner.token, body: { id: course.id } })
  expect((await server.request(deleteAccount, { token: owner.token, body: { password: PASSWORD } })).body.status).toBe(
    'Ok',
  )
  await server.db.execute(
    sql`update bookings set cancelled_at = cancelled_at - interval '1 minute' where course_id = ${course.id}`,
  )
  await updateLessonPlaces(server.db, 'DE-NI', UNDO_SECONDS)
  expect(await server.db.query(sql`select is_present from attendances where course_date_id = ${courseDateId}`)).toEqual(
    [{ is_present: true }],
  )
})

test('a withdrawn absence leaves no day behind that a later one would get', async () => {
  await announce(true)
  await announce(false)
  const courseDateId = lessons[0]?.id ?? 0
  await desk.act({ kind: 'change-lesson', courseDateId, date: dateFromNow(2), reason: 'Test' })
  // As by a portal of the version before, while several are upgraded.
  await server.db.execute(
    sql`update bookings set announced_absences = array[${courseDateId}::int] where web_user_id = ${owner.id}`,
  )
  expect((await ownCourse())?.absences).toHaveLength(1)
})

test('the desk is asked before it books a guest into a course at the time of the guest’s lesson', async () => {
  await announce(true, true)
  expect(await place(waiting)).toMatchObject({ status: 'Ok' })
  const dates = lessons.slice(0, 1).map(({ heldAt }) => heldAt)
  const other = await insertCourse(server.db, { dates })
  const book = { kind: 'book', courseId: other.id, webUserId: waiting.id, preview: true } as const
  await server.request(cancelCourse, { token: waiting.token, body: { id: course.id } })
  expect(await desk.act(book)).toMatchObject({ status: 'Reason', message: expect.stringContaining(course.name) })
  await place(waiting, false)
  expect((await desk.act(book)).status).toBe('Ok')
})
