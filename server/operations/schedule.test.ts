import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { deleteAccount } from '#contract/endpoints/accounts.ts'
import { insertUserWithSession } from '#server/test/factories.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { openTestServer } from '#server/test/server.ts'
import { startJobs } from './schedule.ts'

/** For a busy machine. */
const PATIENCE = { timeout: 10_000 }
/** Pauses of the jobs, in ms, with the functions that end them. */
const pauses: { ms: number; end(): void }[] = []
vi.mock('node:timers/promises', async original => {
  const real = await original<typeof import('node:timers/promises')>()
  const setTimeout: typeof real.setTimeout = (ms = 0, value, options) =>
    ms < 60_000
      ? real.setTimeout(ms, value, options)
      : new Promise((end, refuse) => {
          pauses.push({ ms, end: () => end(value as never) })
          options?.signal?.addEventListener('abort', () => refuse(new Error('aborted')))
        })
  return { ...real, setTimeout }
})
/** Lets so much time pass for the jobs that pause. */
function advance(ms: number): void {
  for (const pause of pauses.splice(0))
    if (pause.ms <= ms) pause.end()
    else pauses.push({ ...pause, ms: pause.ms - ms })
}
afterEach(() => void pauses.splice(0))

test('a deleted account is in the list of DATA_DIR within a minute, by number and time alone', async () => {
  const server = await openTestServer()
  const { context, db } = server
  const jobs = startJobs(context)
  onTestFinished(() => jobs.stop())
  // All jobs have run once: three each hour, three each minute, one each ten minutes.
  await vi.waitFor(() => expect(pauses).toHaveLength(6), PATIENCE)
  const { id, token, email } = await insertUserWithSession(db, { passwordHash })
  const readList = () => readFile(join(context.config.dataDir, 'deleted-accounts'), 'utf8').catch(() => '')
  const answer = await server.request(deleteAccount, { body: { password: PASSWORD }, token, language: 'de' })
  expect(answer.status).toBe(200)
  expect(await readList()).toBe('')
  advance(60_000)
  await vi.waitFor(async () => expect(await readList()).toMatch(new RegExp(`^${id} `)), PATIENCE)
  expect(await readList()).toMatch(/^\d+ \S+Z \S+Z\n$/)
  expect(await readList()).not.toContain(email)
})
