import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createRandom } from '../contract/test/random.ts'
import { startFaultProxy, targetOf, throughProxy } from '../server/test/fault-proxy.ts'
import {
  compareQuietly,
  FAULTS,
  type KillReport,
  type KillRound,
  killOften,
  untilAcknowledged,
} from '../server/test/kills.ts'
import { startLoad } from '../server/test/load.ts'
import { startTestMailServer } from '../server/test/mail-server.ts'
import { startPortal, stopPortals } from '../server/test/portal.ts'
import { startTestPostgres, type TestPostgres } from '../server/test/postgres.ts'
import { percentile } from './programmes.ts'

/**
 * npm run bench:kills -- N [--seed S] [--external] [--faults a,b] [--control] [--minutes M], or -- --pair N
 *
 * Fault injection: users book, cancel, record attendance and register while N faults hit the portal and its database.
 * Each response is logged and compared with the rows every few rounds and at the end, and the mails with those received
 * by an SMTP server.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    external: { type: 'boolean', default: false },
    /** `full` needs a small in-memory disk, on which other faults take less time than on a real one. */
    faults: { type: 'string', default: FAULTS.filter(fault => fault !== 'full').join() },
    control: { type: 'boolean', default: false },
    pair: { type: 'string' },
    minutes: { type: 'string', default: '20' },
  },
})
const seed = Number(values.seed)
const COMPARED_EVERY = 10
const PROXY_FAULT_MS = 4_000
const MAIL_PATIENCE_MS = 100_000
const REFUSAL_LIMIT_MS = 3_000

const inSeconds = (ms: number) => (ms / 1000).toFixed(1)

/** Median and maximum of each kind, and the phases of the slowest start. */
function printRounds(rounds: KillRound[]): void {
  const kinds = [...new Set(rounds.map(({ fault }) => fault))]
  for (const kind of kinds) {
    const away = rounds.filter(({ fault }) => fault === kind).map(({ awayMs }) => awayMs)
    const [median, worst] = [percentile(away, 0.5), percentile(away, 1)]
    console.log(
      `  ${kind.padEnd(10)} ${String(away.length).padStart(4)} times, away ${inSeconds(median)} s (median), ${inSeconds(worst)} s (worst)`,
    )
  }
  const [slowest] = rounds.filter(({ start }) => start).sort((a, b) => b.awayMs - a.awayMs)
  if (!slowest?.start) return
  const steps = Object.entries(slowest.start.ms).map(([step, ms]) => `${step} ${inSeconds(ms)}`)
  const cpu = `${inSeconds(slowest.start.cpuMs)} s of processor for the start`
  console.log(`  slowest start (${slowest.fault}, ${inSeconds(slowest.awayMs)} s, ${cpu}): ${steps.join(', ')}`)
}

function report(name: string, { rounds, counts, findings, slowestRefusalMs, mails, control }: KillReport): void {
  const { ok, refused, unavailable, unnamed, fault, unknown, unreached } = counts
  const away = rounds.map(({ awayMs }) => awayMs)
  console.log(
    `${name}, seed ${seed}: ${ok} acknowledged, ${refused} refused, ${unavailable} answered by 503 with Retry-After,`,
  )
  console.log(
    `  ${unnamed} by 503 without, ${fault} by another 5xx, ${unknown} without an answer, ${unreached} with nobody there`,
  )
  console.log(
    `  lost, doubled or out of order: ${findings.length}; away ${inSeconds(percentile(away, 0.5))} s (median), ${inSeconds(percentile(away, 1))} s (worst)`,
  )
  console.log(`  ${mails.sent} mails, ${mails.twice} of them twice under one Message-ID`)
  printRounds(rounds)
  if (slowestRefusalMs !== null)
    console.log(`  a frozen database: the slowest 503 after ${inSeconds(slowestRefusalMs)} s`)
  for (const { kind, isSeen } of control) console.log(`  control, ${kind}: ${isSeen ? 'seen' : 'NOT SEEN'}`)
  for (const finding of findings) console.log(`  FOUND ${finding}`)
  const isLate = (slowestRefusalMs ?? 0) > REFUSAL_LIMIT_MS
  const isBad = isLate || findings.length > 0 || refused + unnamed + fault > 0 || control.some(({ isSeen }) => !isSeen)
  if (isBad) process.exitCode = 1
}

function readFaults() {
  const asked = values.faults.split(',')
  const faults = FAULTS.filter(fault => asked.includes(fault))
  if (faults.length < asked.length) throw new Error(`--faults takes some of ${FAULTS.join()}`)
  return faults
}

/** Failover: primary and synchronous standby behind one address, two portals. */
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
  const random = createRandom(seed)
  const load = await startLoad(urls, url, random)
  const findings: string[] = []
  const failovers: KillRound[] = []

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
    const awayMs = await untilAcknowledged(load, since)
    failovers.push({ fault: 'database', awayMs, start: null })
    console.log(`  failover ${round}: away ${inSeconds(awayMs)} s`)
    findings.push(...(await compareQuietly(load, `failover ${round}`)))
    await fallen.remove()
    standby = await primary.follow()
  }
  const misbehave = async (name: string, begin: () => Promise<unknown>, end: () => Promise<unknown>) => {
    await sleep(1_000)
    await begin()
    await sleep(PROXY_FAULT_MS)
    await end()
    const since = performance.now()
    const backMs = await untilAcknowledged(load, since)
    console.log(`  ${name} for ${PROXY_FAULT_MS / 1000} s: back after ${inSeconds(backMs)} s`)
    findings.push(...(await compareQuietly(load, name)))
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
  const mails = await load.compareMails(mailServer.mails, MAIL_PATIENCE_MS)
  findings.push(...mails.findings)
  report(`${rounds} failovers of a synchronous pair`, {
    rounds: failovers,
    counts: load.counts,
    findings,
    slowestRefusalMs: null,
    mails,
    control: [],
  })
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

// Stops the portals on errors, too.
process.on('exit', () => void stopPortals())
if (values.pair) await failOver(Number(values.pair))
else {
  const found = await killOften({
    rounds: Number(positionals[0] ?? 20),
    faults: readFaults(),
    seed,
    isExternal: values.external,
    hasControl: values.control,
    minutes: Number(values.minutes),
    comparedEvery: COMPARED_EVERY,
    mailPatienceMs: MAIL_PATIENCE_MS,
    say: line => console.log(`${new Date().toISOString().slice(11, 19)}${line}`),
  })
  report(`${found.rounds.length} faults, ${values.external ? 'external' : 'embedded'} PostgreSQL`, found)
}
process.exit()
