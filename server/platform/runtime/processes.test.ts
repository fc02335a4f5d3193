// @module-tag extended
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOOKING_STATUS } from '#contract/values.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { defaultProcessCount } from '#server/platform/config/settings.ts'
import { type Database, openDatabase, sql } from '#server/platform/db/client.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { listWorkers, type PortalProcess, startPortal, stopPortals } from '#server/test/portal.ts'

const GB = 2 ** 30
test.each([
  { cores: 1, gigabytes: 8, count: 1 },
  { cores: 2, gigabytes: 8, count: 1 },
  { cores: 4, gigabytes: 8, count: 2 },
  { cores: 4, gigabytes: 1, count: 1 },
  { cores: 64, gigabytes: 64, count: 4 },
])('PROCESSES=auto is $count with $cores cores and $gigabytes GB', ({ cores, gigabytes, count }) => {
  expect(defaultProcessCount(cores, gigabytes * GB)).toBe(count)
})

let dataDir: string
let portal: PortalProcess
let url: string
let db: Database
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portal-two-'))
  portal = startPortal({
    DATA_DIR: dataDir,
    PROCESSES: '2',
    LOG_LEVEL: 'error',
    OFFICE_PASSKEY: 'off',
    WEBHOOK_NETWORKS: '10.20.0.0/16',
  })
  url = await portal.url()
  const connection = { host: join(dataDir, 'postgres'), user: 'portal', database: 'postgres' }
  db = openDatabase({ connection, timeZone: 'Europe/Berlin', poolSize: 4 })
}, 90_000)
afterAll(async () => {
  await db.close()
  await stopPortals()
  await rm(dataDir, { recursive: true, force: true })
})

const book = async (token: string, id: number) => {
  const headers = { SessionToken: token, 'Content-Type': 'application/json', Connection: 'close' }
  const response = await fetch(`${url}/api/course/coursebooking`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ id }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as { status: string; bookingStatus: number; waitingListPosition: number }
}

/** Retries until there is a response, like a caller whose connection was lost. */
async function insist(token: string, id: number) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await book(token, id)
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === 50) throw error
      await sleep(100)
    }
  }
}

test.runIf(process.platform === 'linux')(
  'killing one of two processes during bookings: every caller gets a response, nothing acknowledged is lost, and it is replaced',
  { timeout: 90_000 },
  async () => {
    const [first] = await listWorkers(portal)
    const courses = await Promise.all([1, 2, 3].map(() => insertCourse(db, { capacity: 15 })))
    const people = await Promise.all(Array.from({ length: 90 }, () => insertUserWithSession(db)))
    await db.execute(sql`update programme set revision = revision + 1`)
    const courseOf = (index: number) => courses[index % courses.length]?.id ?? 0
    const answers = Promise.all(people.map(({ token }, index) => insist(token, courseOf(index))))
    await sleep(30)
    process.kill(first ?? 0, 'SIGKILL')
    for (const [index, { status, bookingStatus, waitingListPosition }] of (await answers).entries()) {
      expect(status).toBe('Ok')
      const again = await insist(people[index]?.token ?? '', courseOf(index))
      expect(again).toMatchObject({ bookingStatus, waitingListPosition })
    }
    const counts = await db.query(sql`
      select count(*) filter (where state = ${BOOKING_STATUS.Booked})::int as places, count(*)::int as all,
        max(seq) as last from bookings group by course_id`)
    expect(counts).toEqual(courses.map(() => ({ places: 15, all: 30, last: 30 })))
    expect((await auditPortal(db)).findings).toEqual([])
    await expect.poll(async () => (await listWorkers(portal)).length, { timeout: 20_000 }).toBe(2)
    expect(await listWorkers(portal)).not.toContain(first)
    expect(portal.output()).toContain('has exited and is replaced')
  },
)

test('a process that is not the main one accepts webhooks of WEBHOOK_NETWORKS, and no others', async () => {
  const owner = await insertUserWithSession(db)
  await db.execute(sql`insert into office_rights (web_user_id, "right") values (${owner.id}, 'owner')`)
  const save = async (host: string) => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const act = { actId: randomUUID(), kind: 'save-webhook', name: 'Räume', url: `http://${host}/hook`, secret }
    const response = await fetch(`${url}/api/office/acts`, {
      method: 'POST',
      headers: { SessionToken: owner.token, 'Content-Type': 'application/json', Connection: 'close' },
      body: JSON.stringify({ ...act, kinds: ['booking.created'], preview: true }),
    })
    return Object(await response.json()).status
  }
  expect([await save('10.20.0.5'), await save('10.21.0.5')]).toEqual(['Ok', 'Failed'])
})

test('rate limits apply across all processes', async () => {
  const report = () =>
    fetch(`${url}/api/clienterror`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: 'XSRF-TOKEN=a', 'X-XSRF-TOKEN': 'a', Connection: 'close' },
      body: JSON.stringify({ message: 'm', stack: '', route: '/home', release: 'test' }),
    }).then(({ status }) => status)
  const statuses = await Promise.all(Array.from({ length: 40 }, report))
  expect(statuses.filter(status => status < 300).length).toBeLessThanOrEqual(21)
  expect(statuses.filter(status => status === 429).length).toBeGreaterThanOrEqual(19)
})

test('a stop shuts all processes down cleanly', async () => {
  const workers = process.platform === 'linux' ? await listWorkers(portal) : []
  portal.child.kill('SIGTERM')
  expect(await portal.ended).toBe(0)
  expect(portal.errors()).toBe('')
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow()
})
