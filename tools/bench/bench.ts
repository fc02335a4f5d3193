import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatTable, isKept, type Row } from './report.ts'

/**
 * npm run bench [-- --only NAME,NAME] [--fresh]
 *
 * Runs all user-visible performance measurements. Results are stored in tools/bench/results.json and reused, so that a run
 * can be interrupted; --fresh discards them, --only repeats some.
 * Exit status 1 if a limit is exceeded or a measurement failed.
 */
const MEASUREMENTS: Record<string, [string, ...string[]]> = {
  bytes: ['first-load.ts'],
  lighthouse: ['lighthouse.ts'],
  'first-view': ['first-view.ts', '--rounds', '3'],
  'missing-first-views': ['missing-first-views.ts'],
  'first-view-2072': ['first-view.ts', '--rounds', '3', '--courses', '2072'],
  'first-view-10000': ['first-view.ts', '--rounds', '3', '--courses', '10000'],
  'main-thread': ['main-thread.ts'],
  'offline-start': ['offline-start.ts'],
  reactions: ['list-reactions.ts'],
  ticks: ['attendance-taps.ts', '200'],
  bookings: ['opening.ts', '--rounds', '5'],
  'bookings-2': ['opening.ts', '--rounds', '5', '--processes', '2'],
  'bookings-disk': ['opening.ts', '--rounds', '3', '--flush', '1'],
  'bookings-2-disk': ['opening.ts', '--rounds', '3', '--flush', '1', '--processes', '2'],
  rush: ['opening.ts', '--rush'],
  'rush-2': ['opening.ts', '--rush', '--processes', '2'],
  'rush-kills': ['opening.ts', '--kills'],
  'ticks-per-second': ['ticks-per-second.ts'],
  calls: ['calls.ts'],
  'growth-500': ['growth.ts', '500'],
  'growth-2072': ['growth.ts', '2072'],
  'growth-10000': ['growth.ts', '10000'],
  tenfold: ['tenfold.ts'],
  desk: ['desk.ts'],
  'bookings-desk': ['opening.ts', '--desk', '--rounds', '10'],
}
const LIMIT_MS = 180_000
const LAST_PATIENCE_MS = 10_000
const results = join(import.meta.dirname, 'results.json')

const { values } = parseArgs({
  options: { only: { type: 'string' }, fresh: { type: 'boolean' } },
})
const only = values.only?.split(',') ?? []
const unknown = only.filter(name => !MEASUREMENTS[name])
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(MEASUREMENTS).join(', ')}`)
  process.exit(2)
}

const known: Record<string, Row[]> =
  existsSync(results) && !values.fresh ? JSON.parse(await readFile(results, 'utf8')) : {}

/** @returns the rows of the measurement; none if it failed or timed out */
async function measure(name: string, [file, ...args]: [string, ...string[]]): Promise<Row[]> {
  const rowsFile = join(tmpdir(), `bench-${process.pid}-${name}.jsonl`)
  console.log(`\n# ${name}`)
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_ROWS: rowsFile },
  })
  const stopping = setTimeout(() => child.kill('SIGTERM'), LIMIT_MS)
  const killing = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS + LAST_PATIENCE_MS)
  await once(child, 'exit')
  clearTimeout(stopping)
  clearTimeout(killing)
  const lines = await readFile(rowsFile, 'utf8').catch(() => '')
  await rm(rowsFile, { force: true })
  return lines
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

for (const [name, command] of Object.entries(MEASUREMENTS)) {
  if (only.length > 0 ? !only.includes(name) : known[name]?.length) continue
  known[name] = await measure(name, command)
  await writeFile(results, JSON.stringify(known, null, 1))
}

const rows = Object.keys(MEASUREMENTS).flatMap(name => known[name] ?? [])
const missing = Object.keys(MEASUREMENTS).filter(name => !known[name]?.length)
const table = formatTable(rows)
console.log(`\n${table}`)
if (missing.length > 0) console.log(`\nNot measured: ${missing.join(', ')}`)
process.exitCode = missing.length > 0 || !rows.every(isKept) ? 1 : 0
