import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Portal } from '../e2e/portal.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const data = join(root, '../shared/data')

/** People that the measurements log in: one password, so that the import hashes it once for each of them. */
export const PASSWORD = 'Mess-Latte-2026'
export const emailOfPerson = (index: number): string => `person${index}@bench.example`

export const hasRealProgrammes = existsSync(join(data, 'make-programme.mjs'))

/**
 * A portal with a real programme out of ../shared, which the project does not hold.
 * @param name `bern` (684 courses) or `rwth` (2,072)
 * @param people accounts to import beside it
 */
export async function openRealPortal(name: 'bern' | 'rwth', people = 0): Promise<Portal> {
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

/** @param share 0 to 1 */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
