import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { Portal } from '../e2e/portal.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const data = join(root, '../shared/data')

/** Password of all users of the measurements; the import hashes it only once per run. */
export const PASSWORD = 'Mess-Latte-2026'
export const emailOfPerson = (index: number): string => `person${index}@bench.example`

export const hasRealProgrammes = existsSync(join(data, 'make-programme.mjs'))

/**
 * Opens a portal with a real programme from ../shared, which is not part of the project.
 * @param name `bern` (684 courses), `fribourg` or `rwth` (2,072)
 * @param people additional accounts to import
 */
export async function openRealPortal(name: 'bern' | 'fribourg' | 'rwth', people = 0): Promise<Portal> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'))
  await run(process.execPath, [join(data, 'make-programme.mjs'), join(data, `${name}.json`), folder])
  const rows = Array.from({ length: people }, (_, index) => `${emailOfPerson(index)},${PASSWORD},Kim,Muster,1`)
  if (people > 0) {
    await appendFile(
      join(folder, 'users.csv'),
      ['email,password,givenName,familyName,employeeStatus', ...rows, ''].join('\n'),
    )
  }
  const portal = await Portal.open({ DEMO: 'off' })
  await run(process.execPath, [join(root, 'server/start.mjs'), 'import', folder], {
    cwd: root,
    env: { ...process.env, DATA_DIR: portal.dataDir },
  })
  await rm(folder, { recursive: true })
  return portal
}

/**
 * Opens a portal with this number of courses: those of the larger real programme, or else the demo's, repeated under
 * other numbers.
 * @returns also the import duration in ms
 */
export async function openLargePortal(
  courses: number,
  settings: Record<string, string> = {},
): Promise<{ portal: Portal; importMs: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'))
  if (hasRealProgrammes)
    await run(process.execPath, [join(data, 'make-programme.mjs'), join(data, 'rwth.json'), folder])
  else await cp(join(root, 'demo'), folder, { recursive: true })
  const { head, rows } = await readRows(join(folder, 'courses.csv'))
  const number = head.indexOf('number')
  const copies = Array.from({ length: courses }, (_, index) => {
    const row = [...(rows[index % rows.length] ?? [])]
    const copy = Math.floor(index / rows.length)
    if (copy > 0) row[number] = `${row[number]}-${copy}`
    return row
  })
  await writeRows(join(folder, 'courses.csv'), head, copies)
  // Rows about dates and pictures of removed courses would be import errors.
  const kept = new Set(copies.map(row => row[number]))
  for (const name of (await readdir(folder)).filter(file =>
    /^(?:dates|course-dates|bookings|attendance)\.csv$/.test(file),
  )) {
    const table = await readRows(join(folder, name))
    const column = table.head.findIndex(title => /^(?:course|courseNumber|number)$/.test(title))
    await writeRows(
      join(folder, name),
      table.head,
      table.rows.filter(row => kept.has(row[column])),
    )
  }
  const portal = await Portal.open({ DEMO: 'off', ...settings })
  const startedAt = performance.now()
  await run(process.execPath, [join(root, 'server/start.mjs'), 'import', folder], {
    cwd: root,
    env: { ...process.env, DATA_DIR: portal.dataDir },
  })
  const importMs = performance.now() - startedAt
  await rm(folder, { recursive: true })
  return { portal, importMs }
}

async function readRows(file: string): Promise<{ head: string[]; rows: string[][] }> {
  const [head = [], ...rows] = parse(await readFile(file), { bom: true }) as string[][]
  return { head, rows }
}

const writeRows = (file: string, head: string[], rows: string[][]) =>
  writeFile(file, [head, ...rows].map(row => row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n'))

/** Memory of a portal's processes in MB: peak or current. */
export async function megabytesOf(pid: number, field: 'VmHWM' | 'VmRSS'): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number)
  const isOurs = async (child: number) =>
    (await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')).includes('start.mjs\0worker')
  const workers = await Promise.all(children.map(async child => ((await isOurs(child)) ? child : 0)))
  const sizes = await Promise.all(
    [pid, ...workers.filter(Boolean)].map(async one => {
      const status = await readFile(`/proc/${one}/status`, 'utf8')
      return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** @param share quantile from 0 to 1 */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
