import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { importFolder } from './import-steps.ts'
import { Portal } from './portal.ts'

/** Real programmes beside the repository, not part of it: `bern` (684 courses), `fribourg`, `rwth` (2,072). */
const data = join(import.meta.dirname, '../../shared/data')
type RealProgramme = 'bern' | 'fribourg' | 'rwth'

export const hasRealProgrammes = existsSync(join(data, 'make-programme.mjs'))

/** Writes a real programme as import files into this folder. */
export async function writeRealProgramme(name: RealProgramme, folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['make-programme.mjs', `${name}.json`, folder], { cwd: data })
}

/** Opens a portal with a real programme. */
export async function openRealPortal(name: RealProgramme): Promise<Portal> {
  const folder = await mkdtemp(join(tmpdir(), 'real-programme-'))
  await writeRealProgramme(name, folder)
  const portal = await Portal.open({ DEMO: 'off' })
  await importFolder(portal, folder, { DEMO: 'off' })
  await rm(folder, { recursive: true })
  return portal
}
