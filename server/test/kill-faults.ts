import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { runCommand } from './command.ts'
import { listForeignFiles, type Scene, type Setup, type SupervisedPortal } from './kill-scene.ts'
import type { Load } from './load.ts'
import { startPortal } from './portal.ts'

export type FaultContext = {
  scene: Scene
  /** one of the scene's portals */
  portal: SupervisedPortal
  load: Load
  random: () => number
  findings: string[]
  /** number of the round, for names of files and accounts */
  round: number
}

export type Fault = {
  /** setups to which the fault applies; default: all except `pair` */
  setups?: readonly Setup[]
  /** minimum value of PROCESSES; default: 1 */
  processes?: number
  /** @returns for a fault that ends automatically, the value of performance.now() at its end */
  run(context: FaultContext): Promise<unknown>
}

const ALL: readonly Setup[] = ['embedded', 'external', 'pair']
const FREEZE_MS = 5_000
const PAUSE_MS = 1_500
const STANDBY_AWAY_MS = 6_000
const REFUSAL_LIMIT_MS = 20_000
/** The portal's heartbeat kills a hung process after 5 s. */
const HUNG_LIMIT_MS = 20_000
const CLOCK_STEP_S = 3_600
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
export const hasFaketime = existsSync(FAKETIME)

const send = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The process may just have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const pickWorker = async ({ portal, random }: FaultContext): Promise<number> => {
  const workers = await portal.workers()
  return workers[Math.floor(random() * workers.length)] ?? portal.process().pid
}

async function killInCharge({ portal }: FaultContext): Promise<void> {
  const current = portal.process()
  current.child.kill('SIGKILL')
  await current.ended
}

/** Waits until a hung process has ended. */
async function untilEnded(pid: number, { findings }: FaultContext): Promise<void> {
  const deadline = performance.now() + HUNG_LIMIT_MS
  while (existsSync(`/proc/${pid}`)) {
    await sleep(50)
    if (performance.now() < deadline) continue
    findings.push(`a process hangs, and is not killed within ${HUNG_LIMIT_MS} ms`)
    return send(pid, 'SIGKILL')
  }
}

/** Ends the remaining processes, as a service manager does (systemd: KillMode=control-group). */
function endRemaining(pids: number[]): void {
  for (const pid of pids) for (const signal of ['SIGTERM', 'SIGCONT'] as const) send(pid, signal)
}

async function killAll(context: FaultContext): Promise<void> {
  for (const pid of await context.portal.workers()) send(pid, 'SIGKILL')
  await Promise.all([killInCharge(context), context.scene.postgres.kill()])
}

async function runChecked({ scene, portal, findings }: FaultContext, words: string[], dataDir = portal.dataDir) {
  const settings = { ...scene.postgres.settings(), DATA_DIR: dataDir, INIT_CWD: scene.folder, OFFICE_PASSKEY: 'off' }
  const ended = await runCommand(words, settings)
  const foreign = await listForeignFiles(portal.dataDir)
  if (foreign.length > 0) findings.push(`${words.join(' ')}: ${foreign.join()} not owned by the owner of DATA_DIR`)
  return ended
}

/** Fills the disk, then the tables and the write-ahead log of the server on it. */
async function fillDisk({ scene, random }: FaultContext): Promise<void> {
  await scene.disk?.fill()
  const at = scene.postgres.connection()
  const connection = typeof at === 'string' ? { connectionString: at } : at
  const db = openDatabase({ connection, timeZone: 'UTC', poolSize: 1, statementTimeoutMs: 10_000 })
  const write = async () => {
    await db.execute(sql`create table if not exists ballast (text text)`)
    for (;;) await db.execute(sql`insert into ballast select repeat('x', 1000) from generate_series(1, 1000)`)
  }
  await write().catch(() => null)
  // Without space for the next log segment, the server stops.
  if (random() < 0.5) await db.execute(sql`select pg_switch_wal()`).catch(() => null)
  await db.close().catch(() => null)
  await scene.disk?.fill()
}

async function untilUnavailable({ load, findings }: FaultContext): Promise<void> {
  const before = load.counts.unavailable
  const deadline = performance.now() + REFUSAL_LIMIT_MS
  while (load.counts.unavailable === before && performance.now() < deadline) await sleep(20)
  if (load.counts.unavailable === before) findings.push(`nothing was refused in ${REFUSAL_LIMIT_MS} ms`)
}

/** Restores a backup into a separate embedded database, starts a portal on it, and compares the rows. */
async function restoreAndCompare(
  context: FaultContext,
  file: string,
  key: string,
  observed: ReturnType<Load['observe']>,
): Promise<void> {
  const { scene, round, findings } = context
  const dataDir = join(scene.folder, `restored-${round}`)
  await mkdir(dataDir)
  await chmod(dataDir, 0o711)
  const settings = { DATABASE_URL: '', DATA_DIR: dataDir, INIT_CWD: scene.folder, OFFICE_PASSKEY: 'off', DEMO: 'off' }
  const restored = await runCommand(['restore', file, '--key', key], settings)
  if (restored.status !== 0) return void findings.push(`restore: ${restored.stderr}`)
  const copy = startPortal({ DATA_DIR: dataDir })
  await copy.url(120_000)
  const connection = { host: join(dataDir, 'postgres'), user: 'portal', database: 'postgres' }
  findings.push(...(await observed.compareWith(connection)).map(line => `restored copy: ${line}`))
  copy.child.kill('SIGTERM')
  await copy.ended
}

export const FAULTS = {
  /** SIGKILL of a worker */
  worker: { setups: ALL, processes: 2, run: async context => send(await pickWorker(context), 'SIGKILL') },
  /** SIGKILL of the primary process, which is the only one with PROCESSES=1 */
  charge: { setups: ALL, run: killInCharge },
  /** SIGKILL of PostgreSQL */
  database: {
    async run({ scene: { postgres } }) {
      await postgres.kill()
      await postgres.start()
    },
  },
  /** SIGKILL of all processes of the portal and of PostgreSQL */
  all: {
    async run(context) {
      await killAll(context)
      await context.scene.postgres.start()
    },
  },
  /** the same, and again during the next start */
  recovery: {
    async run(context) {
      const { scene, portal, random } = context
      await killAll(context)
      const starting = scene.postgres.start().catch(() => null)
      await sleep(1_100 + random() * 900)
      await killInCharge(context)
      await scene.postgres.kill().catch(() => null)
      await starting
      await scene.postgres.kill().catch(() => null)
      await scene.postgres.start()
      await portal.ready()
    },
  },
  /** SIGTERM of the portal */
  term: { setups: ALL, run: async ({ portal }) => void portal.process().child.kill('SIGTERM') },
  /** SIGTERM of a worker */
  'worker-term': { setups: ALL, processes: 2, run: async context => send(await pickWorker(context), 'SIGTERM') },
  /** SIGSTOP of a worker without SIGCONT */
  'worker-hangs': {
    setups: ALL,
    processes: 2,
    async run(context) {
      const pid = await pickWorker(context)
      send(pid, 'SIGSTOP')
      await untilEnded(pid, context)
    },
  },
  /** SIGSTOP of a worker, and SIGKILL of the primary process before this is detected */
  'worker-hangs+charge': {
    setups: ALL,
    processes: 2,
    async run(context) {
      const pid = await pickWorker(context)
      send(pid, 'SIGSTOP')
      await sleep(context.random() * 3_000)
      await killInCharge(context)
      endRemaining([pid])
    },
  },
  /** SIGSTOP of the primary process: the workers kill it and end */
  'charge-hangs': {
    setups: ALL,
    processes: 2,
    async run(context) {
      const { pid } = context.portal.process()
      send(pid, 'SIGSTOP')
      await untilEnded(pid, context)
    },
  },
  /** SIGSTOP of the primary process, and SIGKILL of a worker before this is detected */
  'charge-hangs+worker': {
    setups: ALL,
    processes: 2,
    async run(context) {
      const inCharge = context.portal.process().pid
      const pid = await pickWorker(context)
      send(inCharge, 'SIGSTOP')
      await sleep(context.random() * 3_000)
      send(pid, 'SIGKILL')
      await untilEnded(inCharge, context)
    },
  },
  /** SIGSTOP of the primary process for 1.5 s, as on a suspended machine */
  stopped: {
    setups: ALL,
    async run({ portal }) {
      const { pid } = portal.process()
      send(pid, 'SIGSTOP')
      await sleep(PAUSE_MS)
      send(pid, 'SIGCONT')
    },
  },
  /** SIGSTOP of PostgreSQL for 5 s */
  frozen: {
    async run({ scene: { postgres }, load, findings }) {
      await postgres.signal('SIGSTOP')
      const before = load.counts.unavailable
      await sleep(FREEZE_MS)
      await postgres.signal('SIGCONT')
      if (load.counts.unavailable === before) findings.push(`a frozen database: nothing was refused in ${FREEZE_MS} ms`)
      return performance.now()
    },
  },
  /** a completely full disk */
  full: {
    async run(context) {
      const { disk, postgres } = context.scene
      await fillDisk(context)
      await untilUnavailable(context)
      await sleep(2_000)
      await disk?.free()
      const freedAt = performance.now()
      await postgres.start()
      return freedAt
    },
  },
  /** The system clock steps by an hour, and a worker is replaced afterwards. */
  clock: {
    processes: 2,
    async run(context) {
      const { portal, scene, random } = context
      const file = join(scene.folder, 'clock')
      await writeFile(file, '+0', { mode: 0o644 })
      await portal.stop()
      portal.start({
        PROCESSES: String(2 + Math.floor(random() * 3)),
        LD_PRELOAD: FAKETIME,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        FAKETIME_DISABLE_SHM: '1',
      })
      await portal.ready()
      await writeFile(file, random() < 0.5 ? `+${CLOCK_STEP_S}` : `-${CLOCK_STEP_S}`)
      await sleep(1_500)
      send(await pickWorker(context), 'SIGKILL')
      await sleep(500)
      await portal.ready()
      await sleep(2_000)
      await portal.stop()
      portal.start()
    },
  },
  /** Commands run as root beside a portal that runs as another user. */
  commands: {
    setups: ALL,
    async run(context) {
      const { round, findings } = context
      for (const words of [
        ['office', 'add', `right-${round}@demo.example`, 'programme'],
        ['office', 'list'],
        ['audit'],
      ]) {
        const { status, stderr } = await runChecked(context, words)
        // The audit also reports the people with attendance who were inserted without an e-mail.
        if (words[0] !== 'audit' ? status !== 0 : stderr !== '') findings.push(`${words.join(' ')}: ${stderr}`)
      }
    },
  },
  /** A backup during calls. Every second one is restored elsewhere and compared. */
  backup: {
    setups: ALL,
    async run(context) {
      const { load, round, random, findings, scene } = context
      const file = join(scene.folder, `backup-${round}.zip`)
      const observed = load.observe()
      const saved = await runChecked(context, ['backup', file])
      observed.end()
      const key = /Signed with the key ([0-9a-f]+)/.exec(saved.stdout)?.[1]
      if (!key) return void findings.push(`backup: ${saved.stderr}`)
      if (random() < 0.5) await restoreAndCompare(context, file, key, observed)
    },
  },
  /** A move to another database while a portal starts on the old one. */
  move: {
    setups: ['external'],
    async run(context) {
      const { portal, scene, load, random, findings } = context
      if (!scene.external) return
      const target = await scene.external.createDatabase()
      await portal.stop()
      const moving = runChecked(context, ['move', target])
      await sleep(random() * 3_000)
      portal.start()
      const moved = await moving
      if (moved.status !== 0) {
        if (!/Nothing was moved|Stop the portal first/.test(moved.stderr)) findings.push(`move: ${moved.stderr}`)
        return
      }
      await portal.stop()
      scene.external.use(target)
      await load.moveTo(target)
      portal.start()
    },
  },
  /** The primary server is lost, and its standby is promoted. */
  failover: { setups: ['pair'], run: async ({ scene }) => scene.pair?.failOver() },
  /** The synchronous standby is lost and returns later. */
  standby: {
    setups: ['pair'],
    async run({ scene, portal, findings }) {
      await scene.pair?.standby().kill()
      await sleep(STANDBY_AWAY_MS)
      const health = await fetch(`${portal.url}/api/health`)
      if (health.status !== 503) findings.push(`the standby is away, and health is ${health.status}`)
      await scene.pair?.standby().start()
      return performance.now()
    },
  },
  /** The network to the primary server drops all packets for 4 s. */
  network: {
    setups: ['pair'],
    async run({ scene }) {
      await scene.pair?.proxy.be('swallow')
      await sleep(4_000)
      await scene.pair?.proxy.be('pass')
      return performance.now()
    },
  },
  /** The primary server is read-only for 4 s. */
  demoted: {
    setups: ['pair'],
    async run({ scene }) {
      const setReadOnly = async (state: string) => {
        await scene.pair?.primary().sql('begin; set transaction read write; commit')
        await scene.pair?.primary().sql(`alter system set default_transaction_read_only = ${state}`)
        await scene.pair?.primary().sql('select pg_reload_conf()')
      }
      await setReadOnly('on')
      await sleep(4_000)
      await setReadOnly('off')
      return performance.now()
    },
  },
} satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS
