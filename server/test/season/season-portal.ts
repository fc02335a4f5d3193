import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import type { Endpoint } from '#contract/endpoint.ts'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { runCommand } from '../command.ts'
import { startExternalPostgres } from '../external-postgres.ts'
import { findFreePort } from '../free-port.ts'
import { startTestMailServer } from '../mail-server.ts'
import { type PortalProcess, startPortal, stopPortals } from '../portal.ts'
import { addressOf, formOf, type TestAnswer, type TestRequest } from '../server.ts'
import { createTestClock, instantOf } from './test-clock.ts'

const PATIENCE_MS = 20_000
const METRIC = /^portal_job_last_success_timestamp_seconds\{\w+="([\w-]+)"\} ([\d.e+]+)$/gm
/** The jobs of a portal and the time between two of their runs. */
const JOBS: Record<string, number> = {
  retention: 3_600_000,
  deletions: 60_000,
  'hr-list': 60_000,
  reminders: 30_000,
  certificates: 600_000,
  closing: 3_600_000,
}

const SHORTEST_PAUSE_MS = Math.min(...Object.values(JOBS))

/**
 * Sends a request as the app does, again when a rate limit asks for it, and validates the response against the contract.
 * @throws Error unless it is 200
 */
async function sendRequest<E extends Endpoint>(
  url: string,
  endpoint: E,
  request: TestRequest<E>,
): Promise<{ body: TestAnswer<E>['body']; cookies: string[] }> {
  const { params, query, body, file, form, token, language, headers = {} } = request
  const path = addressOf(endpoint, params, query)
  const response = await fetch(`${url}${path}`, {
    method: endpoint.method,
    headers: {
      Cookie: ['XSRF-TOKEN=test', headers.Cookie].filter(Boolean).join('; '),
      'X-XSRF-TOKEN': 'test',
      ...(token && { SessionToken: token }),
      ...(language && { 'Accept-Language': language }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file && { body: formOf(file, form) }),
  })
  // A fast machine reads all figures within the time of few costly requests.
  if (response.status === 429) {
    await sleep(Number(response.headers.get('Retry-After')) * 1000)
    return sendRequest(url, endpoint, request)
  }
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  const cookies = response.headers.getSetCookie()
  if (endpoint.response === null || 'file' in endpoint.response)
    return { body: new Uint8Array(await response.arrayBuffer()) as TestAnswer<E>['body'], cookies }
  return { body: v.parse(endpoint.response, await response.json()) as TestAnswer<E>['body'], cookies }
}

/** Time of each job's last successful run, ms since 1970. */
async function readLastRuns(metricsPort: number): Promise<Map<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return new Map([...text.matchAll(METRIC)].map(([, job = '', seconds]) => [job, Number(seconds) * 1000]))
}

/** Polls until the condition holds. @throws Error with the description and the portal's output if it takes too long */
async function waitUntil(portal: PortalProcess, isDone: () => Promise<boolean>, what: () => string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`${what()}\n${portal.errors()}\n${portal.output()}`)
    await sleep(10)
  }
}

export type SeasonPortal = Awaited<ReturnType<typeof openSeasonPortal>>

/**
 * Opens a complete portal in simulated time: a portal process, PostgreSQL and a mail server share one clock.
 * @param start wall-clock time in the portal's time zone, 'YYYY-MM-DD HH:MM'
 */
export async function openSeasonPortal(library: string, start: string) {
  const folder = await mkdtemp(join(tmpdir(), 'portal-season-'))
  // The portal and its database run as other users.
  await chmod(folder, 0o711)
  const clock = await createTestClock(library, folder, instantOf(start))
  const postgres = await startExternalPostgres(clock.env)
  const mailServer = await startTestMailServer()
  const metricsPort = await findFreePort()
  const settings = {
    ...clock.env,
    DATABASE_URL: postgres.url,
    DATA_DIR: join(folder, 'data'),
    SMTP_URL: mailServer.url,
    METRICS_PORT: String(metricsPort),
    OFFICE_PASSKEY: 'off',
    LOG_LEVEL: 'warn',
    TZ: 'UTC',
  }
  const preload = `--import=${join(import.meta.dirname, 'wall-clock-timers.ts')}`
  const portal = startPortal({ ...settings, NODE_OPTIONS: preload })
  const url = await portal.url()
  const db = openDatabase({ connection: { connectionString: postgres.url }, timeZone: 'Europe/Berlin', poolSize: 1 })

  let movedAt = performance.now()
  const self = {
    db,
    clock,
    mails: mailServer.mails,
    errors: () => portal.errors() + portal.output(),

    send: <E extends Endpoint>(endpoint: E, request: TestRequest<E> = {}) => sendRequest(url, endpoint, request),
    call: async <E extends Endpoint>(endpoint: E, request: TestRequest<E> = {}): Promise<TestAnswer<E>['body']> =>
      (await self.send(endpoint, request)).body,

    /** Waits until every due mail is sent. */
    untilMailed: () =>
      waitUntil(
        portal,
        async () => {
          const { waiting } = await db.one<{ waiting: number }>(
            sql`select count(*)::int as waiting from mails where sent_at is null and due_at < 'infinity'`,
          )
          return waiting === 0
        },
        () => 'mails are not sent',
      ),

    /** Advances the clock, then waits until every job that became due has run and its e-mails are sent. */
    async advanceTo(wallClock: string): Promise<void> {
      await self.untilMailed()
      // A run that started before the jump would count as one after it.
      const untilNextMs = SHORTEST_PAUSE_MS - ((performance.now() - movedAt) % SHORTEST_PAUSE_MS)
      if (untilNextMs < 1_000) await sleep(untilNextMs + 500)
      const target = instantOf(wallClock)
      const before = clock.now()
      if (target < before) throw new Error(`${wallClock} is in the past`)
      await clock.set(target)
      movedAt = performance.now()
      const due = Object.entries(JOBS).filter(([, pauseMs]) => target - before > pauseMs)
      let missing: string[] = []
      await waitUntil(
        portal,
        async () => {
          const runs = await readLastRuns(metricsPort)
          missing = due.flatMap(([job]) => ((runs.get(job) ?? 0) < target ? [job] : []))
          return missing.length === 0
        },
        () => `not run after ${wallClock}: ${missing}`,
      )
      await self.untilMailed()
    },

    /** Runs a command as an operator would, on the same clock. @throws Error unless its exit status is 0 */
    async command(...words: string[]): Promise<string> {
      const { status, stdout, stderr } = await runCommand(words, settings)
      if (status !== 0) throw new Error(`${words.join(' ')}: ${status}\n${stdout}${stderr}`)
      return stdout
    },

    async close(): Promise<void> {
      await db.close()
      await stopPortals()
      await mailServer.close()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return self
}
