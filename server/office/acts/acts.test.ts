import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { SentAct } from '#contract/acts/acts.ts'
import { getCourse } from '#contract/endpoints/courses.ts'
import { checkSession } from '#contract/endpoints/session.ts'
import { performAct } from '#contract/office/office.ts'
import type { LastAuditLogEntry } from '#server/office/frame/audit-log-repository.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCourse,
  insertSeason,
  insertSession,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { insertOfficer, openTestOffice, type TestAct } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['bookings', 'owner', 'programme'])
const { act, send } = office

const countOf = async (table: string) =>
  (await server.db.one<{ count: number }>(sql`select count(*) from ${sql.raw(table)}`)).count

describe('booking a person', () => {
  test('assigns the seat, sends one e-mail, writes one audit log entry, and is idempotent', async () => {
    const course = await insertCourse(server.db, { capacity: 1 })
    const person = await insertWebUser(server.db)
    const body = { kind: 'book', courseId: course.id, webUserId: person.id, actId: randomUUID() } as const
    const lines = await countOf('office_record')
    const first = await act(body)
    expect(first).toMatchObject({
      status: 'Ok',
      result: { bookingStatus: 1, position: 0 },
      consequences: { mails: 1, booked: [{ id: person.id }], told: [{ id: person.id }], promoted: [], call: [] },
    })
    expect(JSON.stringify(await act(body))).toBe(JSON.stringify(first))
    expect(await act({ ...body, preview: true })).toEqual(first)
    expect(await act({ ...body, actId: body.actId.toUpperCase() })).toEqual(first)
    expect((await send({ ...body, version: 1 })).status).toBe(409)
    expect(await countOf('office_record')).toBe(lines + 1)
    expect((await send({ ...body, webUserId: office.id })).status).toBe(409)
    expect((await send(body, (await insertOfficer(server, ['bookings'])).token)).status).toBe(409)

    const next = await insertWebUser(server.db)
    expect(await act({ kind: 'book', courseId: course.id, webUserId: next.id })).toMatchObject({
      result: { bookingStatus: 2, position: 1 },
    })
    expect(await act({ kind: 'book', courseId: course.id, webUserId: next.id })).toMatchObject({
      status: 'Ok',
      result: { bookingStatus: 2, position: 1 },
      consequences: { mails: 0, booked: [] },
    })
  })

  test('requires a reason before booking opens, and fails for past courses and locked people', async () => {
    const later = await insertCourse(server.db, { opensAt: daysFromNow(3) })
    const person = await insertWebUser(server.db)
    const book = { kind: 'book', courseId: later.id, webUserId: person.id, actId: randomUUID() } as const
    expect(await act(book)).toMatchObject({ status: 'Reason', recordId: null })
    expect(await act({ ...book, reason: 'Ehrenamt' })).toMatchObject({ status: 'Ok' })
    const over = await insertCourse(server.db, { startsOn: dateFromNow(-60), endsOn: dateFromNow(-30) })
    expect(await act({ kind: 'book', courseId: over.id, webUserId: person.id, reason: 'x' })).toMatchObject({
      status: 'Failed',
    })
    await act({ kind: 'lock-person', webUserId: person.id })
    const open = await insertCourse(server.db)
    expect(await act({ kind: 'book', courseId: open.id, webUserId: person.id, reason: 'x' })).toMatchObject({
      status: 'Failed',
    })
    expect(await act({ kind: 'book', courseId: open.id, webUserId: 2_000_000 })).toMatchObject({ status: 'Failed' })
    expect(await act({ kind: 'book', courseId: 2_000_000, webUserId: person.id })).toMatchObject({ status: 'Failed' })
  })

  test('overlapping lessons require a reason and are named', async () => {
    const startsOn = dateFromNow(9)
    const [first, second] = [await insertCourse(server.db, { startsOn }), await insertCourse(server.db, { startsOn })]
    const person = await insertWebUser(server.db)
    await act({ kind: 'book', courseId: first.id, webUserId: person.id })
    expect((await act({ kind: 'book', courseId: second.id, webUserId: person.id })).status).toBe('Reason')
    expect(
      (await act({ kind: 'book', courseId: second.id, webUserId: person.id, reason: 'geht' })).consequences.clashes,
    ).toMatchObject([{ courseId: first.id, at: `${startsOn}T18:00` }])
  })

  test('a person without an e-mail address gets a letter and is listed to be called', async () => {
    const course = await insertCourse(server.db)
    const made = await act({
      kind: 'create-person',
      givenName: 'Otto',
      familyName: 'Ohnepost',
      mobilePhone: '0171 5',
      employeeStatus: 1,
    })
    const webUserId = Number(made.result.webUserId)
    expect(made).toMatchObject({ status: 'Ok', consequences: { mails: 0, letters: 0 } })
    expect(await act({ kind: 'book', courseId: course.id, webUserId })).toMatchObject({
      consequences: { mails: 0, letters: 1, call: [{ id: webUserId, name: 'Otto Ohnepost', phone: '0171 5' }] },
    })
    const changed = await act({ kind: 'change-person', webUserId, email: 'otto@demo.example' })
    expect(changed).toMatchObject({ status: 'Ok', consequences: { mails: 1, letters: 0 } })
    const again = await act({ kind: 'create-person', familyName: 'Doppelt', email: 'otto@demo.example' })
    expect(again.status).toBe('Failed')
  })
})

test('an action that changes nothing returns `Ok` and keeps the version', async () => {
  const [course, other] = [await insertCourse(server.db), await insertCourse(server.db)]
  const person = await insertWebUser(server.db)
  const place = { courseId: course.id, webUserId: person.id }
  const twice: [TestAct, TestAct][] = [
    [
      { kind: 'confirm-course', courseId: course.id },
      { kind: 'confirm-course', courseId: course.id },
    ],
    [
      { kind: 'book', ...place },
      { kind: 'book', ...place },
    ],
    [
      { kind: 'cancel-booking', ...place, charge: 'none' },
      { kind: 'cancel-booking', ...place, charge: 'none' },
    ],
    [
      { kind: 'cancel-course', courseId: course.id },
      { kind: 'cancel-course', courseId: course.id },
    ],
    [
      { kind: 'restore-course', courseId: course.id },
      { kind: 'restore-course', courseId: course.id },
    ],
  ]
  const { id: courseDateId } = await server.db.one<{ id: number }>(
    sql`select id from course_dates where course_id = ${course.id} order by held_at limit 1`,
  )
  const moved = { courseDateId, startTime: '05:00', endTime: '05:30', note: 'früh' }
  const same: TestAct[] = [
    { kind: 'change-lesson', ...moved },
    { kind: 'change-lessons', lessons: [{ courseDateId, startTime: '05:00', endTime: '05:30' }], note: 'früh' },
    { kind: 'cancel-lesson', courseDateId },
    { kind: 'restore-lesson', courseDateId },
    { kind: 'change-course', courseId: course.id, name: 'Yoga' },
    { kind: 'change-season', seasonId: course.seasonId, name: 'Herbst', bookableFrom: '2020-01-01T08:00' },
    { kind: 'publish-season', seasonId: course.seasonId },
  ]
  for (const [first, second] of [...twice, ...same.map(one => [one, one] as const)]) {
    const done = await act(first)
    expect(await act(second)).toMatchObject({ status: 'Ok', version: done.version, consequences: { mails: 0 } })
  }
  const versionOf = async ({ id }: { id: number }) =>
    (await server.db.one<{ version: number }>(sql`select version from courses where id = ${id}`)).version
  const [before, otherBefore] = [await versionOf(course), await versionOf(other)]
  await act({ kind: 'confirm-course', courseId: course.id })
  await act({ kind: 'change-courses', courseIds: [course.id, other.id], confirmed: true })
  expect([await versionOf(course), await versionOf(other)]).toEqual([before, otherBefore + 1])
})

describe('cancelling a booking', () => {
  test('frees the seat, promotes from the waiting list, stores the charge, and requires a reason after the deadline', async () => {
    const course = await insertCourse(server.db, {
      capacity: 1,
      startsOn: dateFromNow(-40),
      endsOn: dateFromNow(60),
      dates: [`${dateFromNow(-40)} 18:00`, `${dateFromNow(60)} 18:00`],
    })
    const [first, second] = [await insertWebUser(server.db), await insertWebUser(server.db)]
    await insertBooking(server.db, course.id, first.id, { bookedAt: daysFromNow(-60) })
    await insertBooking(server.db, course.id, second.id, { bookedAt: daysFromNow(-50) })
    const cancel = { kind: 'cancel-booking', courseId: course.id, webUserId: first.id, charge: 'full' } as const
    expect((await act(cancel)).status).toBe('Reason')
    const preview = await act({ ...cancel, reason: 'krank', preview: true })
    expect(preview).toMatchObject({
      recordId: null,
      consequences: { mails: 2, messages: 2, ended: [{ id: first.id }], promoted: [{ id: second.id }] },
    })
    const done = await act({ ...cancel, reason: 'krank' })
    expect(done.consequences).toEqual(preview.consequences)
    const row = await server.db.one(sql`select charge from bookings where web_user_id = ${first.id}`)
    expect(row).toEqual({ charge: 'full' })
    expect(await act(cancel)).toMatchObject({ status: 'Ok', consequences: { ended: [] } })
  })

  test('moving a booking is atomic', async () => {
    const [from, to, full] = [
      await insertCourse(server.db, { startsOn: dateFromNow(10) }),
      await insertCourse(server.db, { startsOn: dateFromNow(11) }),
      await insertCourse(server.db, { startsOn: dateFromNow(12), capacity: 0 }),
    ]
    const person = await insertWebUser(server.db)
    await act({ kind: 'book', courseId: from.id, webUserId: person.id })
    const move = { kind: 'move-booking', fromCourseId: from.id, webUserId: person.id } as const
    expect((await act({ ...move, toCourseId: full.id })).status).toBe('Failed')
    expect(await act({ ...move, toCourseId: to.id })).toMatchObject({
      status: 'Ok',
      result: { bookingStatus: 1 },
      consequences: { mails: 2, messages: 2, booked: [{ id: person.id }], ended: [{ id: person.id }] },
    })
    // The inbox names the course that was left, as the e-mails do.
    const inbox = await server.db.query<{ title: string }>(
      sql`select title from inbox_items where web_user_id = ${person.id} order by id`,
    )
    expect(inbox.map(({ title }) => title).slice(1)).toEqual([
      expect.stringContaining(from.number),
      expect.stringContaining(to.number),
    ])
    expect((await act({ ...move, toCourseId: to.id })).status).toBe('Failed')
  })
})

test('an outdated version changes nothing', async () => {
  const course = await insertCourse(server.db)
  const people = [await insertWebUser(server.db), await insertWebUser(server.db)]
  const book = (index: number) =>
    ({ kind: 'book', courseId: course.id, webUserId: people[index]?.id ?? 0, version: 1 }) as const
  const answers = await Promise.all([act(book(0)), act(book(1))])
  expect(answers.map(({ status }) => status).sort()).toEqual(['Changed', 'Ok'])
  expect(answers.find(({ status }) => status === 'Ok')?.version).toBe(2)
})

test('merging keeps the better booking state and the earlier queue position', async () => {
  const course = await insertCourse(server.db, { capacity: 1 })
  const [first, second, third] = [
    await insertWebUser(server.db),
    await insertWebUser(server.db),
    await insertWebUser(server.db),
  ]
  for (const { id } of [first, second, third]) await act({ kind: 'book', courseId: course.id, webUserId: id })
  expect(await act({ kind: 'merge-people', webUserId: first.id, intoWebUserId: third.id })).toMatchObject({
    status: 'Ok',
  })
  const rows = await server.db.query(sql`
    select web_user_id as id, state from bookings where course_id = ${course.id} and cancelled_at is null order by seq`)
  expect(rows).toEqual([
    { id: third.id, state: 1 },
    { id: second.id, state: 2 },
  ])
  const { taken } = await server.db.one<{ taken: number }>(sql`select taken from courses where id = ${course.id}`)
  expect(taken).toBe(2)
})

test('acts that lock the same rows wait for each other, however many arrive at once', async () => {
  const invitations = Array.from({ length: 24 }, (_, index) =>
    send({ kind: 'invite-person', email: `burst${index}@acts.example`, rights: ['content'] }),
  )
  const answers = await Promise.all(invitations)
  expect(answers.map(({ status, body }) => [status, body.status])).toEqual(answers.map(() => [200, 'Ok']))
})

test('a message is sent to all participants in their language', async () => {
  const course = await insertCourse(server.db)
  const people = [await insertWebUser(server.db), await insertWebUser(server.db, { language: 'en' })]
  for (const { id } of people) await insertBooking(server.db, course.id, id)
  const answer = await act({
    kind: 'send-message',
    to: 'course',
    id: course.id,
    mail: true,
    title: 'Matten',
    title2: 'Mats',
    text: 'Bitte mitbringen',
    text2: 'Please bring yours',
  })
  expect(answer).toMatchObject({ consequences: { mails: 2, messages: 2 } })
  const titles = await server.db.query(sql`select title from inbox_items where web_user_id = ${people[1]?.id} `)
  expect(titles).toEqual([{ title: 'Mats' }])
})

describe('rights', () => {
  test('an owner grants and revokes rights, and the last owner remains', async () => {
    const person = await insertUserWithSession(server.db)
    expect(await act({ kind: 'grant-right', email: person.email, right: 'content' })).toMatchObject({
      status: 'Ok',
      consequences: { told: [{ id: person.id }] },
    })
    const { body } = await server.request(checkSession, { query: {}, token: person.token })
    expect(body.rights).toEqual(['content'])
    expect(await act({ kind: 'revoke-right', email: office.email, right: 'owner' })).toMatchObject({ status: 'Failed' })
    expect(await act({ kind: 'grant-right', email: 'nobody@demo.example', right: 'content' })).toMatchObject({
      status: 'Failed',
    })
  })

  test('a caller without rights gets 403 for any body; with a right, the body is validated', async () => {
    const nobody = await insertUserWithSession(server.db)
    const billing = await insertOfficer(server, ['billing'])
    const raw = (token: string, body: unknown) =>
      server.request(performAct, { token, body: body as SentAct }).then(({ status }) => status)
    for (const body of [{}, { kind: 'book' }, { kind: 'nothing' }]) expect(await raw(nobody.token, body)).toBe(403)
    expect(await raw(billing.token, { kind: 'book' })).toBe(403)
    expect(await raw(billing.token, { kind: 'nothing' })).toBe(400)
    expect(await raw(office.token, { kind: 'book', actId: randomUUID(), courseId: 1, webUserId: 1, right: 'x' })).toBe(
      400,
    )
    expect(await raw(office.token, { kind: 'book', actId: 'x', courseId: 1, webUserId: 1 })).toBe(400)
  })

  test('a locked person is logged out and cannot log in again', async () => {
    const person = await insertUserWithSession(server.db)
    await act({ kind: 'lock-person', webUserId: person.id })
    expect((await server.request(checkSession, { query: {}, token: person.token })).body.status).toBe('NotFound')
    await act({ kind: 'unlock-person', webUserId: person.id })
    expect(
      (await server.request(checkSession, { query: {}, token: await insertSession(server.db, person.id) })).body.status,
    ).toBe('Ok')
  })
})

test('the audit log cannot be changed and contains no names', async () => {
  await expect(server.db.execute(sql`update office_record set line = line`)).rejects.toThrow(/append-only/)
  await expect(server.db.execute(sql`update office_record set kind = 'x'`)).rejects.toThrow(
    /only be updated to DEFAULT/,
  )
  await expect(server.db.execute(sql`delete from office_record`)).rejects.toThrow(/append-only/)
  await expect(server.db.execute(sql`truncate office_record`)).rejects.toThrow(/append-only/)
  const lines = await server.db.query<{ line: string }>(sql`select line from office_record`)
  expect(JSON.stringify(lines)).not.toMatch(/Ohnepost|Ehrenamt|Muster/)
})

test('a draft is not visible anywhere', async () => {
  const season = await insertSeason(server.db, { isDraft: true })
  const course = await insertCourse(server.db, { seasonId: season.id })
  expect((await server.request(getCourse, { params: { id: course.id } })).status).toBe(404)
})

describe('the audit finds changes to the audit log made in the database', () => {
  const findings = async () => (await auditPortal(server.db)).findings.filter(line => line.startsWith('record'))
  type Line = { number: number; person: number; course: number }
  const forgeries: [string, (line: Line) => ReturnType<typeof sql>[], (line: Line) => string][] = [
    [
      'a changed entry',
      ({ number }) => [
        sql`update office_record set line = replace(line, '"rules"', '"ruled"') where number = ${number}`,
      ],
      ({ number }) => `line ${number} does not follow on the one before it`,
    ],
    [
      'a changed reason',
      ({ number }) => [sql`update office_record_texts set text = 'another' where record_number = ${number}`],
      ({ number }) => `the words beside line ${number} are not those it was written with`,
    ],
    [
      'a deleted reason',
      ({ number }) => [sql`delete from office_record_texts where record_number = ${number}`],
      ({ number }) => `the words beside line ${number} are missing`,
    ],
    [
      'a deleted person',
      ({ number }) => [
        sql`alter table office_record_people disable trigger forget_record_texts`,
        sql`delete from office_record_people where record_number = ${number}`,
        sql`alter table office_record_people enable trigger forget_record_texts`,
      ],
      ({ number, person }) => `line ${number} is not found by person ${person}, whom it is about`,
    ],
    [
      'an additional person',
      ({ number }) => [sql`insert into office_record_people values (${office.id}, ${number})`],
      ({ number }) => `line ${number} is found by person ${office.id}, whom it is not about`,
    ],
    [
      'another course',
      ({ number, course }) => [
        sql`update office_record_courses set course_id = 99999 where (record_number, course_id) = (${number}, ${course})`,
      ],
      ({ number, course }) => `line ${number} is about the courses ${course}, and found by 99999`,
    ],
    [
      'a changed kind',
      ({ number }) => [
        sql`alter table office_record alter column kind drop expression`,
        sql`update office_record set kind = 'verify-person' where number = ${number}`,
      ],
      ({ number }) => `line ${number} is shown with other facts than it has`,
    ],
  ]

  test('erased personal data and merged people are no findings', async () => {
    const course = await insertCourse(server.db, { opensAt: daysFromNow(3) })
    const [gone, from, into] = [
      await insertWebUser(server.db),
      await insertWebUser(server.db),
      await insertWebUser(server.db),
    ]
    for (const { id: webUserId } of [gone, from])
      await act({ kind: 'book', courseId: course.id, webUserId, reason: 'since it is so' })
    await act({ kind: 'merge-people', webUserId: from.id, intoWebUserId: into.id })
    await server.db.execute(sql`delete from bookings where web_user_id = ${gone.id}`)
    await server.db.execute(sql`delete from web_users where id = ${gone.id}`)
    expect(await findings()).toEqual([])
  })

  test.each(forgeries)('%s', async (_, forge, finding) => {
    const course = await insertCourse(server.db, { opensAt: daysFromNow(3) })
    const person = await insertWebUser(server.db)
    const { recordId } = await act({
      kind: 'book',
      courseId: course.id,
      webUserId: person.id,
      reason: 'since it is so',
    })
    const line = { number: recordId ?? 0, person: person.id, course: course.id }
    const before = await findings()
    await server.db.execute(sql`alter table office_record disable trigger keep_record`)
    for (const statement of forge(line)) await server.db.execute(statement)
    await server.db.execute(sql`alter table office_record enable trigger keep_record`)
    expect((await findings()).filter(text => !before.includes(text))).toEqual([`record: ${finding(line)}`])
  })
})

test('the audit detects a truncated audit log by the last entry seen on this machine', async () => {
  const { number, hash } = await server.db.one<{ number: number; hash: Buffer }>(
    sql`select number, hash from office_record order by number desc limit 1`,
  )
  const ends = async (head: LastAuditLogEntry) =>
    (await auditPortal(server.db, head)).findings.filter(line => /was there/.test(line))
  expect(await ends({ number, hash: hash.toString('hex') })).toEqual([])
  expect(await ends({ number: number + 1, hash: '00' })).toEqual([`record: line ${number + 1} was there and is gone`])
  expect(await ends({ number, hash: '00' })).toEqual([`record: line ${number} is not the one that was there`])
})
