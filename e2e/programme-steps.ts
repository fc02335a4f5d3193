import { expect, type Page } from '@playwright/test'
import { type Course, listCoursesOfSession } from '#contract/endpoints/courses.ts'
import { patience } from './patience.ts'
import type { Portal } from './portal.ts'

/** The complete list as a person sees it. */
export const coursesOf = async (portal: Portal, token: string): Promise<Course[]> =>
  (await portal.call(listCoursesOfSession, { token })) as Course[]

/** Displayed number of courses: those of the demo programme and those added by other tests on this portal. */
export const WHOLE_PROGRAMME = /^(?:8[6-9]|9\d) Kurse$/

/** The cards of the list of courses. */
export const cards = (page: Page) => page.getByRole('list', { name: /Kursliste|Courses found/ }).getByRole('listitem')

/** Wall-clock time in the portal's zone, in the format of import files. */
export const wallClock = (instant: Date): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Berlin',
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(instant)

/** Calendar date after this number of days in the portal's zone, 'YYYY-MM-DD'. */
export function inDays(days: number): string {
  const date = new Date(`${wallClock(new Date()).slice(0, 10)}T00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** The date in the German format, 'DD.MM.YYYY'. */
export const germanDate = (day: string): string => day.split('-').reverse().join('.')

/** Storage of the cached programme, long texts included. */
export const PROGRAMME = ['course-index', 'course-texts']

/** Runs in the page: keys of the data that the app has stored on this device. */
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
 * Resolves when the programme is cached and the page opens offline.
 * @param more further stored keys to wait for
 */
export async function untilKept(page: Page, ...more: string[]): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await expect
    .poll(() => page.evaluate(listKept), { intervals: [100], timeout: patience * 60_000 })
    .toEqual(expect.arrayContaining([...PROGRAMME, ...more]))
}

/** Scrolls to this position once the page is long enough: lists are rendered incrementally. */
export const scrollDown = (page: Page, top: number): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(to => {
        window.scrollTo(0, to)
        return scrollY
      }, top),
    )
    .toBeGreaterThan(0.9 * top)
