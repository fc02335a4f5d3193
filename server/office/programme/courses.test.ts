import { describe, expect, test } from 'vitest'
import { getCourse, listBookedCourses } from '#contract/endpoints/courses.ts'
import { listMessages } from '#contract/endpoints/inbox.ts'
import { DEFAULT_REMINDERS } from '#contract/endpoints/reminders.ts'
import { getOfficeGrid } from '#contract/office/programme.ts'
import { effectiveLessons } from '#server/features/courses/lesson-repository.ts'
import { savePushSubscription, saveReminders } from '#server/features/reminders/repository.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCategory,
  insertCourse,
  insertInstructor,
  insertSeason,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { listPushTitles } from '#server/test/lock-screen.ts'
import { openTestOffice, type TestAct } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['programme'])

const see = async (id: number) => (await server.request(getCourse, { params: { id } })).body
const lessonsOf = (courseId: number) =>
  server.db.query<{ id: number; held_at: string }>(sql`
    select id, held_at from course_dates where course_id = ${courseId} order by held_at`)
const versionOf = async (courseId: number) =>
  (await server.db.one<{ version: number }>(sql`select version from courses where id = ${courseId}`)).version
type Create = Extract<TestAct, { kind: 'create-course' }>
let numbers = 0

async function subscribeToChanges(webUserId: number): Promise<void> {
  await saveReminders(server.db, webUserId, { ...DEFAULT_REMINDERS, changes: { mail: false, push: true } })
  await savePushSubscription(server.db, webUserId, { endpoint: 'https://push.example/1', p256dh: 'p', auth: 'a' })
}

/** In 2100, Easter Monday is 29 March. School holidays are not known yet. */
const newCourse = async (values: Partial<Create> = {}): Promise<Create> => ({
  kind: 'create-course',
  number: `N-${++numbers}`,
  name: 'Yoga',
  seasonId: (await insertSeason(server.db)).id,
  courseCategoryId: (await insertCategory(server.db)).id,
  start: '2100-03-01',
  end: '2100-04-12',
  startTime: '18:00',
  endTime: '19:30',
  participants: 2,
  ...values,
})
const create = async (values: Partial<Create> = {}) => {
  const answer = await office.act(await newCourse(values))
  expect(answer).toMatchObject({ status: 'Ok' })
  return Number(answer.result.courseId)
}

describe('a new course', () => {
  test('has its lessons except those on holidays, and all submitted fields', async () => {
    const { email } = await insertInstructor(server.db, { familyName: 'Nah', givenName: 'Ida' })
    const body = await newCourse({
      name2: 'Yoga for all',
      fee: 12.5,
      energyFee: 3,
      externalFee: null,
      totalHours: 7.5,
      instructorEmails: [email],
      textWeb: '<b>Gut</b><script>x</script>',
      bookableFrom: '2026-01-05T08:00',
      meetingURL: 'https://a.example/b',
    })
    const answer = await office.actAsPreviewed(body)
    expect(answer).toMatchObject({ status: 'Ok', version: expect.any(Number) })
    const course = await see(Number(answer.result.courseId))
    expect(course).toMatchObject({
      number: body.number,
      name: 'Yoga',
      name2: 'Yoga for all',
      fee: 12.5,
      energyFee: 3,
      externalFee: 27.5,
      instructor: 'Ida Nah',
      textWeb: '<b>Gut</b>',
      totalHours: 7.5,
      participants: 2,
      day: 1,
      bookable: false,
    })
    expect(course.dates.map(({ month, day }) => `${day}.${month}.`)).toEqual([
      '1.3.',
      '8.3.',
      '15.3.',
      '22.3.',
      '5.4.',
      '12.4.',
    ])
  })

  test('requires existing references, valid fields and an unused number', async () => {
    const body = await newCourse()
    expect((await office.act(body)).status).toBe('Ok')
    for (const wrong of [
      {},
      { number: 'X1', seasonId: 2_000_000 },
      { number: 'X2', courseCategoryId: 2_000_000 },
      { number: 'X3', instructorEmails: ['nobody@demo.example'] },
      { number: 'X4', end: '2100-02-01' },
      { number: 'X5', endTime: '17:00' },
      { number: 'X6', meetingURL: 'javascript:alert(1)' },
    ])
      expect(await office.act({ ...body, ...wrong }), JSON.stringify(wrong)).toMatchObject({ status: 'Failed' })
  })

  test('on a single day that is a holiday requires a reason, as does an occupied room', async () => {
    const body = await newCourse({ start: '2100-05-01', end: '2100-05-01' })
    expect((await office.act(body)).status).toBe('Reason')
    expect((await office.act({ ...body, reason: 'Maifeier' })).status).toBe('Ok')
    await office.act({ kind: 'save-room', name: 'Klein', site: '', capacity: 9, shared: false })
    const first = await create({ venue: 'Klein' })
    const second = await newCourse({ venue: 'Klein', startTime: '19:00', endTime: '20:00', end: '2100-03-08' })
    const clashes = [
      { room: 'Klein', courseId: first, name: expect.stringContaining('Yoga'), at: '2100-03-01T19:00' },
      { room: 'Klein', courseId: first, name: expect.stringContaining('Yoga'), at: '2100-03-08T19:00' },
    ]
    expect(await office.act(second)).toMatchObject({ status: 'Reason', consequences: { clashes } })
    expect((await office.act({ ...second, reason: 'geteilt' })).consequences.clashes).toEqual(clashes)
  })
})

describe('a changed course', () => {
  test('promotes when seats are added, and never has fewer seats than bookings', async () => {
    const courseId = await create({ fee: 10 })
    const people = []
    for (let i = 0; i < 4; i++) people.push((await insertWebUser(server.db)).id)
    for (const id of people) await insertBooking(server.db, courseId, id, { priceCents: 1_000 })
    expect(await office.act({ kind: 'change-course', courseId, participants: 1 })).toMatchObject({ status: 'Failed' })
    const grown = await office.actAsPreviewed({ kind: 'change-course', courseId, participants: 3, fee: 20 })
    expect(grown).toMatchObject({ status: 'Ok', consequences: { promoted: [{ id: people[2] }], mails: 1 } })
    const prices = await server.db.query(sql`select distinct price_cents from bookings where course_id = ${courseId}`)
    expect(prices).toEqual([{ price_cents: 1_000 }])
    expect(await see(courseId)).toMatchObject({ fee: 20, currentBooked: 3, currentWaiting: 1 })
  })

  test('keeps number, season and category once it has bookings', async () => {
    const courseId = await create()
    const other = { seasonId: (await insertSeason(server.db)).id, number: `N-${++numbers}` }
    const version = await versionOf(courseId)
    const changed = await office.act({ kind: 'change-course', courseId, version, ...other })
    expect(changed).toMatchObject({ status: 'Ok', version: version + 1 })
    expect(await see(courseId)).toMatchObject(other)
    await insertBooking(server.db, courseId, (await insertWebUser(server.db)).id)
    const { seasonId } = other
    for (const change of [
      { number: 'Z9' },
      { seasonId: (await insertSeason(server.db)).id },
      { courseCategoryId: (await insertCategory(server.db)).id },
    ])
      expect((await office.act({ kind: 'change-course', courseId, ...change })).status).toBe('Failed')
    expect((await office.act({ kind: 'change-course', courseId, seasonId, name: 'Yoga 2' })).status).toBe('Ok')
  })

  test('notifies participants of old and new values: time, venue, instructor', async () => {
    const { email } = await insertInstructor(server.db, { familyName: 'Neu', givenName: 'Udo' })
    const courseId = await create({ venue: 'Halle 1', end: '2100-03-08' })
    const person = await insertWebUser(server.db, { language: 'en' })
    await insertBooking(server.db, courseId, person.id)
    const before = await lessonsOf(courseId)
    const change = { startTime: '19:00', endTime: '20:00', venue: 'Halle 2', instructorEmails: [email] }
    const done = await office.actAsPreviewed({ kind: 'change-course', courseId, ...change })
    expect(done.consequences).toMatchObject({
      mails: 2,
      messages: 1,
      told: [{ id: person.id }, { id: 0, name: 'Udo Neu' }],
      promoted: [],
    })
    const { text } = await server.db.one<{ text: string }>(sql`
      select text from inbox_items where web_user_id = ${person.id}`)
    for (const words of [
      'Time: before Monday, 01.03.2100, 18:00–19:30, now Monday, 01.03.2100, 19:00–20:00',
      'Where: before Halle 1, now Halle 2',
      'Instructor: before –, now Udo Neu',
    ])
      expect(text).toContain(words)
    expect((await lessonsOf(courseId)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    // Changes of the description do not notify participants.
    expect(
      (await office.act({ kind: 'change-course', courseId, textWeb: 'Matte mitbringen' })).consequences.mails,
    ).toBe(0)
    const quiet = { kind: 'change-course', courseId, venue: 'Halle 3', quiet: true } as const
    expect((await office.act(quiet)).status).toBe('Reason')
    expect((await office.act({ ...quiet, reason: 'Tippfehler' })).consequences.mails).toBe(0)
  })

  test('gets new lessons on another weekday, and past ones remain', async () => {
    const courseId = await create({ start: dateFromNow(-14), end: dateFromNow(60) })
    const past = (await lessonsOf(courseId)).filter(({ held_at }) => held_at.slice(0, 10) < dateFromNow(0))
    const weekday = (new Date(dateFromNow(1)).getUTCDay() + 1) % 7
    expect((await office.act({ kind: 'change-course', courseId, day: weekday })).status).toBe('Ok')
    const after = await lessonsOf(courseId)
    expect(after.slice(0, past.length)).toEqual(past)
    const days = new Set(after.slice(past.length + 1).map(({ held_at }) => new Date(held_at.slice(0, 10)).getUTCDay()))
    expect([...days]).toEqual([weekday])
  })

  test('is rejected with Changed if its version is outdated', async () => {
    const courseId = await create()
    const version = await versionOf(courseId)
    const change = (name: string) => office.act({ kind: 'change-course', courseId, name, version })
    const answers = await Promise.all([change('A'), change('B')])
    expect(answers.map(({ status }) => status).sort()).toEqual(['Changed', 'Ok'])
  })
})

test('courses and lessons remain in a room that gets another name and site, and those concerned are notified', async () => {
  const { db } = server
  const { result } = await office.act({
    kind: 'save-room',
    name: 'Alte Halle',
    site: 'Celle',
    capacity: 9,
    shared: false,
  })
  const roomId = Number(result.roomId)
  const dates = [`${dateFromNow(-7)} 18:00`, `${dateFromNow(7)} 18:00`]
  const there = await insertCourse(db, { venue: 'Alte Halle', city: 'Celle', dates })
  const [elsewhere, once] = [
    await insertCourse(db, { venue: 'Alte Halle', city: 'Uelzen' }),
    await insertCourse(db, { venue: 'Becken', city: 'Celle' }),
  ]
  const [lesson] = await lessonsOf(once.id)
  await db.execute(sql`update course_dates set venue = 'Alte Halle' where id = ${lesson?.id ?? 0}`)
  const people = [await insertUserWithSession(db), await insertUserWithSession(db), await insertUserWithSession(db)]
  for (const [index, course] of [there, once, elsewhere].entries())
    await insertBooking(db, course.id, people[index]?.id ?? 0)
  const rename = { kind: 'save-room', roomId, name: 'Neue Halle', site: 'Uelzen' } as const
  const { status, consequences } = await office.actAsPreviewed(rename)
  expect(status).toBe('Ok')
  expect(consequences.told.map(({ id }) => id)).toEqual([people[0]?.id, people[1]?.id])
  const [first] = (await server.request(listMessages, { token: people[0]?.token ?? '' })).body
  expect(first?.text).toContain('Ort: bisher Alte Halle, Celle, jetzt Neue Halle, Uelzen')
  expect(
    await db.query(sql`
      select l.course_id as course, l.venue, l.city, count(*)::int as lessons from ${effectiveLessons}
      where l.room_id = ${roomId} group by 1, 2, 3 order by 1`),
  ).toEqual([
    { course: there.id, venue: 'Neue Halle', city: 'Uelzen', lessons: 2 },
    { course: once.id, venue: 'Neue Halle', city: 'Uelzen', lessons: 1 },
  ])
  expect(await see(elsewhere.id)).toMatchObject({ venue: 'Alte Halle', city: 'Uelzen' })
  const wider = await office.act({ kind: 'save-room', roomId, capacity: 20 })
  expect(wider).toMatchObject({ status: 'Ok', consequences: { told: [] } })
  const moved = await office.act({ kind: 'save-room', roomId, site: 'Peine' })
  expect(moved.consequences.told.map(({ id }) => id)).toEqual([people[0]?.id, people[1]?.id])
})

test('courses remain in a room that gets a site or loses it, and no room takes the courses of another', async () => {
  const { db } = server
  const insert = async (name: string, site: string) => {
    const { result } = await office.act({ kind: 'save-room', name, site, capacity: 9, shared: false })
    return Number(result.roomId)
  }
  const roomId = await insert('Turnhalle', '')
  await insert('Schwimmhalle', 'Peine')
  const course = await insertCourse(db, { venue: 'Turnhalle', city: 'Peine' })
  const save = (fields: object) => office.act({ kind: 'save-room', roomId, ...fields })
  const roomsAndCities = () =>
    db.query(
      sql`select distinct l.room_id as "roomId", l.city from ${effectiveLessons} where l.course_id = ${course.id}`,
    )
  expect(await save({ site: 'Werk Nord' })).toMatchObject({ status: 'Ok' })
  expect(await roomsAndCities()).toEqual([{ roomId, city: 'Werk Nord' }])
  expect(await save({ site: '' })).toMatchObject({ status: 'Ok', consequences: { told: [] } })
  expect(await roomsAndCities()).toEqual([{ roomId, city: 'Werk Nord' }])
  await db.execute(sql`update courses set city = 'Peine' where id = ${course.id}`)
  expect(await save({ name: 'Schwimmhalle' })).toMatchObject({ status: 'Failed' })
  expect(await roomsAndCities()).toEqual([{ roomId, city: 'Peine' }])
})

describe('removing programme data', () => {
  test('is possible for unused courses, lessons, seasons with their courses, and rooms', async () => {
    const course = await insertCourse(server.db)
    const [lesson] = await lessonsOf(course.id)
    expect((await office.act({ kind: 'remove', what: 'lesson', id: lesson?.id ?? 0 })).status).toBe('Ok')
    expect(await lessonsOf(course.id)).toHaveLength(2)
    expect((await office.act({ kind: 'remove', what: 'season', id: course.seasonId })).status).toBe('Ok')
    expect((await server.request(getCourse, { params: { id: course.id } })).status).toBe(404)
    const { result } = await office.act({ kind: 'save-room', name: 'Weg', site: '', capacity: 1, shared: false })
    expect((await office.act({ kind: 'remove', what: 'room', id: Number(result.roomId) })).status).toBe('Ok')
    expect((await office.act({ kind: 'remove', what: 'room', id: Number(result.roomId) })).status).toBe('Failed')
  })

  test('is rejected for anything that has ever been booked', async () => {
    const course = await insertCourse(server.db)
    const [lesson] = await lessonsOf(course.id)
    const person = await insertWebUser(server.db)
    await insertBooking(server.db, course.id, person.id)
    for (const [what, id] of [
      ['course', course.id],
      ['lesson', lesson?.id ?? 0],
      ['season', course.seasonId],
    ] as const)
      expect((await office.act({ kind: 'remove', what, id })).status, what).toBe('Failed')
    expect(await see(course.id)).toMatchObject({ number: course.number })
  })
})

test('the audit log contains no names of instructors', async () => {
  const lines = await server.db.query(sql`select line from office_record`)
  expect(JSON.stringify(lines)).not.toMatch(/trainer\d|Udo|Ida/)
})

test('a cancelled course remains in the lists of those it concerned for 14 days, with what they can book', async () => {
  const { id: seasonId } = await insertSeason(server.db)
  const { id: categoryId } = await insertCategory(server.db)
  const ofCategory = (values = {}) => insertCourse(server.db, { seasonId, categoryId, ...values })
  const course = await ofCategory({ capacity: 1 })
  const [booked, waiting] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  const full = await ofCategory({ capacity: 1 })
  const own = await ofCategory({ startsOn: dateFromNow(8) })
  const notOpen = await ofCategory({ bookableFrom: daysFromNow(1) })
  const free = []
  for (const days of [9, 10, 11, 12]) free.push(await ofCategory({ startsOn: dateFromNow(days) }))
  for (const [{ id }, person] of [
    [course, booked],
    [course, waiting],
    [full, await insertUserWithSession(server.db)],
    [own, booked],
  ] as const)
    await insertBooking(server.db, id, person.id)
  const listOf = async ({ token }: { token: string }) => (await server.request(listBookedCourses, { token })).body

  await subscribeToChanges(booked.id)
  await office.act({ kind: 'cancel-course', courseId: course.id, note: 'Wasserschaden', note2: 'Water damage' })
  // A push notification names the event, but not the course.
  expect(await listPushTitles(server.db, booked.id)).toEqual(['Kurs fällt aus'])
  const three = free.slice(0, 3).map(({ id }) => id)
  const cancelled = { id: course.id, cancelled: true, bookingStatus: 0, cancellabel: false }
  const note = { note: 'Wasserschaden', note2: 'Water damage' }
  const ofBooked = await listOf(booked)
  expect(ofBooked.find(({ id }) => id === course.id)).toMatchObject({ ...cancelled, ...note, alternatives: three })
  expect(ofBooked.find(({ id }) => id === own.id)).not.toHaveProperty('alternatives')
  expect(await listOf(waiting)).toMatchObject([{ ...cancelled, alternatives: [own.id, ...three.slice(0, 2)] }])

  const textTo = async ({ token }: { token: string }) =>
    (await server.request(listMessages, { token })).body.map(({ text }) => text).join()
  for (const person of [booked, waiting]) {
    const text = await textTo(person)
    for (const { number } of [full, notOpen, free[3]].flatMap(other => other ?? [])) expect(text).not.toContain(number)
  }
  expect(await textTo(booked)).not.toContain(own.number)
  expect(await textTo(waiting)).toContain(own.number)

  await server.request(getCourse, { params: { id: course.id }, token: booked.token })
  // Opening its page changes nothing.
  expect((await listOf(booked)).map(({ id }) => id).sort()).toEqual([course.id, own.id].sort())
  await server.db.execute(sql`update bookings set listed_until = listed_until - interval '15 days'`)
  expect(await listOf(waiting)).toEqual([])
})

test('a removed room leaves no closure without a name', async () => {
  const roomOf = async (name: string) =>
    Number((await office.act({ kind: 'save-room', name, capacity: 5 })).result.roomId)
  const [removed, kept] = [await roomOf('Saal Abriss'), await roomOf('Saal Bestand')]
  const [from, to] = [dateFromNow(40), dateFromNow(41)]
  const close = (roomIds: number[]) => office.act({ kind: 'set-closure', roomIds, from, to, lessons: [] })
  for (const roomIds of [[removed], [kept], [removed, kept]])
    expect(await close(roomIds)).toMatchObject({ status: 'Ok' })
  expect(await office.act({ kind: 'remove', what: 'room', id: removed })).toMatchObject({ status: 'Ok' })
  const { closures } = (await server.request(getOfficeGrid, { token: office.token, query: { from, to } })).body
  expect(closures.map(({ roomIds, name }) => [roomIds, name])).toEqual([[[kept], 'Saal Bestand']])
})
