import { expect, type Page } from '@playwright/test'
import { type Course, listCoursesOfSession } from '#contract/courses.ts'
import type { Portal } from './portal.ts'

/** The whole list as a person sees it. */
export const coursesOf = async (portal: Portal, token: string): Promise<Course[]> =>
  (await portal.call(listCoursesOfSession, { token })) as Course[]

/** How many courses the list says there are: those of the demo programme, and what other journeys on this portal have added. */
export const WHOLE_PROGRAMME = /^(?:89|9\d) Kurse$/

/** A moment on the portal's wall clock as import files write it. */
export const wallClock = (instant: Date): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Berlin',
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(instant)

/** Where the programme is kept, the long texts included. */
export const PROGRAMME = ['course-index', 'course-texts']

/** To be run in the page: whether these stored values are on the device. */
export async function areKept(keys: string[]): Promise<boolean> {
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
  for (const key of keys) if (!(await isKept(key))) return false
  return true
}

/**
 * Resolves when the programme is kept on this device and the page opens without network.
 * @param more other stored values to wait for
 */
export async function untilKept(page: Page, ...more: string[]): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const isAllKept = () => page.evaluate(areKept, [...PROGRAMME, ...more])
  await expect.poll(isAllKept, { intervals: [100], timeout: 60_000 }).toBe(true)
}
