import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createRandom } from '#contract/test/random.ts'
import { openDatabase, sql } from '#server/db/client.ts'
import { startTestDisk } from './disk.ts'
import { type Load, startLoad, TAMPERINGS } from './load.ts'
import { startTestMailServer } from './mail-server.ts'
import { type PortalProcess, startPortal } from './portal.ts'
import { killPostmaster, signalServer, startTestPostgres } from './postgres.ts'

/**
 * - `portal`, `database`, `both`: killed, and started again where nobody else does it
 * - `recovery`: both, and once more while they come back
 * - `stopped`, `frozen`: the portal, the database is stopped for a while as a virtual machine may be
 * - `full`: the database's disk has no byte left for a while
 */
export const FAULTS = ['portal', 'both', 'recovery', 'database', 'stopped', 'frozen', 'full'] as const
export type Fault = (typeof FAULTS)[number]

export type KillRound = {
  fault: Fault
  /** from the fault, or from its end where it has one, to the first call acknowledged that began after it */
  awayMs: number
  /** the last start: its steps, what came before and after it, and the processor's time for it; null where nothing was started */
  start: { ms: Record<string, number>; cpuMs: number } | null
}

export type KillReport = {
  rounds: KillRound[]
  counts: Load['counts']
  /** what is lost, doubled or out of order, and what did not come back in time */
  findings: string[]
  /** how long somebody waited at most for a 503 while the database was frozen; null when it never was */
  slowestRefusalMs: number | null
  mails: { sent: number; twice: number }
  /** whether each tampering behind the portal's back was seen */
  control: { kind: string; isSeen: boolean }[]
}

export type KillOptions = {
  rounds: number
  /** drawn from in every round */
  faults: readonly Fault[]
  seed: number
  isExternal: boolean
  /** Tampers at the end, to see that the comparison can fail. */
  hasControl: boolean
  /** No round begins after so many minutes. */
  minutes: number
  comparedEvery: number
  /** What a killed sender held leaves when its lease ends, 45 s later. 0: mails that have not left yet are none that are lost. */
  mailPatienceMs: number
  say?: (line: string) => void
}

/** On a machine that is busy with something else a start takes what it takes. */
const AWAY_LIMIT_MS = 300_000
/** Of a fault that is over by itself, as a full disk. */
const BACK_LIMIT_MS = 10_000
const FROZEN_MS = 5_000
const DISK_MB = 600

/** @returns after how many ms of `since` a call begun after now was acknowledged */
export async function untilAcknowledged(load: Load, since: number): Promise<number> {
  const from = performance.now()
  while (load.lastOk().begunAt <= from) {
    if (performance.now() > from + AWAY_LIMIT_MS) throw new Error(`nothing acknowledged for ${AWAY_LIMIT_MS} ms`)
    await sleep(10)
  }
  return load.lastOk().at - since
}

/** Compares the ledger with the rows while nobody calls. */
export async function compareQuietly(load: Load, name: string): Promise<string[]> {
  await load.pause()
  const findings = (await load.compare()).map(finding => `${name}: ${finding}`)
  load.resume()
  return findings
}

type Ground = {
  databaseUrl: string | { host: string; user: string; database: string }
  settings: Record<string, string>
  killDatabase(): Promise<void>
  startDatabase(): Promise<void>
  signalDatabase(signal: NodeJS.Signals): Promise<void>
  remove(): Promise<void>
}

async function prepareExternal(parent: string, dataDir: string): Promise<Ground> {
  const server = await startTestPostgres(parent)
  return {
    databaseUrl: server.url,
    settings: { DATA_DIR: dataDir, DATABASE_URL: server.url },
    killDatabase: server.kill,
    startDatabase: server.start,
    signalDatabase: server.signal,
    remove: server.remove,
  }
}

function prepareEmbedded(dataDir: string): Ground {
  const readPid = async () => Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  return {
    databaseUrl: { host: join(dataDir, 'postgres'), user: 'portal', database: 'postgres' },
    settings: { DATA_DIR: dataDir },
    killDatabase: async () => killPostmaster(await readPid()),
    // The portal does it.
    startDatabase: async () => {},
    signalDatabase: async signal => signalServer(await readPid(), signal),
    remove: async () => {},
  }
}

/** What is to be seen when a round does not end: how the portal ended, what it and PostgreSQL said last, what runs. */
async function describeScene(portal: PortalProcess, folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid,ppid,stat,etimes,wchan:20,args'])
  const running = stdout.split('\n').filter(line => /postgres|start\.mjs/.test(line))
  const log = await readFile(join(folder, 'postgres.log'), 'utf8').catch(() => '')
  const troubles = portal
    .output()
    .split('\n')
    .filter(line => /"level":[456]0/.test(line))
  const { exitCode, signalCode } = portal.child
  return [`portal ${portal.pid} ${exitCode} ${signalCode}`, portal.errors(), ...troubles.slice(-10)]
    .concat(log.split('\n').slice(-15), running)
    .join('\n')
}

/** Lets people book, cancel, tick and register while a portal and its database meet one fault after the other. */
export async function killOften(options: KillOptions): Promise<KillReport> {
  const { isExternal, say = () => {} } = options
  const random = createRandom(options.seed)
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)] as Value
  const endAt = performance.now() + options.minutes * 60_000
  const findings: string[] = []
  const rounds: KillRound[] = []

  const disk = options.faults.includes('full') ? await startTestDisk(DISK_MB) : null
  const faults = options.faults.filter(fault => fault !== 'full' || disk)
  if (faults.length < options.faults.length) say('  without a full disk: only root may mount one')
  const folder = await mkdtemp(join(disk?.folder ?? tmpdir(), 'kills-'))
  // PostgreSQL runs as somebody else than root, who has to get in.
  await chmod(folder, 0o711)
  const mailServer = await startTestMailServer()
  const ground = isExternal ? await prepareExternal(folder, folder) : prepareEmbedded(folder)
  const settings: Record<string, string> = {
    ...ground.settings,
    PORT: String(20_000 + Math.floor(Math.random() * 10_000)),
    SMTP_URL: mailServer.url,
    LOG_LEVEL: 'info',
  }
  let portal: PortalProcess = startPortal(settings)
  const load = await startLoad([await portal.url(AWAY_LIMIT_MS)], ground.databaseUrl, random)

  /** when a fault that ends by itself was over; null when it lasts until what was killed is started */
  let overAt: number | null = null
  let slowestRefusalMs: number | null = null
  let spawnedAt = 0
  let listensAt = 0
  const killPortal = async () => {
    portal.child.kill('SIGKILL')
    await portal.ended
  }
  const restart = async () => {
    spawnedAt = performance.now()
    portal = startPortal(settings)
    await portal.url(AWAY_LIMIT_MS)
    listensAt = performance.now()
  }
  /** Makes the server find the end of its disk by itself, in its tables and in its log of changes. */
  const writeToTheBrim = async (isLogToo: boolean) => {
    const connection =
      typeof ground.databaseUrl === 'string' ? { connectionString: ground.databaseUrl } : ground.databaseUrl
    const db = openDatabase({ connection, timeZone: 'UTC', poolSize: 1, statementTimeoutMs: 10_000 })
    const write = async () => {
      await db.execute(sql`create table if not exists ballast (text text)`)
      for (;;) await db.execute(sql`insert into ballast select repeat('x', 1000) from generate_series(1, 1000)`)
    }
    await write().catch(() => null)
    // Without room for the next file of its log the server gives up whole.
    if (isLogToo) await db.execute(sql`select pg_switch_wal()`).catch(() => null)
    await db.close().catch(() => null)
  }
  const untilRefused = async () => {
    const before = load.counts.unavailable
    const deadline = performance.now() + 20_000
    while (load.counts.unavailable === before && performance.now() < deadline) await sleep(20)
    if (load.counts.unavailable === before) findings.push('a full disk: nothing was refused in 20 s')
  }
  const begin: Record<Fault, () => Promise<void>> = {
    portal: () => killPortal().then(restart),
    both: async () => {
      await Promise.all([killPortal(), ground.killDatabase()])
      await ground.startDatabase()
      await restart()
    },
    recovery: async () => {
      await Promise.all([killPortal(), ground.killDatabase()])
      const starting = ground.startDatabase().catch(() => null)
      portal = startPortal(settings)
      await sleep(100 + random() * 900)
      await killPortal()
      await ground.killDatabase().catch(() => null)
      await starting
      await ground.killDatabase().catch(() => null)
      await ground.startDatabase()
      await restart()
    },
    database: async () => {
      await ground.killDatabase()
      await ground.startDatabase()
    },
    stopped: async () => {
      portal.child.kill('SIGSTOP')
      await sleep(1_500)
      portal.child.kill('SIGCONT')
    },
    frozen: async () => {
      await ground.signalDatabase('SIGSTOP')
      load.takeSlowestRefusal()
      await sleep(FROZEN_MS)
      const slowest = load.takeSlowestRefusal()
      await ground.signalDatabase('SIGCONT')
      if (slowest === 0) findings.push(`a frozen database: nothing was refused in ${FROZEN_MS} ms`)
      slowestRefusalMs = Math.max(slowestRefusalMs ?? 0, slowest)
      overAt = performance.now()
    },
    full: async () => {
      const isLogToo = random() < 0.5
      await disk?.fill()
      await writeToTheBrim(isLogToo)
      await disk?.fill()
      await untilRefused()
      await sleep(2_000)
      await disk?.free()
      overAt = performance.now()
      // An operator's server that gave up is started again by whoever looks after it.
      await ground.startDatabase()
    },
  }

  const meet = async (fault: Fault) => {
    const faultAt = performance.now()
    overAt = null
    spawnedAt = 0
    await begin[fault]()
    const awayMs = await untilAcknowledged(load, overAt ?? faultAt)
    const own = spawnedAt > 0 ? portal.startTimes() : null
    const around = { before: spawnedAt - faultAt, after: faultAt + awayMs - listensAt }
    const start = own && { ms: { before: around.before, ...own.ms, after: around.after }, cpuMs: own.cpuMs }
    rounds.push({ fault, awayMs, start })
    const name = `round ${rounds.length}, ${fault}`
    if (overAt !== null && awayMs > BACK_LIMIT_MS) findings.push(`${name}: back after ${Math.round(awayMs)} ms`)
    if (rounds.length % options.comparedEvery === 0) findings.push(...(await compareQuietly(load, name)))
    say(`  ${name}: away ${(awayMs / 1000).toFixed(1)} s`)
  }
  while (rounds.length < options.rounds && performance.now() < endAt) {
    await sleep(200 + random() * 700)
    const fault = rounds.length < faults.length ? (faults[rounds.length] as Fault) : pick(faults)
    await meet(fault).catch(async error => {
      say(`  round ${rounds.length + 1}, ${fault}: ${error.message}\n${await describeScene(portal, folder)}`)
      throw error
    })
  }
  await load.stop()
  findings.push(...(await load.compare()))
  const mails = await load.compareMails(mailServer.mails, options.mailPatienceMs)
  findings.push(...mails.findings)
  const control: KillReport['control'] = []
  for (const kind of options.hasControl ? TAMPERINGS : []) {
    const before = (await load.compare()).length
    await load.tamper(kind)
    control.push({ kind, isSeen: (await load.compare()).length > before })
  }
  await load.close()
  portal.child.kill('SIGTERM')
  await portal.ended
  await ground.remove()
  await mailServer.close()
  await rm(folder, { recursive: true, force: true })
  await disk?.remove()
  return { rounds, counts: load.counts, findings, slowestRefusalMs, mails, control }
}
