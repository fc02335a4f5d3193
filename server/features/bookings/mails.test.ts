// @module-tag extended
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import type { Course } from '#contract/endpoints/courses.ts'
import { bookCourse } from '#contract/endpoints/courses.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { findFreePort } from '#server/test/free-port.ts'
import { startTestMailServer } from '#server/test/mail-server.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'

const PEOPLE = 50
const database = await openTestDatabase()
const { db } = database
afterEach(stopPortals)

test('50 bookings during a mail server outage and two crashes of the portal result in exactly 50 e-mails', async () => {
  const course = await insertCourse(db, { name: 'Aqua Fit', capacity: PEOPLE })
  const people: { email: string; token: string }[] = []
  for (let index = 0; index < PEOPLE; index++) people.push(await insertUserWithSession(db))
  const port = await findFreePort()
  const settings = { DATABASE_URL: database.url, SMTP_URL: `smtp://127.0.0.1:${port}` }
  const book = async (url: string, { token }: { token: string }): Promise<Partial<Course>> => {
    const headers = { SessionToken: token, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ id: course.id })
    return (await fetch(`${url}${bookCourse.path}`, { method: 'PUT', headers, body })).json() as Promise<Course>
  }

  // Killed during bookings: some wait in the database, and none gets a response.
  const first = startPortal(settings)
  const firstUrl = await first.url()
  for (const person of people.slice(0, 20)) expect(await book(firstUrl, person)).toMatchObject({ bookingStatus: 1 })
  const answers = await db.transaction(async tx => {
    await tx.execute(sql`select from courses where id = ${course.id} for update`)
    const others = people.slice(20).map(person => book(firstUrl, person).catch(() => 'no answer'))
    await database.untilWaiting(2)
    first.child.kill('SIGKILL')
    return Promise.all(others)
  })
  expect(answers).toEqual(Array(30).fill('no answer'))
  const second = startPortal(settings)
  const url = await second.url()
  for (const person of people) expect(await book(url, person)).toMatchObject({ status: 'Ok', bookingStatus: 1 })
  const countTries = async () => (await db.one<{ tries: number }>(sql`select sum(attempts) as tries from mails`)).tries
  await vi.waitFor(async () => expect(await countTries()).toBeGreaterThan(1), { timeout: 20_000 })

  // Killed when the recovered mail server has received some e-mails but not yet acknowledged them.
  const countNoted = async () =>
    (await db.one<{ count: number }>(sql`select count(*) from mails where sent_at is not null`)).count
  let isKilling = true
  const server = await startTestMailServer({
    port,
    beforeTaken: async () => {
      if (!isKilling || server.mails.length < 20) return
      await vi.waitFor(async () => expect(await countNoted()).toBe(server.mails.length), { timeout: 10_000 })
      second.child.kill('SIGKILL')
      await new Promise(() => {})
    },
  })
  await second.ended
  isKilling = false
  // The lease of the unacknowledged e-mail ends after 45 seconds, which are skipped.
  await db.execute(sql`update mails set due_at = due_at - interval '45 seconds' where sent_at is null`)
  await startPortal(settings).url()
  await vi.waitFor(() => expect(server.mails.length).toBeGreaterThanOrEqual(PEOPLE), { timeout: 60_000 })
  await sleep(1_000)

  expect(server.mails.map(({ to }) => to).sort()).toEqual(people.map(({ email }) => email).sort())
  expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(PEOPLE)
  for (const { source } of server.mails) expect(source).toContain('Subject: Gebucht: Aqua Fit')
  expect((await auditPortal(db)).findings).toEqual([])
  await server.close()
}, 150_000)
