import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { importRows } from './import-steps.ts'
import { Portal } from './portal.ts'
import { inDays } from './programme-steps.ts'

/** Maximum cumulative layout shift: larger shifts could cause taps on the wrong element. */
const MOST = 0.01
const VERY_LONG_NAME = 'Rückenfit und Beweglichkeit am Arbeitsplatz für Schichtgruppen mit Anleitung und Übungsheft'

/** Starts summing up the layout shifts of visible elements. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: { value: number }[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
        if (!hadRecentInput) shifts.push({ value })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    await page.waitForTimeout(1_500)
    return page.evaluate(() =>
      (window as unknown as { shifts: { value: number }[] }).shifts.reduce((sum, { value }) => sum + value, 0),
    )
  }
}

/** Responses arrive one after another, as on a bad network. */
async function answerLate(page: Page): Promise<void> {
  await page.route('**/api/**', async route => {
    const isList = /webcontentitem|view=index/.test(route.request().url())
    await new Promise(resolve => setTimeout(resolve, isList ? 400 : 800))
    await route.continue().catch(() => undefined)
  })
}

for (const [path, account] of [
  ['/home', null],
  ['/courses', null],
  ['/courses', 'employee'],
  // The page without a server-rendered first view.
  ['/courses?sort=weekday', 'employee'],
  ['/messages', 'employee'],
] as const) {
  test(`loading ${path} as ${account ?? 'a visitor'} causes no layout shift @extended`, async ({ page, loginAs }) => {
    if (account) await loginAs(account)
    await answerLate(page)
    const shifts = await watchShifts(page)
    await page.goto(path)
    await expect(page.locator('main a[href^="/courses"], main article').first()).toBeVisible()
    expect(await shifts()).toBeLessThanOrEqual(MOST)
  })
}

test('a start page without slides causes no layout shift @extended', async ({ page }) => {
  test.slow()
  const portal = await Portal.open({ DEMO: 'off' })
  try {
    await answerLate(page)
    const shifts = await watchShifts(page)
    await page.goto(`${portal.url}/home`)
    await expect(page.getByRole('link', { name: /^Fitness/ })).toBeVisible()
    expect(await shifts()).toBeLessThanOrEqual(MOST)
  } finally {
    await portal.close()
  }
})

test('the page of a course with a long name causes no layout shift @extended', async ({ page, portal }) => {
  const course = { number: 'E2E-LONG', seasonId: '4', courseCategoryId: '3', name: VERY_LONG_NAME, day: '1' }
  const times = { start: inDays(150), end: inDays(210), startTime: '17:30', endTime: '18:30' }
  await importRows(portal, 'courses.csv', [{ ...course, ...times, participants: '12', fee: '0' }])
  const index = await (await fetch(`${portal.url}/api/course`)).json()
  const { id } = index.find(({ number }: { number: string }) => number === course.number)
  await answerLate(page)
  const shifts = await watchShifts(page)
  await page.goto(`/course-details/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: VERY_LONG_NAME })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Brotkrumen' }).or(page.locator('nav ol'))).toContainText(
    VERY_LONG_NAME,
  )
  expect(await shifts()).toBeLessThanOrEqual(MOST)
})

for (const [width, height] of [
  [390, 844],
  [1280, 900],
] as const) {
  test(`the page of a course with a site plan causes no layout shift at ${width} px @extended`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await answerLate(page)
    const shifts = await watchShifts(page)
    await page.goto('/course-details/42')
    await expect(page.locator('#way svg').first()).toBeVisible()
    expect(await shifts()).toBeLessThanOrEqual(MOST)
  })
}

test('the page of an album with a long name causes no layout shift @extended', async ({ page, portal }) => {
  await importRows(portal, 'albums.csv', [{ id: '901', name: VERY_LONG_NAME, name2: VERY_LONG_NAME }])
  await answerLate(page)
  const shifts = await watchShifts(page)
  await page.goto('/photo-album/901')
  await expect(page.getByRole('heading', { level: 1, name: VERY_LONG_NAME })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Zurück zu den Alben' })).toBeVisible()
  expect(await shifts()).toBeLessThanOrEqual(MOST)
})

test('the calendar causes no layout shift @extended @desktop', async ({ page, loginAs }) => {
  await loginAs('employee')
  await answerLate(page)
  const shifts = await watchShifts(page)
  await page.goto('/courses?view=week')
  await expect(page.getByRole('button', { name: 'Heute' })).toBeVisible()
  expect(await shifts()).toBeLessThanOrEqual(MOST)
})
