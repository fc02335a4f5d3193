import type { BrowserContext, Page } from '@playwright/test'
import { kindOfStorageLocation } from '#contract/tables/device-map.ts'
import { readTicks, runningCourse, tickButtons } from './attendance-steps.ts'
import { searchDevice } from './device-steps.ts'
import { DEMO_PASSWORD, emailOf, expect, type Portal, test } from './fixtures.ts'
import { field, submit } from './people-steps.ts'

const DAY_MS = 86_400_000

async function logIn(page: Page, isKept: boolean): Promise<void> {
  await page.goto('/login')
  await field(page, 'username').fill(emailOf('instructor'))
  await field(page, 'password').fill(DEMO_PASSWORD)
  if (isKept) await page.getByLabel('Angemeldet bleiben').check()
  await submit(page).click()
  await expect.poll(() => page.evaluate(() => localStorage.SessionToken ?? sessionStorage.SessionToken)).toBeTruthy()
}

/** Logs in and opens the list of a running course. @returns the names on it */
async function openNames(page: Page, portal: Portal, isKept: boolean): Promise<string[]> {
  await logIn(page, isKept)
  const token = await page.evaluate(() => String(localStorage.SessionToken ?? sessionStorage.SessionToken))
  await page.goto(`/course-participation/${await runningCourse(portal, token, 0)}`)
  await expect(tickButtons(page).first()).toBeVisible()
  const labels = await readTicks(page)
  await expect.poll(async () => (await listsOn(page)).length, 'lists are kept for the gym').toBeGreaterThan(0)
  return labels.map(label => label.replace(/: (?:da|fehlt|nicht erfasst)$/, ''))
}

const listsOn = async (page: Page) =>
  (await searchDevice(page, page.context())).filter(
    ({ where, name }) => kindOfStorageLocation(where, name) === 'participants',
  )

async function expectNoNames(page: Page, context: BrowserContext, names: string[]): Promise<void> {
  await expect.poll(async () => (await listsOn(page)).length, 'lists with names').toBe(0)
  const all = JSON.stringify(await searchDevice(page, context))
  expect(names.length).toBeGreaterThan(5)
  expect(wordsOf(names).filter(word => isWordIn(all, word))).toEqual([])
}

const wordsOf = (names: string[]) => names.flatMap(name => name.split(', ')).filter(word => word.length > 4)
/** Whole words only: the album of the place "Fuchsbau" does not contain the name Fuchs. */
const isWordIn = (text: string, word: string) => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'u').test(text)

test('the device stores only data that the data map declares @extended', async ({ page, context, portal }) => {
  await openNames(page, portal, true)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await context.setOffline(true)
  await tickButtons(page).first().click()
  await expect(page.getByText('auf diesem Gerät').first()).toBeVisible()
  const unsent = await searchDevice(page, context)
  await context.setOffline(false)
  for (const path of [
    '/home',
    '/courses',
    '/courses/booked',
    '/costs',
    '/messages',
    '/photo-album',
    '/instructor',
    '/edit',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.getByRole('main').getByRole('heading', { name: 'Meine Daten', exact: true }).waitFor()
  const found = [...unsent, ...(await searchDevice(page, context))]
  const locations = [...new Set(found.map(({ where, name }) => `${where}: ${name}`))]
  const undeclared = found.filter(({ where, name }) => kindOfStorageLocation(where, name) === null)
  expect(undeclared.map(({ where, name }) => `${where}: ${name}`)).toEqual([])
  const kinds = new Set(found.map(({ where, name }) => kindOfStorageLocation(where, name)))
  const wanted = ['protection', 'knownDevice', 'session', 'programme', 'files', 'own', 'participants', 'ticks']
  expect([...kinds], locations.join('\n')).toEqual(expect.arrayContaining(wanted))
})

test('names are deleted at logout, and at a start without the session that loaded them @extended', async ({
  page,
  context,
  portal,
}) => {
  const names = await openNames(page, portal, true)
  // The attendance list has no menu.
  await page.goto('/home')
  await page.getByRole('button', { name: 'Menü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await expectNoNames(page, context, names)
  await page.close()

  // Without "keep me logged in" the session ends with its tab; its data are deleted at the next start.
  const tab = await context.newPage()
  await openNames(tab, portal, false)
  await tab.close()
  const next = await context.newPage()
  await next.goto('/home')
  await expectNoNames(next, context, names)
})

test('a logged-out tab does not delete the offline list of a logged-in tab @extended', async ({
  context,
  portal,
  page,
}) => {
  await openNames(page, portal, false)
  await page.evaluate(() => navigator.serviceWorker.ready)
  const visitor = await context.newPage()
  await visitor.goto('/home')
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  await context.setOffline(true)
  // Opens the app in a new tab and waits until its start-up tasks are finished, because a reloading tab cannot be
  // queried.
  await visitor.goto('/courses')
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  await visitor.waitForTimeout(1_500)
  await page.reload()
  await expect(tickButtons(page).first()).toBeVisible()

  await page.close()
  await visitor.reload()
  await expect.poll(async () => (await listsOn(visitor)).length, 'lists with names').toBe(0)
})

test('names are deleted 48 hours after the date in server time, whatever the device clock shows offline @extended', async ({
  page,
  context,
  portal,
}) => {
  const names = await openNames(page, portal, true)
  const address = page.url()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  await expect(tickButtons(page).first()).toBeVisible()
  await page.close()

  // School holidays before the next date take up to seven weeks.
  const inTwoMonths = Date.now() + 60 * DAY_MS
  await context.setOffline(true)
  const ahead = await context.newPage()
  await ahead.clock.install({ time: inTwoMonths })
  await ahead.goto(address)
  await expect(tickButtons(ahead).first()).toBeVisible()
  await ahead.goto('/home')
  await expect.poll(async () => (await listsOn(ahead)).length, 'still stored for the gym').toBeGreaterThan(0)
  await ahead.close()

  await context.setOffline(false)
  const late = await context.newPage()
  await late.route('**/api/**', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'server-time': String(inTwoMonths) } })
  })
  // Fetching fails, so that no list is stored again.
  await late.route(/participat|instructor/, route => route.abort())
  await late.goto('/home')
  const dated = async () => (await listsOn(late)).filter(({ content }) => content.includes('/list/'))
  await expect.poll(async () => (await dated()).length, 'lists with names').toBe(0)
  const all = JSON.stringify(await searchDevice(late, context))
  expect(wordsOf(names).filter(word => isWordIn(all, word))).toEqual([])
  // Requests may be pending.
  await late.unrouteAll({ behavior: 'ignoreErrors' })
})
