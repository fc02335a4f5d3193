import { expect, test } from 'vitest'
import { sql } from '#server/platform/db/client.ts'
import { runCommand } from '#server/test/command.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { daysFromNow, insertBooking, insertCourse, insertWebUser } from '#server/test/factories.ts'

const database = await openTestDatabase()

const retention = (...words: string[]) => runCommand(['retention', ...words], { DATABASE_URL: database.url })

/**
 * For each kind of data in the specification, inserts a row whose retention period ended three days ago and one that is
 * still within it.
 */
async function insertEverything() {
  const { db } = database
  for (const late of [3, -3]) {
    const ago = (days: number) => daysFromNow(-days - late)
    await insertWebUser(db, { confirmedAt: null, createdAt: ago(14) })
    await insertWebUser(db, { createdAt: ago(730.5) })
    const { id } = await insertWebUser(db, { createdAt: ago(5000) })
    await insertBooking(db, (await insertCourse(db)).id, id, { bookedAt: ago(3652) })
    await db.execute(sql`
      insert into mails (web_user_id, recipient, language, kind, created_at, sent_at)
      values (${id}, 'kim@demo.example', 'de', 'booking', ${ago(182.5)}, ${ago(182.5)})`)
    await db.execute(sql`
      insert into throttle_events (kind, subject, address, happened_at)
      values ('login', 'kim@demo.example', '192.0.2.1', ${ago(7)})`)
  }
}
const countAll = () =>
  database.db.one(sql`
    select (select count(*) from web_users) as users, (select count(*) from bookings) as bookings,
      (select count(*) from mails) as mails, (select count(*) from throttle_events) as events`)

test('a dry run lists what would be deleted, a run deletes it, and another one finds nothing', {
  timeout: 60_000,
}, async () => {
  await insertEverything()
  const lines = [
    '1  registrations that nobody activated (2 weeks)',
    '1  accounts without a booking (2 years)',
    '1  past participants, with their bookings and attendance (10 years without a booking)',
    '1  contact data: mails with their recipients (6 months)',
    '1  failures and requests with their network addresses (7 days)',
  ]
  const dryRun = await retention('--dry-run')
  expect(dryRun).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^Would be deleted:\n/) })
  for (const line of lines) expect(dryRun.stdout).toContain(`${line}\n`)
  expect(await countAll()).toEqual({ users: 6, bookings: 2, mails: 2, events: 2 })

  const first = await retention()
  expect(first).toMatchObject({ status: 0, stdout: dryRun.stdout.replace('Would be deleted:', 'Deleted:') })
  expect(await countAll()).toEqual({ users: 3, bookings: 1, mails: 1, events: 1 })
  const second = await retention()
  expect(second.stdout).toBe(first.stdout.replaceAll(/^1 /gm, '0 '))
  expect(await countAll()).toEqual({ users: 3, bookings: 1, mails: 1, events: 1 })
})

test('an unknown option only prints the usage', { timeout: 30_000 }, async () => {
  expect(await retention('--dry')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'Usage: npm run retention -- [--dry-run]\n',
  })
})
