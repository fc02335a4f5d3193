import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Portal } from './portal.ts'

/** Imports a folder while the portal is running, as an operator does. */
export async function importFolder(
  portal: Portal,
  folder: string,
  settings: Record<string, string> = {},
): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  await promisify(execFile)(process.execPath, ['server/start.mjs', 'import', folder], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH, HOME, DEMO: 'on', DATA_DIR: portal.dataDir, PORT: new URL(portal.url).port, ...settings },
  })
}

/**
 * Imports rows while the portal is running, as an operator does.
 * @param settings additional settings
 */
export async function importRows(
  portal: Portal,
  file: string,
  rows: Record<string, string>[],
  settings: Record<string, string> = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-import-'))
  const columns = Object.keys(rows[0] ?? {})
  const lines = [columns, ...rows.map(row => columns.map(column => `"${row[column] ?? ''}"`))]
  await writeFile(join(folder, file), lines.map(line => line.join(',')).join('\n'))
  await importFolder(portal, folder, settings)
  await rm(folder, { recursive: true })
}
