// @module-tag extended
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { completeInput } from '#contract/test/profiles.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { dateFromNow, insertCourse, insertUserWithSession, insertWebUser } from './factories.ts'
import { PASSWORD, passwordHash } from './password.ts'
import { startPortal, stopPortals } from './portal.ts'
import { hasPostgres, startTestPostgres } from './postgres.ts'
import { insertTaughtCourse } from './taught-course.ts'

afterEach(stopPortals)
const canReplicate = await hasPostgres()

const SILENT_MS = 8_000
/** Number of calls that suffices to reach each process of the portal. */
const CALLS_EACH = 6

type Call = { name: string; method: string; path: string; token?: string; body: object }

async function openPortal(processes: number) {
  const postgres = await startTestPostgres()
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-standby-'))
  onTestFinished(async () => {
    await requireStandby(false)
    await stopPortals()
    await db.close()
    await postgres.remove()
    await rm(dataDir, { recursive: true, force: true })
  })
  const settings = { DATABASE_URL: postgres.url, PROCESSES: String(processes), OFFICE_PASSKEY: 'off' }
  const url = await startPortal({ DATA_DIR: dataDir, ...settings }).url()
  const db = openDatabase({ connection: { connectionString: postgres.url }, timeZone: 'Europe/Berlin', poolSize: 2 })
  /** @param isRequired whether commits wait for a standby that does not exist */
  async function requireStandby(isRequired: boolean) {
    await postgres.sql(`alter system set synchronous_standby_names = '${isRequired ? 'missing' : ''}'`)
    await postgres.sql('select pg_reload_conf()')
  }
  const send = async ({ method, path, token = '', body }: Call) => {
    const startedAt = performance.now()
    const pair = { Cookie: 'XSRF-TOKEN=away', 'X-XSRF-TOKEN': 'away' }
    const headers = { SessionToken: token, 'Content-Type': 'application/json', Connection: 'close', ...pair }
    const response = await fetch(`${url}/api/${path}`, { method, headers, body: JSON.stringify(body) })
    const answer = (await response.json()) as Record<string, unknown>
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, answer, ms: performance.now() - startedAt }
  }
  return { db, send, requireStandby }
}

test.runIf(canReplicate).each([1, 3])(
  'without the synchronous standby, nothing is acknowledged, each call is rejected within 8 s, and is performed once when repeated later (%s processes)',
  async processes => {
    const { db, send, requireStandby } = await openPortal(processes)
    // Attendance is recorded for the first lesson, and free cancellation ends with the last.
    const dates = [`${dateFromNow(0)} 00:00:00`, `${dateFromNow(7)} 00:00:00`]
    const taught = await insertTaughtCourse(db, { dates, people: [{}, {}] })
    const course = await insertCourse(db)
    const [booking, officer] = [await insertUserWithSession(db), await insertUserWithSession(db)]
    await db.execute(sql`insert into office_rights (web_user_id, "right") values (${officer.id}, 'bookings')`)
    const booked = await insertWebUser(db)
    const person = await insertWebUser(db, { passwordHash })
    const email = 'away@demo.example'
    const [, cancelling = booking] = taught.people
    const tick = { changeState: 'added', ...taught.tick, changeId: randomUUID() }
    const act = { actId: randomUUID(), kind: 'book', courseId: course.id, webUserId: booked.id, preview: false }
    const calls: Call[] = [
      { name: 'booking', method: 'PUT', path: 'course/coursebooking', token: booking.token, body: { id: course.id } },
      {
        name: 'cancellation',
        method: 'PUT',
        path: 'course/coursecancel',
        token: cancelling.token,
        body: { id: taught.id },
      },
      {
        name: 'tick',
        method: 'POST',
        path: 'course/dates/participant/change',
        token: taught.teacher.token,
        body: tick,
      },
      { name: 'desk act', method: 'POST', path: 'office/acts', token: officer.token, body: act },
      { name: 'login', method: 'PUT', path: 'session', body: { userName: person.email, password: PASSWORD } },
      { name: 'registration', method: 'PUT', path: 'webuser/register', body: { ...completeInput(2, 3), email } },
    ]
    await db.execute(sql`update programme set revision = revision + 1`)
    await requireStandby(true)
    // The server confirms writes until it has reloaded its settings.
    await expect
      .poll(() => db.one<{ names: string }>(sql`select current_setting('synchronous_standby_names') as names`))
      .toEqual({ names: 'missing' })
    const sendAll = async () => {
      const sent = calls.flatMap(call => Array.from({ length: CALLS_EACH }, () => call))
      return Promise.all(sent.map(async call => ({ name: call.name, ...(await send(call)) })))
    }
    for (const round of [0, 1]) {
      for (const { name, status, retryAfter, ms, answer } of await sendAll()) {
        const described = `${name}, round ${round}: ${JSON.stringify(answer)}`
        expect(status, described).toBe(503)
        expect(Number(retryAfter), described).toBeGreaterThan(0)
        expect(ms, described).toBeLessThan(SILENT_MS)
      }
    }
    await requireStandby(false)
    // Each process detects separately that the standby has returned.
    const repeat = async (call: Call) => {
      await expect.poll(async () => (await send(call)).status, { timeout: 30_000, interval: 200 }).toBe(200)
    }
    for (const call of [...calls, ...calls]) await repeat(call)
    const [counts] = await db.query(sql`
      select (select count(*)::int from bookings where course_id = ${course.id}) as bookings,
        (select count(*)::int from bookings where course_id = ${taught.id} and cancelled_at is not null) as cancellations,
        (select count(*)::int from office_record where kind = 'book') as acts,
        (select count(*)::int from web_users where email = ${email}) as people`)
    expect(counts).toEqual({ bookings: 2, cancellations: 1, acts: 1, people: 1 })
    // The bookings of this course were inserted without e-mails.
    const findings = (await auditPortal(db)).findings.filter(line => !line.startsWith(`course ${taught.number},`))
    expect(findings).toEqual([])
  },
  120_000,
)
