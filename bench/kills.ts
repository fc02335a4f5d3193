import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startTestPostgres, type TestPostgres } from '../server/db/test-postgres.ts'
import { startTestMailServer } from '../server/mail/test-mail-server.ts'
import { startFaultProxy, targetOf, throughProxy } from '../server/test-fault-proxy.ts'
import { createRandom, type Load, startLoad, TAMPERINGS } from '../server/test-load.ts'
import { type PortalProcess, startPortal, stopPortals } from '../server/test-portal.ts'
import { percentile } from './programmes.ts'

/**
 * npm run bench:kills -- N [--seed S] [--external] [--control] [--minutes M], or -- --pair N
 *
 * People book, cancel and tick while the portal, its database or both are killed N times. Each answer goes into a ledger, which is
 * compared with the rows every few rounds and at the end, and the mails with what a mail server took.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    external: { type: 'boolean', default: false },
    control: { type: 'boolean', default: false },
    pair: { type: 'string' },
    minutes: { type: 'string', default: '20' },
  },
})
const seed = Number(values.seed)
const random = createRandom(seed)
const COMPARED_EVERY = 10
/** No round begins after it: what was done by then is reported. */
const endAt = performance.now() + Number(values.minutes) * 60_000
const AWAY_LIMIT_MS = 90_000
const PROXY_FAULT_MS = 4_000

const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)] as Value
const away: number[] = []
const findings: string[] = []

/** @returns after how many ms a call begun after now was acknowledged */
async function untilAcknowledged(load: Load, since: number): Promise<void> {
  const deadline = performance.now() + AWAY_LIMIT_MS
  const from = performance.now()
  while (load.lastOkAt() <= from) {
    if (performance.now() > deadline) throw new Error(`nothing acknowledged for ${AWAY_LIMIT_MS} ms`)
    await sleep(10)
  }
  away.push(load.lastOkAt() - since)
}

async function compare(load: Load, round: string): Promise<void> {
  await load.pause()
  findings.push(...(await load.compare()).map(finding => `${round}: ${finding}`))
  load.resume()
}

function report(name: string, load: Load, mails: { sent: number; twice: number }): void {
  const { ok, refused, unavailable, unnamed, fault, unknown, unreached } = load.counts
  const seconds = (share: number) => (percentile(away, share) / 1000).toFixed(1)
  console.log(
    `${name}, seed ${seed}: ${ok} acknowledged, ${refused} refused, ${unavailable} answered by 503 with Retry-After,`,
  )
  console.log(
    `  ${unnamed} by 503 without, ${fault} by another 5xx, ${unknown} without an answer, ${unreached} with nobody there`,
  )
  console.log(
    `  lost, doubled or out of order: ${findings.length}; away ${seconds(0.5)} s (median), ${seconds(1)} s (worst)`,
  )
  console.log(`  ${mails.sent} mails, ${mails.twice} of them twice under one Message-ID`)
  for (const finding of findings) console.log(`  FOUND ${finding}`)
  if (findings.length > 0 || unnamed + fault > 0) process.exitCode = 1
}

/** Each tampering behind the portal's back must be seen. */
async function control(load: Load): Promise<void> {
  for (const kind of TAMPERINGS) {
    const before = (await load.compare()).length
    await load.tamper(kind)
    const seen = (await load.compare()).length > before
    console.log(`  control, ${kind}: ${seen ? 'seen' : 'NOT SEEN'}`)
    if (!seen) process.exitCode = 1
  }
}

async function killOften(rounds: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kills-'))
  const mailServer = await startTestMailServer()
  const external = values.external ? await startTestPostgres() : null
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const settings: Record<string, string> = {
    DATA_DIR: dataDir,
    PORT: String(port),
    SMTP_URL: mailServer.url,
    LOG_LEVEL: 'silent',
  }
  if (external) settings.DATABASE_URL = external.url
  let portal: PortalProcess = startPortal(settings)
  const url = await portal.url()
  const embedded = { host: join(dataDir, 'postgres'), user: 'portal', database: 'postgres' }
  const load = await startLoad([url], external?.url ?? embedded, random)

  const embeddedPid = async () => Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  const killDatabase = async () => (external ? external.kill() : void process.kill(await embeddedPid(), 'SIGKILL'))
  const killPortal = async () => {
    portal.child.kill('SIGKILL')
    await portal.ended
  }
  const restart = async () => {
    portal = startPortal(settings)
    await portal.url()
  }
  const kinds: Record<string, () => Promise<void>> = {
    portal: () => killPortal().then(restart),
    both: async () => {
      await Promise.all([killPortal(), killDatabase()])
      await external?.start()
      await restart()
    },
    recovery: async () => {
      await Promise.all([killPortal(), killDatabase()])
      const starting = external?.start().catch(() => null)
      portal = startPortal(settings)
      await sleep(100 + random() * 900)
      await killPortal()
      await killDatabase().catch(() => null)
      await starting
      await external?.kill()
      await external?.start()
      await restart()
    },
    database: async () => {
      await killDatabase()
      await external?.start()
    },
    stopped: async () => {
      portal.child.kill('SIGSTOP')
      await sleep(1_500)
      portal.child.kill('SIGCONT')
    },
  }
  let done = 0
  for (let round = 1; round <= rounds && performance.now() < endAt; round++) {
    await sleep(200 + random() * 700)
    const kind = pick(['portal', 'portal', 'both', 'recovery', 'database', 'stopped'])
    const since = performance.now()
    await kinds[kind]?.()
    await untilAcknowledged(load, since)
    done = round
    if (round % COMPARED_EVERY === 0) await compare(load, `round ${round}, ${kind}`)
  }
  await load.stop()
  findings.push(...(await load.compare()))
  // What a killed sender held is given to somebody else after its lease.
  const mails = await load.compareMails(mailServer.mails, 100_000)
  findings.push(...mails.findings)
  report(`${done} kills, ${external ? 'external' : 'embedded'} PostgreSQL`, load, mails)
  if (values.control) await control(load)
  await load.close()
  portal.child.kill('SIGTERM')
  await portal.ended
  await external?.remove()
  await mailServer.close()
  await rm(dataDir, { recursive: true, force: true })
}

/** Primary and synchronous standby behind one address, two portals. */
async function failOver(rounds: number): Promise<void> {
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'pair-'))))
  const mailServer = await startTestMailServer()
  let primary: TestPostgres = await startTestPostgres()
  let standby: TestPostgres = await primary.follow()
  const proxy = await startFaultProxy(targetOf(primary.url))
  const url = throughProxy(primary.url, proxy)
  const start = (DATA_DIR: string) =>
    startPortal({ DATA_DIR, DATABASE_URL: url, SMTP_URL: mailServer.url, LOG_LEVEL: 'silent' })
  const portals = folders.map(start)
  const urls: string[] = []
  for (const portal of portals) urls.push(await portal.url())
  const load = await startLoad(urls, url, random)

  for (let round = 1; round <= rounds; round++) {
    await sleep(1_000 + random() * 1_000)
    const since = performance.now()
    const fallen = primary
    await fallen.kill()
    await standby.sql("alter system set synchronous_standby_names = ''").catch(() => null)
    await standby.sql('select pg_promote(true, 60)')
    await standby.sql("alter system set synchronous_standby_names = ''")
    await standby.sql('select pg_reload_conf()')
    proxy.leadTo(targetOf(standby.url))
    proxy.cut()
    primary = standby
    await untilAcknowledged(load, since)
    console.log(`  failover ${round}: away ${((away.at(-1) ?? 0) / 1000).toFixed(1)} s`)
    await compare(load, `failover ${round}`)
    await fallen.remove()
    standby = await primary.follow()
  }
  const misbehave = async (name: string, begin: () => Promise<unknown>, end: () => Promise<unknown>) => {
    await sleep(1_000)
    await begin()
    await sleep(PROXY_FAULT_MS)
    await end()
    const since = performance.now()
    await untilAcknowledged(load, since)
    console.log(`  ${name} for ${PROXY_FAULT_MS / 1000} s: back after ${((away.pop() ?? 0) / 1000).toFixed(1)} s`)
    await compare(load, name)
  }
  const setReadOnly = async (state: string) => {
    await primary.sql(`begin; set transaction read write; commit`)
    await primary.sql(`alter system set default_transaction_read_only = ${state}`)
    await primary.sql('select pg_reload_conf()')
  }
  await misbehave(
    'swallowed network',
    () => proxy.be('swallow'),
    () => proxy.be('pass'),
  )
  await misbehave(
    'demoted primary',
    () => setReadOnly('on'),
    () => setReadOnly('off'),
  )
  await load.stop()
  findings.push(...(await load.compare()))
  const mails = await load.compareMails(mailServer.mails, 100_000)
  findings.push(...mails.findings)
  report(`${rounds} failovers of a synchronous pair`, load, mails)
  await load.close()
  for (const { child, ended } of portals) {
    child.kill('SIGTERM')
    await ended
  }
  await proxy.close()
  await standby.remove()
  await primary.remove()
  await mailServer.close()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}

// What fails on the way leaves no portal behind.
process.on('exit', () => void stopPortals())
if (values.pair) await failOver(Number(values.pair))
else await killOften(Number(positionals[0] ?? 20))
process.exit()
