import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../server/platform/db/client.ts'
import { createToken, hashToken } from '../../server/platform/http/token.ts'
import { canMount } from '../../server/test/cluster.ts'
import { createTestDatabase, type TestDatabase } from '../../server/test/database.ts'
import { startTestDisk } from '../../server/test/disk.ts'
import { insertCourse, insertUserWithSession } from '../../server/test/factories.ts'
import { findFreePort } from '../../server/test/free-port.ts'
import { listWorkers, type PortalProcess, startPortal, stopPortals } from '../../server/test/portal.ts'
import { hasPostgres, startTestPostgres } from '../../server/test/postgres.ts'
import { isInstalled } from './programs.ts'
import { watchAlarms } from './prometheus.ts'

const canReplicate = await hasPostgres()
const PORTALS = ['tasks', 'calls', 'disk', 'standby', 'processes'] as const
type Name = (typeof PORTALS)[number]

/** Portals with a fault each, which one Prometheus watches; most of the time is spent waiting for its scrapes. */
describe.skipIf(!isInstalled('prometheus')).concurrent('alerts of an injected fault', { timeout: 240_000 }, () => {
  const ports = {} as Record<Name, number>
  const databases: TestDatabase[] = []
  let folder: string
  let alarms: Awaited<ReturnType<typeof watchAlarms>>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'faults-'))
    await chmod(folder, 0o711)
    for (const name of PORTALS) ports[name] = await findFreePort()
    // Longer than the 3 s within which a portal without its standby answers.
    alarms = await watchAlarms(ports, { interval: '5s', range: '15s' })
  })
  afterAll(async () => {
    await stopPortals()
    for (const database of databases) await database.close()
    await rm(folder, { recursive: true })
  })

  const openDatabase = async () => {
    const database = await createTestDatabase()
    databases.push(database)
    return database
  }
  const start = (name: Name, settings: Record<string, string>, before: string[] = []): PortalProcess =>
    startPortal(
      { DATA_DIR: join(folder, name), METRICS_PORT: String(ports[name]), OFFICE_PASSKEY: 'off', ...settings },
      before,
    )

  test('scheduled tasks fail because of blocked folders and locked tables', async () => {
    const database = await openDatabase()
    const dataDir = join(folder, 'tasks')
    const folders = ['record-head', 'deleted-accounts'].map(name => join(dataDir, name))
    const hrFolder = join(dataDir, 'hr')
    for (const path of folders) await mkdir(path, { recursive: true })
    await writeFile(hrFolder, '')
    await database.db.session(async session => {
      await session.execute(sql`begin`)
      await session.execute(sql`set local idle_in_transaction_session_timeout = 0`)
      // Both block writes; reads of `alerts` would block e-mails, too.
      await session.execute(sql`lock table alerts in share mode`)
      await session.execute(sql`lock table certificates`)
      await start('tasks', { DATABASE_URL: database.url }).url()
      await alarms.fires('PortalCertificatesFail', { job: 'tasks' })
      await alarms.fires('PortalRetentionFails', { job: 'tasks' })
      for (const task of ['reminders', 'audit-anchor', 'deletions', 'hr-list'])
        await alarms.fires('PortalTaskFails', { job: 'tasks', task })
      await session.execute(sql`rollback`)
    })
    for (const path of [...folders, hrFolder]) await rm(path, { recursive: true })
    await alarms.clears('PortalCertificatesFail', { job: 'tasks' })
    await alarms.clears('PortalRetentionFails', { job: 'tasks' })
    await alarms.clears('PortalTaskFails', { job: 'tasks' })
  })

  test('a SCIM directory tries to delete all accounts, and bookings wait for a lock', async () => {
    const { db, url: databaseUrl } = await openDatabase()
    const url = await start('calls', { DATABASE_URL: databaseUrl }).url()
    const secret = createToken()
    await db.execute(sql`
      insert into service_tokens (name, token_hash, scopes, expires_at)
      values ('Verzeichnis', ${hashToken(secret)}, '{people}', now() + interval '30 days')`)
    const send = (method: string, path: string, body?: object) =>
      fetch(`${url}/api/scim/v2/Users${path}`, {
        method,
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/scim+json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const ids: string[] = []
    for (let person = 0; person < 10; person++) {
      const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
      const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise]
      const names = { userName: `person${person}@firma.example`, [enterprise]: { employeeNumber: `N${person}` } }
      const made = await send('POST', '', { schemas, ...names, active: true })
      ids.push(((await made.json()) as { id: string }).id)
    }
    await alarms.finds('portal_security_events_total{job="calls", event="directory.removals-refused"} == 0')
    const statuses: number[] = []
    for (const id of ids) statuses.push((await send('DELETE', `/${id}`)).status)
    expect(statuses).toEqual([...Array(5).fill(204), ...Array(5).fill(429)])
    await alarms.fires('PortalDirectoryRemovalsRefused', { job: 'calls' })
    await alarms.clears('PortalDirectoryRemovalsRefused', { job: 'calls' })

    const course = await insertCourse(db, { capacity: 1000 })
    const sessions: string[] = []
    for (let person = 0; person < 300; person++) sessions.push((await insertUserWithSession(db)).token)
    const book = () =>
      fetch(`${url}/api/course/coursebooking`, {
        method: 'PUT',
        headers: { SessionToken: sessions.pop() ?? '', 'Content-Type': 'application/json' },
        body: JSON.stringify({ id: course.id }),
      })
    let isSlow = true
    const locking = (async () => {
      while (isSlow)
        await db.transaction(async tx => {
          await tx.execute(sql`select from courses where id = ${course.id} for update`)
          await sleep(3_000)
        })
    })()
    const calls = setInterval(() => book().catch(() => undefined), 250)
    await alarms.fires('PortalSlow').finally(() => {
      isSlow = false
    })
    await locking
    await alarms.clears('PortalSlow').finally(() => clearInterval(calls))
  })

  test.runIf(canMount)('the disk of DATA_DIR is full', async ({ onTestFinished }) => {
    const disk = await startTestDisk(2_100)
    if (!disk) throw new Error('no disk')
    const database = await openDatabase()
    const portal = start('disk', { DATABASE_URL: database.url, DATA_DIR: disk.folder })
    onTestFinished(async () => {
      portal.child.kill()
      await portal.ended
      await disk.remove()
    })
    await portal.url()
    await alarms.finds('portal_data_dir_free_bytes{job="disk"} > 2e9')
    await disk.fill()
    await alarms.fires('PortalDiskFills', { job: 'disk' })
    await alarms.fires('PortalDiskFull', { job: 'disk' })
    await disk.free()
    await alarms.clears('PortalDiskFull', { job: 'disk' })
    await alarms.clears('PortalDiskFills', { job: 'disk' })
  })

  test.runIf(canReplicate)('the synchronous standby is unavailable', async ({ onTestFinished }) => {
    const primary = await startTestPostgres()
    onTestFinished(() => primary.remove())
    const standby = await primary.follow()
    onTestFinished(() => standby.remove())
    const portal = start('standby', { DATABASE_URL: primary.url })
    onTestFinished(async () => {
      portal.child.kill()
      await portal.ended
    })
    await portal.url()
    await alarms.finds('portal_database_standbys{job="standby"} == 1')
    await standby.kill()
    await alarms.fires('PortalOneMachineOnly', { job: 'standby' })
    await standby.start()
    await alarms.clears('PortalOneMachineOnly', { job: 'standby' })
  })

  test('one process of two stalls, or is out of file descriptors', async () => {
    const database = await openDatabase()
    const portal = start('processes', { DATABASE_URL: database.url, PROCESSES: '2' }, ['prlimit', '--nofile=300:300'])
    const { hostname, port } = new URL(await portal.url())
    const [worker = 0] = await listWorkers(portal)
    await alarms.finds('portal_processes_alive{job="processes"} == 2')
    let isStalling = true
    const stalling = (async () => {
      while (isStalling) {
        process.kill(worker, 'SIGSTOP')
        await sleep(1_500)
        process.kill(worker, 'SIGCONT')
        await sleep(500)
      }
    })()
    await alarms.fires('PortalEventLoopLate', { job: 'processes' }).finally(() => {
      isStalling = false
    })
    await stalling
    await alarms.clears('PortalEventLoopLate', { job: 'processes' })

    const sockets: Socket[] = []
    for (let opened = 0; opened < 440; opened++) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      sockets.push(socket)
      await once(socket, 'connect')
      socket.write(`GET /api/health/live HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    }
    await alarms.fires('PortalDescriptors', { job: 'processes' })
    for (const socket of sockets) socket.destroy()
    await alarms.clears('PortalDescriptors', { job: 'processes' })
  })
})
