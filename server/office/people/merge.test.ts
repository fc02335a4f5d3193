import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { changePresence, getCourseDates } from '#contract/endpoints/attendance.ts'
import { changeReminders, DEFAULT_REMINDERS } from '#contract/endpoints/reminders.ts'
import { checkSession } from '#contract/endpoints/session.ts'
import { listOfficeProofs } from '#contract/office/money.ts'
import { getOfficeCourse } from '#contract/office/office.ts'
import { getOfficePerson } from '#contract/office/people.ts'
import { insertAttendanceChanges } from '#server/features/attendance/tick-repository.ts'
import { freePlacesOfSeated } from '#server/features/bookings/lesson-place-repository.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { runRetention } from '#server/operations/retention.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { createAccountCalls } from '#server/test/account-calls.ts'
import { dateFromNow, insertBooking, insertCourse, insertTick, insertUserWithSession } from '#server/test/factories.ts'
import { insertProof } from '#server/test/money-scene.ts'
import { openTestDesk } from '#server/test/office.ts'
import { passwordHash } from '#server/test/password.ts'
import { sendMails } from '#server/test/sent-mails.ts'
import { openTestServer } from '#server/test/server.ts'
import { insertTaughtCourse } from '#server/test/taught-course.ts'

const server = await openTestServer()
const calls = createAccountCalls(server)
let last = 0
const unique = (name: string) => `${name}${++last}@merge.example`

const office = await openTestDesk(server, ['bookings'])
const insertPerson = async (values = {}) => {
  const person = await insertUserWithSession(server.db, { email: unique('merged'), passwordHash, ...values })
  const { id: courseId } = await insertCourse(server.db)
  await insertBooking(server.db, courseId, person.id)
  await server.db.execute(sql`
    insert into inbox_items (web_user_id, title, text, document_name) values (${person.id}, 'Zertifikat', '', 'z.pdf')`)
  await server.db.execute(
    sql`insert into consents (web_user_id, kind, version) values (${person.id}, 'insurance', '1')`,
  )
  await server.db.execute(sql`
    insert into company_accounts (issuer, subject, web_user_id) values ('https://id.example', ${person.email}, ${person.id})`)
  return person
}
const countOf = async (id: number) =>
  server.db.one(sql`
    select (select count(*) from bookings where web_user_id = ${id})::int as bookings,
      (select count(*) from inbox_items where web_user_id = ${id} and document_name <> '')::int as documents,
      (select count(*) from consents where web_user_id = ${id})::int as consents,
      (select count(*) from company_accounts where web_user_id = ${id})::int as logins`)
const merge = (from: { id: number }, into: { id: number }) =>
  office.actAsPreviewed({ kind: 'merge-people', webUserId: from.id, intoWebUserId: into.id })

test('merging opens neither the ways in nor the documents of one to the other, and both addresses can undo it', async () => {
  const [from, into] = [await insertPerson(), await insertPerson()]
  const { result, consequences } = await merge(from, into)
  expect(consequences.mails).toBe(2)
  expect(consequences.call).toEqual([])
  expect(result.stays).toEqual(['documents', 'consents', 'companyLogin'])
  expect(await countOf(into.id)).toEqual({ bookings: 2, documents: 1, consents: 1, logins: 1 })
  expect((await calls.logIn(from.email)).status).toBe('WrongPWorUser')
  expect(await office.act({ kind: 'create-person', familyName: 'Neu', email: from.email })).toMatchObject({
    status: 'Failed',
  })
  const undo = await calls.linkTo(from.email, 'people-merged')
  expect(await calls.undo(undo)).toMatchObject({ status: 'Ok' })
  // The other e-mail, not sent yet, cannot be answered any more and stops no other.
  await sendMails(server.db)
  for (const { id } of [from, into])
    expect(await countOf(id)).toEqual({ bookings: 1, documents: 1, consents: 1, logins: 1 })
  expect((await calls.logIn(from.email)).status).toBe('Ok')
  expect((await server.request(checkSession, { query: { sessionToken: into.token } })).body.status).toBe('NotFound')
  expect(await calls.undo(await calls.linkTo(into.email, 'people-merged'))).toMatchObject({ status: 'NotFound' })
})

test('an absence that either person has announced is announced after merging them', async () => {
  const [from, into] = [await insertPerson(), await insertPerson()]
  const course = await insertCourse(server.db)
  const dates = await server.db.query<{ id: number }>(sql`
    select id from course_dates where course_id = ${course.id} order by held_at limit 2`)
  for (const [index, { id }] of [from, into].entries()) {
    await insertBooking(server.db, course.id, id)
    await server.db.execute(sql`
      update bookings set announced_absences = array[${dates[index]?.id ?? 0}::int], absence_days = jsonb_build_object(${dates[index]?.id ?? 0}::int, current_date) where course_id = ${course.id} and web_user_id = ${id}`)
  }
  await merge(from, into)
  const { absences, days } = await server.db.one<{ absences: number[]; days: Record<string, string> }>(sql`
    select announced_absences as absences, absence_days as days from bookings where course_id = ${course.id} and cancelled_at is null`)
  expect([absences.toSorted((a, b) => a - b), Object.keys(days).map(Number)]).toEqual([
    dates.map(({ id }) => id),
    dates.map(({ id }) => id),
  ])
})

test('the guest of a place that either person has freed has it after merging and separating them', async () => {
  const [from, into, guest] = [await insertPerson(), await insertPerson(), await insertUserWithSession(server.db)]
  const course = await insertCourse(server.db)
  for (const { id } of [into, from]) await insertBooking(server.db, course.id, id)
  const { id: placeId } = await server.db.one<{ id: number }>(sql`
    insert into freed_places (course_id, course_date_id, booking_id, held_at, followers_from, guest_id)
    select d.course_id, d.id, b.id, d.held_at, now(), ${guest.id}
    from course_dates d join bookings b on b.course_id = d.course_id and b.web_user_id = ${from.id}
    where d.course_id = ${course.id} order by d.held_at limit 1 returning id`)
  await server.db.execute(sql`
    update bookings b set announced_absences = array[f.course_date_id] from freed_places f
    where f.id = ${placeId} and b.id = f.booking_id`)
  const placeOf = () =>
    server.db.one(sql`
      select b.web_user_id as owner, b.cancelled_at is null as "isActive", f.guest_id as guest, f.ended_at is null as "isOpen"
      from freed_places f join bookings b on b.id = f.booking_id where f.id = ${placeId}`)
  await merge(from, into)
  expect(await placeOf()).toEqual({ owner: into.id, isActive: true, guest: guest.id, isOpen: true })
  await undoMerge(from.email)
  expect(await placeOf()).toEqual({ owner: from.id, isActive: true, guest: guest.id, isOpen: true })
  expect(await auditFindings()).toEqual([])
})

test('of two guests of a lesson who are merged, one place is free again', async () => {
  const [from, into] = [await insertPerson(), await insertPerson()]
  const course = await insertCourse(server.db)
  for (const guest of [from, into]) {
    const { id } = await insertBooking(server.db, course.id, (await insertUserWithSession(server.db)).id)
    await server.db.execute(sql`
      with place as (
        insert into freed_places (course_id, course_date_id, booking_id, held_at, followers_from, guest_id)
        select course_id, id, ${id}, held_at, now(), ${guest.id} from course_dates where course_id = ${course.id}
        order by held_at limit 1 returning course_date_id
      )
      update bookings set announced_absences = array[course_date_id] from place where id = ${id}`)
  }
  await merge(from, into)
  expect(
    await server.db.query(sql`
      select guest_id as guest, ended_at is null as "isOpen" from freed_places where course_id = ${course.id} order by id`),
  ).toEqual([
    { guest: null, isOpen: true },
    { guest: into.id, isOpen: true },
  ])
})

test.each(['guest', 'owner'])(
  'the %s of a freed place who is merged into its other person attends with it',
  async merged => {
    const [guest, owner] = [await insertPerson(), await insertPerson()]
    const course = await insertTaughtCourse(server.db, { startsOn: dateFromNow(3), dates: [`${dateFromNow(3)} 12:00`] })
    const { id } = await insertBooking(server.db, course.id, owner.id)
    const [lessonId = 0] = course.lessonIds
    await server.db.execute(sql`
    insert into freed_places (course_id, course_date_id, booking_id, held_at, followers_from, guest_id)
    select course_id, id, ${id}, held_at, now(), ${guest.id} from course_dates where id = ${lessonId}`)
    await server.db.execute(sql`
    update bookings set announced_absences = array[${lessonId}::int],
      absence_days = jsonb_build_object(${lessonId}::int, ${dateFromNow(3)}::date) where id = ${id}`)
    await (merged === 'guest' ? merge(guest, owner) : merge(owner, guest))
    await freePlacesOfSeated(server.db, 0)
    expect(
      await server.db.query(sql`select from freed_places where course_id = ${course.id} and ended_at is null`),
    ).toEqual([])
    const { body } = await server.request(getCourseDates, { params: { id: course.id }, token: course.teacher.token })
    const heir = merged === 'guest' ? owner : guest
    const listed = body.courseDates[0]?.participants.find(({ id }) => id === heir.id)
    expect(listed).toBeDefined()
    expect(listed).not.toHaveProperty('isAbsenceAnnounced')
    expect(await auditFindings()).toEqual([])
  },
)

/** Active bookings of a course: person, state and sequence number, in order. */
const bookingsOf = (courseId: number) =>
  server.db.query<{ id: number; state: number; seq: number }>(sql`
    select web_user_id as id, state, seq from bookings where course_id = ${courseId} and cancelled_at is null order by seq`)
/** Findings of the audit, except that the test has inserted bookings without their e-mails. */
const auditFindings = async () =>
  (await auditPortal(server.db)).findings.filter(finding => !finding.endsWith('of what is called booking'))
const undoMerge = async (email: string) => calls.undo(await calls.linkTo(email, 'people-merged'))

test.each([
  ['the merged person', (first: number, second: number) => [first, second] as const],
  ['the remaining person', (first: number, second: number) => [second, first] as const],
])('separating reopens the bookings that the merge ended; %s booked first', async (_, order) => {
  const people = [await insertPerson(), await insertPerson()] as const
  const [from, into] = people
  const [first, second] = order(0, 1).map(index => people[index] ?? from)
  const other = await insertUserWithSession(server.db)
  const courses = [
    (await insertCourse(server.db, { capacity: 3 })).id,
    (await insertCourse(server.db, { capacity: 1 })).id,
    (await insertCourse(server.db, { capacity: 2 })).id,
  ]
  for (const courseId of courses)
    for (const person of [first, other, second]) await insertBooking(server.db, courseId, person?.id ?? 0)
  const before = await Promise.all(courses.map(bookingsOf))
  await merge(from, into)
  expect((await Promise.all(courses.map(bookingsOf))).map(({ length }) => length)).toEqual([2, 2, 2])
  expect(await undoMerge(from.email)).toMatchObject({ status: 'Ok' })
  expect(await Promise.all(courses.map(bookingsOf))).toEqual(before)
  expect(await auditFindings()).toEqual([])
})

test('the booking that a merge ended beside another in the same course is not on the page of the person', async () => {
  const [from, into] = [await insertPerson(), await insertPerson()]
  const course = await insertCourse(server.db)
  for (const { id } of [from, into]) await insertBooking(server.db, course.id, id)
  await merge(from, into)
  const read = async () => {
    const [person, list] = [
      await server.request(getOfficePerson, { token: office.token, params: { id: into.id } }),
      await server.request(getOfficeCourse, { token: office.token, params: { id: course.id } }),
    ]
    const { bookings = [] } = person.body
    return [
      bookings.filter(({ courseId }) => courseId === course.id).map(({ bookingStatus }) => bookingStatus),
      list.body.former,
    ]
  }
  expect(await read()).toEqual([[1], []])
})

test('attendance that a phone recorded offline for the merged person is that of the remaining one', async () => {
  const {
    id: courseId,
    people,
    teacher,
    lessonIds,
  } = await insertTaughtCourse(server.db, {
    startsOn: dateFromNow(-1),
    people: [{}, {}, {}],
  })
  const [from, into, third] = people.map(({ id }) => id) as [number, number, number]
  const courseDateId = lessonIds[0] ?? 0
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const tick = async (webUserId: number, changeState: 'added' | 'deleted', minutes: number, rest = {}) =>
    (
      await server.request(changePresence, {
        token: teacher.token,
        body: { courseDateId, webUserId, changeState, changeId: randomUUID(), changedAt: minutesAgo(minutes), ...rest },
      })
    ).body
  const present = async () => {
    const { body } = await server.request(getCourseDates, { token: teacher.token, params: { id: courseId } })
    return body.courseDates[0]?.participants.flatMap(one => (one.isUserPresent ? one.id : []))
  }
  await merge({ id: from }, { id: into })
  // The phone sends at once what it recorded before: the rest as absent, and the person under the merged name as present.
  const answers = await Promise.all([
    tick(into, 'deleted', 10, { ifUnrecorded: true }),
    tick(from, 'added', 20),
    tick(third, 'added', 20),
  ])
  expect(answers.map(({ status, webUserId }) => [status, webUserId])).toEqual([
    ['Ok', into],
    ['Ok', from],
    ['Ok', third],
  ])
  expect(await present()).toEqual(expect.arrayContaining([into, third]))
  // An absence under the merged name takes nothing away.
  expect(await tick(from, 'deleted', 5)).toMatchObject({ status: 'Ok', recorded: { isUserPresent: true } })
  expect(await auditFindings()).toEqual([])
  await merge({ id: into }, { id: third })
  expect(await tick(from, 'added', 1)).toMatchObject({ status: 'Ok' })
  expect(await present()).toEqual([third])
  expect(await auditFindings()).toEqual([])
})

test('a presence is not lost beside an absence under the merged name that arrives with it', async () => {
  const { people, teacher, lessonIds } = await insertTaughtCourse(server.db, {
    startsOn: dateFromNow(-1),
    people: [{}, {}],
  })
  const [from, into] = people.map(({ id }) => id) as [number, number]
  const courseDateId = lessonIds[0] ?? 0
  const change = (webUserId: number, isPresent: boolean, minutes: number) => ({
    changeId: randomUUID(),
    courseDateId,
    webUserId,
    isPresent,
    changedAt: new Date(Date.now() - minutes * 60_000),
    recordedBy: teacher.id,
    email: teacher.email,
  })
  await insertAttendanceChanges(server.db, [change(into, false, 20)])
  await merge({ id: from }, { id: into })
  expect(await insertAttendanceChanges(server.db, [change(into, true, 10), change(from, false, 10)])).toEqual([
    { verdict: 'recorded', isWritten: true, webUserId: into },
    'left',
  ])
})

test('separating puts a person whose seat was given away first on the waiting list, with an e-mail', async () => {
  const [from, into] = [await insertPerson(), await insertPerson()]
  const { id } = await insertCourse(server.db, { capacity: 2 })
  const [third, last] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  for (const person of [into, from, third, last]) await insertBooking(server.db, id, person.id)
  await merge(from, into)
  expect((await bookingsOf(id)).map(({ state }) => state)).toEqual([1, 1, 2])
  await undoMerge(into.email)
  expect((await bookingsOf(id)).map(({ id, state }) => [id, state])).toEqual([
    [into.id, 1],
    [from.id, 2],
    [third.id, 1],
    [last.id, 2],
  ])
  expect((await calls.mailsTo(from.email)).findLast(({ kind }) => kind === 'waiting-list')?.payload).toMatchObject({
    courseId: id,
    position: 1,
  })
  expect(await auditFindings()).toEqual([])
})

test('separating reopens no booking of a course that was cancelled or booked again meanwhile', async () => {
  const [from, into] = [await insertPerson(), await insertPerson()]
  const [cancelled, again] = [(await insertCourse(server.db)).id, (await insertCourse(server.db)).id]
  for (const courseId of [cancelled, again])
    for (const person of [into, from]) await insertBooking(server.db, courseId, person.id)
  await merge(from, into)
  await server.db.execute(sql`update bookings set cancelled_at = now() where course_id = ${cancelled}`)
  await server.db.execute(sql`update courses set cancelled_at = now(), taken = 0 where id = ${cancelled}`)
  await undoMerge(from.email)
  expect(await bookingsOf(cancelled)).toEqual([])
  expect((await bookingsOf(again)).map(({ id }) => id).sort()).toEqual([from.id, into.id].sort())
})

test('separating returns a booking also if the other person was merged into a third one meanwhile', async () => {
  const [from, into, third] = [await insertPerson(), await insertPerson(), await insertPerson()]
  await merge(from, into)
  await merge(into, third)
  expect(await countOf(third.id)).toMatchObject({ bookings: 3 })
  await undoMerge(from.email)
  await undoMerge(into.email)
  for (const { id } of [from, into, third]) expect(await countOf(id)).toMatchObject({ bookings: 1 })
  expect(await auditFindings()).toEqual([])
})

test('separating returns reminder settings, recorded attendance changes and letters', async () => {
  const [from, into] = [await insertPerson(), await insertPerson({ email: 'none 1' })]
  await server.request(changeReminders, { token: from.token, body: DEFAULT_REMINDERS })
  const { tick } = await insertTaughtCourse(server.db, { people: [{}] })
  await insertTick(server.db, { ...tick, isPresent: true, recordedBy: from.id })
  await insertMail(server.db, { webUserId: from.id, kind: 'account-deleted', payload: { isBillingKept: false } })
  const stateOf = async ({ id }: { id: number }) =>
    server.db.one(sql`
      select (select count(*) from reminders where web_user_id = ${id})::int as reminders,
        (select count(*) from attendance_changes where recorded_by = ${id})::int as recorded,
        (select count(*) from letters where web_user_id = ${id})::int as letters`)
  const none = { reminders: 0, recorded: 0, letters: 0 }
  await merge(from, into)
  expect([await stateOf(from), await stateOf(into)]).toEqual([none, { reminders: 1, recorded: 1, letters: 1 }])
  await undoMerge(from.email)
  expect([await stateOf(from), await stateOf(into)]).toEqual([{ reminders: 1, recorded: 1, letters: 1 }, none])
})

test('an unsent e-mail follows the merge and returns, but one with a password or link is deleted', async () => {
  const [from, into] = [await insertPerson(), await insertPerson()]
  await insertMail(server.db, { webUserId: from.id, kind: 'account-deleted', payload: { isBillingKept: false } })
  await insertMail(server.db, { webUserId: from.id, kind: 'password-reset', payload: {} })
  const unsent = async () =>
    server.db.query(sql`
      select kind, recipient from mails
      where web_user_id in (${from.id}, ${into.id}) and kind in ('account-deleted', 'password-reset') and sent_at is null`)
  await merge(from, into)
  expect(await unsent()).toEqual([{ kind: 'account-deleted', recipient: into.email }])
  // The e-mail server does not accept it yet, unlike the link to separate the accounts.
  await server.db.execute(sql`update outbox set due_at = now() + interval '1 hour' where kind = 'account-deleted'`)
  await undoMerge(from.email)
  expect(await unsent()).toEqual([{ kind: 'account-deleted', recipient: from.email }])
})

test('merging transfers documents, consents and the company login once both agree', async () => {
  const [from, into] = [await insertPerson(), await insertPerson()]
  await merge(from, into)
  expect(await calls.confirm(await calls.linkTo(into.email, 'people-merged'))).toMatchObject({ status: 'Ok' })
  expect(await countOf(into.id)).toMatchObject({ documents: 1, logins: 1 })
  expect(await calls.confirm(await calls.linkTo(from.email, 'people-merged'))).toMatchObject({ status: 'Ok' })
  expect(await countOf(into.id)).toEqual({ bookings: 2, documents: 2, consents: 1, logins: 2 })
})

test('a proof that stays with the merged account is decided only once it has followed', async () => {
  const billing = await openTestDesk(server, ['billing'])
  const [from, into] = [await insertPerson(), await insertPerson()]
  const { id: proofId } = await insertProof(server.db, from.id)
  const open = async () =>
    (await server.request(listOfficeProofs, { token: billing.token, query: { state: 'open' } })).body.items.map(
      ({ id }) => id,
    )
  const decide = () => billing.act({ kind: 'decide-proof', proofId, decision: 'accepted' })
  expect(await open()).toContain(proofId)
  await merge(from, into)
  expect(await decide()).toMatchObject({ status: 'Failed', code: 'office.failed.proofOfMerged' })
  expect(await open()).not.toContain(proofId)
  for (const { email } of [from, into]) await calls.confirm(await calls.linkTo(email, 'people-merged'))
  expect(await open()).toContain(proofId)
  expect(await decide()).toMatchObject({ status: 'Ok', consequences: { told: [{ id: into.id }] } })
})

test('merging transfers everything if both accounts have the same verified personnel number', async () => {
  const same = { personnelNumber: `70${++last}`, knownAt: new Date(), employeeStatus: 1 }
  const [from, into] = [await insertPerson(same), await insertPerson(same)]
  expect((await merge(from, into)).result.stays).toEqual(['consents'])
  expect(await countOf(into.id)).toEqual({ bookings: 2, documents: 2, consents: 1, logins: 2 })
})

test('a merge is final after seven days', async () => {
  const [from, into] = [await insertPerson(), await insertPerson()]
  await merge(from, into)
  await runRetention({ db: server.db, now: new Date() })
  expect(await server.db.query(sql`select from merges where from_id = ${from.id}`)).toHaveLength(1)
  await server.db.execute(sql`update web_users set deleted_at = deleted_at - interval '7 days' where id = ${from.id}`)
  await runRetention({ db: server.db, now: new Date() })
  expect(await server.db.query(sql`select from web_users where id = ${from.id}`)).toEqual([])
  expect(await countOf(into.id)).toMatchObject({ bookings: 2, documents: 1 })
})

test('a changed address cannot be merged away before its owner could undo the change', async () => {
  const [victim, accomplice] = [await insertPerson(), await insertPerson()]
  const email = unique('thief')
  await office.act({ kind: 'change-person', webUserId: victim.id, email })
  const into = { kind: 'merge-people', webUserId: victim.id, intoWebUserId: accomplice.id } as const
  const refused = { status: 'Failed', code: 'office.failed.addressChanged' }
  expect(await office.act(into)).toMatchObject(refused)
  const undo = await calls.linkTo(victim.email, 'email-changed')
  expect(await office.act(into)).toMatchObject(refused)
  expect(await calls.undo(undo)).toMatchObject({ status: 'Ok' })
  expect(await office.act(into)).toMatchObject({ status: 'Ok' })
})

test('an HR list proves a personnel number for one account only', async () => {
  const status = { employeeStatus: 1, billingType: 1 }
  const victim = await insertPerson({ ...status, personnelNumber: '4711', knownAt: new Date() })
  const accomplice = await insertPerson(status)
  await office.act({ kind: 'change-person', webUserId: accomplice.id, personnelNumber: '4711' })
  const row = { personnelNumber: '4711' }
  for (const rows of [[row], [{ personnelNumber: '4712' }], [row]])
    await office.act({ kind: 'save-eligible', rows, reason: 'Neue Liste' })
  const { result } = await merge(victim, accomplice)
  expect(result.stays).toEqual(['documents', 'consents', 'companyLogin'])
})
