import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { openCourses, untilOpen, untilSettled } from './history-steps.ts'
import { importRows } from './import-steps.ts'
import { inDays, scrollDown } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

test('going back closes the filter sheet, keeps the selected filters and stays on the list @extended', async ({
  page,
}) => {
  await openCourses(page)
  const sheet = page.getByRole('dialog', { name: 'Filter' })
  const open = page.getByRole('button', { name: /^Filter(?! z)/ })
  const ways = [() => page.goBack(), () => sheet.getByRole('button', { name: /anzeigen$/ }).click()]
  for (const close of ways) {
    const before = page.url()
    await open.click()
    await untilOpen(page)
    await sheet.getByRole('checkbox').first().click()
    await close()
    await expect(sheet).toBeHidden()
    await expect.poll(() => page.url()).not.toBe(before)
    await untilSettled(page)
    await expect(page).toHaveURL(/\/courses/)
  }
  // Toggling filters adds no history entries: the previous entry is the page before the list.
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
  await page.goForward()
  await untilSettled(page)
  await expect(page).toHaveURL(/courses/)
  await expect(sheet).toBeHidden()
})

test('the filter sheet follows a drag gesture, and closes when it is pulled down far enough @extended', async ({
  page,
  context,
}) => {
  await openCourses(page)
  const sheet = page.getByRole('dialog', { name: 'Filter' })
  const button = page.getByRole('button', { name: /^Filter(?! z)/ })
  const open = async () => {
    await button.tap()
    await untilOpen(page)
    // It slides in.
    await page.waitForTimeout(600)
  }
  await open()
  const top = async () => (await sheet.boundingBox())?.y ?? 0
  const device = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    device.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 195, y }] })
  const pull = async (from: number, distance: number) => {
    await touch('touchStart', from)
    for (const step of [0.25, 0.5, 0.75, 1]) await touch('touchMove', from + distance * step)
  }

  const stood = await top()
  await pull(stood + 12, 50)
  await expect.poll(async () => (await top()) - stood).toBeGreaterThan(30)
  await touch('touchEnd')
  await expect.poll(top).toBe(stood)
  // Even if the sheet was closed by a fast swipe, the next tap opens it.
  for (const _ of [1, 2, 3]) {
    await pull(stood + 12, 200)
    await touch('touchEnd')
    await expect(sheet).toBeHidden()
    await expect(page).toHaveURL(/courses$/)
    await untilSettled(page)
    await open()
  }
  await page.goBack()
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL(/courses$/)
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
})

test('opening and closing the filter sheet preserves the scroll position @extended', async ({ page }) => {
  await openCourses(page)
  await scrollDown(page, 2_000)
  await untilSettled(page)
  const stood = await page.evaluate(() => scrollY)
  // The filter button is at the top and opens the sheet at any scroll position.
  const openFromAfar = () =>
    page
      .getByRole('button', { name: /^Filter(?! z)/ })
      .evaluate((button: HTMLElement) => button.dispatchEvent(new MouseEvent('click', { bubbles: true })))
  await openFromAfar()
  await untilOpen(page)
  await page.goBack()
  await expect(page.getByRole('dialog', { name: 'Filter' })).toBeHidden()
  await untilSettled(page)
  expect(Math.abs((await page.evaluate(() => scrollY)) - stood)).toBeLessThan(40)
})

test('expanded courses of the same name stay expanded, at the same scroll position, after going back from one of them @extended', async ({
  page,
  portal,
}) => {
  const course = { seasonId: '4', courseCategoryId: '3', name: 'E2E-Zirkel', day: '1', participants: '12', fee: '0' }
  const times = ['16:00', '17:00', '18:00'].map((startTime, index) => ({
    number: `E2E-F${index}`,
    ...course,
    start: inDays(150),
    end: inDays(210),
    startTime,
    endTime: startTime.replace(':00', ':45'),
  }))
  await importRows(portal, 'courses.csv', times)
  await page.setViewportSize({ width: 390, height: 560 })
  await page.goto('/courses?q=E2E-Zirkel')
  await page.getByRole('button', { name: 'alle 3 zeigen' }).click()
  const last = page.getByRole('article').getByRole('link', { name: 'E2E-Zirkel', exact: true }).last()
  await page.evaluate(() => window.scrollTo(0, 300))
  await untilSettled(page)
  const stood = await page.evaluate(() => scrollY)
  expect(stood).toBeGreaterThan(100)
  await last.click()
  await expect(page).toHaveURL(/course-details\/\d+$/)
  await untilSettled(page)
  await page.goBack()
  await expect(last).toBeInViewport()
  await untilSettled(page)
  expect(Math.abs((await page.evaluate(() => scrollY)) - stood)).toBeLessThan(2)
  await page.getByRole('button', { name: 'weniger' }).click()
  await expect(last).toBeHidden()
})
