import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestFolder, type TestFolder } from './import-folder.ts'

/** Folder with real programmes, which is outside the repository. */
const data = join(import.meta.dirname, '../../../shared/data')
export const hasRealProgrammes = existsSync(join(data, 'make-programme.mjs'))
if (!hasRealProgrammes) console.log(`Skipped: real programmes, for there is no ${data}`)

/**
 * Creates an import folder from a real programme.
 * @param source its file, such as `bern.json`
 */
export async function createRealFolder(source: string): Promise<TestFolder> {
  const folder = await createTestFolder()
  const dates = ['--start', '2026-11-23', '--bookable-from', '2026-11-01 08:00']
  await promisify(execFile)(process.execPath, ['make-programme.mjs', source, folder.path, ...dates], { cwd: data })
  return folder
}
