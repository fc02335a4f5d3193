// @module-tag extended
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { deleteAccount } from '#contract/endpoints/accounts.ts'
import { insertUserWithSession } from '#server/test/factories.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { openTestServer } from '#server/test/server.ts'
import { startJobs } from './schedule.ts'

test('a deleted account is in the list of DATA_DIR within a minute, by number and time alone', async () => {
  const server = await openTestServer()
  const { context, db } = server
  const jobs = startJobs(context)
  onTestFinished(() => jobs.stop())
  const { id, token, email } = await insertUserWithSession(db, { passwordHash })
  const readList = () => readFile(join(context.config.dataDir, 'deleted-accounts'), 'utf8').catch(() => '')
  const answer = await server.request(deleteAccount, { body: { password: PASSWORD }, token, language: 'de' })
  expect(answer.status).toBe(200)
  // A minute, and what a busy machine needs to write the list.
  await expect.poll(readList, { timeout: 80_000, interval: 500 }).toMatch(new RegExp(`^${id} `))
  expect(await readList()).toMatch(/^\d+ \S+Z \S+Z\n$/)
  expect(await readList()).not.toContain(email)
}, 120_000)
