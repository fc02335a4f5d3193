import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asNobody, canBeNobody } from './cluster.ts'
import { startTestDisk, type TestDisk } from './disk.ts'
import { type FaultProxy, startFaultProxy, targetOf, throughProxy } from './fault-proxy.ts'
import { findFreePort } from './free-port.ts'
import type { Load } from './load.ts'
import { listWorkers, type PortalProcess, startPortal } from './portal.ts'
import { killPostmaster, signalServer, startTestPostgres, type TestPostgres } from './postgres.ts'

/**
 * How the portal runs: one portal with an embedded or external database, or two portals on a synchronous pair of
 * servers behind one address.
 */
export type Setup = 'embedded' | 'external' | 'pair'

/** `RestartSec` of packaging/portal.service. */
const RESTART_PAUSE_MS = 1_000
const START_LIMIT_MS = 300_000
const DISK_MB = 600
const NOBODY = 65_534

/** Portal that is restarted when it ends, as by a service manager. */
export type SupervisedPortal = {
  url: string
  dataDir: string
  /** the primary process */
  process(): PortalProcess
  /** the output since the first start */
  output(): string
  /** value of PROCESSES for the current start */
  processes(): number
  workers(): Promise<number[]>
  /** Waits until all its processes accept requests. */
  ready(): Promise<void>
  /** Stops it with SIGTERM; it is not restarted until `start` is called. */
  stop(): Promise<void>
  /** @param extra settings for this start only */
  start(extra?: Record<string, string>): void
}

/** @param readSettings called for each start */
async function supervise(
  dataDir: string,
  readSettings: () => Record<string, string>,
  isUnprivileged: boolean,
): Promise<SupervisedPortal> {
  const [port, metricsPort] = [await findFreePort(), await findFreePort()]
  let isStopped = true
  let portal: PortalProcess
  let running: Promise<void> = Promise.resolve()
  let settings: Record<string, string> = {}
  const outputs: (() => string)[] = []
  const run = async (extra: Record<string, string>) => {
    for (let isFirst = true; !isStopped; isFirst = false) {
      settings = {
        ...readSettings(),
        DATA_DIR: dataDir,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        ...(isFirst && extra),
      }
      portal = startPortal(settings, isUnprivileged ? asNobody.before : [])
      outputs.push(portal.output)
      await portal.ended
      if (!isStopped) await sleep(RESTART_PAUSE_MS)
    }
  }
  const start = (extra = {}) => {
    isStopped = false
    running = run(extra)
  }
  start()
  const processes = () => Number(settings.PROCESSES)
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    process: () => portal,
    output: () => outputs.map(read => read()).join('\n'),
    processes,
    workers: () => listWorkers(portal),
    async ready() {
      const deadline = performance.now() + START_LIMIT_MS
      const readMetrics = () =>
        fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers: { Connection: 'close' } })
          .then(response => response.text())
          .catch(() => '')
      const isReady = async () =>
        portal.child.exitCode === null &&
        portal.child.signalCode === null &&
        portal.output().includes('http://') &&
        (processes() === 1 || (await readMetrics()).includes(`\nportal_processes_alive ${processes()}\n`))
      while (!(await isReady())) {
        if (performance.now() > deadline) throw new Error(`a portal does not start: ${portal.errors()}`)
        await sleep(50)
      }
    },
    async stop() {
      isStopped = true
      portal.child.kill('SIGTERM')
      await running
    },
    start,
  }
}

export type ScenePostgres = {
  /** connection for the comparison with the ledger */
  connection(): string | { host: string; user: string; database: string }
  settings(): Record<string, string>
  kill(): Promise<void>
  start(): Promise<void>
  signal(signal: NodeJS.Signals): Promise<void>
  remove(): Promise<void>
}

/** Opens the embedded database, which the portal starts. */
function openEmbedded(dataDir: string): ScenePostgres {
  const readPid = async () => Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  return {
    connection: () => ({ host: join(dataDir, 'postgres'), user: 'portal', database: 'postgres' }),
    settings: () => ({}),
    kill: async () => killPostmaster(await readPid()),
    start: async () => {},
    signal: async signal => signalServer(await readPid(), signal),
    remove: async () => {},
  }
}

export type ExternalPostgres = ScenePostgres & {
  createDatabase(): Promise<string>
  /** Sets the database to use from the next start on. */
  use(url: string): void
}

async function openExternal(parent: string): Promise<ExternalPostgres> {
  const server = await startTestPostgres(parent)
  let used = server.url
  let databases = 0
  return {
    ...server,
    connection: () => used,
    settings: () => ({ DATABASE_URL: used }),
    async createDatabase() {
      databases += 1
      // The database is replaced after a move, because the old one is then read-only.
      await server.sql(`create database moved_${databases} template template0`, 'template1')
      return Object.assign(new URL(server.url), { pathname: `/moved_${databases}` }).href
    },
    use(url) {
      used = url
    },
  }
}

export type PostgresPair = ScenePostgres & {
  proxy: FaultProxy
  primary(): TestPostgres
  standby(): TestPostgres
  /** Kills the primary, promotes the standby, and adds a new one. */
  failOver(): Promise<void>
}

async function openPair(): Promise<PostgresPair> {
  let primary = await startTestPostgres()
  let standby = await primary.follow()
  const proxy = await startFaultProxy(targetOf(primary.url))
  const url = throughProxy(primary.url, proxy)
  return {
    proxy,
    primary: () => primary,
    standby: () => standby,
    connection: () => url,
    settings: () => ({ DATABASE_URL: url }),
    kill: () => primary.kill(),
    start: () => primary.start(),
    signal: signal => primary.signal(signal),
    async failOver() {
      const lost = primary
      await lost.kill()
      await standby.sql('select pg_promote(true, 60)')
      await standby.sql("alter system set synchronous_standby_names = ''")
      await standby.sql('select pg_reload_conf()')
      proxy.leadTo(targetOf(standby.url))
      proxy.cut()
      primary = standby
      await lost.remove()
      standby = await primary.follow()
    },
    async remove() {
      await proxy.close()
      await standby.remove()
      await primary.remove()
    },
  }
}

export type Scene = {
  folder: string
  disk: TestDisk | null
  postgres: ScenePostgres
  external: ExternalPostgres | null
  pair: PostgresPair | null
  portals: SupervisedPortal[]
  /** whether the portals run as a different user than the commands */
  isUnprivileged: boolean
  remove(): Promise<void>
}

type SceneOptions = {
  setup: Setup
  hasDisk: boolean
  drawProcesses: () => number
  settings: Record<string, string>
}

export async function openScene({ setup, hasDisk, drawProcesses, settings }: SceneOptions): Promise<Scene> {
  const disk = hasDisk ? await startTestDisk(DISK_MB) : null
  const folder = await mkdtemp(join(disk?.folder ?? tmpdir(), 'kills-'))
  // PostgreSQL runs as a user other than root.
  await chmod(folder, 0o711)
  const isUnprivileged = canBeNobody
  const dataDirs = ['data', ...(setup === 'pair' ? ['data-2'] : [])].map(name => join(folder, name))
  for (const dataDir of dataDirs) {
    await mkdir(dataDir, { mode: 0o700 })
    if (isUnprivileged) await chown(dataDir, NOBODY, NOBODY)
  }
  const external = setup === 'external' ? await openExternal(folder) : null
  const pair = setup === 'pair' ? await openPair() : null
  const postgres = external ?? pair ?? openEmbedded(dataDirs[0] ?? '')
  const readSettings = () => ({
    ...settings,
    ...postgres.settings(),
    PROCESSES: String(drawProcesses()),
    OFFICE_PASSKEY: 'off',
  })
  const portals: SupervisedPortal[] = []
  for (const dataDir of dataDirs) {
    const portal = await supervise(dataDir, readSettings, isUnprivileged)
    portals.push(portal)
    await portal.ready()
  }
  return {
    folder,
    disk,
    postgres,
    external,
    pair,
    portals,
    isUnprivileged,
    async remove() {
      await Promise.all(portals.map(portal => portal.stop()))
      await postgres.remove()
      await rm(folder, { recursive: true, force: true })
      await disk?.remove()
    },
  }
}

/** Lists the files in DATA_DIR whose owner differs from that of the folder. */
export async function listForeignFiles(dataDir: string): Promise<string[]> {
  const { uid } = await stat(dataDir)
  const names = await readdir(dataDir)
  // A draft may be renamed in the meantime.
  const owners = await Promise.all(names.map(name => stat(join(dataDir, name)).catch(() => ({ uid }))))
  return names.filter((_, index) => owners[index]?.uid !== uid)
}

/** @returns time in ms from `since` until a call that begins after now is acknowledged */
export async function untilAcknowledged(load: Load, since: number): Promise<number> {
  const from = performance.now()
  while (load.lastOk().begunAt <= from) {
    if (performance.now() > from + START_LIMIT_MS) throw new Error(`nothing acknowledged for ${START_LIMIT_MS} ms`)
    await sleep(10)
  }
  return load.lastOk().at - since
}
