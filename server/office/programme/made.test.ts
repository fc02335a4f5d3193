// Fixed dates: school holidays of later years are not known; past lessons are created alike.
import { expect, test } from 'vitest'
import { listRooms } from '#contract/office/office.ts'
import { listFree, listSeasonChecks } from '#contract/office/planning.ts'
import { getOfficeGrid, listOfficeInstructors } from '#contract/office/programme.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  insertBooking,
  insertCategory,
  insertCourse,
  insertInstructor,
  insertSeason,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { openTestOffice, type TestAct } from '#server/test/office.ts'
import { sendMails } from '#server/test/sent-mails.ts'

const { server, act, actAsPreviewed, token } = await openTestOffice(['programme'])
const { db } = server

const at = (days: number, time: string) => `${dateFromNow(days)} ${time}:00`

test('two concurrent lessons at a venue that is no room are reported as a clash but require no reason', async () => {
  const venue = 'Stadthalle Nord'
  const first = await insertCourse(db, { venue, city: 'Celle', dates: [at(30, '18:00')] })
  const other = await insertCourse(db, { venue: 'Anderswo', city: 'Celle', dates: [at(30, '18:30')] })
  const moved = await actAsPreviewed({ kind: 'change-course', courseId: other.id, venue })
  expect(moved.status).toBe('Ok')
  expect(moved.consequences.clashes).toEqual([
    { room: venue, courseId: first.id, at: `${dateFromNow(30)}T18:30`, name: `${first.number} ${first.name}` },
  ])
  const grid = await server.request(getOfficeGrid, { query: { from: dateFromNow(30), to: dateFromNow(30) }, token })
  const clashing = grid.body.lessons.filter(({ courseId }) => [first.id, other.id].includes(courseId))
  expect(clashing).toMatchObject([
    { clash: true, clashes: ['room'], roomId: null },
    { clash: true, clashes: ['room'], roomId: null },
  ])
})

test('venues that are no rooms are listed with their lessons and become rooms in one action', async () => {
  const venue = 'Pavillon am See'
  const course = await insertCourse(db, {
    venue,
    city: 'Celle',
    capacity: 12,
    dates: [at(31, '18:00'), at(38, '18:00')],
  })
  const read = async () => (await server.request(listRooms, { query: { limit: '500' }, token })).body
  expect((await read()).unknown).toContainEqual({ name: venue, site: 'Celle', capacity: 12, courses: 1, lessons: 2 })
  const rooms = [
    { name: venue, site: 'Celle', capacity: 15, shared: false },
    { name: 'Bad', site: '', capacity: 0, shared: true },
  ]
  await insertCourse(db, {
    venue,
    city: 'Celle',
    name: 'Judo',
    dates: [at(31, '18:30')],
    startTime: '18:30',
    endTime: '19:30',
  })
  const made = await actAsPreviewed({ kind: 'create-rooms', rooms })
  expect(made).toMatchObject({
    status: 'Ok',
    result: { roomIds: [expect.any(Number), expect.any(Number)], courses: 2, lessons: 3 },
    consequences: { clashes: [{ room: venue, name: expect.stringContaining('Judo') }] },
  })
  const now = await read()
  expect(now.unknown.map(({ name }) => name)).not.toContain(venue)
  expect(now.items).toContainEqual(expect.objectContaining({ name: venue, capacity: 15 }))
  const grid = await server.request(getOfficeGrid, { query: { from: dateFromNow(31), to: dateFromNow(31) }, token })
  expect(grid.body.lessons.find(({ courseId }) => courseId === course.id)?.roomId).toEqual(expect.any(Number))
  expect(await act({ kind: 'create-rooms', rooms })).toMatchObject({ status: 'Failed' })
})

test('a new course shows its lessons, skipped holidays and clashes in readable form', async () => {
  await act({ kind: 'create-rooms', rooms: [{ name: 'Halle M', site: '', capacity: 0, shared: false }] })
  const course = {
    kind: 'create-course',
    number: 'M-1',
    name: 'Yoga',
    seasonId: (await insertSeason(db)).id,
    courseCategoryId: (await insertCategory(db)).id,
    start: '2027-03-15',
    end: '2027-04-12',
    startTime: '18:00',
    endTime: '19:30',
    participants: 2,
    venue: 'Halle M',
  } as const
  const { consequences } = await actAsPreviewed(course)
  expect(consequences.made).toMatchObject({
    lessons: ['2027-03-15T18:00', '2027-04-05T18:00', '2027-04-12T18:00'],
    holidays: [
      { date: '2027-03-22', name: 'Schulferien' },
      { date: '2027-03-29', name: 'Ostermontag' },
    ],
  })
  // Only future lessons clash.
  const future = { ...course, start: '2100-03-15', end: '2100-03-15' }
  expect(await act({ ...future, number: 'M-2' })).toMatchObject({ status: 'Ok' })
  const clash = await act({ ...future, number: 'M-3', name: 'Pilates', startTime: '19:00', endTime: '20:00' })
  expect(clash).toMatchObject({ status: 'Reason' })
  expect(clash.message).toContain('M-2 Yoga (Montag, 15.03.2100, 19:00)')
  expect(clash.consequences.clashes[0]).toMatchObject({ room: 'Halle M', name: 'M-2 Yoga' })
})

test('dates of a new course can be removed and added individually, and a holiday requires a reason', async () => {
  const course = {
    kind: 'create-course',
    number: 'D-1',
    name: 'Tage',
    seasonId: (await insertSeason(db)).id,
    courseCategoryId: (await insertCategory(db)).id,
    start: '2027-03-15',
    end: '2027-04-12',
    startTime: '18:00',
    endTime: '19:00',
    participants: 2,
  } as const
  const query = { from: course.start, to: course.end, startTime: '18:00', endTime: '19:00' }
  const { body } = await server.request(listFree, { query, token, language: 'en' })
  expect(body.dates).toEqual(['2027-03-15', '2027-04-05', '2027-04-12'])
  expect(body.holidays).toEqual([
    { date: '2027-03-22', name: 'School holidays' },
    { date: '2027-03-29', name: 'Easter Monday' },
  ])
  const dates = ['2027-04-12', '2027-03-29', '2027-03-15', '2027-03-15']
  expect(await act({ ...course, dates })).toMatchObject({ status: 'Reason' })
  const { consequences } = await actAsPreviewed({ ...course, dates, reason: 'Ostertraining' })
  expect(consequences.made).toMatchObject({
    lessons: ['2027-03-15T18:00', '2027-03-29T18:00', '2027-04-12T18:00'],
    holidays: [{ date: '2027-03-22', name: 'Schulferien' }],
  })
})

test('copying a season names courses with fewer lessons or none', async () => {
  const season = await insertSeason(db, { startsAt: '2100-04-01', endsAt: '2100-06-30', shortcut: 'F27' })
  const dates = ['2100-04-05', '2100-04-12', '2100-04-19', '2100-04-26'].map(day => `${day} 18:00:00`)
  const values = { seasonId: season.id, startsOn: '2100-04-05', endsOn: '2100-04-26' }
  const long = await insertCourse(db, { ...values, number: 'F27-1', name: 'Lang', dates })
  await insertCourse(db, { ...values, number: 'F27-2', name: 'Kurz', dates: dates.slice(0, 1) })
  await insertCourse(db, { ...values, number: 'F27-3', name: 'Leer', dates: [] })
  const { consequences, result } = await actAsPreviewed({
    kind: 'copy-season',
    seasonId: season.id,
    name: 'Herbst',
    shortcut: 'H27',
    startsAt: '2100-09-06',
    endsAt: '2100-09-13',
    bookableFrom: '2100-08-01T08:00',
    viewableFrom: '2100-07-01T08:00',
  })
  expect(long.number).toBe('F27-1')
  const copies = await db.query<{ id: number; number: string }>(sql`
    select id, number from courses where season_id = ${Number(result.seasonId)} order by number`)
  expect(copies.map(({ number }) => number)).toEqual(['H27-1', 'H27-2', 'H27-3'])
  expect(consequences.made).toEqual({
    courses: 3,
    lessons: [],
    holidays: [],
    fewerLessons: [{ number: 'H27-1', name: 'Lang', before: 4, now: 2 }],
    withoutLessons: [{ number: 'H27-3', name: 'Leer' }],
    review: [],
  })
  await db.execute(sql`update courses set name2 = name where season_id = ${Number(result.seasonId)}`)
  // The courses are listed with these and other missing data.
  const query = { seasonId: String(result.seasonId) }
  const read = async () => (await server.request(listSeasonChecks, { query, token })).body.items
  expect(await read()).toMatchObject([
    { name: 'H27-1 Lang', kinds: ['fewerLessons', 'withoutInstructor', 'withoutPlace'], lessons: 2, before: 4 },
    { name: 'H27-2 Kurz', kinds: ['withoutInstructor', 'withoutPlace'], lessons: 1, before: 1 },
    { name: 'H27-3 Leer', kinds: ['withoutLessons', 'withoutInstructor', 'withoutPlace'], lessons: 0, before: 0 },
  ])
  const instructorEmails = [(await insertInstructor(db)).email]
  for (const { id } of copies)
    await act({ kind: 'change-course', courseId: id, venue: 'Halle W', instructorEmails, reason: 'Mit allen' })
  const clashes = (await read()).map(({ name, kinds, other }) => ({ name, kinds, other }))
  expect(clashes).toEqual([
    { name: 'H27-1 Lang', kinds: ['fewerLessons', 'withoutRoom', 'clash'], other: 'H27-2 Kurz' },
    { name: 'H27-2 Kurz', kinds: ['withoutRoom', 'clash'], other: 'H27-1 Lang' },
    { name: 'H27-3 Leer', kinds: ['withoutLessons'], other: '' },
  ])
  await db.execute(sql`update courses set name2 = 'Short' where number = 'H27-2'`)
  const english = (await server.request(listSeasonChecks, { query, token, language: 'en' })).body.items
  expect(english.map(({ name, other }) => [name, other])).toEqual([
    ['H27-1 Lang', 'H27-2 Short'],
    ['H27-2 Short', 'H27-1 Lang'],
    ['H27-3 Leer', ''],
  ])
})

test('courses are listed that lack a known room, English, people or open days, or leave their season', async () => {
  const season = await insertSeason(db, { endsAt: `${dateFromNow(60)} 00:00:00` })
  const rooms = [{ name: 'Halle L', site: 'Celle', capacity: 0, shared: false }]
  await act({ kind: 'create-rooms', rooms })
  const instructorEmails = [(await insertInstructor(db)).email]
  const insert = (name: string, values: object) =>
    insertCourse(db, { seasonId: season.id, name, venue: 'Halle L', city: 'Celle', instructorEmails, ...values })
  const days = (...all: number[]) => ({
    dates: all.map(day => at(day, `${String((day % 12) + 8).padStart(2, '0')}:00`)),
  })
  await insert('Heil', days(20))
  await insert('Ohne Raum', { ...days(21), venue: 'Wiese' })
  await insert('Ohne Englisch', { ...days(22), textWeb: 'Text' })
  await insert('Zu klein', { ...days(23), minParticipants: 4 })
  await insert('Gesperrt', days(24))
  await insert('Zu lang', days(25, 61))
  const expiring = await insertInstructor(db, { licenceUntil: dateFromNow(25) })
  await insert('Lizenz', { ...days(19, 26), instructorEmails: [expiring.email] })
  await insert('Vorbei', { ...days(-9), venue: '', minParticipants: 4 })
  await act({ kind: 'set-closure', site: 'Celle', from: dateFromNow(24), to: dateFromNow(24), lessons: [] })
  const query = { seasonId: String(season.id) }
  const { items } = (await server.request(listSeasonChecks, { query, token })).body
  expect(Object.fromEntries(items.map(({ name, kinds }) => [name.replace(/^\S+ /, ''), kinds]))).toEqual({
    'Ohne Raum': ['withoutRoom'],
    'Ohne Englisch': ['withoutEnglish'],
    'Zu klein': ['belowMinimum'],
    Gesperrt: ['closed'],
    'Zu lang': ['outsideSeason'],
    Lizenz: ['licence'],
  })
})

test('restoring a cancelled lesson requires no reason for a clash that was accepted before', async () => {
  await act({ kind: 'create-rooms', rooms: [{ name: 'Halle U', site: '', capacity: 0, shared: false }] })
  await insertCourse(db, { venue: 'Halle U', dates: [at(40, '18:00')] })
  const course = await insertCourse(db, { venue: 'Anderswo', dates: [at(40, '18:30')] })
  const into = { kind: 'change-course', courseId: course.id, venue: 'Halle U' } as const
  expect((await act(into)).status).toBe('Reason')
  expect((await act({ ...into, reason: 'Halbe Halle' })).status).toBe('Ok')
  const { id } = await db.one<{ id: number }>(sql`select id from course_dates where course_id = ${course.id}`)
  const lesson = { courseDateId: id } as const
  await act({ kind: 'cancel-lesson', ...lesson })
  expect((await act({ kind: 'restore-lesson', ...lesson })).status).toBe('Ok')
  // A course added while the lesson was cancelled is a new clash, which has not been accepted.
  await act({ kind: 'cancel-lesson', ...lesson })
  await insertCourse(db, { venue: 'Halle U', dates: [at(40, '18:45')] })
  expect((await act({ kind: 'restore-lesson', ...lesson })).status).toBe('Reason')
})

test('the venue of a course that is also held online is offered as a room, an online one is not', async () => {
  const meeting = { meetingUrl: 'https://meet.example/3', dates: [at(32, '18:00')] }
  for (const venue of ['Pavillon am Hang', 'Online', 'online (Teams)', 'Zoom Meeting'])
    await insertCourse(db, { ...meeting, venue })
  const { body } = await server.request(listRooms, { query: { limit: '500' }, token })
  const names = body.unknown.map(({ name }) => name)
  expect(names.filter(name => /^Pavillon am Hang|^online|^zoom/i.test(name))).toEqual(['Pavillon am Hang'])
})

test('an accepted clash requires a reason again in another room, with another instructor, or if it lasts longer', async () => {
  const names = ['Halle V', 'Halle W']
  const rooms = names.map(name => ({ name, site: '', capacity: 0, shared: false }))
  const { result } = await act({ kind: 'create-rooms', rooms })
  const [, roomId = 0] = result.roomIds as number[]
  const values = { venue: 'Halle V', endTime: '19:00' }
  const one = await insertCourse(db, { ...values, dates: [at(41, '18:00')] })
  const other = await insertCourse(db, { ...values, venue: 'Anderswo', dates: [at(41, '18:30')] })
  const ids = await db.query<{ id: number }>(sql`
    select id from course_dates where course_id in (${one.id}, ${other.id}) order by course_id`)
  const [first = 0, second = 0] = ids.map(({ id }) => id)
  const reasonFor = async (change: TestAct) => {
    const { status } = await act(change)
    return status === 'Reason' ? (await act({ ...change, reason: 'Absprache' })).status : 'none'
  }
  expect(await reasonFor({ kind: 'change-course', courseId: other.id, venue: 'Halle V' })).toBe('Ok')
  expect(await reasonFor({ kind: 'change-lesson', courseDateId: second, endTime: '20:00' })).toBe('none')
  expect(await reasonFor({ kind: 'change-lesson', courseDateId: first, endTime: '19:30' })).toBe('Ok')
  expect(await reasonFor({ kind: 'change-lesson', courseDateId: first, endTime: '19:15' })).toBe('none')
  const lessons = [first, second].map(courseDateId => ({ courseDateId, roomId }))
  expect(await reasonFor({ kind: 'change-lessons', lessons })).toBe('Ok')
  const [{ email: ida }, { email: kim }] = [await insertInstructor(db), await insertInstructor(db)]
  const teach = (instructorEmail: string) => ({
    kind: 'change-lessons' as const,
    lessons: [first, second].map(courseDateId => ({ courseDateId, instructorEmail })),
  })
  expect(await reasonFor(teach(ida))).toBe('Ok')
  expect(await reasonFor(teach(kim))).toBe('Ok')
  // What remains is a part of what was accepted.
  expect(await reasonFor({ kind: 'change-lesson', courseDateId: second, instructorEmail: ida })).toBe('none')
  expect(await reasonFor({ kind: 'change-lesson', courseDateId: first, endTime: '19:10' })).toBe('none')
})

test('two courses, of which one has two lessons during one of the other, can be moved to a room together', async () => {
  const rooms = [{ name: 'Halle X', site: '', capacity: 0, shared: false }]
  const { result } = await act({ kind: 'create-rooms', rooms })
  const [roomId = 0] = result.roomIds as number[]
  const times = { startTime: '17:00', endTime: '19:00' }
  const long = await insertCourse(db, { ...times, dates: [at(43, '17:00')] })
  // The later lesson has the lower id.
  const dates = [at(43, '18:15'), at(43, '17:15')]
  const twice = await insertCourse(db, { startTime: '17:15', endTime: '18:00', dates })
  const move = { kind: 'change-courses' as const, courseIds: [long.id, twice.id], roomId }
  expect((await act(move)).status).toBe('Reason')
  expect((await act({ ...move, reason: 'Absprache' })).status).toBe('Ok')
})

test('names of an imported programme become instructors of their courses in one action, who are told of them once', async () => {
  const known = await insertInstructor(db, { givenName: 'Ida', familyName: 'Zuordnung' })
  const person = await insertUserWithSession(db)
  const lesson = (day: number, time: string) => ({ dates: [at(day, time)], startTime: time, endTime: '23:00' })
  const shown = 'Ida Zuordnung'
  const one = await insertCourse(db, { instructor: shown, ...lesson(70, '18:00') })
  const two = await insertCourse(db, { instructor: shown, ...lesson(71, '18:00') })
  const pair = await insertCourse(db, { instructor: 'Ida & Kim Neu', ...lesson(72, '18:00') })
  const draft = await insertSeason(db, { isDraft: true })
  const hidden = await insertCourse(db, { instructor: shown, seasonId: draft.id, ...lesson(73, '18:00') })
  await insertBooking(db, one.id, person.id)
  const unknown = async () =>
    (await server.request(listOfficeInstructors, { token })).body.unknown.filter(({ name }) => name.includes('Ida'))
  expect(await unknown()).toEqual([
    { name: 'Ida & Kim Neu', courses: 1, lessons: 1 },
    { name: shown, courses: 3, lessons: 3 },
  ])
  const kim = { name: 'Ida & Kim Neu', email: 'kim.neu@demo.example' }
  const instructors = [{ name: shown, email: known.email }, { name: kim.name, email: known.email }, kim]
  const nameless = await act({ kind: 'link-instructors', instructors })
  expect(nameless).toMatchObject({ status: 'Failed', message: expect.stringContaining(kim.email) })
  await sendMails(db)
  const linked = await actAsPreviewed({
    kind: 'link-instructors',
    instructors: instructors.map(row => (row === kim ? { ...row, familyName: 'Neu', givenName: 'Kim' } : row)),
  })
  expect(linked).toMatchObject({ status: 'Ok', result: { courses: 4, lessons: 4, created: 1 } })
  expect(await unknown()).toEqual([])
  const teaching = await db.query(sql`
    select course_id as id, array_agg(email order by email) as emails from course_instructors
    where course_id = any(${[one.id, two.id, pair.id, hidden.id]}::int[]) group by 1 order by 1`)
  expect(teaching).toEqual([
    { id: one.id, emails: [known.email] },
    { id: two.id, emails: [known.email] },
    { id: pair.id, emails: [known.email, kim.email].sort() },
    { id: hidden.id, emails: [known.email] },
  ])
  const mails = (await sendMails(db)).filter(({ recipient }) => recipient !== person.email)
  const mailTo = (email: string) => JSON.stringify(mails.filter(({ recipient }) => recipient === email))
  expect(mails.filter(({ recipient }) => [known.email, kim.email].includes(recipient))).toHaveLength(2)
  for (const { number } of [one, two, pair]) expect(mailTo(known.email)).toContain(number)
  expect(mailTo(known.email)).not.toContain(hidden.number)
  expect(mailTo(known.email)).toContain('/courses/instructor')
  expect(mailTo(known.email)).not.toContain('/courses/booked')
  expect(mailTo(kim.email)).toContain(pair.number)
  // Nobody is notified of changes to a draft.
  const moved = await act({ kind: 'change-course', courseId: hidden.id, venue: 'Aula' })
  expect(moved.consequences).toMatchObject({ mails: 0, told: [], call: [] })
  expect(await act({ kind: 'link-instructors', instructors })).toMatchObject({ status: 'Failed' })
})
