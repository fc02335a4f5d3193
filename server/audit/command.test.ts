import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/db/client.ts'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import { insertCourse } from '#server/test/factories.ts'
import { startFile } from '#server/test/portal.ts'
import { auditRules } from './rules.ts'

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'audited-'))
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true })
})

async function runCommand(...args: string[]) {
  const child = spawn(process.execPath, [startFile, 'audit', ...args], {
    env: { ...process.env, DATABASE_URL: database.url, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>(resolve => child.on('close', resolve)),
  ])
  return { status, stdout, stderr }
}

test('the operator gets one line when all is well, a line for each finding else, and how to call it', async () => {
  const { number } = await insertCourse(database.db)
  expect(await runCommand()).toEqual({
    status: 0,
    stdout: `Nothing found: ${auditRules.length} rules hold for 1 courses, 0 bookings, 0 mails, 0 presences, 0 people.\n`,
    stderr: '',
  })
  await database.db.execute(sql`update courses set taken = 2`)
  expect(await runCommand()).toEqual({
    status: 1,
    stdout: `course ${number}: counts 2 bookings, there are 0\n`,
    stderr: '',
  })
  await database.db.execute(sql`update courses set taken = 0`)
  // Another record than the one whose last line this machine has seen.
  await writeFile(join(dataDir, 'record-head'), `7 ${'ab'.repeat(32)}\n`)
  expect(await runCommand()).toEqual({ status: 1, stdout: 'record: line 7 was there and is gone\n', stderr: '' })
  expect(await runCommand('--all')).toEqual({ status: 2, stdout: '', stderr: 'Usage: npm run audit\n' })
}, 60_000)
