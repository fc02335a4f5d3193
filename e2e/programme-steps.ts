import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { type Course, listCoursesOfSession } from '#contract/courses.ts'
import type { Portal } from './portal.ts'

/** The whole list as a person sees it. */
export const coursesOf = async (portal: Portal, token: string): Promise<Course[]> =>
  (await portal.call(listCoursesOfSession, { token })) as Course[]

/** Imports rows of a file while the portal runs, as an operator does. */
export async function importRows(portal: Portal, file: string, rows: Record<string, string>[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-import-'))
  const columns = Object.keys(rows[0] ?? {})
  const lines = [columns, ...rows.map(row => columns.map(column => `"${row[column] ?? ''}"`))]
  await writeFile(join(folder, file), lines.map(line => line.join(',')).join('\n'))
  const { PATH = '', HOME = '' } = process.env
  await promisify(execFile)(process.execPath, ['server/start.mjs', 'import', folder], {
    env: { PATH, HOME, DEMO: 'on', DATA_DIR: portal.dataDir, PORT: new URL(portal.url).port },
  })
  await rm(folder, { recursive: true })
}

/** A moment on the portal's wall clock as import files write it. */
export const wallClock = (instant: Date): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Berlin',
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(instant)

/**
 * Resolves when the programme, the long texts included, is kept on this device and the page opens without network.
 * @param more other stored values to wait for
 */
export async function untilKept(page: Page, ...more: string[]): Promise<void> {
  await page.evaluate(async others => {
    await navigator.serviceWorker.ready
    const isKept = (key: string) =>
      new Promise<boolean>(resolve => {
        const opened = indexedDB.open('portal')
        opened.onsuccess = () => {
          const found = opened.result.transaction('stores').objectStore('stores').getKey(key)
          found.onsuccess = () => {
            opened.result.close()
            resolve(found.result !== undefined)
          }
        }
      })
    for (const key of ['course-index', 'course-texts', ...others]) {
      while (!(await isKept(key))) await new Promise(resolve => setTimeout(resolve, 100))
    }
  }, more)
}
