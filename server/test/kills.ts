import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createRandom } from '#contract/test/random.ts'
import { FAULTS, type Fault, type FaultName, hasFaketime } from './kill-faults.ts'
import { openScene, type Scene, type Setup, untilAcknowledged } from './kill-scene.ts'
import { type Load, startLoad, TAMPERINGS } from './load.ts'
import { startTestMailServer } from './mail-server.ts'

export type KillRound = {
  fault: FaultName
  processes: number
  /**
   * longest time in ms without an acknowledged booking; for a fault that ends automatically, the time from its end to
   * the first acknowledged booking
   */
  awayMs: number
}

export type KillReport = {
  rounds: KillRound[]
  counts: Load['counts']
  silences: string[]
  faults: string[]
  /** what was lost, duplicated or out of order, and what did not recover in time */
  findings: string[]
  mails: { sent: number; twice: number }
  /** whether the comparison found each row that was changed directly in the database at the end */
  control: { kind: string; isSeen: boolean }[]
}

export type KillOptions = {
  rounds: number
  /**
   * faults that first occur once each in this order and are then drawn at random; those that do not apply to the setup
   * or to PROCESSES are skipped
   */
  faults: readonly FaultName[]
  seed: number
  setup: Setup
  /** null: 1 to 4, drawn at random for each start */
  processes: number | null
  /** number of minutes after which no more rounds begin */
  minutes: number
  comparedEvery: number
  /**
   * time in ms to wait for e-mails: the lease of a killed sender expires after 45 s; 0: unsent e-mails do not count as
   * lost
   */
  mailPatienceMs: number
  say?: (line: string) => void
}

/** Limit for the recovery from a fault that ends automatically, such as a full disk. */
const BACK_LIMIT_MS = 10_000
/** Minimum time in ms for which the longest gap is measured after a fault. */
const SETTLING_MS = 1_500

/** Compares the ledger with the rows while no call is in progress. */
async function compareQuietly(load: Load, name: string): Promise<string[]> {
  await load.pause()
  const findings = (await load.compare()).map(finding => `${name}: ${finding}`)
  load.resume()
  return findings
}

/** Describes logs and processes of a round that does not end. */
async function describeScene({ portals, folder }: Scene): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid,ppid,stat,etimes,wchan:20,args'])
  const log = await readFile(join(folder, 'data/postgres.log'), 'utf8').catch(() => '')
  const lines = portals.flatMap(portal => {
    const { pid, child, errors, output } = portal.process()
    const troubles = output()
      .split('\n')
      .filter(line => /"level":[456]0/.test(line))
    return [`portal ${pid} ${child.exitCode} ${child.signalCode}`, errors(), ...troubles.slice(-10)]
  })
  return [...lines, ...log.split('\n').slice(-15), ...stdout.split('\n').filter(line => /start\.mjs/.test(line))].join(
    '\n',
  )
}

/**
 * Sends bookings, cancellations, attendance changes and registrations to a portal while faults occur one after the
 * other.
 */
export async function killOften(options: KillOptions): Promise<KillReport> {
  const { setup, seed, say = () => {} } = options
  // The faults have a random generator of their own. The load draws numbers in the order of its responses, so a shared
  // generator would not be reproducible.
  const random = createRandom(seed)
  const randomProcesses = createRandom(seed + 1)
  const endAt = performance.now() + options.minutes * 60_000
  const mailServer = await startTestMailServer()
  const scene = await openScene({
    setup,
    hasDisk: options.faults.includes('full'),
    drawProcesses: () => options.processes ?? 1 + Math.floor(randomProcesses() * 4),
    settings: { SMTP_URL: mailServer.url, LOG_LEVEL: 'info' },
  })
  if (!scene.isUnprivileged) say('  the portal runs as the user of its commands: only root can start it as another one')
  const canRun: Partial<Record<FaultName, boolean>> = { clock: hasFaketime, full: scene.disk !== null }
  const faults = options.faults.filter(name => {
    if (canRun[name] === false) say(`  without ${name}: it needs ${name === 'clock' ? 'libfaketime' : 'root'}`)
    const { setups = ['embedded', 'external'] }: Fault = FAULTS[name]
    return canRun[name] !== false && setups.includes(setup)
  })
  const load = await startLoad(
    scene.portals.map(({ url }) => url),
    scene.postgres.connection(),
    createRandom(seed + 2),
  )
  const findings: string[] = []
  const rounds: KillRound[] = []

  const meet = async () => {
    await sleep(200 + random() * 700)
    const portal = scene.portals[Math.floor(random() * scene.portals.length)]
    if (!portal) return
    const isPossible = (name: FaultName) => portal.processes() >= ((FAULTS[name] as Fault).processes ?? 1)
    const possible = faults.filter(isPossible)
    const done = new Set(rounds.map(({ fault }) => fault))
    const drawn = possible[Math.floor(random() * possible.length)]
    const fault = possible.find(name => !done.has(name)) ?? drawn
    if (!fault) throw new Error(`no fault applies to ${setup} with ${portal.processes()} processes`)
    const round = rounds.length + 1
    const name = `round ${round}, ${fault}, ${portal.processes()} processes`
    const processes = portal.processes()
    const silentBefore = load.counts.silent
    const found: string[] = []
    load.takeLongestGap()
    const ended = await (FAULTS[fault] as Fault).run({ scene, portal, load, random, findings: found, round })
    const overAt = typeof ended === 'number' ? ended : null
    const backMs = await untilAcknowledged(load, overAt ?? performance.now())
    await sleep(SETTLING_MS)
    await portal.ready()
    await untilAcknowledged(load, performance.now())
    const gapMs = load.takeLongestGap()
    const awayMs = overAt === null ? gapMs : backMs
    rounds.push({ fault, processes, awayMs })
    if (overAt !== null && awayMs > BACK_LIMIT_MS) found.push(`back after ${Math.round(awayMs)} ms`)
    findings.push(...found.map(finding => `${name}: ${finding}`))
    if (round % options.comparedEvery === 0 || fault === 'move') findings.push(...(await compareQuietly(load, name)))
    const silent = load.counts.silent - silentBefore
    say(`  ${name}: away ${(awayMs / 1000).toFixed(1)} s${silent > 0 ? `, ${silent} SILENT` : ''}`)
  }
  while (rounds.length < options.rounds && performance.now() < endAt) {
    await meet().catch(async error => {
      say(`  round ${rounds.length + 1}: ${error.message}\n${await describeScene(scene)}`)
      throw error
    })
  }
  await load.stop()
  findings.push(...(await load.compare()))
  const mails = await load.compareMails(mailServer.mails, options.mailPatienceMs)
  findings.push(...mails.findings)
  const control: KillReport['control'] = []
  for (const kind of TAMPERINGS) {
    const before = (await load.compare()).length
    await load.tamper(kind)
    control.push({ kind, isSeen: (await load.compare()).length > before })
  }
  await load.close()
  await scene.remove()
  await mailServer.close()
  const { counts, silences } = load
  const logLines = scene.portals.flatMap(portal => portal.output().split('\n'))
  const faultLines = load.faults.flatMap(line => {
    const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(line) ?? []
    return [line, ...logLines.filter(logged => id && logged.includes(id))]
  })
  return { rounds, counts, silences, faults: faultLines, findings, mails, control }
}
