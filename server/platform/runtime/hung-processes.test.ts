// @module-tag extended
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { stopPostmaster } from '#server/platform/postgres/postmaster.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { findFreePort } from '#server/test/free-port.ts'
import { listWorkers, type PortalProcess, startPortal, stopPortals } from '#server/test/portal.ts'

afterEach(stopPortals)

const isLinux = process.platform === 'linux'
const HUNG_LIMIT_MS = 8_000
/** Makes a process loop forever on SIGUSR2. */
const LOOP = "data:text/javascript,process.on('SIGUSR2',()=>{for(;;);})"

async function openPortal(settings: Record<string, string>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-hung-'))
  onTestFinished(async () => {
    await stopPortals()
    await stopPostmaster({ folder: join(dataDir, 'postgres') }).catch(() => undefined)
    await rm(dataDir, { recursive: true, force: true })
  })
  const [port, metricsPort] = [await findFreePort(), await findFreePort()]
  const env = { DATA_DIR: dataDir, PORT: String(port), METRICS_PORT: String(metricsPort), ...settings }
  const start = async () => {
    const portal = startPortal(env)
    return { portal, url: await portal.url() }
  }
  const connection = { host: join(dataDir, 'postgres'), user: 'portal', database: 'postgres' }
  const scrape = async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers: { Connection: 'close' } })
    return response.text()
  }
  return { ...(await start()), start, connection, scrape, metricsPort }
}

const valueIn = (metrics: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
const countCalls = (metrics: string) =>
  [...metrics.matchAll(/^portal_request_duration_seconds_count\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )

type Outcome = { path: string; status: number | null; retryAfter: string | null; ms: number }

/** Requests these paths repeatedly, each over a separate connection, until `stop`. */
function callAgainAndAgain(url: string, paths: string[], nextInit: () => RequestInit = () => ({})) {
  const outcomes: Outcome[] = []
  let isStopped = false
  const run = async (path: string) => {
    while (!isStopped) {
      const startedAt = performance.now()
      const init = nextInit()
      const headers = { ...init.headers, Connection: 'close' }
      const response = await fetch(`${url}${path}`, { ...init, headers }).catch(() => null)
      await response?.arrayBuffer().catch(() => null)
      const ms = performance.now() - startedAt
      const retryAfter = response?.headers.get('retry-after') ?? null
      outcomes.push({ path, status: response?.status ?? null, retryAfter, ms })
      await sleep(20)
    }
  }
  const running = Promise.all(paths.flatMap(path => [path, path, path, path]).map(run))
  return {
    outcomes,
    async stop() {
      isStopped = true
      await running
    },
  }
}

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test.runIf(isLinux).each(['SIGSTOP', 'SIGUSR2'] as const)(
  'a hung worker (%s) is killed and replaced, no call waits longer, and counters continue',
  async signal => {
    const { portal, url, scrape } = await openPortal({ PROCESSES: '3', NODE_OPTIONS: `--import "${LOOP}"` })
    const [hung = 0] = await listWorkers(portal)
    const calls = callAgainAndAgain(url, ['/api/health', '/api/course', '/api/config'])
    const counts: number[] = []
    const alive: number[] = []
    let isDone = false
    onTestFinished(() => {
      isDone = true
    })
    const scraping = (async () => {
      while (!isDone) {
        const metrics = await scrape()
        counts.push(countCalls(metrics))
        alive.push(valueIn(metrics, 'portal_processes_alive'))
        expect(valueIn(metrics, 'portal_processes_wanted')).toBe(3)
        await sleep(200)
      }
    })()
    await sleep(1_500)
    const hungAt = performance.now()
    process.kill(hung, signal)
    await expect.poll(() => isRunning(hung), { timeout: HUNG_LIMIT_MS, interval: 50 }).toBe(false)
    expect(performance.now() - hungAt).toBeLessThan(HUNG_LIMIT_MS)
    // The time that a new process takes to start depends on the load of the machine.
    await expect.poll(() => alive.at(-1), { timeout: 20_000, interval: 50 }).toBe(3)
    await sleep(1_000)
    isDone = true
    await Promise.all([calls.stop(), scraping])

    expect(Math.max(...calls.outcomes.map(({ ms }) => ms))).toBeLessThan(HUNG_LIMIT_MS)
    expect(alive).toContain(2)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(await listWorkers(portal)).toHaveLength(3)
    expect(portal.output()).toContain('a process hangs')
  },
  60_000,
)

test.runIf(isLinux)(
  'a hung primary process: calls get 503 within seconds, all processes end, and the next start gets port and data',
  async () => {
    const { portal, url, start, connection } = await openPortal({ PROCESSES: '2' })
    const db = openDatabase({ connection, timeZone: 'UTC', poolSize: 2 })
    onTestFinished(() => db.close())
    const course = await insertCourse(db, { capacity: 100 })
    const people = await Promise.all(Array.from({ length: 100 }, () => insertUserWithSession(db)))
    let next = 0
    await db.execute(sql`update programme set revision = revision + 1`)
    const bookings = callAgainAndAgain(url, ['/api/course/coursebooking'], () => {
      next += 1
      const { token } = people[next % people.length] ?? { token: '' }
      const headers = { 'Content-Type': 'application/json', SessionToken: token }
      return { method: 'PUT', headers, body: JSON.stringify({ id: course.id }) }
    })
    const others = callAgainAndAgain(url, [
      '/api/health',
      '/api/health/ready',
      '/api/session?email=a@b.c&password=wrong',
    ])
    const workers = await listWorkers(portal)
    await expect.poll(() => bookings.outcomes.length, { timeout: 10_000 }).toBeGreaterThan(8)
    process.kill(portal.pid, 'SIGSTOP')
    const [bookingsBefore, othersBefore] = [bookings.outcomes.length, others.outcomes.length]
    for (const pid of [portal.pid, ...workers]) {
      await expect.poll(() => isRunning(pid), { timeout: HUNG_LIMIT_MS, interval: 50 }).toBe(false)
    }
    await Promise.all([bookings.stop(), others.stop()])
    const outcomes = [...bookings.outcomes.slice(bookingsBefore), ...others.outcomes.slice(othersBefore)]
    for (const path of ['/api/course/coursebooking', '/api/health', '/api/health/ready']) {
      const refused = outcomes.filter(outcome => outcome.path.startsWith(path) && outcome.status === 503)
      expect(refused, path).not.toHaveLength(0)
      expect(
        refused.every(({ retryAfter }) => Number(retryAfter) > 0),
        path,
      ).toBe(true)
    }
    expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThan(HUNG_LIMIT_MS)
    expect(portal.output()).toContain('the main process hangs')

    const later = await start()
    expect((await fetch(`${later.url}/api/health`)).status).toBe(200)
  },
  60_000,
)

test.runIf(isLinux)(
  'killing a worker in the first second does not abort the start',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-hung-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const portal: PortalProcess = startPortal({ DATA_DIR: dataDir, PROCESSES: '2' })
    onTestFinished(stopPortals)
    let workers: number[] = []
    while (workers.length === 0) workers = await listWorkers(portal)
    process.kill(workers[0] ?? 0, 'SIGKILL')
    const url = await portal.url()
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
    expect(await listWorkers(portal)).toHaveLength(2)
  },
  60_000,
)

test('a METRICS_PORT in use only causes a warning', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const port = Object(other.address()).port
  const { portal, url } = await openPortal({ METRICS_PORT: String(port), LOG_LEVEL: 'warn' })
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
  expect(portal.output()).toContain(`METRICS_PORT ${port} on 127.0.0.1 is in use by another program`)
}, 60_000)
