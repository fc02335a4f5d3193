import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/endpoints/accounts.ts'
import { listBookedCourses } from '#contract/endpoints/courses.ts'
import { listOwnMoney } from '#contract/endpoints/money.ts'
import { getOfficeMoney, getSettlement, listInvoices, listLedger, listSettlements } from '#contract/office/money.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { findRetainedData } from '#server/features/accounts/deletion-repository.ts'
import { eraseAccount } from '#server/features/accounts/deletion-service.ts'
import { insertAttendanceChanges } from '#server/features/attendance/tick-repository.ts'
import { hashOfLines } from '#server/features/money/settlement-service.ts'
import { lockAccount } from '#server/features/session/account-repository.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { repeatAccountDeletions, saveDeletedAccounts } from '#server/operations/backup/deleted-accounts.ts'
import { sql } from '#server/platform/db/client.ts'
import { makeFolder } from '#server/test/copies.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertRow,
  insertTick,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { insertPastCourse, insertPlace, insertProof } from '#server/test/money-scene.ts'
import { openTestOffice } from '#server/test/office.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'

const { server, ...office } = await openTestOffice(['billing', 'bookings', 'programme'])
const { db } = server

const moneyOf = async ({ token }: { token: string }) => (await server.request(listOwnMoney, { token })).body
const costOf = async (person: { token: string }) => (await moneyOf(person)).balance
const settle = (...courseIds: number[]) => office.act({ kind: 'settle-courses', courseIds })
const countEntries = async () =>
  (await db.one<{ count: number }>(sql`select count(*)::int as count from ledger_entries`)).count

test('settling waives the fee for regular attendance, charges the others, and writes nothing when repeated', async () => {
  const course = await insertPastCourse(db)
  const [regular, rare] = [await insertPlace(db, course, 2), await insertPlace(db, course, 1)]
  const preview = await office.act({ kind: 'settle-courses', courseIds: [course.id], preview: true })
  expect(preview.result).toEqual({
    courses: [{ courseId: course.id, entries: 3, sums: { fee: 90, waiver: -45 }, sum: 45, undecided: [] }],
    undecided: [],
    held: [{ webUserId: rare.id, cause: 'personnelNumber', amount: 45 }],
  })
  expect(await countEntries()).toBe(0)
  const settled = await office.actAsPreviewed({ kind: 'settle-courses', courseIds: [course.id] })
  expect(settled).toMatchObject({ status: 'Ok', result: preview.result })
  expect([await costOf(regular), await costOf(rare)]).toEqual([0, 45])
  expect((await moneyOf(regular)).seasons).toMatchObject([
    {
      seasonId: course.seasonId,
      courses: [
        {
          courseId: course.id,
          sum: 0,
          lines: [
            { kind: 'fee', amount: 45 },
            { kind: 'waiver', amount: -45 },
          ],
        },
      ],
    },
  ])
  const entries = await countEntries()
  expect(await settle(course.id)).toMatchObject({ status: 'Ok', result: { courses: [{ entries: 0 }] } })
  expect(await countEntries()).toBe(entries)
  const { body } = await server.request(listLedger, { token: office.token, query: { course: String(course.id) } })
  expect(body.items.map(({ webUserId, kind, amount }) => [webUserId, kind, amount])).toEqual([
    [regular.id, 'fee', 45],
    [regular.id, 'waiver', -45],
    [rare.id, 'fee', 45],
  ])
})

test('a later attendance change or absence proof outdates the settlement, and settling again writes the difference', async () => {
  const course = await insertPastCourse(db)
  const person = await insertPlace(db, course, 1)
  await settle(course.id)
  const outdated = async () =>
    (await server.request(getOfficeMoney, { token: office.token, query: {} })).body.outdated.map(
      ({ courseId }) => courseId,
    )
  expect(await outdated()).not.toContain(course.id)
  await insertTick(db, {
    courseDateId: course.lessonIds[1] ?? 0,
    webUserId: person.id,
    isPresent: true,
    recordedBy: null,
  })
  expect(await outdated()).toContain(course.id)
  expect((await settle(course.id)).result).toMatchObject({ courses: [{ entries: 1 }] })
  expect(await costOf(person)).toBe(0)
  await insertTick(db, {
    courseDateId: course.lessonIds[1] ?? 0,
    webUserId: person.id,
    isPresent: false,
    recordedBy: null,
  })
  await settle(course.id)
  expect(await costOf(person)).toBe(45)
  const proof = await insertProof(db, person.id)
  expect(await office.act({ kind: 'decide-proof', proofId: proof.id, decision: 'accepted' })).toMatchObject({
    status: 'Ok',
  })
  expect(await outdated()).toContain(course.id)
  await settle(course.id)
  expect(await costOf(person)).toBe(0)
  const { body } = await server.request(getSettlement, { token: office.token, params: { id: course.id } })
  const { items } = (
    await server.request(listSettlements, { token: office.token, query: { seasonId: String(course.seasonId) } })
  ).body
  expect(items).toMatchObject([{ courseId: course.id, number: course.number, people: 1, amount: 0 }])
  expect(body).toMatchObject({
    settlement: 4,
    isOutdated: false,
    lines: [{ needed: 1, present: 1, outcome: 'regular' }],
  })
})

test('accepting a sick note names the missed lessons that it excuses, and a short one says that it excuses none', async () => {
  const course = await insertPastCourse(db)
  const person = await insertPlace(db, course, 1)
  const accept = async (endsOn: string) => {
    const proof = await insertProof(db, person.id, { kind: 'sick', endsOn, startsOn: dateFromNow(-60) })
    const act = { kind: 'decide-proof', proofId: proof.id, decision: 'accepted', preview: true } as const
    return (await office.act({ ...act, reason: 'Telefonisch' })).result
  }
  expect(await accept(dateFromNow(-58))).toMatchObject({ effect: 'tooShort', excused: [] })
  const { effect, excused } = await accept(dateFromNow(0))
  expect(effect).toBe('sick')
  expect(excused).toHaveLength(course.lessonIds.length - 1)
})

test('settling requires the end of the last lesson, and a reason for open lessons and an open list', async () => {
  const ahead = await insertPastCourse(db)
  await db.execute(
    sql`update course_dates set held_at = localtimestamp - interval '30 minutes' where id = ${ahead.lessonIds[2] ?? 0}`,
  )
  expect(await settle(ahead.id)).toMatchObject({ status: 'Failed', message: expect.stringContaining(ahead.number) })

  const open = await insertPastCourse(db, 3, { isParticipatingComplete: false })
  const person = await insertPlace(db, open, 2)
  expect(await settle(open.id)).toMatchObject({ status: 'Reason' })
  await db.execute(sql`update courses set is_participating_complete = true where id = ${open.id}`)
  await db.execute(sql`update attendances set is_present = null where course_date_id = ${open.lessonIds[0] ?? 0}`)
  expect(await settle(open.id)).toMatchObject({ status: 'Reason' })
  const lessons = async () =>
    (await server.request(getSettlement, { token: office.token, params: { id: open.id } })).body.lessons
  expect((await lessons()).map(({ recording }) => recording)).toEqual(['open', 'recorded', 'recorded'])
  expect(await office.act({ kind: 'exclude-lesson', courseDateId: open.lessonIds[0] ?? 0 })).toMatchObject({
    status: 'Ok',
  })
  expect((await lessons())[0]).toMatchObject({ courseDateId: open.lessonIds[0], recording: 'excluded' })
  expect(await settle(open.id)).toMatchObject({ status: 'Ok' })
  // Present in one of two lessons, which is not regular; the excluded lesson is not included.
  expect(await costOf(person)).toBe(45)
  const { body } = await server.request(getSettlement, { token: office.token, params: { id: open.id } })
  expect(body.lines).toMatchObject([{ counted: 2, present: 1, needed: 2 }])

  // A phone without network delivers what the instructor had recorded: the lesson counts again.
  const excluded = { courseDateId: open.lessonIds[0] ?? 0, webUserId: person.id }
  const record = (isPresent: boolean | null) =>
    insertAttendanceChanges(db, [
      { ...excluded, changeId: randomUUID(), isPresent, changedAt: new Date(), recordedBy: null, email: null },
    ])
  const outdated = async () =>
    (await server.request(getOfficeMoney, { token: office.token, query: {} })).body.outdated.map(
      ({ courseId }) => courseId,
    )
  await record(null)
  expect((await lessons())[0]).toMatchObject({ recording: 'excluded' })
  expect(await outdated()).not.toContain(open.id)
  await record(true)
  expect((await lessons())[0]).toMatchObject({ recording: 'recorded' })
  expect(await outdated()).toContain(open.id)
  await settle(open.id)
  expect(await costOf(person)).toBe(0)
})

test('an excluded lesson that is moved ahead counts again', async () => {
  const course = await insertPastCourse(db)
  const person = await insertPlace(db, course, 3)
  const courseDateId = course.lessonIds[2] ?? 0
  await db.execute(sql`update attendances set is_present = null where course_date_id = ${courseDateId}`)
  const planned = async () =>
    (await server.request(listBookedCourses, { token: person.token })).body[0]?.attendance?.planned
  await office.act({ kind: 'exclude-lesson', courseDateId })
  expect(await planned()).toBe(2)
  expect(
    await office.act({ kind: 'change-lesson', courseDateId, date: dateFromNow(5), reason: 'Nachgeholt' }),
  ).toMatchObject({ status: 'Ok' })
  expect(await planned()).toBe(3)
})

test('a person without a counted lesson is undecided and pays nothing until a decision with a reason', async () => {
  const course = await insertPastCourse(db)
  const person = await insertPlace(db, course, 0, { bookedAt: new Date(), promisedLessons: 0 })
  expect((await settle(course.id)).result).toMatchObject({
    courses: [{ undecided: [person.id] }],
    undecided: [{ webUserId: person.id, name: expect.stringMatching(/./) }],
  })
  expect(await costOf(person)).toBe(0)
  const { undecided } = (await server.request(getOfficeMoney, { token: office.token, query: {} })).body
  expect(undecided).toContainEqual(expect.objectContaining({ courseId: course.id, people: 1 }))
  const decision = { kind: 'decide-attendance', courseId: course.id, webUserId: person.id, regular: false } as const
  expect(await office.act(decision)).toMatchObject({ status: 'Reason' })
  expect(await office.act({ ...decision, reason: 'Kam nie' })).toMatchObject({ status: 'Ok' })
  expect(await costOf(person)).toBe(45)
})

test('a manual entry requires a reason and lowers the balance, but never below 0', async () => {
  const course = await insertPastCourse(db)
  const person = await insertPlace(db, course, 0)
  await settle(course.id)
  const entry = { kind: 'add-entry', webUserId: person.id, courseId: course.id, entryKind: 'goodwill' } as const
  expect(await office.act({ ...entry, amount: 20 })).toMatchObject({ status: 'Reason' })
  expect(await office.act({ ...entry, amount: 45.01, reason: 'Umzug' })).toMatchObject({ status: 'Failed' })
  expect(await office.act({ ...entry, amount: -20, reason: 'Umzug' })).toMatchObject({ status: 'Ok' })
  expect(await costOf(person)).toBe(25)
  // Regular after all: the goodwill is used up, the sum stays at 0.
  for (const courseDateId of course.lessonIds)
    await insertTick(db, { courseDateId, webUserId: person.id, isPresent: true, recordedBy: null })
  await settle(course.id)
  expect(await costOf(person)).toBe(0)
})

test('ledger entries cannot be changed', async () => {
  for (const statement of [
    sql`update ledger_entries set cents = 1`,
    sql`delete from ledger_entries`,
    sql`truncate ledger_entries cascade`,
    sql`update settlement_lines set facts = '{}'`,
    sql`delete from settlements`,
  ])
    await expect(db.execute(statement)).rejects.toThrow('append-only')
})

test('a late cancellation is charged immediately and at most once, and a cancelled course costs nothing', async () => {
  const course = await insertPastCourse(db, 3)
  await db.execute(sql`update course_dates set held_at = held_at + interval '21 days' where course_id = ${course.id}`)
  const person = await insertPlace(db, { ...course, lessonIds: [] }, 0, { promisedLessons: 3 })
  const cancel = { kind: 'cancel-booking', courseId: course.id, webUserId: person.id, reason: 'Zu spät' } as const
  expect(await office.act({ ...cancel, charge: 'share', amount: 30 })).toMatchObject({ status: 'Ok' })
  expect(await costOf(person)).toBe(30)
  expect(await office.act({ kind: 'book', courseId: course.id, webUserId: person.id, reason: 'Doch' })).toMatchObject({
    status: 'Ok',
  })
  expect(await office.act({ ...cancel, charge: 'full' })).toMatchObject({ status: 'Ok' })
  expect(await costOf(person)).toBe(45)
  expect(await office.act({ kind: 'cancel-course', courseId: course.id })).toMatchObject({ status: 'Ok' })
  expect(await costOf(person)).toBe(0)
})

test('a lower price applies to existing bookings, a higher one does not', async () => {
  const course = await insertPastCourse(db)
  const person = await insertPlace(db, course, 0, { isWaiverOffered: false })
  expect(await office.act({ kind: 'reprice-course', courseId: course.id, fee: 60 })).toMatchObject({
    result: { lowered: 0 },
  })
  expect(await office.act({ kind: 'reprice-course', courseId: course.id, fee: 30 })).toMatchObject({
    result: { lowered: 1 },
  })
  await settle(course.id)
  expect(await costOf(person)).toBe(30)
})

test('an external person keeps the external price after a repricing, even when verified afterwards', async () => {
  const course = await insertPastCourse(db)
  const employeeStatus = EMPLOYEE_STATUS.External
  const external = await insertPlace(db, course, 0, {
    priceCents: 7550,
    priceRule: 'external',
    employeeStatus,
    person: { employeeStatus },
  })
  expect(await office.act({ kind: 'reprice-course', courseId: course.id, externalFee: 70 })).toMatchObject({
    result: { lowered: 1 },
  })
  expect(await office.act({ kind: 'verify-person', webUserId: external.id })).toMatchObject({ status: 'Ok' })
  await settle(course.id)
  expect(await costOf(external)).toBe(70)
})

test('a fee above one million euros is rejected with its field', async () => {
  const course = await insertPastCourse(db)
  const reprice = office.act({ kind: 'reprice-course', courseId: course.id, fee: 21_474_837 })
  await expect(reprice).rejects.toThrow(/^400 .*„fee“/)
})

test('merged people keep their entries', async () => {
  const course = await insertPastCourse(db)
  const [from, into] = [await insertPlace(db, course, 0), await insertPlace(db, course, 3)]
  await settle(course.id)
  expect(await office.act({ kind: 'merge-people', webUserId: from.id, intoWebUserId: into.id })).toMatchObject({
    status: 'Ok',
  })
  expect(await costOf(into)).toBe(45)
  await settle(course.id)
  // If both people have booked a course, one booking and one price remain.
  expect(await costOf(into)).toBeLessThanOrEqual(45)
})

test('deleting an account does not outdate the settlement, and its invoice uses the stored name', async () => {
  const course = await insertPastCourse(db)
  const payer = { billingType: 3, givenName: 'Ada', familyName: 'Weber', passwordHash }
  const [gone, other] = [await insertPlace(db, course, 0, { person: payer }), await insertPlace(db, course, 3)]
  await settle(course.id)
  expect((await server.request(deleteAccount, { token: gone.token, body: { password: PASSWORD } })).body.status).toBe(
    'Ok',
  )
  const stateOf = async () =>
    (await server.request(getSettlement, { token: office.token, params: { id: course.id } })).body.isOutdated
  expect(await stateOf()).toBe(false)
  const before = await countEntries()
  expect((await settle(course.id)).result.courses).toMatchObject([{ entries: 0 }])
  expect(await countEntries()).toBe(before)
  const { result } = await office.act({ kind: 'create-batch', batchKind: 'invoice' })
  await office.act({ kind: 'close-batch', batchId: Number(result.id) })
  const { items } = (await server.request(listInvoices, { token: office.token, query: {} })).body
  expect(items.map(({ name, amount }) => [name, amount])).toContainEqual(['Ada Weber', 45])
  await db.execute(sql`update attendances set is_present = false where web_user_id = ${other.id}`)
  expect(await stateOf()).toBe(true)
})

test('what has changed since the settlement counts for a person who deletes the account', async () => {
  const course = await insertPastCourse(db)
  const gone = await insertPlace(db, course, 1, { person: { passwordHash } })
  await settle(course.id)
  await db.execute(sql`update attendances set is_present = true where web_user_id = ${gone.id}`)
  const { accountId } = await db.one<{ accountId: number }>(sql`
    select id as "accountId" from ledger_accounts where web_user_id = ${gone.id}`)
  const balance = async () =>
    (
      await db.one<{ cents: number }>(
        sql`select sum(cents)::int as cents from ledger_entries where account_id = ${accountId}`,
      )
    ).cents
  expect(await balance()).toBe(4500)
  await server.request(deleteAccount, { token: gone.token, body: { password: PASSWORD } })
  expect(await balance()).toBe(0)
  expect(await settle(course.id)).toMatchObject({ result: { courses: [{ entries: 0 }] } })
  expect((await auditPortal(db)).findings.filter(finding => /settle|balance/.test(finding))).toEqual([])
})

const balanceOf = async (accountId: number) =>
  (
    await db.one<{ cents: number }>(
      sql`select coalesce(sum(cents), 0)::int as cents from ledger_entries where account_id = ${accountId}`,
    )
  ).cents

test('a deletion that a restore repeats leaves and makes the charges of courses that had ended', async () => {
  const [settled, unsettled] = [await insertPastCourse(db), await insertPastCourse(db)]
  const gone = await insertPlace(db, settled, 0)
  await insertBooking(db, unsettled.id, gone.id, { priceCents: 3000, bookedAt: daysFromNow(-200), promisedLessons: 3 })
  for (const courseDateId of unsettled.lessonIds)
    await insertTick(db, { courseDateId, webUserId: gone.id, isPresent: false, recordedBy: null })
  await settle(settled.id)
  const { accountId } = await db.one<{ accountId: number }>(sql`
    select id as "accountId" from ledger_accounts where web_user_id = ${gone.id}`)
  const folder = await makeFolder()
  await writeFile(join(folder, 'deleted-accounts'), `${gone.id} ${new Date().toISOString()}\n`)
  const repeated = db.transaction(tx => repeatAccountDeletions(tx, folder, daysFromNow(-1), 'DE-NI'))
  expect([await repeated, await balanceOf(accountId)]).toEqual([1, 7500])
})

test('a second restore leaves the courses that were current at the deletion, and charges those that had ended', async () => {
  // Ended before the deletion, between the deletion and the restore, and not yet.
  const courses = await Promise.all([-10, -2, 5].map(day => insertPastCourse(db, 3, { closesAt: daysFromNow(day) })))
  const gone = await insertUserWithSession(db)
  for (const { id } of courses)
    await insertBooking(db, id, gone.id, { priceCents: 4500, bookedAt: daysFromNow(-200), promisedLessons: 3 })
  for (const courseDateId of courses.flatMap(({ lessonIds }) => lessonIds))
    await insertTick(db, { courseDateId, webUserId: gone.id, isPresent: false, recordedBy: null })
  const { createdAt } = await db.one<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from web_users where id = ${gone.id}`)
  const folder = await makeFolder()
  const line = [gone.id, daysFromNow(-5).toISOString(), createdAt.toISOString()].join(' ')
  await writeFile(join(folder, 'deleted-accounts'), `${line}\n`)
  const charged: unknown[] = []
  // The second restore begins with the same backup and the list that the first one left.
  for (const _ of [1, 2]) {
    const restored = db.transaction(async tx => {
      await repeatAccountDeletions(tx, folder, daysFromNow(-20), 'DE-NI')
      await saveDeletedAccounts(tx, folder)
      const courseIds = courses.map(({ id }) => id)
      charged.push(
        await tx.query(sql`
          select course_id as id, sum(cents)::int as cents from ledger_entries where course_id = any(${courseIds}) group by 1`),
      )
      throw new Error('rolled back')
    })
    await expect(restored).rejects.toThrow('rolled back')
  }
  const ended = [{ id: courses[0]?.id, cents: 4500 }]
  expect(charged).toEqual([ended, ended])
})

test('deleting an account charges no course that was billed before the portal had a ledger', async () => {
  const course = await insertPastCourse(db, 3, { closesAt: daysFromNow(-190) })
  const gone = await insertPlace(db, course, 0, { person: { passwordHash } })
  expect((await moneyOf(gone)).seasons).toEqual([])
  const before = await countEntries()
  const { body } = await server.request(deleteAccount, { token: gone.token, body: { password: PASSWORD } })
  expect([body.status, await countEntries()]).toEqual(['Ok', before])
})

test('deleting an account charges an old unsettled course if the portal had a ledger before it ended', async () => {
  const course = await insertPastCourse(db, 3, { closesAt: daysFromNow(-185) })
  const gone = await insertPlace(db, course, 0, { person: { passwordHash } })
  const earlier = await insertPastCourse(db, 3, { closesAt: daysFromNow(-189) })
  const settlement = { courseId: earlier.id, number: 1, factsHash: hashOfLines([]), madeAt: daysFromNow(-188) }
  await insertRow(db, 'settlements', settlement)
  expect((await moneyOf(gone)).seasons).toMatchObject([{ courses: [{ courseId: course.id, sum: 45 }] }])
  await server.request(deleteAccount, { token: gone.token, body: { password: PASSWORD } })
  expect(await db.query(sql`select kind, cents from ledger_entries where course_id = ${course.id}`)).toEqual([
    { kind: 'fee', cents: 4500 },
  ])
})

test('a settled fee remains when a person whose only record was withdrawn deletes the account', async () => {
  const course = await insertPastCourse(db, 1)
  const gone = await insertPlace(db, course, 0, { person: { passwordHash } })
  await settle(course.id)
  const { accountId } = await db.one<{ accountId: number }>(sql`
    select id as "accountId" from ledger_accounts where web_user_id = ${gone.id}`)
  await db.execute(sql`update attendances set is_present = null where web_user_id = ${gone.id}`)
  await server.request(deleteAccount, { token: gone.token, body: { password: PASSWORD } })
  expect(await balanceOf(accountId)).toBe(4500)
})

test('settling several courses lists undecided people and amounts on hold once, as after the last course', async () => {
  const [first, second] = [await insertPastCourse(db), await insertPastCourse(db)]
  const person = await insertPlace(db, first, 0)
  await insertBooking(db, second.id, person.id, { priceCents: 4500, bookedAt: daysFromNow(-200), promisedLessons: 3 })
  const late = await insertPlace(db, second, 0, { bookedAt: new Date(), promisedLessons: 0 })
  const { result } = await office.act({ kind: 'settle-courses', courseIds: [first.id, second.id], preview: true })
  expect(result).toMatchObject({
    courses: [{ courseId: first.id }, { courseId: second.id }],
    undecided: [{ webUserId: late.id }],
    held: [{ webUserId: person.id, amount: 90 }],
  })
})

test('settling a course while somebody in it deletes the account waits for the deletion', async () => {
  const course = await insertPastCourse(db, 2)
  const { id } = await insertPlace(db, course, 1)
  await insertPlace(db, course, 2)
  const { email } = await db.one<{ email: string }>(sql`select email from web_users where id = ${id}`)
  const { settling } = await db.transaction(async tx => {
    await lockAccount(tx, id)
    const settling = office.act({ kind: 'settle-courses', courseIds: [course.id], reason: 'Saisonende' })
    await Promise.race([server.database.untilWaiting(1), settling.catch(() => {})])
    await eraseAccount(tx, { id, email }, await findRetainedData(tx, id))
    return { settling }
  })
  expect((await settling).status).toBe('Ok')
})

test('an excluded lesson that is moved ahead counts, and undoing the move excludes it again', async () => {
  const course = await insertPastCourse(db)
  const courseDateId = course.lessonIds[2] ?? 0
  await office.act({ kind: 'exclude-lesson', courseDateId })
  const lesson = () =>
    db.one<{ day: string; isExcluded: boolean }>(sql`
      select held_at::date::text as day, is_excluded as "isExcluded" from course_dates where id = ${courseDateId}`)
  const before = await lesson()
  const actId = randomUUID()
  const move = { kind: 'change-lesson' as const, courseDateId, reason: 'Test' }
  await office.act({ ...move, date: dateFromNow(5), actId, undoable: true })
  expect(await lesson()).toMatchObject({ isExcluded: false })
  expect(await office.act({ ...move, date: before.day, undoes: actId })).toMatchObject({ status: 'Ok' })
  expect(await lesson()).toEqual(before)
})

test('the notice of a settlement states once what the person has to pay for the course in all', async () => {
  const course = await insertPastCourse(db, 3, { name: 'Notizkurs' })
  const again = await insertPlace(db, course, 0)
  await db.execute(sql`
    update bookings set cancelled_at = booked_at + interval '1 hour', charge = 'share', charge_cents = 1500 where id = ${again.bookingId}`)
  await db.execute(sql`
    with account as (insert into ledger_accounts (web_user_id) values (${again.id}) returning id)
    insert into ledger_entries (account_id, course_id, booking_id, kind, cents)
    select id, ${course.id}, ${again.bookingId}, 'late-cancellation', 1500 from account`)
  await insertBooking(db, course.id, again.id, { priceCents: 4500, bookedAt: daysFromNow(-100), promisedLessons: 3 })
  const reduced = await insertPlace(db, course, 0)
  const lastTextOf = async ({ id }: { id: number }) =>
    (
      await db.one<{ text: string }>(sql`
        select text from inbox_items where web_user_id = ${id} and title like 'Abgerechnet: Notizkurs%' order by id desc limit 1`)
    ).text
  const amountsOf = async ({ id }: { id: number }) =>
    (
      await db.query<{ text: string }>(sql`
        select text from inbox_items where web_user_id = ${id} and title like 'Abgerechnet: Notizkurs%' order by id`)
    ).map(({ text }) => /Zu zahlen: (\d+,\d\d)/.exec(text)?.[1])
  await settle(course.id)
  expect([await amountsOf(again), await amountsOf(reduced)]).toEqual([['45,00'], ['45,00']])
  const entry = { kind: 'add-entry', webUserId: reduced.id, courseId: course.id, entryKind: 'goodwill' } as const
  await office.act({ ...entry, amount: 10, reason: 'Kulanz' })
  await db.execute(sql`update course_dates set state = 'cancelled' where id = ${course.lessonIds[0] ?? 0}`)
  await settle(course.id)
  expect(await amountsOf(reduced)).toEqual(['45,00', '20,00'])
  expect(await lastTextOf(reduced)).toContain('Darin enthalten: Kulanz -10,00\u00a0€.')
  await db.execute(sql`update attendances set is_present = true where web_user_id = ${again.id}`)
  await settle(course.id)
  expect(await amountsOf(again)).toContain('15,00')
  expect(await lastTextOf(again)).toMatch(
    /Die Kursgebühr entfällt\..*Darin enthalten: Späte Stornierung 15,00\u00a0€\./,
  )
})
