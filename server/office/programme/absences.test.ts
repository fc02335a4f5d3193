import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { createFeed } from '#contract/endpoints/calendar.ts'
import { listAbsenceLessons, listClosureLessons } from '#contract/office/planning.ts'
import { getOfficeGrid } from '#contract/office/programme.ts'
import { getToday } from '#contract/office/today.ts'
import { listExpiringLicences } from '#server/office/frame/today-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  insertBooking,
  insertCategory,
  insertCourse,
  insertInstructor,
  insertInstructorWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { openTestOffice, type TestAct } from '#server/test/office.ts'
import { sendMails } from '#server/test/sent-mails.ts'
import { listAbsentInstructors } from './absence-repository.ts'

const { server, act, actAsPreviewed, token } = await openTestOffice(['programme'], {
  publicUrl: 'https://sport.example.com',
})
const { db } = server

const at = (days: number, time: string) => `${dateFromNow(days)} ${time}:00`

async function insertTaught(time: string, instructorEmail: string, days = [3, 10, 17]) {
  const course = await insertCourse(db, {
    startsOn: dateFromNow(days[0] ?? 0),
    dates: days.map(day => at(day, time)),
    instructorEmails: [instructorEmail],
  })
  const lessons = await db.query<{ id: number }>(sql`
    select id from course_dates where course_id = ${course.id} order by held_at`)
  return { ...course, lessonIds: lessons.map(({ id }) => id) }
}

const mailsOf = async (body: TestAct) => {
  const before = (await sendMails(db)).length
  const answer = await actAsPreviewed(body)
  expect(answer).toMatchObject({ status: 'Ok' })
  return { answer, mails: (await sendMails(db)).slice(before) }
}

const read = async (instructorEmail: string, from = dateFromNow(0), to = dateFromNow(20)) =>
  (await server.request(listAbsenceLessons, { query: { instructorEmail, from, to }, token })).body

const stateOf = (id: number) =>
  db.one<{ state: string; substitute: string | null; at: string }>(sql`
    select state, instructor_email as substitute, to_char(held_at, 'YYYY-MM-DD HH24:MI:SS') as at from course_dates where id = ${id}`)

test('an absence sets substitute, cancelled, moved and open lessons in one action, with one e-mail per person', async () => {
  const ida = await insertInstructorWithSession(db)
  const ole = await insertInstructor(db, { givenName: 'Ole', familyName: 'Tal' })
  const [yoga, judo] = [await insertTaught('06:10', ida.email), await insertTaught('08:10', ida.email)]
  const person = await insertWebUser(db)
  for (const { id } of [yoga, judo]) await insertBooking(db, id, person.id)
  const [covered = 0, cancelled = 0, open = 0] = yoga.lessonIds
  const [moved = 0, alsoOpen = 0, last = 0] = judo.lessonIds
  const span = { from: dateFromNow(0), to: dateFromNow(13) }
  const { answer, mails } = await mailsOf({
    kind: 'set-absence',
    instructorEmail: ida.email,
    ...span,
    lessons: [
      { courseDateId: covered, substituteEmail: ole.email },
      { courseDateId: cancelled, cancel: true },
      { courseDateId: moved, date: dateFromNow(25), startTime: '09:00', endTime: '10:00' },
    ],
    note: 'Gute Besserung',
    reason: 'Ferien',
  })
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual([ida.email, ole.email, person.email].sort())
  const wordsOf = (email: string) => JSON.stringify(mails.find(({ recipient }) => recipient === email)?.payload)
  for (const part of [yoga.name, judo.name, 'Tal', 'Entfällt', 'Gute Besserung'])
    expect(wordsOf(person.email)).toContain(part)
  expect(wordsOf(ida.email)).toContain('als abwesend eingetragen')
  expect(wordsOf(ida.email)).toContain('Entfällt')
  expect(await stateOf(covered)).toMatchObject({ substitute: ole.email, state: 'planned' })
  expect(await stateOf(cancelled)).toMatchObject({ state: 'cancelled' })
  expect(await stateOf(moved)).toMatchObject({ at: at(25, '09:00') })
  const { line } = await db.one<{ line: string }>(sql`
    select line from office_record where number = ${answer.recordId ?? 0}`)
  expect(line).not.toMatch(/Ole|Tal|demo\.example/)

  // Open lessons are on Today and in the grid; lessons after the absence are not.
  const today = async () =>
    (await server.request(getToday, { token })).body.absences?.filter(one => one.instructorEmail === ida.email)
  expect(await today()).toMatchObject([{ ...span, lessons: 1, at: `${dateFromNow(10)}T08:10` }])
  const grid = await server.request(getOfficeGrid, { query: { from: span.from, to: dateFromNow(20) }, token })
  const uncovered = grid.body.lessons.filter(lesson => lesson.uncovered).map(({ courseDateId }) => courseDateId)
  expect(uncovered).toEqual([alsoOpen])
  expect(uncovered).not.toContain(open)
  expect(uncovered).not.toContain(last)
  expect(grid.body.absences).toContainEqual({
    absenceId: answer.result.absenceId,
    instructorEmail: ida.email,
    name: expect.any(String),
    ...span,
  })

  const { mails: back } = await mailsOf({
    kind: 'remove-absence',
    absenceId: Number(answer.result.absenceId),
    lessons: [
      { courseDateId: covered, instructorEmail: '' },
      { courseDateId: cancelled, restore: true },
      { courseDateId: moved, date: dateFromNow(3), startTime: '08:10' },
    ],
    reason: 'Ferien',
  })
  expect(back.map(({ recipient }) => recipient).sort()).toEqual([ida.email, ole.email, person.email].sort())
  expect(await stateOf(covered)).toMatchObject({ substitute: null })
  expect(await stateOf(cancelled)).toMatchObject({ state: 'planned' })
  expect(await stateOf(moved)).toMatchObject({ at: at(3, '08:10') })
  expect(await today()).toEqual([])
})

test('free instructors are sorted by experience with the category, and busy ones are named with their course', async () => {
  const category = await insertCategory(db)
  const [ill, known, busy, away] = [
    await insertInstructor(db),
    await insertInstructor(db, { givenName: 'Yuki', familyName: 'Zander' }),
    await insertInstructor(db),
    await insertInstructor(db),
  ]
  await insertCourse(db, { categoryId: category.id, instructorEmails: [known.email], dates: [at(-40, '10:00')] })
  const lesson = { categoryId: category.id, dates: [at(4, '11:00')], instructorEmails: [ill.email] }
  const course = await insertCourse(db, lesson)
  const other = await insertCourse(db, { dates: [at(4, '11:30')], instructorEmails: [busy.email] })
  const gone = { from: dateFromNow(4), to: dateFromNow(4) }
  await act({ kind: 'set-absence', instructorEmail: away.email, ...gone, lessons: [] })
  const { lessons } = await read(ill.email)
  expect(lessons).toMatchObject([{ courseId: course.id, date: dateFromNow(4), startTime: '11:00' }])
  const [{ free = [], busy: taken = [] } = {}] = lessons
  expect(free[0]).toEqual({ email: known.email, name: 'Yuki Zander', taught: 1 })
  const emails = free.map(({ email }) => email)
  for (const { email } of [ill, busy, away]) expect(emails).not.toContain(email)
  expect(taken).toContainEqual(expect.objectContaining({ email: busy.email, number: other.number }))
})

test('rejects lessons of others or of other days, reversed dates, and unknown instructors and absences', async () => {
  const [ida, ole] = [await insertInstructor(db), await insertInstructor(db)]
  const mine = await insertTaught('12:10', ida.email)
  const others = await insertTaught('13:10', ole.email)
  const span = { from: dateFromNow(0), to: dateFromNow(5) }
  const set = (fields: object) =>
    act({ kind: 'set-absence', instructorEmail: ida.email, ...span, lessons: [], reason: 'Ferien', ...fields })
  const cancel = (courseDateId = 0) => [{ courseDateId, cancel: true as const }]
  for (const fields of [
    { lessons: cancel(others.lessonIds[0]) },
    { lessons: cancel(mine.lessonIds[1]) },
    { lessons: cancel(999_999) },
    { from: span.to, to: span.from },
    { instructorEmail: 'nobody@demo.example' },
  ])
    expect(await set(fields)).toMatchObject({ status: 'Failed' })
  expect(await act({ kind: 'remove-absence', absenceId: 999_999 })).toMatchObject({ status: 'Failed' })
  expect(await db.query(sql`select from absences where instructor_email = ${ida.email}`)).toEqual([])
  // Repeating the action creates no second absence.
  const [first, second] = [await set({}), await set({})]
  expect(second.result).toEqual({ ...first.result, isNew: false })
})

test('an absent or busy substitute requires a reason, and a room shared with another lesson does not', async () => {
  const [ida, ole] = [await insertInstructor(db), await insertInstructor(db)]
  const room = await act({ kind: 'save-room', name: 'Halle 44' })
  const [mine, neighbour] = [
    await insertTaught('15:10', ida.email),
    await insertTaught('15:20', (await insertInstructor(db)).email),
  ]
  await db.execute(sql`
    update course_dates set room_id = ${Number(room.result.roomId)} where course_id in (${mine.id}, ${neighbour.id})`)
  const substitute = (days: number) => ({
    kind: 'set-absence' as const,
    instructorEmail: ida.email,
    from: dateFromNow(days),
    to: dateFromNow(days),
    lessons: [{ courseDateId: mine.lessonIds[days === 3 ? 0 : 1] ?? 0, substituteEmail: ole.email }],
  })
  expect(await act(substitute(3))).toMatchObject({ status: 'Ok' })
  const gone = { from: dateFromNow(8), to: dateFromNow(12) }
  await act({ kind: 'set-absence', instructorEmail: ole.email, ...gone, lessons: [] })
  expect(await act(substitute(10))).toMatchObject({ status: 'Reason', code: 'office.reason.absent' })
  expect(await act({ ...substitute(10), reason: 'kommt doch' })).toMatchObject({ status: 'Ok' })
})

test("the instructor's calendar shows the absence as whole days", async () => {
  const ida = await insertInstructorWithSession(db)
  const span = { from: '2100-03-20', to: '2100-04-02' }
  await act({ kind: 'set-absence', instructorEmail: ida.email, ...span, lessons: [] })
  const { url } = (await server.request(createFeed, { token: ida.token })).body
  const text = await (await server.app.request(url.replace('https://sport.example.com', ''))).text()
  const [event] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  expect(event?.getFirstPropertyValue('summary')).toBe('Abwesend')
  expect(String(event?.getFirstPropertyValue('dtstart'))).toBe('2100-03-20')
  expect(String(event?.getFirstPropertyValue('dtend'))).toBe('2100-04-03')
})

test('closed rooms: lessons get another room or fall out, the others stand on Today, and planning there is a clash', async () => {
  const ida = await insertInstructorWithSession(db)
  const rooms = await db.query<{ id: number }>(sql`
    insert into rooms (name, site, capacity) values ('Halle zu', 'Werk Ost', 30), ('Halle frei', 'Werk Ost', 30), ('Kammer', 'Werk Ost', 1)
    returning id`)
  const [closed = 0, other = 0] = rooms.map(({ id }) => id)
  const [yoga, judo] = [await insertTaught('05:10', ida.email), await insertTaught('07:30', ida.email, [4])]
  await db.execute(sql`
    update courses set venue = 'Halle zu', city = 'Werk Ost' where id in (${yoga.id}, ${judo.id})`)
  const person = await insertWebUser(db)
  for (const { id } of [yoga, judo]) await insertBooking(db, id, person.id)
  await insertBooking(db, yoga.id, (await insertWebUser(db)).id)
  const [moved = 0, cancelled = 0, later = 0] = yoga.lessonIds
  const [open = 0] = judo.lessonIds
  const span = { from: dateFromNow(0), to: dateFromNow(13) }
  const query = { roomIds: String(closed), ...span }
  const offered = (await server.request(listClosureLessons, { query, token })).body.lessons
  expect(offered.map(({ courseDateId }) => courseDateId)).toEqual([moved, open, cancelled])
  expect(offered[0]?.free.map(({ name }) => name)).toContain('Halle frei')
  expect(offered[0]?.free.map(({ name }) => name)).not.toContain('Kammer')

  const { answer, mails } = await mailsOf({
    kind: 'set-closure',
    roomIds: [closed],
    ...span,
    lessons: [
      { courseDateId: moved, roomId: other },
      { courseDateId: cancelled, cancel: true },
    ],
    note: 'Der Boden wird geschliffen',
  })
  // One e-mail each for the participants and the instructor, about both lessons.
  expect(mails).toHaveLength(3)
  const closureId = Number(answer.result.closureId)
  const grid = (await server.request(getOfficeGrid, { query: { from: dateFromNow(3), to: dateFromNow(10) }, token }))
    .body
  expect(grid.closures).toEqual([{ closureId, roomIds: [closed], site: '', name: 'Halle zu', ...span }])
  const inGrid = (id: number) => grid.lessons.find(({ courseDateId }) => courseDateId === id)
  expect(inGrid(moved)).toMatchObject({ roomId: other, closed: false, clash: false })
  expect(inGrid(cancelled)).toMatchObject({ state: 'cancelled' })
  expect(inGrid(open)).toMatchObject({ closed: true, clash: true })
  const today = async () => (await server.request(getToday, { token })).body.closures
  expect(await today()).toMatchObject([{ closureId, name: 'Halle zu', lessons: 1 }])

  expect(await act({ kind: 'change-lesson', courseDateId: open, roomId: other })).toMatchObject({ status: 'Ok' })
  // The lesson's day stays, because another one could be a holiday, which requires a reason first.
  const back = { kind: 'change-lesson', courseDateId: open, roomId: closed } as const
  expect(await act(back)).toMatchObject({
    status: 'Reason',
    code: 'office.reason.closed',
    consequences: { clashes: [{ room: 'Halle zu', courseId: judo.id }] },
  })
  expect(await today()).toEqual([])
  // The same closure again, as *Today* sends it for the remaining lessons, does not close the room twice.
  const again = await act({ kind: 'set-closure', roomIds: [closed, closed], ...span, lessons: [] })
  expect(again).toMatchObject({ status: 'Ok', result: { closureId, isNew: false } })
  expect(answer.result).toMatchObject({ isNew: true })
  expect(await act({ kind: 'set-closure', site: 'Werk Osten', ...span, lessons: [] })).toMatchObject({
    code: 'office.unknown.site',
  })
  const strange = { kind: 'set-closure', ...span, lessons: [{ courseDateId: later, cancel: true }] } as const
  expect(await act({ ...strange, lessons: [...strange.lessons] })).toMatchObject({ code: 'office.failed.roomsOrSite' })
  expect(await act({ ...strange, lessons: [...strange.lessons], site: 'Werk Ost' })).toMatchObject({
    code: 'office.failed.notInClosure',
  })
  expect(await act({ kind: 'remove-closure', closureId })).toMatchObject({ status: 'Ok' })
  expect(await act(back)).toMatchObject({ status: 'Ok' })
})

test.each<[name: string, list: (tx: Queryable) => Promise<unknown>]>([
  ['absent instructors', tx => listAbsentInstructors(tx, null, 'de')],
  ['expiring licences', tx => listExpiringLicences(tx, { limit: 1, offset: 0, language: 'de' })],
])('the list of %s determines the instructors of each lesson once, whatever the planner expects', async (_, list) => {
  for (let n = 0; n < 5; n++) {
    const { email } = await insertInstructor(db, { licenceUntil: dateFromNow(1) })
    await insertTaught('05:00', email)
    await db.execute(sql`
      insert into absences (instructor_email, starts_on, ends_on) values (${email}, current_date, current_date + 30)`)
  }
  await db.transaction(async tx => {
    // Without indexes, a join of lessons and instructors compares each with each.
    for (const scan of ['indexscan', 'indexonlyscan', 'bitmapscan'])
      await tx.execute(sql.raw(`set local enable_${scan} = off`))
    const count = () =>
      tx.one<{ lessons: number; scans: number }>(sql`
        select (select count(*)::int from course_dates) as lessons, (seq_scan + idx_scan)::int as scans
        from pg_stat_xact_user_tables where relname = 'course_instructors'`)
    const { lessons, scans } = await count()
    await list(tx)
    expect((await count()).scans - scans).toBeLessThanOrEqual(lessons)
  })
})
