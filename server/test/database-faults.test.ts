// @module-tag extended
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { openPools, type Pools } from '#server/platform/db/pools.ts'
import { openTestDatabase } from './database.ts'
import { dateFromNow, insertCourse, insertUserWithSession } from './factories.ts'
import { type FaultProxy, startFaultProxy, targetOf, throughProxy } from './fault-proxy.ts'
import { insertTaughtCourse } from './taught-course.ts'

let proxy: FaultProxy
let pools: Pools
let app: ReturnType<typeof createApp>['app']
const database = await openTestDatabase({ poolSize: 10 })
beforeAll(async () => {
  proxy = await startFaultProxy(targetOf(database.url))
  pools = openPools({ connectionString: throughProxy(database.url, proxy) }, 'Europe/Berlin')
  const log = pino({ level: 'silent' })
  app = createApp({ db: pools.calls, config: readConfig({}), log, wakeMailer: () => {} }).app
})
afterEach(() => proxy.be('pass'))
afterAll(async () => {
  await pools.close()
  await proxy.close()
})

type Answer = { status: number; retryAfter: string | null; ms: number; body: Record<string, unknown> }

async function call(path: string, token = '', body?: object): Promise<Answer> {
  const startedAt = performance.now()
  const response = await app.request(`/api${path}`, {
    method: body ? 'PUT' : 'GET',
    headers: { SessionToken: token, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Record<string, unknown>
  const retryAfter = response.headers.get('Retry-After')
  return { status: response.status, retryAfter, ms: performance.now() - startedAt, body: answer }
}

/** Creates a set of concurrent calls: lists, sessions, and bookings, which the next set cancels. */
async function makeCalls(count: number): Promise<() => Promise<Answer>[]> {
  const { id } = await insertCourse(database.db, { capacity: 1000 })
  const tokens = await Promise.all(Array.from({ length: count }, async () => insertUserWithSession(database.db)))
  let acts = ['coursecancel', 'coursebooking']
  return () => {
    acts = acts.reverse()
    return [
      ...tokens.map(({ token }) => call(`/course/${acts[0]}`, token, { id })),
      ...tokens.map(({ token }) => call('/session/webuser', token)),
      call('/course'),
    ]
  }
}

const isGood = ({ status }: Answer) => status === 200
const slowest = (answers: Answer[]) => Math.max(...answers.map(({ ms }) => ms))

/** Expects every response to be a 503 with Retry-After within three seconds. */
function expectUnavailable(answers: Answer[]) {
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([503])
  expect(answers.filter(({ retryAfter }) => !retryAfter)).toEqual([])
  expect(slowest(answers)).toBeLessThan(3_000)
}

/** @returns time in ms until all calls succeed again */
async function untilBack(calls: () => Promise<Answer>[]): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const answers = await Promise.all(calls())
    if (answers.every(isGood)) return performance.now() - startedAt
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    if (performance.now() - startedAt > 20_000) return Number.POSITIVE_INFINITY
    await sleep(100)
  }
}

test('an unresponsive network: 503 within three seconds, health within one, and automatic recovery', {
  timeout: 60_000,
}, async () => {
  const calls = await makeCalls(12)
  await Promise.all(calls())
  await proxy.be('swallow')
  const [first, health] = await Promise.all([Promise.all(calls()), call('/health')])
  expectUnavailable(first)
  expect(health).toMatchObject({ status: 503, retryAfter: expect.any(String) })
  expect(health.ms).toBeLessThan(1_300)
  // During the outage, calls and a proxy's health checks are rejected immediately.
  for (let round = 0; round < 3; round++) expectUnavailable(await Promise.all([...calls(), call('/health')]))
  await proxy.be('pass')
  expect(await untilBack(calls)).toBeLessThan(10_000)
  expect(await call('/health')).toMatchObject({ status: 200 })
})

test('connections whose state a firewall has dropped are detected and replaced', { timeout: 60_000 }, async () => {
  const calls = await makeCalls(12)
  await Promise.all(calls())
  await proxy.be('swallow')
  const lost = calls()
  await sleep(50)
  await proxy.be('pass')
  const answers = await Promise.all(lost)
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  expect(slowest(answers)).toBeLessThan(3_000)
  expect(await untilBack(calls)).toBeLessThan(10_000)
})

test.each(['refuse', 'reset', 'full'] as const)(
  'a database that responds with "%s" is unavailable and recovers',
  {
    timeout: 60_000,
  },
  async fault => {
    const calls = await makeCalls(5)
    await Promise.all(calls())
    await proxy.be(fault)
    proxy.cut()
    await sleep(50)
    expectUnavailable(await Promise.all([...calls(), call('/health')]))
    await proxy.be('pass')
    expect(await untilBack(calls)).toBeLessThan(10_000)
  },
)

test('a slow network causes no errors', { timeout: 60_000 }, async () => {
  const calls = await makeCalls(3)
  await proxy.be('slow', { delayMs: 100 })
  expect((await Promise.all(calls())).every(isGood)).toBe(true)
})

test('a read-only database is unavailable, and its successor at the same address is used', {
  timeout: 60_000,
}, async () => {
  const name = new URL(database.url).pathname.slice(1)
  const calls = await makeCalls(5)
  await Promise.all(calls())
  await database.db.execute(sql.raw(`alter database ${name} set default_transaction_read_only = on`))
  proxy.cut()
  await sleep(50)
  expectUnavailable(await Promise.all(calls()))
  expect(await call('/health')).toMatchObject({ status: 503, retryAfter: expect.any(String) })
  await database.db.transaction(async tx => {
    await tx.execute(sql`set transaction read write`)
    await tx.execute(sql.raw(`alter database ${name} reset default_transaction_read_only`))
  })
  expect(await untilBack(calls)).toBeLessThan(10_000)
  expect(await call('/health')).toMatchObject({ status: 200 })
})

test('a connection on which the server starts to reject writes is discarded', { timeout: 60_000 }, async () => {
  const calls = await makeCalls(5)
  await Promise.all(calls())
  const demote = () =>
    pools.calls.execute(sql`
      select set_config('default_transaction_read_only', 'on', false), pg_sleep(0.1) /* update */`)
  await Promise.all(Array.from({ length: 8 }, demote))
  const answers = await Promise.all(calls())
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 503])
  expect(await untilBack(calls)).toBeLessThan(10_000)
})

test('one locked course does not block others', { timeout: 60_000 }, async () => {
  const { db } = database
  const locked = await insertTaughtCourse(db, {
    capacity: 1000,
    dates: [`${dateFromNow(0)} 00:00:00`, `${dateFromNow(7)} 18:00:00`],
    people: [{}, {}, {}, {}, {}, {}, {}, {}],
  })
  const other = await insertCourse(db, { capacity: 1000 })
  const newcomers = await Promise.all(Array.from({ length: 22 }, () => insertUserWithSession(db)))
  const release = Promise.withResolvers<void>()
  onTestFinished(() => release.resolve())
  const hasLock = Promise.withResolvers<void>()
  const holding = db.transaction(async tx => {
    await tx.execute(sql`select from courses where id = ${locked.id} for update`)
    hasLock.resolve()
    await release.promise
  })
  await hasLock.promise
  const waiting = [
    ...newcomers.map(({ token }) => call('/course/coursebooking', token, { id: locked.id })),
    ...locked.people.map(({ token }) => call('/course/coursecancel', token, { id: locked.id })),
  ]
  const ticks = locked.people.map(({ id }) =>
    app.request('/api/course/dates/participant/change', {
      method: 'POST',
      headers: { SessionToken: locked.teacher.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...locked.tick, changeState: 'added', webUserId: id }),
    }),
  )
  await sleep(100)
  const stranger = await insertUserWithSession(db)
  const [booking, health, list] = await Promise.all([
    call('/course/coursebooking', stranger.token, { id: other.id }),
    call('/health'),
    call('/course'),
  ])
  expect([booking.status, health.status, list.status]).toEqual([200, 200, 200])
  expect(slowest([booking, health])).toBeLessThan(1_000)
  const refused = await Promise.all(waiting)
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503))
  expect(refused.filter(({ retryAfter }) => !retryAfter)).toEqual([])
  expect(slowest(refused)).toBeLessThan(4_500)
  expect((await Promise.all(ticks)).map(({ status }) => status)).toEqual(ticks.map(() => 503))
  release.resolve()
  await holding
  const late = await Promise.all(newcomers.map(({ token }) => call('/course/coursebooking', token, { id: locked.id })))
  // One caller at a time retries until the lock is free; then all others proceed.
  expect(late.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  for (const { token } of newcomers)
    expect(await call('/course/coursebooking', token, { id: locked.id })).toMatchObject({ status: 200 })
})
