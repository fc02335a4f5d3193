import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { importFolder } from '../../e2e/import-steps.ts'
import { Portal } from '../../e2e/portal.ts'
import { hasRealProgrammes, writeRealProgramme } from '../../e2e/real-programme-fixture.ts'

/** Password of all users of the measurements; the import hashes it only once per run. */
export const PASSWORD = 'Mess-Latte-2026'
export const emailOfPerson = (index: number): string => `person${index}@bench.example`

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
  if (hasRealProgrammes) await writeRealProgramme('rwth', folder)
  else await cp(join(import.meta.dirname, '../../demo'), folder, { recursive: true })
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
  await importFolder(portal, folder, { DEMO: 'off' })
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
