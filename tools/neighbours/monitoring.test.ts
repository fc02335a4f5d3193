import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../server/platform/db/client.ts'
import { runCommand } from '../../server/test/command.ts'
import { createTestDatabase, openTestDatabase, type TestDatabase } from '../../server/test/database.ts'
import { insertCourse, insertUserWithSession } from '../../server/test/factories.ts'
import { type FaultProxy, startFaultProxy, targetOf, throughProxy } from '../../server/test/fault-proxy.ts'
import { findFreePort } from '../../server/test/free-port.ts'
import { startTestMailServer } from '../../server/test/mail-server.ts'
import { listWorkers, type PortalProcess, startPortal, stopPortals } from '../../server/test/portal.ts'
import { isInstalled } from './programs.ts'
import { rules, rulesFile, startProgram, startPrometheus, watchAlarms } from './prometheus.ts'

const root = join(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'monitoring-'))
const running: { stop(): Promise<void> }[] = []
afterAll(async () => {
  for (const one of running) await one.stop()
  await stopPortals()
  await rm(folder, { recursive: true })
})

type Panel = { title: string; targets: { expr: string }[] }
const board: { panels: Panel[] } = JSON.parse(readFileSync(join(root, 'docs/operation/grafana.json'), 'utf8'))
const queries = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
/** Only with standbys, a backup or an event. */
const LATER = [
  'portal_database_standbys',
  'portal_backup_last_success_timestamp_seconds',
  'portal_security_events_total',
]

describe.skipIf(!isInstalled('prometheus') || !isInstalled('prometheus-node-exporter'))('Prometheus', () => {
  test('loads the rules, scrapes the portal and node_exporter at the default ports, and answers the dashboard queries', {
    timeout: 180_000,
  }, async () => {
    const database = await openTestDatabase()
    const { METRICS_PORT = '' } = parseEnv(await readFile(join(root, 'packaging/portal.env'), 'utf8'))
    // Its own default: what Debian starts where it is installed.
    startProgram('prometheus-node-exporter', [])
    const portal = startPortal({ DATABASE_URL: database.url, METRICS_PORT, OFFICE_PASSKEY: 'off' })
    const url = await portal.url()
    const prometheus = await startPrometheus(rulesFile, { portal: Number(METRICS_PORT), node: 9100 })
    const course = await insertCourse(database.db)
    const { token } = await insertUserWithSession(database.db)
    const headers = { SessionToken: token, 'Content-Type': 'application/json' }
    await fetch(`${url}/api/course/coursebooking`, { method: 'PUT', headers, body: JSON.stringify({ id: course.id }) })
    const read = () =>
      prometheus.ask('rules').then(
        ({ groups }: { groups: { rules: { name: string; health: string }[] }[] }) =>
          groups.flatMap(group => group.rules).filter(({ health }) => health === 'ok').length,
        () => 0,
      )
    await expect.poll(read, { timeout: 30_000 }).toBe(rules.length)
    const up = async () => (await prometheus.query('up == 1')).map(({ job }) => job).sort()
    await expect.poll(up, { timeout: 60_000 }).toEqual(['node', 'portal'])
    // Two programs at one port would look like two targets.
    await expect.poll(() => prometheus.query('node_uname_info{job="node"}'), { timeout: 60_000 }).toHaveLength(1)
    const named = new Set(rules.flatMap(({ expr }) => expr.match(/\b(?:portal|process|nodejs)_\w+/g) ?? []))
    const missing = async () => {
      const found: string[] = await prometheus.ask('label/__name__/values')
      return [...named].filter(name => !found.includes(name) && !LATER.includes(name))
    }
    await expect.poll(missing, { timeout: 60_000 }).toEqual([])
    expect(queries.length).toBeGreaterThan(12)
    const unanswered = async () => {
      const answers = await Promise.all(queries.map(expr => prometheus.query(expr)))
      return queries.filter((_, index) => answers[index]?.length === 0)
    }
    await expect.poll(unanswered, { timeout: 60_000 }).toEqual([])
    // Booking does not depend on a free metrics port.
    const other = startPortal({ DATABASE_URL: database.url, METRICS_PORT: '9100', OFFICE_PASSKEY: 'off' })
    expect((await fetch(`${await other.url()}/api/health`)).status).toBe(200)
  })
})

describe.skipIf(!isInstalled('prometheus'))('alerts of an injected fault', { timeout: 120_000 }, () => {
  const dataDir = join(folder, 'portal')
  let database: TestDatabase
  let proxy: FaultProxy
  let mailPort: number
  let settings: Record<string, string>
  let token: string
  let portal: PortalProcess
  let url: string
  let alarms: Awaited<ReturnType<typeof watchAlarms>>
  const startOne = async (processes = '1') => {
    portal = startPortal({ ...settings, PROCESSES: processes })
    url = await portal.url()
  }
  beforeAll(async () => {
    database = await createTestDatabase()
    proxy = await startFaultProxy(targetOf(database.url))
    mailPort = await findFreePort()
    const metrics = await findFreePort()
    settings = {
      DATABASE_URL: throughProxy(database.url, proxy),
      DATA_DIR: dataDir,
      METRICS_PORT: String(metrics),
      SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      OFFICE_PASSKEY: 'off',
    }
    token = (await insertUserWithSession(database.db)).token
    await startOne()
    alarms = await watchAlarms({ portal: metrics })
  })
  afterAll(async () => {
    await stopPortals()
    await proxy.close()
    await database.close()
  })

  const fires = (alert: string) => alarms.fires(alert)
  const clears = (alert: string) => alarms.clears(alert)
  const command = async (...words: string[]) => {
    const { status, stderr } = await runCommand(words, { ...settings, DATABASE_URL: database.url })
    expect(status, stderr).toBe(0)
  }
  /** Calls the portal ten times a second until the work has ended. */
  const underCalls = async (work: () => Promise<unknown>) => {
    let isOver = false
    const calls = setInterval(() => {
      if (!isOver) fetch(`${url}/api/course/booked`, { headers: { SessionToken: token } }).catch(() => undefined)
    }, 100)
    await work().finally(() => {
      isOver = true
      clearInterval(calls)
    })
  }

  test('there is no backup', async () => {
    await fires('PortalBackupMissing')
    await command('backup', join(folder, 'backup.zip'))
    await clears('PortalBackupMissing')
  })

  test('the database is unreachable and calls fail', async () => {
    await proxy.be('refuse')
    await underCalls(async () => {
      await fires('PortalDatabaseGone')
      await fires('PortalFaults')
      await proxy.be('pass')
      await clears('PortalDatabaseGone')
      await clears('PortalFaults')
    })
  })

  test('a transaction hangs', async () => {
    await database.db.session(async session => {
      await session.execute(sql`begin`)
      await session.execute(sql`select txid_current()`)
      await fires('PortalTransactionHangs')
      await session.execute(sql`rollback`)
    })
    await clears('PortalTransactionHangs')
  })

  test('the audit log does not match the published audit hash', async () => {
    const course = await insertCourse(database.db)
    const [officer, person] = [await insertUserWithSession(database.db), await insertUserWithSession(database.db)]
    await database.db.execute(sql`insert into office_rights (web_user_id, "right") values (${officer.id}, 'bookings')`)
    const act = { actId: randomUUID(), kind: 'book', courseId: course.id, webUserId: person.id }
    const answer = await fetch(`${url}/api/office/acts`, {
      method: 'POST',
      headers: { SessionToken: officer.token, 'Content-Type': 'application/json' },
      body: JSON.stringify(act),
    })
    expect(await answer.json()).toMatchObject({ status: 'Ok' })
    const anchor = join(dataDir, 'record-head')
    await expect.poll(() => readFile(anchor, 'utf8').catch(() => ''), { timeout: 60_000 }).toMatch(/^\d+ /)
    const stored = await readFile(anchor, 'utf8')
    await writeFile(anchor, `1 ${'0'.repeat(64)}\n`)
    await fires('PortalAuditAnchorStale')
    await writeFile(anchor, stored)
    await clears('PortalAuditAnchorStale')
  })

  test('the mail server is unreachable: e-mails wait, then become undeliverable', async () => {
    // The e-mail of the previous action.
    await database.db.execute(
      sql`update mails set created_at = clock_timestamp() - interval '1 hour' where sent_at is null`,
    )
    await fires('PortalMailsWait')
    // As after another attempt, so that one in progress does not schedule a retry.
    await database.db.execute(sql`update mails set due_at = 'infinity', attempts = attempts + 1 where sent_at is null`)
    await fires('PortalMailsGivenUp')
    await clears('PortalMailsGivenUp')
    const mailServer = await startTestMailServer({ port: mailPort })
    running.push({ stop: () => mailServer.close() })
    await command('mails', '--send-again')
    await clears('PortalMailsWait')
  })

  test('outgoing messages are held since a restore', async () => {
    await database.db.execute(sql`insert into outgoing_hold values (true, clock_timestamp())`)
    await fires('PortalOutgoingHeld')
    await command('mails', '--release')
    await clears('PortalOutgoingHeld')
  })

  test('the portal is down', async () => {
    portal.child.kill('SIGKILL')
    await portal.ended
    await fires('PortalGone')
    await startOne('2')
    await clears('PortalGone')
  })

  test('a process hangs', async () => {
    const [worker] = await listWorkers(portal)
    if (!worker) throw new Error('no process serves')
    process.kill(worker, 'SIGSTOP')
    await fires('PortalProcessesHang')
    // The portal replaces it.
    await clears('PortalProcessesHang')
  })
})
