import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withdrawConsent } from '#server/features/accounts/service.ts'
import { type Database, openDatabase, type Queryable, sql } from '#server/platform/db/client.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { dateFromNow, insertBooking, insertCourse, insertInstructor, insertWebUser } from '#server/test/factories.ts'
import { closeAttendanceList, createAttendanceRecorder, recordWalkInGuest } from './service.ts'
import { insertAttendanceChanges } from './tick-repository.ts'

const ORIGIN_MS = Date.UTC(2026, 0, 1)

/** Two servers with one database. */
let pools: [Database, Database]
type ChangePresence = ReturnType<typeof createAttendanceRecorder>
let servers: [ChangePresence, ChangePresence]
let instructor: SessionUser
let courseId: number
let dateIds: number[]
let personIds: number[]

const database = await openTestDatabase()
beforeAll(async () => {
  const { db, connection } = database
  pools = [db, openDatabase({ connection, timeZone: 'Europe/Berlin', poolSize: 5 })]
  servers = [createAttendanceRecorder(pools[0]), createAttendanceRecorder(pools[1])]
  const { email } = await insertInstructor(db)
  const { id } = await insertWebUser(db, { email })
  instructor = {
    id,
    email,
    isInstructor: true,
    isPasswordToChange: false,
    rights: [],
    isConfirmed: false,
    tokenHash: Buffer.alloc(0),
  }
  courseId = (await insertCourse(db, { instructorEmails: [email], startsOn: dateFromNow(-14) })).id
  const dates = await db.query<{ id: number }>(sql`select id from course_dates where course_id = ${courseId}`)
  dateIds = dates.slice(0, 2).map(date => date.id)
  personIds = []
  for (let index = 0; index < 2; index += 1) personIds.push((await insertWebUser(db)).id)
  for (const personId of personIds) await insertBooking(db, courseId, personId)
})
afterAll(() => pools[1].close())

const forgetChanges = () => database.db.execute(sql`truncate attendances, attendance_changes`)

/** Runs the lanes concurrently, each in its order, on alternating servers. */
const runLanes = <Item>(lanes: Item[][], run: (changePresence: ChangePresence, item: Item) => Promise<unknown>) =>
  Promise.all(
    lanes.map(async (lane, index) => {
      for (const item of lane) await run(servers[index % 2 === 0 ? 0 : 1], item)
    }),
  )

const changeSets = fc
  .uniqueArray(
    fc.record({
      person: fc.nat(1),
      date: fc.nat(1),
      says: fc.constantFrom(
        { changeState: 'added' },
        { changeState: 'deleted' },
        {
          changeState: 'deleted',
          isRecorded: false,
        },
      ),
      minute: fc.nat(500),
      isNamed: fc.boolean(),
    }),
    { selector: ({ minute }) => minute, minLength: 1, maxLength: 12 },
  )
  .chain(changes =>
    fc.record({
      changes: fc.constant(changes),
      // Every change at least once, some again, in any order, on up to four connections.
      order: fc.shuffledSubarray(
        changes.flatMap((_, index) => [index, index]),
        { minLength: changes.length * 2 },
      ),
      lanes: fc.integer({ min: 1, max: 4 }),
    }),
  )

test('the newest change per person and date takes effect, in any order, with repeats and concurrent arrivals', async () => {
  await fc.assert(
    fc.asyncProperty(changeSets, async ({ changes, order, lanes }) => {
      await forgetChanges()
      const sent = changes.map(({ person, date, says, minute, isNamed }) => ({
        ...says,
        webUserId: personIds[person] ?? 0,
        courseDateId: dateIds[date] ?? 0,
        changedAt: new Date(ORIGIN_MS + minute * 60_000).toISOString(),
        ...(isNamed && { changeId: randomUUID() }),
      }))
      const inLanes = Array.from({ length: lanes }, (_, lane) => order.filter((_, index) => index % lanes === lane))
      await runLanes(inLanes, async (changePresence, index) => {
        const change = sent[index]
        const outcome = change && (await changePresence(instructor, change))
        if (outcome) expect(outcome.verdict).toMatch(/recorded|known|overtaken/)
      })

      const newest = new Map(
        sent
          .toSorted((a, b) => a.changedAt.localeCompare(b.changedAt))
          .map(change => [
            `${change.webUserId}/${change.courseDateId}`,
            'isRecorded' in change ? null : change.changeState === 'added',
          ]),
      )
      const rows = await database.db.query<{ key: string; is_present: boolean | null }>(
        sql`select web_user_id || '/' || course_date_id as key, is_present from attendances`,
      )
      expect(new Map(rows.map(row => [row.key, row.is_present]))).toEqual(newest)
    }),
    { numRuns: 40 },
  )
})

test('the same change sent concurrently to two servers is stored once', async () => {
  await forgetChanges()
  const change = {
    changeState: 'added' as const,
    webUserId: personIds[0] ?? 0,
    courseDateId: dateIds[0] ?? 0,
    changeId: randomUUID(),
  }
  const verdicts: string[] = []
  await runLanes(
    Array.from({ length: 10 }, () => [change]),
    async (changePresence, item) => verdicts.push((await changePresence(instructor, item)).verdict),
  )
  expect(verdicts).toHaveLength(10)
  for (const verdict of verdicts) expect(verdict).toMatch(/recorded|known/)
  expect(await database.db.query(sql`select is_present from attendance_changes`)).toEqual([{ is_present: true }])
})

const listTaken = async () => {
  const rows = await database.db.query<{ change_id: string }>(sql`select change_id from attendance_changes`)
  return rows.map(row => row.change_id).sort()
}

test('closing is serialized with changes: acknowledged ones are stored, and later ones are rejected', async () => {
  for (let round = 0; round < 10; round += 1) {
    await forgetChanges()
    await closeAttendanceList(database.db, instructor, courseId, false)
    let isClosed = false
    const taken: string[] = []
    const late: string[] = []
    const changeIds = Array.from({ length: 4 }, () => Array.from({ length: 8 }, () => randomUUID()))
    const ticking = runLanes(changeIds, async (changePresence, changeId) => {
      const wasClosed = isClosed
      const { verdict } = await changePresence(instructor, {
        changeState: 'added',
        webUserId: personIds[0] ?? 0,
        courseDateId: dateIds[0] ?? 0,
        changeId,
      })
      if (verdict === 'recorded') taken.push(changeId)
      if (wasClosed) late.push(verdict)
    })
    await pools[1].query(sql`select pg_sleep(${round / 1000})`)
    await closeAttendanceList(pools[1], instructor, courseId, true)
    isClosed = true
    const atClosing = await listTaken()
    await ticking

    expect(atClosing).toEqual(taken.sort())
    expect(await listTaken()).toEqual(atClosing)
    expect(late.filter(verdict => verdict !== 'complete')).toEqual([])
  }
})

test('a locked course or a deleted recorder delays no other change, and each is checked against the state after the lock', async () => {
  await forgetChanges()
  const { db } = database
  await closeAttendanceList(db, instructor, courseId, false)
  const other = await insertCourse(db, { instructorEmails: [instructor.email], startsOn: dateFromNow(-14) })
  const person = await insertWebUser(db)
  await insertBooking(db, other.id, person.id)
  const { id: otherDateId } = await db.one<{ id: number }>(
    sql`select id from course_dates where course_id = ${other.id} order by id limit 1`,
  )
  const [courseDateId = 0] = dateIds
  const [first = 0, second = 0] = personIds
  const [changePresence] = servers
  const tick = (webUserId: number, dateId = courseDateId, user = instructor) =>
    changePresence(user, { changeState: 'added', webUserId, courseDateId: dateId })
  const gone = { ...instructor, id: 2_000_000 }

  const { promise: isLocked, resolve: lock } = Promise.withResolvers<void>()
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const leaving = pools[1].transaction(async tx => {
    await tx.execute(sql`update courses set taken = taken - 1, revision = revision + 1 where id = ${courseId}`)
    await tx.execute(
      sql`update bookings set cancelled_at = booked_at where course_id = ${courseId} and web_user_id = ${second}`,
    )
    lock()
    await isOver
  })
  await isLocked
  const waiting = tick(second)
  const stays = tick(first)
  const refused = tick(person.id, otherDateId, gone).catch(() => 'refused')
  expect(await tick(person.id, otherDateId)).toEqual({ verdict: 'recorded' })
  expect(await refused).toBe('refused')
  end()
  await leaving
  expect(await waiting).toEqual({ verdict: 'notInLesson' })
  expect(await stays).toEqual({ verdict: 'recorded' })
})

/** Starts `late` while the transaction is open and commits the transaction once `late` has ended or waits for it. */
async function duringTransaction<Result>(write: (tx: Queryable) => Promise<unknown>, late: () => Promise<Result>) {
  const { running } = await pools[1].transaction(async tx => {
    await write(tx)
    const running = late()
    await Promise.race([database.untilWaiting(1), running])
    return { running }
  })
  return running
}

test('no attendance remains after consent is withdrawn while a change is being stored', async () => {
  await forgetChanges()
  const { db } = database
  await closeAttendanceList(db, instructor, courseId, false)
  const [courseDateId = 0] = dateIds
  const [webUserId = 0] = personIds
  const storedAttendance = () =>
    db.query(sql`select web_user_id from attendances union all select web_user_id from attendance_changes`)
  const giveConsent = () =>
    db.execute(sql`insert into consents (web_user_id, kind, version) values (${webUserId}, 'attendance', '1')`)
  await db.execute(sql`update courses set central_test_institute = 'KU-BE-4711' where id = ${courseId}`)

  await giveConsent()
  const change = { changeId: null, courseDateId, webUserId, isPresent: true, changedAt: null }
  await duringTransaction(
    async tx =>
      expect(
        await insertAttendanceChanges(tx, [{ ...change, recordedBy: instructor.id, email: instructor.email }]),
      ).toMatchObject([{ verdict: 'recorded', isWritten: true }]),
    () => withdrawConsent(db, webUserId, 'attendance'),
  )
  expect(await storedAttendance()).toEqual([])

  await giveConsent()
  const outcome = await duringTransaction(
    tx => withdrawConsent({ ...db, transaction: work => work(tx) }, webUserId, 'attendance'),
    () => servers[0](instructor, { changeState: 'added', webUserId, courseDateId }),
  )
  expect(outcome).toEqual({ verdict: 'consentWithdrawn' })
  expect(await storedAttendance()).toEqual([])
})

test('a guest entry is checked against the lesson and the instructors as they are after the lock on the course', async () => {
  const { db } = database
  const [courseDateId = 0] = dateIds
  const guest = { guestId: randomUUID(), courseDateId, name: 'Kim Muster', changeState: 'added' } as const
  const outcome = await duringTransaction(
    async tx => {
      await tx.execute(sql`update course_dates set state = 'cancelled' where id = ${courseDateId}`)
      await tx.execute(sql`update courses set revision = revision + 1 where id = ${courseId}`)
    },
    () => recordWalkInGuest(db, instructor, guest),
  )
  expect(outcome).toBe('fallsOut')
  expect(await db.query(sql`select name from door_guests`)).toEqual([])
})
