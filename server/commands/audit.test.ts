import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditRules } from '#server/operations/audit/rules.ts'
import { sql } from '#server/platform/db/client.ts'
import { runCommand } from '#server/test/command.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertCourse } from '#server/test/factories.ts'

let dataDir: string
const database = await openTestDatabase()
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'audited-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

const audit = (...words: string[]) => runCommand(['audit', ...words], { DATABASE_URL: database.url, DATA_DIR: dataDir })

test('prints one line if there are no findings, otherwise one per finding, and the usage', async () => {
  const { number } = await insertCourse(database.db)
  expect(await audit()).toEqual({
    status: 0,
    stdout: `Nothing found: ${auditRules.length} rules hold for 1 courses, 0 bookings, 0 mails, 0 presences, 0 people.\n`,
    stderr: '',
  })
  await database.db.execute(sql`update courses set taken = 2`)
  expect(await audit()).toEqual({
    status: 1,
    stdout: `course ${number}: counts 2 bookings, there are 0\n`,
    stderr: '',
  })
  await database.db.execute(sql`update courses set taken = 0`)
  // The audit log differs from the one whose last entry this machine has seen.
  await writeFile(join(dataDir, 'record-head'), `7 ${'ab'.repeat(32)}\n`)
  expect(await audit()).toEqual({ status: 1, stdout: 'record: line 7 was there and is gone\n', stderr: '' })
  expect(await audit('--all')).toEqual({ status: 2, stdout: '', stderr: 'Usage: npm run audit\n' })
}, 60_000)
