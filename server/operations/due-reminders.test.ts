import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { DEFAULT_REMINDERS, type Reminders } from '#contract/endpoints/reminders.ts'
import { listOwnPushAlerts } from '#server/features/accounts/personal-data-repository.ts'
import { insertFollowedItem, savePushSubscription, saveReminders } from '#server/features/reminders/repository.ts'
import { sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import {
  insertBooking,
  insertCourse,
  insertInstructor,
  insertRow,
  insertSeason,
  insertWebUser,
} from '#server/test/factories.ts'
import { queueDueReminders } from './due-reminders.ts'

const { db } = await openTestDatabase({ poolSize: 8 })
beforeEach(async () => {
  await db.execute(sql`delete from alerts`)
  await db.execute(sql`delete from reminders`)
  await db.execute(sql`delete from mails`)
})

const BOTH = { mail: true, push: true }
const MAIL = { mail: true, push: false }
const PUSH = { mail: false, push: true }

async function insertPerson(wanted: Partial<Reminders>, browsers = 0) {
  const { id } = await insertWebUser(db)
  await saveReminders(db, id, { ...DEFAULT_REMINDERS, ...wanted })
  for (let browser = 0; browser < browsers; browser += 1)
    await savePushSubscription(db, id, { endpoint: `https://push.example/${id}/${browser}`, p256dh: 'p', auth: 'a' })
  return id
}
const told = async () => ({
  mails: (await db.query<{ kind: string; id: number }>(sql`select kind, web_user_id as id from mails order by id`)).map(
    ({ kind, id }) => `${kind} ${id}`,
  ),
  pushes: (
    await db.query<{ kind: string; id: number }>(
      sql`select a.kind, a.web_user_id as id from outbox o join alerts a on a.id = o.alert_id order by o.id`,
    )
  ).map(({ kind, id }) => `${kind} ${id}`),
})
/** Times are in the portal's time zone, Europe/Berlin. */
const berlin = (text: string) => new Date(`${text}+01:00`)
const BEFORE = berlin('2100-01-01T12:00:00')

const insertLesson = async (heldAt: string, people: number[], values = {}) => {
  const course = await insertCourse(db, { dates: [heldAt], capacity: 50, ...values })
  for (const id of people) await insertBooking(db, course.id, id, { bookedAt: BEFORE })
  return course
}

test('on the evening before a lesson, everyone is reminded once by their preferred channels, however often servers poll', async () => {
  const [mailed, pushed, both, neither] = [
    await insertPerson({ lessonEve: MAIL }, 1),
    await insertPerson({ lessonEve: PUSH }, 2),
    await insertPerson({ lessonEve: BOTH }, 1),
    await insertPerson({}, 1),
  ]
  await insertLesson('2100-01-20 07:00', [mailed, pushed, both, neither])
  expect(await queueDueReminders(db, berlin('2100-01-19T17:59:59'))).toBe(0)
  const looks = await Promise.all(
    Array.from({ length: 8 }, (_, second) => queueDueReminders(db, berlin(`2100-01-19T18:00:0${second}`))),
  )
  expect(looks.reduce((sum, count) => sum + count, 0)).toBe(3)
  expect(await queueDueReminders(db, berlin('2100-01-19T21:00:00'))).toBe(0)
  const { mails, pushes } = await told()
  expect(mails.sort()).toEqual([`lesson-eve ${mailed}`, `lesson-eve ${both}`].sort())
  expect(pushes.sort()).toEqual([`lesson-eve ${pushed}`, `lesson-eve ${pushed}`, `lesson-eve ${both}`].sort())
})

test('who has freed the place of a lesson is not reminded of it, and its guest is', async () => {
  const [owner, guest] = [await insertPerson({ lessonEve: MAIL }), await insertPerson({ lessonEve: MAIL })]
  const { id } = await insertLesson('2100-01-20 18:00', [owner])
  await db.execute(sql`
    update bookings b set announced_absences = array[d.id] from course_dates d where b.course_id = ${id} and d.course_id = ${id}`)
  await db.execute(sql`
    insert into freed_places (course_id, course_date_id, booking_id, held_at, followers_from, guest_id)
    select d.course_id, d.id, b.id, d.held_at, now(), ${guest}
    from course_dates d join bookings b on b.course_id = d.course_id where d.course_id = ${id}`)
  await queueDueReminders(db, berlin('2100-01-19T19:00:00'))
  expect(await told()).toEqual({ mails: [`lesson-eve ${guest}`], pushes: [] })
})

test('an instructor who is absent is not reminded of the lesson, and the others are', async () => {
  const [absent, other] = [await insertPerson({ lessonEve: MAIL }), await insertPerson({ lessonEve: MAIL })]
  const instructorEmails = []
  for (const id of [absent, other]) {
    const { email } = await db.one<{ email: string }>(sql`select email from web_users where id = ${id}`)
    instructorEmails.push((await insertInstructor(db, { email })).email)
  }
  await insertLesson('2100-01-20 18:00', [], { instructorEmails })
  await insertRow(db, 'absences', {
    instructorEmail: instructorEmails[0],
    startsOn: '2100-01-19',
    endsOn: '2100-01-20',
  })
  await queueDueReminders(db, berlin('2100-01-19T19:00:00'))
  expect(await told()).toEqual({ mails: [`lesson-eve ${other}`], pushes: [] })
})

test('a person who prefers push but has no subscribed browser receives an e-mail', async () => {
  const person = await insertPerson({ lessonEve: PUSH })
  await insertLesson('2100-01-20 18:00', [person])
  await queueDueReminders(db, berlin('2100-01-19T19:00:00'))
  expect(await told()).toEqual({ mails: [`lesson-eve ${person}`], pushes: [] })
})

test('no reminder is sent after its time, and a moved lesson is announced with its new time', async () => {
  const person = await insertPerson({ lessonEve: MAIL })
  await insertLesson('2100-01-20 18:00', [person])
  expect(await queueDueReminders(db, berlin('2100-01-19T23:00:00'))).toBe(0)
  expect(await queueDueReminders(db, berlin('2100-01-20T17:00:00'))).toBe(0)
  expect(await queueDueReminders(db, berlin('2100-01-20T19:00:00'))).toBe(0)
  await db.execute(sql`update course_dates set held_at = '2100-01-22 18:00' where held_at = '2100-01-20 18:00'`)
  expect(await queueDueReminders(db, berlin('2100-01-20T19:00:00'))).toBe(0)
  expect(await queueDueReminders(db, berlin('2100-01-21T19:00:00'))).toBe(1)
})

test("a reminder names the lesson's own room and its site, without the directions to the course's venue", async () => {
  const person = await insertPerson({ lessonEve: MAIL })
  await insertLesson('2100-01-20 18:00', [person], { venue: 'Halle 0', city: 'Salzstadt', location: 'Tor 4' })
  await db.execute(sql`
    with room as (insert into rooms (name, site) values ('Becken', 'Lindhafen') returning id)
    update course_dates set room_id = room.id from room where held_at = '2100-01-20 18:00'`)
  await queueDueReminders(db, berlin('2100-01-19T19:00:00'))
  const { payload } = await db.one<{ payload: object }>(sql`select payload from alerts where web_user_id = ${person}`)
  expect(payload).toMatchObject({ venue: 'Becken', city: 'Lindhafen', location: '', location2: '' })
})

test('evening reminders follow local time before and after a clock change', async () => {
  const person = await insertPerson({ lessonEve: MAIL })
  for (const day of ['2100-03-28', '2100-03-29', '2100-10-31', '2100-11-01'])
    await insertLesson(`${day} 18:00`, [person])
  for (const [before, after] of [
    ['2100-03-27T16:59:00Z', '2100-03-27T17:00:00Z'],
    ['2100-03-28T15:59:00Z', '2100-03-28T16:00:00Z'],
    ['2100-10-30T15:59:00Z', '2100-10-30T16:00:00Z'],
    ['2100-10-31T16:59:00Z', '2100-10-31T17:00:00Z'],
  ] as const)
    expect(
      [await queueDueReminders(db, new Date(before)), await queueDueReminders(db, new Date(after))],
      after,
    ).toEqual([0, 1])
})

test('people booked this evening or on the waiting list are not reminded', async () => {
  const [late, first, waiting] = [
    await insertPerson({ lessonEve: MAIL }),
    await insertPerson({}),
    await insertPerson({ lessonEve: MAIL }),
  ]
  const course = await insertLesson('2100-01-20 18:00', [])
  await insertBooking(db, course.id, late, { bookedAt: berlin('2100-01-19T18:30:00') })
  await insertLesson('2100-01-20 18:00', [first, waiting], { capacity: 1 })
  expect(await queueDueReminders(db, berlin('2100-01-19T19:00:00'))).toBe(0)
})

test('an hour before booking opens, followers are reminded once, however many items they follow', async () => {
  const person = await insertPerson({ opening: MAIL })
  const other = await insertPerson({ opening: MAIL })
  const season = await insertSeason(db, { bookableFrom: berlin('2100-02-01T12:00:00') })
  const course = await insertCourse(db, { seasonId: season.id, name: 'Yoga' })
  await insertCourse(db, { seasonId: season.id })
  await insertFollowedItem(db, person, { kind: 'season', id: season.id })
  await insertFollowedItem(db, person, { kind: 'course', id: course.id })
  expect(await queueDueReminders(db, berlin('2100-02-01T10:59:00'))).toBe(0)
  expect(await queueDueReminders(db, berlin('2100-02-01T11:00:00'))).toBe(1)
  expect(await queueDueReminders(db, berlin('2100-02-01T11:30:00'))).toBe(0)
  expect(await told()).toEqual({ mails: [`opening ${person}`], pushes: [] })
  const [mail] = await db.query<{ payload: object }>(sql`select payload from mails`)
  expect(mail?.payload).toMatchObject({ kind: 'course', name: 'Yoga', things: 2, at: '2100-02-01 12:00:00' })
  await insertFollowedItem(db, other, { kind: 'season', id: season.id })
  expect(await queueDueReminders(db, berlin('2100-02-01T12:00:00'))).toBe(0)
})

test('people promoted from a waiting list are notified, at most once an hour', async () => {
  const people = [
    await insertPerson({}),
    await insertPerson({}),
    await insertPerson({}),
    await insertPerson({ waiting: MAIL }),
  ]
  const course = await insertCourse(db, { capacity: 1 })
  for (const id of people) await insertBooking(db, course.id, id)
  const leave = (index: number) =>
    db.execute(sql`update bookings set cancelled_at = now() where web_user_id = ${people[index] ?? 0}`)
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
  await queueDueReminders(db)
  expect((await told()).mails).toEqual([])
  // The number at the beginning is only stored to notice that it falls.
  expect(await listOwnPushAlerts(db, people[3] ?? 0)).toEqual([])
  await leave(1)
  await queueDueReminders(db, inHours(0.5))
  expect((await told()).mails).toEqual([])
  await queueDueReminders(db, inHours(1.1))
  await queueDueReminders(db, inHours(1.2))
  expect((await told()).mails).toEqual([`waiting-news ${people[3]}`])
  const [mail] = await db.query<{ payload: object }>(sql`select payload from mails`)
  expect(mail?.payload).toMatchObject({ position: 2 })
  expect(await listOwnPushAlerts(db, people[3] ?? 0)).toMatchObject([
    { kind: 'waiting-news', payload: { position: 2 } },
  ])
})

test('a run that is interrupted sends nothing, and the next run sends everything', async () => {
  const person = await insertPerson({ lessonEve: BOTH }, 1)
  await insertLesson('2100-01-20 18:00', [person])
  const dying = db
    .transaction(async tx => {
      await queueDueReminders(tx, berlin('2100-01-19T18:00:00'))
      await sleep(200)
      throw new Error('killed')
    })
    .catch(() => 'killed')
  await sleep(100)
  expect(await Promise.all([dying, queueDueReminders(db, berlin('2100-01-19T18:00:01'))])).toEqual(['killed', 1])
  expect(await told()).toEqual({ mails: [`lesson-eve ${person}`], pushes: [`lesson-eve ${person}`] })
})

test('a reminder that could not be sent in time is not sent later', async () => {
  const person = await insertPerson({ lessonEve: MAIL, opening: MAIL })
  await insertLesson('2100-02-02 18:00', [person])
  await queueDueReminders(db, berlin('2100-02-01T18:30:00'))
  const opening = await insertCourse(db, { opensAt: berlin('2100-02-01T19:30:00') })
  await insertFollowedItem(db, person, { kind: 'course', id: opening.id })
  await queueDueReminders(db, berlin('2100-02-01T18:45:00'))
  expect((await told()).mails).toEqual([`lesson-eve ${person}`, `opening ${person}`])
  await queueDueReminders(db, berlin('2100-02-01T19:31:00'))
  expect((await told()).mails).toEqual([`lesson-eve ${person}`])
  // It says "tomorrow".
  await queueDueReminders(db, berlin('2100-02-02T00:01:00'))
  expect((await told()).mails).toEqual([])
})
