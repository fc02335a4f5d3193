import { expect, test } from 'vitest'
import type { MessageFilter } from '#contract/acts/messages.ts'
import { listDeskMessages, listMessageDeliveries } from '#contract/office/people.ts'
import { addDays } from '#server/features/money/proof-rules.ts'
import { sendScheduledMessages } from '#server/office/acts/scheduled-message-service.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  insertBooking,
  insertCourse,
  insertInstructor,
  insertInstructorWithSession,
  insertRow,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { insertInvoice } from '#server/test/money-scene.ts'
import { openTestDesk, openTestProgram } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const { db } = server
const config = readConfig({})
const office = await openTestDesk(server, ['bookings'])

const read = async () => (await server.request(listDeskMessages, { token: office.token })).body
const WORDS = { title: 'Matten', title2: 'Mats', text: 'Bitte mitbringen', mail: true } as const
/** Local time, and unambiguous even in the repeated hour at the end of summer time. */
const IN_TWO_HOURS = async () =>
  (
    await db.one<{ at: string }>(
      sql`select to_char(clock_timestamp() + interval '2 hours', 'YYYY-MM-DD"T"HH24:MI') as at`,
    )
  ).at
const inboxOf = async (id: number) =>
  (await db.query<{ title: string }>(sql`select title from inbox_items where web_user_id = ${id}`)).map(
    ({ title }) => title,
  )

async function insertScene() {
  const course = await insertCourse(db)
  const person = await insertUserWithSession(db)
  await insertBooking(db, course.id, person.id)
  return { course, person }
}

test('drafts and templates are saved, changed and removed without notifications', async () => {
  const { course, person } = await insertScene()
  const { result } = await office.actAsPreviewed({ kind: 'save-message', state: 'template', ...WORDS })
  await office.act({ kind: 'save-message', state: 'draft', to: 'course', toId: course.id, ...WORDS, title: 'Bälle' })
  expect((await read()).saved).toMatchObject([
    { state: 'draft', title: 'Bälle', to: 'course', toId: course.id },
    { state: 'template', title: 'Matten', title2: 'Mats', text2: '', to: null },
  ])
  const messageId = Number(result.id)
  await office.act({ kind: 'save-message', messageId, state: 'template', ...WORDS, title: 'Handtuch' })
  expect((await read()).saved.map(({ title }) => title).sort()).toEqual(['Bälle', 'Handtuch'])
  await office.act({ kind: 'remove-message', messageId })
  expect((await read()).saved.map(({ title }) => title)).toEqual(['Bälle'])
  expect(await office.act({ kind: 'remove-message', messageId })).toMatchObject({ status: 'Failed' })
  expect(await inboxOf(person.id)).toEqual([])
})

test('a scheduled message is sent once, to the people booked at that time', async () => {
  const { course, person } = await insertScene()
  const message = { kind: 'save-message', state: 'scheduled', to: 'course', toId: course.id, ...WORDS } as const
  const { result } = await office.act({ ...message, sendAt: await IN_TWO_HOURS() })
  expect(result.recipients).toBe(1)
  const later = await insertUserWithSession(db)
  await insertBooking(db, course.id, later.id)
  expect(await sendScheduledMessages(db, config)).toBe(0)
  expect(await inboxOf(person.id)).toEqual([])

  await db.execute(
    sql`update desk_messages set send_at = clock_timestamp() - interval '1 s' where id = ${Number(result.id)}`,
  )
  const sent = await Promise.all([sendScheduledMessages(db, config), sendScheduledMessages(db, config)])
  expect(sent.sort()).toEqual([0, 1])
  expect(await inboxOf(person.id)).toEqual(['Matten'])
  expect(await inboxOf(later.id)).toEqual(['Matten'])
  expect((await read()).saved.filter(({ id }) => id === Number(result.id))).toEqual([])
})

test('a scheduled message that was sent earlier is not sent again', async () => {
  const { course, person } = await insertScene()
  const to = { to: 'course', toId: course.id } as const
  const { result } = await office.act({
    kind: 'save-message',
    state: 'scheduled',
    ...to,
    ...WORDS,
    sendAt: await IN_TWO_HOURS(),
  })
  const messageId = Number(result.id)
  await office.act({ kind: 'send-message', to: 'course', id: course.id, ...WORDS, messageId })
  expect((await read()).saved.filter(({ id }) => id === messageId)).toEqual([])
  expect(await inboxOf(person.id)).toEqual(['Matten'])
})

test('a scheduled message to a course that was cancelled meanwhile becomes a draft that says so', async () => {
  const { course, person } = await insertScene()
  const message = { kind: 'save-message', state: 'scheduled', to: 'course', toId: course.id, ...WORDS } as const
  const { result } = await office.act({ ...message, sendAt: await IN_TWO_HOURS() })
  const programme = await openTestDesk(server, ['programme'])
  await programme.act({ kind: 'cancel-course', courseId: course.id })
  const before = await inboxOf(person.id)
  await db.execute(sql`update desk_messages set send_at = clock_timestamp() where id = ${Number(result.id)}`)
  expect(await sendScheduledMessages(db, config)).toBe(0)
  expect((await read()).saved.find(({ id }) => id === Number(result.id))).toMatchObject({
    state: 'draft',
    problem: expect.stringContaining('niemanden'),
  })
  expect(await inboxOf(person.id)).toEqual(before)
  expect(await office.act({ kind: 'send-message', to: 'course', id: course.id, ...WORDS })).toMatchObject({
    status: 'Failed',
    code: 'office.failed.nobodyMatches',
  })
})

test('a scheduled message about a lesson that was cancelled meanwhile becomes a draft that says so', async () => {
  const { course, person } = await insertScene()
  const { id: toId } = await db.one<{ id: number }>(
    sql`select id from course_dates where course_id = ${course.id} order by held_at limit 1`,
  )
  const message = { kind: 'save-message', state: 'scheduled', to: 'lesson', toId, ...WORDS } as const
  const sendAt = await IN_TWO_HOURS()
  const { result } = await office.act({ ...message, sendAt })
  const programme = await openTestDesk(server, ['programme'])
  await programme.act({ kind: 'cancel-lesson', courseDateId: toId })
  const before = await inboxOf(person.id)
  await db.execute(sql`update desk_messages set send_at = clock_timestamp() where id = ${Number(result.id)}`)
  expect(await sendScheduledMessages(db, config)).toBe(0)
  expect((await read()).saved.find(({ id }) => id === Number(result.id))).toMatchObject({
    state: 'draft',
    problem: 'Der Termin fällt aus.',
  })
  expect(await inboxOf(person.id)).toEqual(before)
  expect(await office.act({ ...message, sendAt })).toMatchObject({ code: 'office.failed.lessonCancelled' })
  // Written after the cancellation, it is about it.
  expect(await office.act({ kind: 'send-message', to: 'lesson', id: toId, ...WORDS })).toMatchObject({ status: 'Ok' })
})

test('a scheduled message requires recipients and a future time', async () => {
  const message = { kind: 'save-message', state: 'scheduled', ...WORDS } as const
  expect(await office.act({ ...message, sendAt: await IN_TWO_HOURS() })).toMatchObject({
    code: 'office.failed.recipientMissing',
  })
  expect(await office.act(message)).toMatchObject({ code: 'office.failed.sendAtMissing' })
  expect(await office.act({ ...message, sendAt: '2020-01-01T08:00' })).toMatchObject({
    code: 'office.failed.sendAtPast',
  })
})

test('a scheduled message is not sent and shows a problem if its author lost the permission', async () => {
  const { course, person } = await insertScene()
  const author = await openTestDesk(server, ['bookings'])
  const message = { kind: 'save-message', state: 'scheduled', to: 'course', toId: course.id, ...WORDS } as const
  const { result } = await author.act({ ...message, sendAt: await IN_TWO_HOURS() })
  await db.execute(sql`delete from office_rights where web_user_id = ${author.id}`)
  await db.execute(sql`update desk_messages set send_at = clock_timestamp() where id = ${Number(result.id)}`)
  expect(await sendScheduledMessages(db, config)).toBe(0)
  expect(await inboxOf(person.id)).toEqual([])
  expect((await read()).saved.find(({ id }) => id === Number(result.id))).toMatchObject({
    state: 'draft',
    problem: expect.stringContaining('Nicht gesendet'),
  })
})

test('a locked author’s scheduled messages become drafts, at the latest when they are due', async () => {
  const { course, person } = await insertScene()
  const author = await openTestDesk(server, ['bookings'])
  const message = { kind: 'save-message', state: 'scheduled', to: 'course', toId: course.id, ...WORDS } as const
  const schedule = async () => Number((await author.act({ ...message, sendAt: await IN_TWO_HOURS() })).result.id)
  const stateOf = async (messageId: number) => (await read()).saved.find(({ id }) => id === messageId)
  const [first, second] = [await schedule(), await schedule()]
  const lock = { kind: 'lock-person', webUserId: author.id } as const
  const boss = await openTestDesk(server, ['bookings', 'owner'])
  expect((await boss.act({ ...lock, preview: true })).result).toEqual({ drafts: 2 })
  expect(await stateOf(first)).toMatchObject({ state: 'scheduled' })
  await db.execute(sql`update web_users set locked_at = clock_timestamp() where id = ${author.id}`)
  await db.execute(sql`update desk_messages set send_at = clock_timestamp() where id = ${first}`)
  expect(await sendScheduledMessages(db, config)).toBe(0)
  await boss.act(lock)
  for (const id of [first, second])
    expect(await stateOf(id)).toMatchObject({ state: 'draft', problem: expect.stringContaining('Nicht gesendet') })
  expect(await inboxOf(person.id)).toEqual([])
})

test('messages to a merged person follow the account, those to a deleted one are deleted', async () => {
  const [merged, into, deleted] = [
    await insertUserWithSession(db),
    await insertUserWithSession(db),
    await insertUserWithSession(db),
  ]
  const save = async (toId: number, state: 'draft' | 'scheduled') => {
    const sendAt = state === 'scheduled' ? { sendAt: await IN_TWO_HOURS() } : {}
    const { result } = await office.act({ kind: 'save-message', state, to: 'person', toId, ...WORDS, ...sendAt })
    return Number(result.id)
  }
  const saved = [
    await save(merged.id, 'draft'),
    await save(merged.id, 'scheduled'),
    await save(deleted.id, 'scheduled'),
  ]
  await office.act({ kind: 'merge-people', webUserId: merged.id, intoWebUserId: into.id })
  await db.execute(sql`delete from web_users where id = ${deleted.id}`)
  const { status, body } = await server.request(listDeskMessages, { token: office.token })
  expect(status).toBe(200)
  expect(saved.map(id => body.saved.find(one => one.id === id)?.toId)).toEqual([into.id, into.id, undefined])
  await db.execute(
    sql`update desk_messages set send_at = clock_timestamp() where id = any(${saved.slice(1)}::int[]) and state = 'scheduled'`,
  )
  expect(await sendScheduledMessages(db, config)).toBe(1)
  expect(await inboxOf(into.id)).toEqual(['Matten'])
})

test('a sent message is listed by its subject, also if the act has a reason', async () => {
  const { course } = await insertScene()
  const { send } = await openTestProgram(server, ['bookings'])
  const sent = await send({ kind: 'send-message', to: 'course', id: course.id, ...WORDS, reason: 'Wunsch der Leitung' })
  expect(sent.body).toMatchObject({ status: 'Ok' })
  expect((await read()).sent[0]).toMatchObject({ title: 'Matten' })
})

test('each e-mail of a message is delivered, waiting or refused', async () => {
  const { course, person } = await insertScene()
  const other = await insertUserWithSession(db)
  await insertBooking(db, course.id, other.id)
  const { recordId } = await office.act({ kind: 'send-message', to: 'course', id: course.id, ...WORDS })
  await db.execute(
    sql`update outbox set sent_at = clock_timestamp() where web_user_id = ${person.id} and record_number = ${recordId}`,
  )
  await db.execute(sql`
    update outbox set due_at = 'infinity', last_error = '550 unknown user'
    where web_user_id = ${other.id} and record_number = ${recordId}`)
  expect((await read()).sent[0]).toMatchObject({
    recordId,
    title: 'Matten',
    people: 2,
    delivered: 1,
    waiting: 0,
    refused: 1,
  })
  const params = { id: Number(recordId) }
  const { body } = await server.request(listMessageDeliveries, { params, token: office.token })
  expect(body.items).toMatchObject([
    { webUserId: other.id, state: 'refused', reason: '550 unknown user', at: null },
    { webUserId: person.id, state: 'delivered' },
  ])
})

test('a message to a filter reaches those who meet all conditions, now or at the scheduled time', async () => {
  const teacher = await insertInstructorWithSession(server.db)
  const guest = await insertInstructor(server.db)
  const instructorEmails = [teacher.email, guest.email]
  const { id: roomId } = await insertRow<{ id: number }>(server.db, 'rooms', { name: 'Becken 3', site: 'Bad Ost' })
  const aqua = await insertCourse(server.db, { capacity: 2, venue: 'Becken 3', city: 'Bad Ost', instructorEmails })
  const yoga = await insertCourse(server.db, { seasonId: aqua.seasonId, city: 'Werk' })
  const insert = (employeeStatus: number) => insertUserWithSession(server.db, { employeeStatus })
  const [employee, pensioner, waiting, outside] = [await insert(1), await insert(2), await insert(1), await insert(1)]
  for (const { id } of [employee, pensioner, waiting]) await insertBooking(server.db, aqua.id, id)
  await insertBooking(server.db, yoga.id, outside.id)
  const { id: accountId } = await insertRow<{ id: number }>(server.db, 'ledger_accounts', { webUserId: pensioner.id })
  await insertRow(server.db, 'ledger_entries', { accountId, kind: 'correction', cents: 100 })
  const told = async (filter: MessageFilter) =>
    (
      await office.actAsPreviewed({ kind: 'send-message', to: 'filter', filter, ...WORDS, mail: true })
    ).consequences.told
      .map(({ id }) => id)
      .sort((a, b) => a - b)
  const sorted = (...people: { id: number }[]) => people.map(({ id }) => id).sort((a, b) => a - b)
  const seasonIds = [aqua.seasonId]
  expect(await told({ seasonIds })).toEqual(sorted(employee, pensioner, outside))
  expect(await told({ seasonIds, employeeStatuses: [2] })).toEqual(sorted(pensioner))
  expect(await told({ roomIds: [roomId] })).toEqual(sorted(employee, pensioner))
  expect(await told({ sites: ['Bad Ost'], states: ['booked', 'waiting'] })).toEqual(
    sorted(employee, pensioner, waiting),
  )
  expect(await told({ seasonIds, states: ['owes'] })).toEqual(sorted(pensioner))
  expect(await told({ seasonIds, states: ['waiting', 'owes'] })).toEqual([])
  // Who has paid owes nothing, although the ledger keeps what was charged.
  const paid = await insertInvoice(server.db)
  await insertBooking(server.db, yoga.id, paid.id)
  expect(await told({ seasonIds, states: ['owes'] })).toEqual(sorted(pensioner, paid))
  await insertRow(server.db, 'payments', { invoiceNumber: paid.number, paidOn: dateFromNow(0), cents: 4500 })
  expect(await told({ seasonIds, states: ['owes'] })).toEqual(sorted(pensioner))
  await server.db.execute(sql`delete from bookings where web_user_id = ${paid.id}`)
  expect(await told({ roomIds: [roomId], states: ['instructor'] })).toEqual(sorted({ id: 0 }, teacher))
  const [{ day = '' } = {}] = await server.db.query<{ day: string }>(sql`
    select min(held_at)::date::text as day from course_dates where course_id = ${aqua.id}`)
  expect(await told({ courseIds: [aqua.id], date: day })).toEqual(sorted(employee, pensioner))
  expect(await told({ courseIds: [aqua.id], date: '2001-01-01' })).toEqual([])
  const week = { roomIds: [roomId], date: addDays(day, -3), until: addDays(day, 3) }
  expect(await told(week)).toEqual(sorted(employee, pensioner))
  expect(await told({ ...week, until: addDays(day, -1) })).toEqual([])
  expect(await told({ roomIds: [roomId], until: day })).toEqual(sorted(employee, pensioner))
  const empty = { kind: 'send-message', to: 'filter', ...WORDS, mail: true } as const
  const nobody = { ...empty, filter: { courseIds: [aqua.id], date: '2001-01-01' } }
  for (const preview of [true, false])
    expect(await office.act({ ...nobody, preview })).toMatchObject({
      status: 'Failed',
      code: 'office.failed.nobodyMatches',
    })
  expect(await office.act({ ...empty, filter: {} })).toMatchObject({ code: 'office.failed.recipientMissing' })
  expect(await office.act({ ...empty, to: 'course' })).toMatchObject({ code: 'office.failed.recipientMissing' })

  const saved = await office.act({
    kind: 'save-message',
    state: 'scheduled',
    to: 'filter',
    filter: { courseIds: [yoga.id] },
    sendAt: await IN_TWO_HOURS(),
    ...WORDS,
  })
  expect(saved.result).toMatchObject({ recipients: 1 })
  await server.db.execute(
    sql`update desk_messages set send_at = clock_timestamp() where id = ${Number(saved.result.id)}`,
  )
  expect(await sendScheduledMessages(server.db, server.context.config)).toBe(1)
  expect(await inboxOf(outside.id)).toEqual([WORDS.title, WORDS.title])
})

test.each(['draft', 'template'] as const)('a %s to a person who does not exist is refused in words', async state => {
  const act = { kind: 'save-message', state, to: 'person', toId: 2_000_000_000, title: 'Hallo', mail: false } as const
  expect(await office.act(act)).toMatchObject({ status: 'Failed', code: 'office.unknown.person' })
})

test('a message to a lesson reaches its guests, also after the lesson', async () => {
  const course = await insertCourse(db, { dates: [`${dateFromNow(-1)} 12:00`, `${dateFromNow(7)} 12:00`] })
  const [owner, guest] = [await insertUserWithSession(db), await insertUserWithSession(db)]
  const { id: bookingId } = await insertBooking(db, course.id, owner.id)
  const lessons = await db.query<{ id: number }>(sql`
    insert into freed_places (course_id, course_date_id, booking_id, held_at, followers_from, guest_id, taken_at)
    select course_id, id, ${bookingId}, held_at, now(), ${guest.id}, now() from course_dates where course_id = ${course.id}
    returning course_date_id as id`)
  expect(lessons).toHaveLength(2)
  for (const { id } of lessons)
    await office.act({ kind: 'send-message', to: 'lesson', id, ...WORDS, title: 'Fundsache' })
  expect(await inboxOf(guest.id)).toEqual(['Fundsache', 'Fundsache'])
})
