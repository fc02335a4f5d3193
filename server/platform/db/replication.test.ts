// @module-tag extended
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { hasPostgres, startTestPostgres, type TestPostgres } from '#server/test/postgres.ts'
import { sql } from './client.ts'
import { openPools, type Pools } from './pools.ts'
import { isUnavailable } from './unavailable.ts'

/** Share of the 8 s after which a call counts as silent. */
const REFUSAL_LIMIT_MS = 5_000

const canReplicate = await hasPostgres()
let postgres: TestPostgres
let pools: Pools

const cancelWaits = () =>
  postgres.sql("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")

/** Resolves when commits wait for a standby that does not exist, or no longer wait. */
async function requireStandby(isRequired: boolean) {
  await postgres.sql(`alter system set synchronous_standby_names = '${isRequired ? 'missing' : ''}'`)
  await postgres.sql('select pg_reload_conf()')
  for (let isWaiting = !isRequired; !isWaiting; ) {
    let isCommitted = false
    const committing = postgres.sql("select pg_logical_emit_message(true, 'test', '')").then(() => {
      isCommitted = true
    })
    while (!isCommitted) {
      await sleep(20)
      isWaiting ||= (await cancelWaits()).length > 0
    }
    await committing
  }
}

beforeAll(async () => {
  if (!canReplicate) return
  postgres = await startTestPostgres()
  await postgres.sql('create table notes (text text)')
  await postgres.sql('create table write_checks (server text primary key, checked_at timestamptz not null)')
}, 60_000)
beforeEach(() => {
  if (canReplicate) pools = openPools({ connectionString: postgres.url }, 'UTC')
})
afterEach(async () => {
  if (!canReplicate) return
  await requireStandby(false)
  await pools.close()
  await postgres.sql('delete from notes')
})
afterAll(() => postgres?.remove())

const readNotes = async () => (await postgres.sql('select text from notes order by text')).map(({ text }) => text)
const writers = {
  statement: (text: string) => pools.calls.execute(sql`insert into notes values (${text})`),
  'statement without parameters': () => pools.calls.execute(sql`insert into notes values ('fixed')`),
  transaction: (text: string) => pools.calls.transaction(tx => tx.execute(sql`insert into notes values (${text})`)),
  session: (text: string) => pools.calls.session(session => session.execute(sql`insert into notes values (${text})`)),
  'statement of the mail sender': (text: string) => pools.mails.execute(sql`insert into notes values (${text})`),
}
const kinds = Object.keys(writers) as (keyof typeof writers)[]

async function timed(work: Promise<unknown>) {
  const startedAt = performance.now()
  const error = await work.then(
    () => null,
    error => error,
  )
  return { isRefused: isUnavailable(error), error, ms: performance.now() - startedAt }
}

test.runIf(canReplicate)(
  'without the synchronous standby, writes are rejected within 5 s, then immediately, and are invisible until it returns',
  async () => {
    await requireStandby(true)
    // More than the number of connections.
    const waiting = Array.from({ length: 10 }, (_, index) =>
      kinds.map(kind => timed(writers[kind](`${kind} ${index}`))),
    )
    for (const { isRefused, error, ms } of await Promise.all(waiting.flat())) {
      expect(isRefused, String(error)).toBe(true)
      expect(ms).toBeLessThan(REFUSAL_LIMIT_MS)
    }
    for (const kind of kinds) {
      const { isRefused, ms } = await timed(writers[kind]('late'))
      expect(isRefused, kind).toBe(true)
      expect(ms, kind).toBeLessThan(200)
    }
    expect(await pools.calls.query(sql`select * from notes`)).toEqual([])

    await requireStandby(false)
    await expect
      .poll(() => timed(writers.transaction('later')).then(({ isRefused }) => isRefused), { timeout: 5_000 })
      .toBe(false)
    // Waiting calls were committed at most once, and calls that were rejected immediately were not committed.
    const notes = await readNotes()
    expect(notes).toContain('later')
    expect(notes).not.toContain('late')
    expect(notes.filter(text => text !== 'fixed')).toEqual([...new Set(notes.filter(text => text !== 'fixed'))])
    expect(await postgres.sql("select from pg_stat_activity where wait_event = 'SyncRep'")).toEqual([])
  },
  60_000,
)

test.runIf(canReplicate).each(kinds)(
  'a %s whose wait for the standby an administrator cancels is not acknowledged',
  async kind => {
    await writers[kind]('before')
    await requireStandby(true)
    const writing = timed(writers[kind]('cancelled'))
    await expect.poll(async () => (await cancelWaits()).length, { timeout: 2_000, interval: 20 }).toBeGreaterThan(0)
    const { isRefused, error, ms } = await writing
    expect(isRefused, String(error)).toBe(true)
    expect(ms).toBeLessThan(REFUSAL_LIMIT_MS)
    // It was committed on this server only, so a second call must not find and acknowledge it.
    expect((await timed(writers[kind]('second'))).ms).toBeLessThan(200)
    expect(await readNotes()).not.toContain('second')
  },
  30_000,
)

test.runIf(canReplicate)(
  'an unanswered write check rejects writes immediately, and a job waits until the standby returns',
  async () => {
    await pools.calls.probe()
    await requireStandby(true)
    const job = pools.jobs.execute(sql`insert into notes values ('job')`)
    await expect
      .poll(() => timed(pools.calls.probe()).then(({ isRefused }) => isRefused), { timeout: 5_000 })
      .toBe(true)
    const { isRefused, ms } = await timed(writers.statement('refused'))
    expect(isRefused).toBe(true)
    expect(ms).toBeLessThan(200)
    await requireStandby(false)
    expect(await job).toBe(1)
    await expect
      .poll(() => timed(writers.statement('later')).then(({ isRefused }) => isRefused), { timeout: 5_000 })
      .toBe(false)
    expect(await readNotes()).toEqual(['job', 'later'])
  },
  30_000,
)
