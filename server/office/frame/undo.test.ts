import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { leaseDueMessages } from '#server/platform/outbox/outbox.ts'
import { dateFromNow, insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { openTestDesk, openTestProgram, type TestAct } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const { db } = server
const office = await openTestDesk(server, ['programme', 'bookings'])
const colleague = await openTestDesk(server, ['programme', 'bookings'])

const mailsTo = (id: number) =>
  db.query<{ kind: string; isHeld: boolean }>(sql`
    select kind, due_at > clock_timestamp() + interval '5 s' as "isHeld" from mails where web_user_id = ${id} order by id`)
const inboxOf = async (id: number) => (await db.query(sql`select id from inbox_items where web_user_id = ${id}`)).length
const forget = (id: number) =>
  Promise.all([
    db.execute(sql`delete from mails where web_user_id = ${id}`),
    db.execute(sql`delete from inbox_items where web_user_id = ${id}`),
  ])

/** A course with one booked person, whose notification has been sent. */
async function insertScene(capacity = 2) {
  const course = await insertCourse(db, { capacity })
  const person = await insertUserWithSession(db)
  await office.act({ kind: 'book', courseId: course.id, webUserId: person.id })
  const lesson = await db.one<{ id: number; heldAt: string }>(sql`
    select id, held_at::text as "heldAt" from course_dates where course_id = ${course.id} order by held_at limit 1`)
  return { course, person, lesson, actId: randomUUID() }
}
type Scene = Awaited<ReturnType<typeof insertScene>>

const stateOf = ({ course, person, lesson }: Scene) =>
  db.one(sql`
    select d.state, d.held_at::text as "heldAt", c.is_confirmed as "isConfirmed", (
        select b.state from bookings b where b.course_id = c.id and b.web_user_id = ${person.id} and b.cancelled_at is null) as booking
    from course_dates d join courses c on c.id = d.course_id where d.id = ${lesson.id} and c.id = ${course.id}`)

const PAIRS: Record<string, (scene: Scene) => { act: TestAct; inverse: TestAct }> = {
  'a cancelled lesson': ({ lesson: { id } }) => ({
    act: { kind: 'cancel-lesson', courseDateId: id },
    inverse: { kind: 'restore-lesson', courseDateId: id },
  }),
  'a moved lesson': ({ lesson: { id, heldAt } }) => ({
    act: { kind: 'change-lesson', courseDateId: id, startTime: '05:00', endTime: '05:30' },
    inverse: { kind: 'change-lesson', courseDateId: id, startTime: heldAt.slice(11, 16) },
  }),
  'a confirmed course': ({ course: { id } }) => ({
    act: { kind: 'confirm-course', courseId: id },
    inverse: { kind: 'unconfirm-course', courseId: id },
  }),
  'a cancelled booking': ({ course, person }) => ({
    act: { kind: 'cancel-booking', courseId: course.id, webUserId: person.id, charge: 'none' },
    inverse: { kind: 'book', courseId: course.id, webUserId: person.id },
  }),
}

test.each(Object.entries(PAIRS))('undoing %s sends no notifications', async (_, pairOf) => {
  const scene = await insertScene()
  const { person, actId } = scene
  const { act, inverse } = pairOf(scene)
  const before = await stateOf(scene)
  const told = await mailsTo(person.id)
  const read = await inboxOf(person.id)

  expect(await office.act({ ...act, actId, undoable: true })).toMatchObject({ status: 'Ok', undoable: true })
  const [held] = (await mailsTo(person.id)).slice(told.length)
  expect(held).toMatchObject({ isHeld: true })
  expect(await leaseDueMessages(db, 'mail', { limit: 100, leaseMs: 1 })).not.toContainEqual(
    expect.objectContaining({ webUserId: person.id, kind: held?.kind }),
  )

  expect(await office.act({ ...inverse, undoes: actId })).toMatchObject({
    status: 'Ok',
    consequences: { mails: 0, letters: 0, messages: 0, told: [] },
  })
  expect(await stateOf(scene)).toEqual(before)
  expect((await mailsTo(person.id)).map(({ kind }) => kind)).toEqual(told.map(({ kind }) => kind))
  expect(await inboxOf(person.id)).toBe(read)
  expect((await auditPortal(db)).findings).toEqual([])
})

/** Acts after which the desk cannot name the former values: notes, the course's own room and times, a venue as text. */
const REPLACED: Record<string, (scene: Scene) => Promise<{ act: TestAct; inverse: TestAct }>> = {
  'a cancelled lesson': async ({ lesson: { id } }) => ({
    act: { kind: 'cancel-lesson', courseDateId: id, note: 'Der Boden ist gesperrt.' },
    inverse: { kind: 'restore-lesson', courseDateId: id },
  }),
  'a moved first lesson': async ({ lesson: { id, heldAt } }) => {
    const to = { startTime: '05:00', endTime: '05:30', roomId: null }
    const from = { startTime: heldAt.slice(11, 16), endTime: '19:00', roomId: null, instructorEmail: null }
    return {
      act: { kind: 'change-lesson', courseDateId: id, date: dateFromNow(11), ...to },
      inverse: { kind: 'change-lesson', courseDateId: id, date: heldAt.slice(0, 10), ...from },
    }
  },
  'lessons changed together': async ({ course, lesson: { id } }) => {
    const lessons = await db.query<{ id: number }>(sql`select id from course_dates where course_id = ${course.id}`)
    await db.execute(sql`update course_dates set note = 'Termin ' || id where course_id = ${course.id} and id <> ${id}`)
    const ids = lessons.map(lesson => ({ courseDateId: lesson.id }))
    return {
      act: { kind: 'change-lessons', lessons: ids.map(one => ({ ...one, cancel: true })), note: 'Baustelle' },
      inverse: { kind: 'change-lessons', lessons: ids.map(one => ({ ...one, restore: true })) },
    }
  },
  'a lesson moved from a venue into a room': async ({ course, person, lesson: { id } }) => {
    await office.act({ kind: 'cancel-booking', courseId: course.id, webUserId: person.id, charge: 'none' })
    const { roomId } = await db.one<{ roomId: number }>(sql`
      insert into rooms (name) values (${`Halle ${id}`}) returning id as "roomId"`)
    await db.execute(sql`update course_dates set venue = 'Schwimmbad' where id = ${id}`)
    return {
      act: { kind: 'change-lesson', courseDateId: id, roomId },
      inverse: { kind: 'change-lesson', courseDateId: id, roomId: null },
    }
  },
  'a restored course': async ({ course: { id: courseId }, person }) => {
    await office.act({ kind: 'cancel-booking', courseId, webUserId: person.id, charge: 'none' })
    await office.act({ kind: 'cancel-course', courseId, note: 'Die Halle ist gesperrt.', note2: 'The hall is closed.' })
    return { act: { kind: 'restore-course', courseId }, inverse: { kind: 'cancel-course', courseId } }
  },
}

test.each(Object.entries(REPLACED))('undoing %s restores what the desk cannot name', async (_, pairOf) => {
  const scene = await insertScene()
  const { course, lesson, actId } = scene
  await db.execute(
    sql`update course_dates set note = 'Bitte Matten mitbringen', note2 = 'Bring mats' where id = ${lesson.id}`,
  )
  const { act, inverse } = await pairOf(scene)
  const stored = async () => [
    await db.query(sql`
      select held_at, moved_from, ends_at, room_id, venue, instructor_email, note, note2, state, is_excluded
      from course_dates where course_id = ${course.id} order by id`),
    await db.one(sql`
      select note, note2, starts_on, ends_on, day, weekdays, cancelled_at is null as open from courses where id = ${course.id}`),
    await db.query(sql`select first_lesson_on from bookings where course_id = ${course.id}`),
  ]
  const before = await stored()
  expect(await office.act({ ...act, reason: 'Ferien', actId, undoable: true })).toMatchObject({ undoable: true })
  expect(await stored()).not.toEqual(before)
  expect(await office.act({ ...inverse, undoes: actId })).toMatchObject({ status: 'Ok' })
  expect(await stored()).toEqual(before)
  expect((await auditPortal(db)).findings).toEqual([])
})

test.each(['cancel-booking', 'move-booking'] as const)(
  'undoing %s restores the booking with its price and past',
  async kind => {
    const { course, person, actId } = await insertScene()
    const other = await insertCourse(db)
    await db.execute(sql`
    update bookings set booked_at = booked_at - interval '40 days', price_cents = 100, price_rule = 'fee',
      promised_lessons = 9, is_waiver_offered = true, announced_absences = '{7}', absence_days = '{"7": "2100-12-01"}' where course_id = ${course.id}`)
    const bookings = () =>
      db.query(sql`
      select id, seq, state, booked_at, price_cents, promised_lessons, is_waiver_offered, announced_absences, absence_days, charge,
        cancelled_at from bookings where course_id = ${course.id} and web_user_id = ${person.id}`)
    const before = await bookings()
    const counted = await db.one(sql`select taken from courses where id = ${course.id}`)
    const webUserId = person.id
    const [done, inverse] =
      kind === 'move-booking'
        ? [
            { kind, fromCourseId: course.id, toCourseId: other.id, webUserId },
            { kind, fromCourseId: other.id, toCourseId: course.id, webUserId },
          ]
        : [
            { kind, courseId: course.id, webUserId, charge: 'none' as const },
            { kind: 'book' as const, courseId: course.id, webUserId },
          ]
    expect(await office.act({ ...done, actId, undoable: true })).toMatchObject({ undoable: true })
    expect(await office.act({ ...inverse, undoes: actId })).toMatchObject({
      status: 'Ok',
      consequences: { booked: [{ id: webUserId }], told: [] },
    })
    expect(await bookings()).toEqual(before)
    expect(await db.one(sql`select taken from courses where id = ${course.id}`)).toEqual(counted)
    expect((await auditPortal(db)).findings).toEqual([])
  },
)

test('e-mails of an action that is not undone are sent after 10 s, also by another process', async () => {
  const { person, lesson, actId } = await insertScene()
  await forget(person.id)
  await office.act({ kind: 'cancel-lesson', courseDateId: lesson.id, actId, undoable: true })
  await db.execute(sql`update outbox set due_at = due_at - interval '10 s' where web_user_id = ${person.id}`)
  expect(await leaseDueMessages(db, 'mail', { limit: 100, leaseMs: 60_000 })).toContainEqual(
    expect.objectContaining({ webUserId: person.id }),
  )
})

test('e-mails are delayed only if the caller can undo the action', async () => {
  const { person, lesson } = await insertScene()
  await forget(person.id)
  const answer = await office.act({ kind: 'cancel-lesson', courseDateId: lesson.id })
  expect(answer.undoable).toBeUndefined()
  expect(await mailsTo(person.id)).toMatchObject([{ isHeld: false }])
})

test('webhook calls wait until the action can no longer be undone, and none remains that a receiver does not need', async () => {
  const { course, person, lesson, actId } = await insertScene()
  const other = await insertUserWithSession(db)
  const place = { courseId: course.id, webUserId: other.id }
  await db.execute(sql`
    insert into webhooks (name, url, secret, kinds) values ('doors', 'https://doors.example', 'x',
      '{booking.created,booking.waitlisted,booking.cancelled,course.changed}')`)
  const calls = () =>
    db.query<{ kind: string; version: string | null }>(
      sql`select kind, payload ->> 'version' as version from outbox where channel = 'webhook' order by id`,
    )
  const versionOf = async () =>
    (await db.one<{ version: string }>(sql`select version::text from courses where id = ${course.id}`)).version
  const isDue = async () => (await leaseDueMessages(db, 'webhook', { limit: 100, leaseMs: 1 })).length > 0

  await office.act({ kind: 'cancel-lesson', courseDateId: lesson.id, actId, undoable: true })
  expect([await calls(), await isDue()]).toEqual([[{ kind: 'course.changed', version: await versionOf() }], false])
  await office.act({ kind: 'restore-lesson', courseDateId: lesson.id, undoes: actId })
  expect([await calls(), await isDue()]).toEqual([[{ kind: 'course.changed', version: await versionOf() }], true])

  await db.execute(sql`delete from outbox where channel = 'webhook'`)
  const booked = randomUUID()
  await office.act({ kind: 'book', ...place, actId: booked, undoable: true })
  expect([(await calls()).length > 0, await isDue()]).toEqual([true, false])
  await office.act({ kind: 'cancel-booking', ...place, charge: 'none', undoes: booked })
  expect(await calls()).toEqual([{ kind: 'course.changed', version: await versionOf() }])

  // Undoing a cancellation restores the booking, which the receiver never learns to be cancelled.
  await db.execute(sql`delete from outbox where channel = 'webhook'`)
  const cancelled = randomUUID()
  const seat = { courseId: course.id, webUserId: person.id }
  await office.act({ kind: 'cancel-booking', ...seat, charge: 'none', actId: cancelled, undoable: true })
  await office.act({ kind: 'book', ...seat, undoes: cancelled })
  const kinds = (await calls()).map(({ kind }) => kind)
  expect(kinds.filter(kind => kind !== 'course.changed')).toEqual([])
  await db.execute(sql`delete from webhooks`)
})

const TOO_LATE: Record<string, (scene: Scene) => Promise<unknown>> = {
  // One statement, so that messages and action still have the same transaction id.
  'after 10 s': ({ actId, person }) =>
    db.execute(sql`
      with mail as (update outbox set attempts = attempts where web_user_id = ${person.id}),
        message as (update inbox_items set title = title where web_user_id = ${person.id})
      update office_acts set acted_at = acted_at - interval '11 s' where act_id = ${actId}`),
  'once a mail is being sent': ({ person }) =>
    db.execute(sql`update outbox set attempts = attempts + 1 where web_user_id = ${person.id}`),
  'once the message is read': ({ person }) =>
    db.execute(sql`update inbox_items set seen_at = clock_timestamp() where web_user_id = ${person.id}`),
}

test.each(Object.entries(TOO_LATE))('an action cannot be undone silently %s', async (_, happen) => {
  const scene = await insertScene()
  const { person, lesson, actId } = scene
  await forget(person.id)
  await office.act({ kind: 'cancel-lesson', courseDateId: lesson.id, actId, undoable: true })
  await happen(scene)
  expect(await office.act({ kind: 'restore-lesson', courseDateId: lesson.id, undoes: actId })).toMatchObject({
    status: 'Failed',
    code: 'office.failed.notUndone',
  })
  expect(await stateOf(scene)).toMatchObject({ state: 'cancelled' })
  expect(await mailsTo(person.id)).toHaveLength(1)
})

test('an action cannot be undone by another one, by another user, or once the seat is taken', async () => {
  const scene = await insertScene(1)
  const { course, person, lesson } = scene
  const waiting = await insertUserWithSession(db)
  await office.act({ kind: 'book', courseId: course.id, webUserId: waiting.id })
  const failed = { status: 'Failed', code: 'office.failed.notUndone' }

  const cancelled = randomUUID()
  await office.act({ kind: 'cancel-lesson', courseDateId: lesson.id, actId: cancelled, undoable: true })
  const undoes = cancelled
  expect(await office.act({ kind: 'confirm-course', courseId: course.id, undoes })).toMatchObject(failed)
  expect(await colleague.act({ kind: 'restore-lesson', courseDateId: lesson.id, undoes })).toMatchObject(failed)
  const other = await insertScene()
  await office.act({ kind: 'cancel-lesson', courseDateId: other.lesson.id })
  expect(await office.act({ kind: 'restore-lesson', courseDateId: other.lesson.id, undoes })).toMatchObject(failed)
  const program = await openTestProgram(server, ['programme'])
  expect(await program.send({ kind: 'restore-lesson', courseDateId: lesson.id, undoes })).toMatchObject({
    status: 200,
    body: { status: 'Failed', code: 'office.failed.undoByToken' },
  })

  const ended = randomUUID()
  const place = { courseId: course.id, webUserId: person.id }
  await office.act({ kind: 'cancel-booking', ...place, charge: 'none', actId: ended, undoable: true })
  expect(await office.act({ kind: 'book', ...place, undoes: ended })).toMatchObject(failed)
})

test('a cancellation cannot be undone if it was charged, or once somebody else has booked the seat', async () => {
  for (const charge of ['full', 'none'] as const) {
    const { course, person, actId } = await insertScene(1)
    const place = { courseId: course.id, webUserId: person.id }
    await db.execute(sql`update bookings set price_cents = 4500 where course_id = ${course.id}`)
    const cancel = { kind: 'cancel-booking', ...place, charge, reason: 'Absprache', actId, undoable: true } as const
    expect(await office.act(cancel)).toMatchObject({ status: 'Ok' })
    if (charge === 'none') {
      const { id: webUserId } = await insertUserWithSession(db)
      expect(await colleague.act({ kind: 'book', courseId: course.id, webUserId })).toMatchObject({ status: 'Ok' })
    }
    expect(await office.act({ kind: 'book', ...place, undoes: actId }), charge).toMatchObject({ status: 'Failed' })
  }
})

test('a cancellation cannot be undone once a colleague has cancelled the course', async () => {
  const { course, person, actId } = await insertScene()
  const seat = { courseId: course.id, webUserId: person.id }
  await office.act({ kind: 'cancel-booking', ...seat, charge: 'none', actId, undoable: true })
  await colleague.act({ kind: 'cancel-course', courseId: course.id })
  expect(await office.act({ kind: 'book', ...seat, undoes: actId })).toMatchObject({ status: 'Failed' })
})
