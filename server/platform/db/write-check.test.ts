// @module-tag extended
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { canMount } from '#server/test/cluster.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { startTestDisk, type TestDisk } from '#server/test/disk.ts'
import { startFaultProxy, targetOf, throughProxy } from '#server/test/fault-proxy.ts'
import { findFreePort } from '#server/test/free-port.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'
import { hasPostgres, startTestPostgres } from '#server/test/postgres.ts'
import { openDatabase, sql } from './client.ts'
import { createWriteCheck } from './write-check.ts'

const database = await openTestDatabase()
afterEach(stopPortals)

const canPair = await hasPostgres()

/** Opens a portal with metrics and reads its responses. */
async function openPortal(settings: Record<string, string>) {
  const metricsPort = await findFreePort()
  const url = await startPortal({ METRICS_PORT: String(metricsPort), ...settings }).url()
  const timed = async (path: string) => {
    const startedAt = performance.now()
    const { status } = await fetch(`${url}${path}`)
    return { status, ms: performance.now() - startedAt }
  }
  return {
    url,
    readHealth: () => Promise.all([timed('/api/health'), timed('/api/health/ready')]),
    async readGauge(name: string) {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    },
  }
}

type Portal = Awaited<ReturnType<typeof openPortal>>

async function expectUnhealthy(portal: Portal) {
  const readStatuses = async () => (await portal.readHealth()).map(({ status }) => status)
  await expect.poll(readStatuses, { timeout: 10_000 }).toEqual([503, 503])
  for (const { status, ms } of await portal.readHealth()) {
    expect(status).toBe(503)
    expect(ms).toBeLessThan(3_500)
  }
  expect(await portal.readGauge('portal_database_up')).toBe(0)
}

async function expectHealthy(portal: Portal) {
  const readStatuses = async () => (await portal.readHealth()).map(({ status }) => status)
  await expect.poll(readStatuses, { timeout: 15_000 }).toEqual([200, 200])
  expect(await portal.readGauge('portal_database_up')).toBe(1)
}

test('callers share one write per second, and rows of other servers are deleted after a day', async () => {
  await database.db.execute(sql`insert into write_checks values ('gone', clock_timestamp() - interval '25 hours')`)
  await database.db.execute(sql`insert into write_checks values ('other', clock_timestamp() - interval '1 hour')`)
  const db = openDatabase({ connection: database.connection, timeZone: 'UTC' })
  onTestFinished(() => db.close())
  const read = () =>
    database.db.query<{ server: string; version: string; at: Date }>(sql`
    select server, xmin::text as version, checked_at as at from write_checks order by checked_at desc`)
  await Promise.all(Array.from({ length: 50 }, () => db.probe()))
  const [first, ...others] = await read()
  expect(others.map(({ server }) => server)).toEqual(['other'])
  await Promise.all(Array.from({ length: 50 }, () => db.probe()))
  expect((await read())[0]).toEqual(first)
  await expect
    .poll(
      () =>
        db
          .probe()
          .then(read)
          .then(([now]) => now?.version),
      { timeout: 5_000 },
    )
    .not.toBe(first?.version)
})

test('a check that times out while it connects leaves no connection behind', async () => {
  const proxy = await startFaultProxy(targetOf(database.url))
  const applicationName = 'write-check'
  const check = createWriteCheck({
    connectionString: throughProxy(database.url, proxy),
    application_name: applicationName,
  })
  onTestFinished(async () => {
    await check.close()
    await proxy.close()
  })
  const count = async () =>
    (
      await database.db.one<{ count: number }>(
        sql`select count(*)::int as count from pg_stat_activity where application_name = ${applicationName}`,
      )
    ).count
  await check.run()
  expect(await count()).toBe(1)
  await proxy.be('slow', { delayMs: 1_300 })
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await sleep(1_000)
    await expect(check.run()).rejects.toThrow('does not commit')
  }
  await proxy.be('pass')
  // Attempts that were connecting have connected by now.
  await sleep(6_000)
  expect(await count()).toBe(0)
}, 30_000)

test.runIf(canPair)(
  'an unresponsive synchronous standby: health is 503 within 3 s, no connection is left waiting, and health recovers',
  async () => {
    const primary = await startTestPostgres()
    const standby = await primary.follow()
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-write-'))
    onTestFinished(async () => {
      await stopPortals()
      await standby.signal('SIGCONT')
      await standby.remove()
      await primary.remove()
      await rm(dataDir, { recursive: true, force: true })
    })
    const portal = await openPortal({ DATA_DIR: dataDir, DATABASE_URL: primary.url })
    await expectHealthy(portal)
    expect(await portal.readGauge('portal_database_standbys')).toBe(1)
    await standby.signal('SIGSTOP')
    await expectUnhealthy(portal)
    for (let check = 0; check < 3; check += 1) await portal.readHealth()
    const [waiting] = await primary.sql(
      "select count(*)::int as count from pg_stat_activity where wait_event = 'SyncRep' and query like '%write_checks%'",
    )
    expect(waiting?.count).toBeLessThanOrEqual(1)
    await standby.signal('SIGCONT')
    await expectHealthy(portal)
  },
  90_000,
)

test.runIf(canMount)(
  'a full disk: health is 503 while bookings are rejected, and recovers afterwards',
  async () => {
    const disk = (await startTestDisk(300)) as TestDisk
    onTestFinished(async () => {
      await disk.free()
      await stopPortals()
      await disk.remove()
    })
    const dataDir = join(disk.folder, 'data')
    const portal = await openPortal({ DATA_DIR: dataDir })
    await expectHealthy(portal)
    expect(await portal.readGauge('portal_data_dir_free_bytes')).toBeGreaterThan(1e6)
    await disk.fill()
    await expectUnhealthy(portal)
    expect(await portal.readGauge('portal_data_dir_free_bytes')).toBeLessThan(1e6)
    await disk.free()
    await expectHealthy(portal)
  },
  90_000,
)
