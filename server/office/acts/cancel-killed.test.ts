// @module-tag extended
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import type { Act } from '#contract/acts/acts.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { dyingAt } from '#server/test/dying-database.ts'
import { insertBooking, insertCourse, insertWebUser } from '#server/test/factories.ts'
import { insertOfficer } from '#server/test/office.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'
import { openTestServer } from '#server/test/server.ts'
import { performAct } from './service.ts'

const PEOPLE = 200

const server = await openTestServer()
afterEach(stopPortals)

test('a kill before any statement of a cancellation leaves all or nothing, and each person is notified once', async () => {
  const { db } = server
  const officer = await insertOfficer(server, ['programme'])
  const course = await insertCourse(db, { capacity: PEOPLE - 20 })
  for (let i = 0; i < PEOPLE; i++) await insertBooking(db, course.id, (await insertWebUser(db)).id)
  const act: Act = {
    actId: randomUUID(),
    kind: 'cancel-course',
    courseId: course.id,
    preview: false,
    quiet: false,
    note: 'Der Boden ist gesperrt.',
  }
  const config = { ...readConfig({}), region: 'DE-NI', dataDir: '', publicUrl: '' }
  const call = { actor: { kind: 'user', id: officer.id, rights: ['programme'] }, language: 'de', config } as const
  const count = () =>
    db.one(sql`
      select (select count(*) from bookings where course_id = ${course.id} and cancelled_at is null) as active,
        (select count(*) from office_record where kind = 'cancel-course') as lines,
        (select count(*) from mails where kind = 'notice') as mails, (select count(*) from inbox_items) as messages`)
  let deaths = 0
  for (let statement = 1; ; statement += 1) {
    const dying = dyingAt(db, statement)
    const answer = await performAct(dying, act, call).catch(() => null)
    if (!dying.hasDied()) {
      expect(answer).toMatchObject({ status: 'Ok' })
      break
    }
    deaths += 1
    expect(answer).toBeNull()
    expect(await count()).toEqual({ active: PEOPLE, lines: 0, mails: 0, messages: 0 })
  }
  expect(deaths).toBeGreaterThan(10)
  const done = { active: 0, lines: 1, mails: PEOPLE, messages: PEOPLE }
  expect(await count()).toEqual(done)
  // The response was lost, and the browser repeats the request.
  const answer = await performAct(db, act, call)
  expect(answer.consequences.told).toHaveLength(PEOPLE)
  expect(await count()).toEqual(done)
}, 120_000)

test('a process killed while cancelling changes nothing, and the retry cancels once', async () => {
  const { db } = server
  const { token } = await insertOfficer(server, ['programme'])
  const { id: courseId } = await insertCourse(db, { capacity: PEOPLE })
  for (let i = 0; i < PEOPLE; i++) await insertBooking(db, courseId, (await insertWebUser(db)).id)
  const { began } = await db.one<{ began: string }>(sql`select clock_timestamp()::text as began`)
  const settings = { DATABASE_URL: server.database.url, DATA_DIR: server.context.config.dataDir, OFFICE_PASSKEY: 'off' }
  const body = JSON.stringify({ actId: randomUUID(), kind: 'cancel-course', courseId })
  const cancel = (url: string) =>
    fetch(new URL('/api/office/acts', url), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Cookie: 'XSRF-TOKEN=x',
        'X-XSRF-TOKEN': 'x',
        SessionToken: token,
      },
      body,
    })
  const count = () =>
    db.one(sql`
      select (select count(*) from bookings where course_id = ${courseId} and cancelled_at is null) as active,
        (select count(*) from office_record where acted_at > ${began}::timestamptz) as lines,
        (select count(*) from inbox_items i join bookings b on b.web_user_id = i.web_user_id and b.course_id = ${courseId}) as messages`)
  const portal = startPortal(settings)
  const url = await portal.url()
  await db.transaction(async tx => {
    // Only the audit log entry is missing at this point; it waits for this lock.
    await tx.execute(sql`lock table office_record in share row exclusive mode`)
    const answer = cancel(url).catch(() => null)
    await expect
      .poll(
        () =>
          // Outside the transaction, whose view of pg_stat_activity is cached.
          db.one(sql`
            select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
        { timeout: 20_000 },
      )
      .toEqual({ count: 1 })
    portal.child.kill('SIGKILL')
    await portal.ended
    expect(await answer).toBeNull()
  })
  await expect.poll(count, { timeout: 20_000 }).toEqual({ active: PEOPLE, lines: 0, messages: 0 })

  const again = await startPortal(settings).url()
  for (const _ of ['once', 'once more']) {
    expect(await (await cancel(again)).json()).toMatchObject({ status: 'Ok' })
    expect(await count()).toEqual({ active: 0, lines: 1, messages: PEOPLE })
  }
}, 120_000)
