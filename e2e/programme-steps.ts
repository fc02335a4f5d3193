import { expect, type Page } from '@playwright/test'
import { type Course, listCoursesOfSession } from '#contract/courses.ts'
import type { Portal } from './portal.ts'

/** The whole list as a person sees it. */
export const coursesOf = async (portal: Portal, token: string): Promise<Course[]> =>
  (await portal.call(listCoursesOfSession, { token })) as Course[]

/** How many courses the list says there are: those of the demo programme, and what other journeys on this portal have added. */
export const WHOLE_PROGRAMME = /^(?:8[6-9]|9\d) Kurse$/

/** The cards of the list of courses. */
export const cards = (page: Page) => page.getByRole('list', { name: /Kursliste|Courses found/ }).getByRole('listitem')

/** A moment on the portal's wall clock as import files write it. */
export const wallClock = (instant: Date): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Berlin',
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(instant)

/** Where the programme is kept, the long texts included. */
export const PROGRAMME = ['course-index', 'course-texts']

/** To be run in the page: the names of what the app has stored on this device. */
export const listKept = () =>
  new Promise<string[]>(resolve => {
    const opened = indexedDB.open('portal')
    opened.onsuccess = () => {
      const found = opened.result.transaction('stores').objectStore('stores').getAllKeys()
      found.onsuccess = () => {
        opened.result.close()
        resolve(found.result.map(String))
      }
    }
  })

/**
 * Resolves when the programme is kept on this device and the page opens without network.
 * @param more other stored values to wait for
 */
export async function untilKept(page: Page, ...more: string[]): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await expect
    .poll(() => page.evaluate(listKept), { intervals: [100], timeout: 60_000 })
    .toEqual(expect.arrayContaining([...PROGRAMME, ...more]))
}

/** Scrolls down as far as this, once the page is long enough: a list comes in steps. */
export const scrollDown = (page: Page, top: number): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(to => {
        window.scrollTo(0, to)
        return scrollY
      }, top),
    )
    .toBeGreaterThan(0.9 * top)
