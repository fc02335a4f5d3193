import { parseArgs } from 'node:util'
import { FAULTS, type FaultName } from '../../server/test/kill-faults.ts'
import { type KillReport, killOften } from '../../server/test/kills.ts'
import { stopPortals } from '../../server/test/portal.ts'
import { percentile } from './programmes.ts'

/**
 * npm run bench:kills -- N [--seed S] [--external | --pair] [--processes P] [--faults a,b] [--minutes M] Runs
 * bookings, cancellations, attendance changes and registrations while N faults are injected into the portal and its
 * database. Each response is recorded in a ledger, which is compared with the rows and, at the end, with the e-mails
 * that a mail server received.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    external: { type: 'boolean', default: false },
    pair: { type: 'boolean', default: false },
    processes: { type: 'string' },
    /**
     * The full-disk fault requires a memory-backed disk, on which the other faults take less time than on a real one.
     */
    faults: { type: 'string' },
    minutes: { type: 'string', default: '60' },
  },
})
const seed = Number(values.seed)
const COMPARED_EVERY = 10
const MAIL_PATIENCE_MS = 100_000
const LINES = 20

const inSeconds = (ms: number) => (ms / 1000).toFixed(1)
const NAMES = Object.keys(FAULTS) as FaultName[]

function readFaults(): FaultName[] {
  if (values.faults === undefined) return NAMES.filter(name => name !== 'full')
  const names = values.faults.split(',')
  const faults = NAMES.filter(name => names.includes(name))
  if (faults.length < names.length) throw new Error(`--faults takes some of ${NAMES.join()}`)
  return faults
}

function report({ rounds, counts, silences, faults, findings, mails, control }: KillReport): void {
  const { ok, refused, unavailable, unnamed, fault, silent, unknown, unreached } = counts
  console.log(
    `${rounds.length} faults, seed ${seed}: ${ok} acknowledged, ${findings.length} lost, doubled, out of order or late`,
  )
  console.log(`  503 with Retry-After ${unavailable}, without ${unnamed}, other 5xx ${fault}, refused ${refused}`)
  console.log(`  SILENT for 8 s ${silent}, connection cut ${unknown}, refused ${unreached}`)
  console.log(`  ${mails.sent} mails, ${mails.twice} of them twice under one Message-ID`)
  for (const name of NAMES.filter(name => rounds.some(round => round.fault === name))) {
    const own = rounds.filter(round => round.fault === name)
    const away = own.map(({ awayMs }) => awayMs)
    console.log(
      `  ${name.padEnd(20)} ${String(own.length).padStart(4)} times, without service ${inSeconds(percentile(away, 0.5))} s (median), ${inSeconds(percentile(away, 1))} s (worst)`,
    )
  }
  console.log(`  control: ${control.map(({ kind, isSeen }) => `${kind} ${isSeen ? 'seen' : 'NOT SEEN'}`).join(', ')}`)
  for (const line of [...findings, ...faults.slice(0, LINES), ...silences.slice(0, LINES)])
    console.log(`  FOUND ${line}`)
  const isBad = findings.length + refused + unnamed + fault + silent > 0 || control.some(({ isSeen }) => !isSeen)
  if (isBad) process.exitCode = 1
}

// Stops the portals after an error as well.
process.on('exit', () => void stopPortals())
report(
  await killOften({
    rounds: Number(positionals[0] ?? 20),
    faults: readFaults(),
    seed,
    setup: values.pair ? 'pair' : values.external ? 'external' : 'embedded',
    processes: values.processes === undefined ? null : Number(values.processes),
    minutes: Number(values.minutes),
    comparedEvery: COMPARED_EVERY,
    mailPatienceMs: MAIL_PATIENCE_MS,
    say: line => console.log(`${new Date().toISOString().slice(11, 19)}${line}`),
  }),
)
process.exit()
