import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Act } from '#contract/acts/acts.ts'
import { performAct } from '#server/office/acts/service.ts'
import { sql } from '#server/platform/db/client.ts'
import { dyingAt } from '#server/test/dying-database.ts'
import {
  dateFromNow,
  insertBooking,
  insertCategory,
  insertCourse,
  insertInstructor,
  insertSeason,
  insertWebUser,
} from '#server/test/factories.ts'
import { insertOfficer, openTestOffice, type TestAct } from '#server/test/office.ts'
import { sendMails } from '#server/test/sent-mails.ts'

const { server, actAsPreviewed, act, send } = await openTestOffice(['programme'])
const { db } = server

const at = (days: number, time: string) => `${dateFromNow(days)} ${time}:00`

/** Days from now of lessons: weekly, far from today. */
const WEEKS = [40, 47, 54] as const

async function insertWeekly(time: string, values: Parameters<typeof insertCourse>[1] = {}) {
  const course = await insertCourse(db, {
    startsOn: dateFromNow(40),
    dates: WEEKS.map(days => at(days, time)),
    ...values,
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

const heldAt = async (ids: readonly number[]) =>
  (
    await db.query<{ at: string }>(sql`
      select to_char(held_at, 'YYYY-MM-DD HH24:MI') as at from course_dates where id = any(${[...ids]}::int[]) order by id`)
  ).map(({ at }) => at)

test('changing lessons of several courses in one action sends one e-mail per person and writes one audit log entry', async () => {
  const [ida, ole] = [await insertInstructor(db), await insertInstructor(db, { familyName: 'Tal' })]
  const yoga = await insertWeekly('06:00', { instructorEmails: [ida.email], name: 'Yoga' })
  const judo = await insertWeekly('08:00', { instructorEmails: [ida.email], name: 'Judo' })
  const [both, one] = [await insertWebUser(db), await insertWebUser(db)]
  for (const course of [yoga, judo]) await insertBooking(db, course.id, both.id)
  await insertBooking(db, judo.id, one.id)
  const [yogaFirst = 0, yogaSecond = 0] = yoga.lessonIds
  const [judoFirst = 0] = judo.lessonIds
  const { answer, mails } = await mailsOf({
    kind: 'change-lessons',
    lessons: [
      { courseDateId: yogaFirst, cancel: true },
      { courseDateId: yogaSecond, venue: 'Halle 77' },
      { courseDateId: judoFirst, instructorEmail: ole.email },
    ],
    note: 'Lehrgang',
    reason: 'Ferien',
  })
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual([both.email, ida.email, ole.email, one.email].sort())
  const wordsOf = (email: string) => JSON.stringify(mails.find(({ recipient }) => recipient === email)?.payload)
  for (const part of ['Yoga', 'Judo', 'Halle 77', 'Tal', 'Lehrgang', 'Entfällt'])
    expect(wordsOf(both.email)).toContain(part)
  expect(wordsOf(one.email)).toContain('Termin geändert: Judo')
  expect(wordsOf(one.email)).not.toContain('Yoga')
  const line = await db.one<{ kind: string; line: { objects: unknown; before: Record<string, unknown> } }>(sql`
    select kind, line::jsonb as line from office_record where number = ${answer.recordId ?? 0}`)
  expect(line.kind).toBe('change-lessons')
  expect(Object.keys(line.line.before).sort()).toEqual([yogaFirst, yogaSecond, judoFirst].map(String).sort())
  expect(JSON.stringify(line)).not.toContain('Tal')
})

test('all lessons of a course can move by a week, onto each other’s former dates', async () => {
  const course = await insertWeekly('10:00')
  const lessons = course.lessonIds.map((courseDateId, index) => ({
    courseDateId,
    date: dateFromNow((WEEKS[index] ?? 0) + 7),
  }))
  expect(await act({ kind: 'change-lessons', lessons, reason: 'Ferien' })).toMatchObject({ status: 'Ok' })
  expect(await heldAt(course.lessonIds)).toEqual(WEEKS.map(days => at(days + 7, '10:00').slice(0, 16)))
  const back = lessons.map(({ courseDateId }, index) => ({ courseDateId, date: dateFromNow(WEEKS[index] ?? 0) }))
  await act({ kind: 'change-lessons', lessons: back, reason: 'Ferien' })
  expect(
    await db.query(sql`select from course_dates where course_id = ${course.id} and moved_from is not null`),
  ).toEqual([])
})

test('one lesson that cannot be changed leaves all unchanged, and is named', async () => {
  const course = await insertWeekly('12:00')
  const other = await insertWeekly('13:00')
  const [first = 0, second = 0] = course.lessonIds
  const change = (lesson: object) =>
    act({
      kind: 'change-lessons',
      lessons: [
        { courseDateId: other.lessonIds[0] ?? 0, cancel: true },
        { courseDateId: first, ...lesson },
      ],
      reason: 'Ferien',
    })
  const taken = await change({ date: dateFromNow(WEEKS[1]) })
  expect(taken).toMatchObject({ status: 'Failed', message: expect.stringContaining(`${course.number}, `) })
  expect(await change({ endTime: '11:00' })).toMatchObject({ status: 'Failed' })
  expect(await change({ roomId: 999_999 })).toMatchObject({ status: 'Failed' })
  expect(await change({ instructorEmail: 'nobody@demo.example' })).toMatchObject({ status: 'Failed' })
  expect(await change({ courseDateId: 999_999 })).toMatchObject({ status: 'Failed' })
  expect(await change({ courseDateId: 999_999, cancel: true })).toMatchObject({ status: 'Failed' })
  expect(await change({ courseDateId: other.lessonIds[0] ?? 0, cancel: true })).toMatchObject({ status: 'Failed' })
  expect(await db.query(sql`select from course_dates where state = 'cancelled' and course_id = ${other.id}`)).toEqual(
    [],
  )
  const body = { kind: 'change-lessons', lessons: [{ courseDateId: second, cancel: true, venue: 'Halle' }] } as const
  expect((await send({ ...body, lessons: [...body.lessons] })).status).toBe(400)
  expect((await send({ kind: 'change-lessons', lessons: [] })).status).toBe(400)
})

test('recorded attendance and a busy instructor require a reason, and clashes are shown', async () => {
  const ole = await insertInstructor(db, { givenName: 'Ole', familyName: 'Doppelt' })
  const busy = await insertWeekly('14:00', { instructorEmails: [ole.email] })
  const course = await insertWeekly('14:30')
  const lessons = [{ courseDateId: course.lessonIds[0] ?? 0, instructorEmail: ole.email }]
  const clash = await act({ kind: 'change-lessons', lessons })
  expect(clash).toMatchObject({ status: 'Reason', consequences: { clashes: [{ courseId: busy.id }] } })
  expect((await act({ kind: 'change-lessons', lessons, reason: 'Helfer' })).status).toBe('Ok')
  const person = await insertWebUser(db)
  await insertBooking(db, busy.id, person.id)
  await db.execute(sql`
    insert into attendances (course_date_id, web_user_id, is_present, changed_at)
    values (${busy.lessonIds[0] ?? 0}, ${person.id}, true, now())`)
  const cancel = busy.lessonIds.map(courseDateId => ({ courseDateId, cancel: true as const }))
  const attended = await act({ kind: 'change-lessons', lessons: cancel })
  expect(attended).toMatchObject({ status: 'Reason', message: expect.stringContaining(busy.number) })
})

test('changing several courses keeps agreed prices, promotes into new seats, and fails below the number of bookings', async () => {
  const [person, waiting] = [await insertWebUser(db), await insertWebUser(db)]
  const first = await insertWeekly('16:00', { capacity: 1 })
  const second = await insertWeekly('17:00', { capacity: 5 })
  for (const { id } of [person, waiting]) await insertBooking(db, first.id, id)
  const prices = () =>
    db.query(sql`select web_user_id, price_cents from bookings where course_id = ${first.id} order by id`)
  const before = await prices()
  const courseIds = [first.id, second.id]
  const opening = `${dateFromNow(10)}T08:00`
  const { answer, mails } = await mailsOf({
    kind: 'change-courses',
    courseIds,
    fee: 77.5,
    energyFee: 3,
    externalFee: null,
    participants: 8,
    bookableFrom: opening,
  })
  expect(answer.consequences.promoted).toMatchObject([{ id: waiting.id }])
  expect(mails.map(({ recipient }) => recipient)).toEqual([waiting.email])
  expect(await prices()).toEqual(before)
  const stored = await db.query(sql`
    select fee_cents as fee, energy_fee_cents as energy, capacity, to_char(bookable_from, 'YYYY-MM-DD"T"HH24:MI') as opening,
      opens_at = bookable_from as "isOpening" from courses where id = any(${courseIds}::int[])`)
  const expected = { fee: 7750, energy: 300, capacity: 8, opening, isOpening: true }
  expect(stored).toEqual([expected, expected])
  const more = await insertWebUser(db)
  for (let filled = 2; filled < 8; filled += 1) await insertBooking(db, first.id, (await insertWebUser(db)).id)
  await insertBooking(db, first.id, more.id)
  const grown = await mailsOf({ kind: 'change-courses', courseIds, participants: 9, venue: 'Aula', confirmed: true })
  expect(grown.answer.consequences.promoted).toMatchObject([{ id: more.id }])
  expect(grown.mails.filter(({ recipient }) => recipient === more.email).map(({ kind }) => kind)).toEqual(['promotion'])
  expect(grown.mails.filter(({ recipient }) => recipient === person.email)).toHaveLength(1)
  const fewer = await act({ kind: 'change-courses', courseIds, participants: 1 })
  expect(fewer).toMatchObject({ status: 'Failed', message: expect.stringContaining(first.number) })
  expect(await act({ kind: 'change-courses', courseIds: [first.id, 999_999], fee: 1 })).toMatchObject({
    status: 'Failed',
  })
})

test('a room change of several courses notifies each person once, also on the waiting list, and clashes require a reason', async () => {
  const room = await act({ kind: 'save-room', name: 'Halle 88', site: 'Celle' })
  const roomId = Number(room.result.roomId)
  const [person, waiting] = [await insertWebUser(db), await insertWebUser(db)]
  const [first, second] = [await insertWeekly('19:00', { capacity: 1 }), await insertWeekly('19:30')]
  for (const { id } of [person, waiting]) await insertBooking(db, first.id, id)
  await insertBooking(db, second.id, person.id)
  const body = { kind: 'change-courses', courseIds: [first.id, second.id], roomId } as const
  const change = { ...body, courseIds: [...body.courseIds] }
  expect((await act(change)).status).toBe('Reason')
  const { mails } = await mailsOf({ ...change, reason: 'geteilt' })
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual([person.email, waiting.email].sort())
  expect(await db.query(sql`select venue, city from courses where id = any(${change.courseIds}::int[])`)).toEqual([
    { venue: 'Halle 88', city: 'Celle' },
    { venue: 'Halle 88', city: 'Celle' },
  ])
  expect(await act({ ...change, venue: 'Halle 1' })).toMatchObject({ status: 'Failed' })
  expect(await act({ ...change, roomId: 999_999 })).toMatchObject({ status: 'Failed' })
})

test('courses that move to a room lose the directions to the former one, others keep theirs', async () => {
  const { result } = await act({ kind: 'save-room', name: 'Halle 89', site: 'Celle' })
  const way = { location: 'Hof, zweite Tür', location2: 'Yard, second door' }
  const moved = await insertWeekly('19:00', { venue: 'Halle 1', city: 'Celle', ...way })
  const there = await insertWeekly('21:00', { venue: 'Halle 89', city: 'Celle', ...way })
  const courseIds = [moved.id, there.id]
  const answer = await act({ kind: 'change-courses', courseIds, roomId: Number(result.roomId), fee: 7 })
  expect(answer).toMatchObject({ status: 'Ok' })
  expect(
    await db.query(sql`select location, location2 from courses where id = any(${courseIds}::int[]) order by id`),
  ).toEqual([{ location: '', location2: '' }, way])
  const { line } = await db.one<{ line: object }>(sql`
    select line::jsonb as line from office_record where number = ${answer.recordId ?? 0}`)
  expect(line).toMatchObject({
    before: { [moved.id]: { venue: 'Halle 1', ...way }, [there.id]: { fee: 0 } },
    after: { venue: 'Halle 89', fee: 700, location: '', location2: '' },
  })
  expect(line).not.toHaveProperty(`before.${there.id}.location`)
})

test('confirming several courses fails if one is cancelled, and names it', async () => {
  const [first, second] = [await insertWeekly('20:00'), await insertWeekly('21:00')]
  await act({ kind: 'cancel-course', courseId: second.id })
  const answer = await act({ kind: 'change-courses', courseIds: [first.id, second.id], confirmed: true })
  expect(answer).toMatchObject({ status: 'Failed', message: expect.stringContaining(second.number) })
})

test('changing several lessons or courses requires the programme permission', async () => {
  const course = await insertWeekly('22:00')
  const bookings = await insertOfficer(server, ['bookings'])
  const lessons = [{ courseDateId: course.lessonIds[0] ?? 0, cancel: true as const }]
  expect((await send({ kind: 'change-lessons', lessons }, bookings.token)).status).toBe(403)
  expect((await send({ kind: 'change-courses', courseIds: [course.id], fee: 1 }, bookings.token)).status).toBe(403)
})

test('confirming 200 courses with 10 people each takes as many statements as confirming 20', async () => {
  const [season, category] = [await insertSeason(db), await insertCategory(db)]
  const ids = await db.query<{ id: number }>(sql`
    insert into courses (number, name, season_id, category_id, venue, start_time, end_time, starts_on, ends_on, plan_starts_on, plan_ends_on,
      plan_day, day, capacity, taken, booking_seq, opens_at, closes_at)
    select 'GEN-' || n, 'Kurs ' || n, ${season.id}, ${category.id}, 'Halle ' || n % 90, '18:00', '19:00', current_date + 300,
      current_date + 377, current_date + 300, current_date + 377, 1, 1, 10, 10, 10, now(), now() + interval '1 year'
    from generate_series(1, 200) n returning id`)
  const courseIds = ids.map(({ id }) => id)
  await db.execute(sql`
    insert into course_dates (course_id, held_at)
    select c, current_date + 300 + 7 * w + time '18:00' from unnest(${courseIds}::int[]) c, generate_series(0, 11) w`)
  await db.execute(sql`
    insert into web_users (email, family_name, given_name) select 'gen-' || n || '@demo.example', 'G' || n, 'Person' from generate_series(1, 600) n`)
  await db.execute(sql`
    insert into bookings (course_id, web_user_id, seq, state, price_cents)
    select c.id, u.id, p, 1, 4500 from unnest(${courseIds}::int[]) with ordinality c (id, n), generate_series(1, 10) p
      join lateral (select id from web_users where email = 'gen-' || (c.n * 7 + p * 57) % 600 + 1 || '@demo.example') u on true`)
  const officer = await insertOfficer(server, ['programme'])
  const { config } = server.context
  const call = { actor: { kind: 'user', id: officer.id, rights: ['programme'] }, language: 'de', config } as const
  const confirm = async (chosen: number[], confirmed: boolean) => {
    const counting = dyingAt(db, Number.POSITIVE_INFINITY)
    const change = { actId: randomUUID(), kind: 'change-courses', courseIds: chosen, confirmed, preview: false } as Act
    const { status, consequences } = await performAct(counting, change, call)
    expect(status).toBe('Ok')
    expect(consequences.told.length).toBe(consequences.mails)
    return { statements: counting.countStatements(), mails: consequences.mails }
  }
  const some = await confirm(courseIds.slice(0, 20), true)
  await confirm(courseIds.slice(0, 20), false)
  const all = await confirm(courseIds, true)
  expect(some.statements).toBeGreaterThan(3)
  expect(all.statements).toBe(some.statements)
  expect([some.mails > 100, all.mails]).toEqual([true, 600])
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) as count from courses where id = any(${courseIds}::int[]) and is_confirmed`)
  expect(count).toBe(200)
})

test('the audit log names fields as the actions do, with old and new values', async () => {
  const course = await insertWeekly('05:00')
  for (const body of [
    { kind: 'confirm-course', courseId: course.id },
    { kind: 'change-courses', courseIds: [course.id], confirmed: false, participants: 77 },
  ] satisfies TestAct[]) {
    const { recordId } = await act(body)
    const { line } = await db.one<{ line: { before: object; after: object } }>(sql`
      select line::jsonb as line from office_record where number = ${recordId ?? 0}`)
    const fields = Object.keys(body).filter(name => ['confirmed', 'participants'].includes(name))
    const expected = fields.length > 0 ? fields : ['confirmed']
    expect([Object.keys(line.before), Object.keys(line.after)].map(names => names.sort())).toEqual([expected, expected])
  }
})
