import type { Page } from '@playwright/test'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { importRows } from './import-steps.ts'
import { createPerson, field, openAs } from './people-steps.ts'
import { coursesOf, scrollDown } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

const quickLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name })

/** Steps through the history take a moment, also those that the app takes itself. */
async function untilSettled(page: Page): Promise<void> {
  let before = ''
  await expect
    .poll(async () => {
      const now = await page.evaluate(() => JSON.stringify([location.href, history.state, scrollY]))
      const isSame = now === before
      before = now
      return isSame
    })
    .toBe(true)
}

/** Whether what lies over the page has its entry, so that a step back is one from it. */
const untilOpen = (page: Page) => expect.poll(() => page.evaluate(() => Boolean(history.state?.overlay))).toBe(true)

async function openCourses(page: Page): Promise<void> {
  await page.goto('/home')
  await quickLink(page, 'Kurse').click()
  await expect(page.getByText(/^\d+ Kurse?$/).first()).toBeVisible()
}

test('going back closes the filters, keeps what was chosen and stays on the list', async ({ page }) => {
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
  // Ticked and unticked: only the page before the list is behind it.
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
  await page.goForward()
  await untilSettled(page)
  await expect(page).toHaveURL(/courses/)
  await expect(sheet).toBeHidden()
})

test('the sheet of the filters follows the finger, and closes when it is pulled down far enough', async ({
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
  // However quickly it is pulled shut, the next tap opens it.
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

test('a list that stood somewhere stands there when the filters were only looked at', async ({ page }) => {
  await openCourses(page)
  await scrollDown(page, 2_000)
  await untilSettled(page)
  const stood = await page.evaluate(() => scrollY)
  // The button of the list is above: the sheet opens by it from wherever the page is.
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

test('going back closes the menu, and a page opened from it is one step away', async ({ page }) => {
  await page.goto('/faq')
  const menu = page.getByRole('dialog', { name: 'Menü' })
  await page.getByRole('button', { name: 'Menü' }).click()
  await expect(menu).toBeVisible()
  await untilOpen(page)
  await page.goBack()
  await expect(menu).toBeHidden()
  await expect(page).toHaveURL(/faq$/)

  await page.getByRole('button', { name: 'Menü' }).click()
  await untilOpen(page)
  await menu.getByRole('link', { name: 'Flyer' }).click()
  await expect(page).toHaveURL(/flyers$/)
  await expect(menu).toBeHidden()
  await untilSettled(page)
  await page.goBack()
  await expect(page).toHaveURL(/faq$/)
  await expect(menu).toBeHidden()
})

test('a page loaded anew under an open menu has no step too many', async ({ page }) => {
  await page.goto('/home')
  await quickLink(page, 'Kurse').click()
  await page.getByRole('button', { name: 'Menü' }).click()
  await untilOpen(page)
  await page.reload()
  await untilSettled(page)
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
})

test('going back leaves the step and the question of a booking, and books and cancels nothing', async ({
  page,
  portal,
  loginAs,
}) => {
  const token = await loginAs('external')
  const course = (await coursesOf(portal, token)).find(
    c => c.directlyBookable && c.cancelUntil && (c.price?.amount ?? 0) > 0,
  )
  await page.goto('/home')
  await page.evaluate(path => history.pushState(null, '', path), `/course-details/${course?.id}`)
  const step = page.getByRole('dialog', { name: 'Verbindlich buchen' })
  const book = page.getByRole('button', { name: /^Jetzt buchen · / })
  await book.click()
  await untilOpen(page)
  await page.goBack()
  await expect(step).toBeHidden()
  await expect(page).toHaveURL(/course-details/)

  await book.click()
  await step.getByRole('button', { name: /^Verbindlich buchen für/ }).click()
  const outcome = page.getByRole('dialog', { name: 'Gebucht' })
  await expect(outcome).toBeVisible()
  await untilOpen(page)
  await outcome.getByRole('button', { name: 'Meine Kurse' }).click()
  await expect(page).toHaveURL(/courses\/booked$/)
  await untilSettled(page)
  await page.goBack()
  await expect(page).toHaveURL(/course-details/)
  await expect(outcome).toBeHidden()

  await page.getByRole('button', { name: 'Stornieren' }).click()
  const question = page.getByRole('dialog', { name: 'Kurs stornieren?' })
  await expect(question).toBeVisible()
  await untilOpen(page)
  await page.goBack()
  await expect(question).toBeHidden()
  await expect(page.getByRole('button', { name: 'Stornieren' })).toBeEnabled()
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
})

test('an answer closes its question, and the language is changed, without a step too many', async ({ page }) => {
  await page.goto('/home')
  await page.goto('/offline')
  const question = page.getByRole('dialog')
  const open = page.getByRole('button', { name: 'Alles von diesem Gerät löschen' })
  await open.click()
  await untilOpen(page)
  await page.goBack()
  await expect(question).toBeHidden()
  await expect(page).toHaveURL(/offline$/)
  await open.click()
  await untilOpen(page)
  await question.getByRole('button', { name: 'Behalten' }).click()
  await expect(question).toBeHidden()
  await untilSettled(page)
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page).toHaveURL(/\/$/)
  await page.goBack()
  await expect(page).toHaveURL(/offline$/)
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
})

test('who goes back from a changed profile is asked once, and stays or leaves', async ({ page, portal }) => {
  const person = await createPerson(portal)
  await openAs(page, portal, person, '/home')
  await quickLink(page, 'Kurse').click()
  await page.evaluate(() => history.pushState(null, '', '/edit'))
  await field(page, 'city').fill('Oderwerk')
  await untilOpen(page)
  const question = page.getByRole('dialog', { name: 'Änderungen verwerfen?' })
  await page.goBack()
  await expect(question).toBeVisible()
  await untilOpen(page)
  await question.getByRole('button', { name: 'Weiter bearbeiten' }).click()
  await expect(question).toBeHidden()
  await untilSettled(page)
  await untilOpen(page)
  await expect(page).toHaveURL(/edit$/)
  await expect(field(page, 'city')).toHaveValue('Oderwerk')
  await page.goBack()
  await untilOpen(page)
  await question.getByRole('button', { name: 'Verwerfen' }).click()
  await expect(page).toHaveURL(/courses$/)
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
  await expect(question).toBeHidden()
})

test('going back closes the menus of wide screens @desktop', async ({ page }) => {
  await page.goto('/home')
  await page.evaluate(() => history.pushState(null, '', '/contact'))
  // A page that comes closes what is open.
  await expect(page.getByRole('heading', { level: 1, name: 'Kontakt' })).toBeVisible()
  const menu = page.getByRole('navigation', { name: 'Hauptmenü' })
  await menu.getByRole('button', { name: 'Infos' }).click()
  await expect(menu.getByRole('link', { name: 'Flyer' })).toBeVisible()
  await untilOpen(page)
  await page.goBack()
  await expect(menu.getByRole('link', { name: 'Flyer' })).toBeHidden()
  await expect(page).toHaveURL(/contact$/)
  await menu.getByRole('button', { name: 'Infos' }).click()
  await untilOpen(page)
  await menu.getByRole('link', { name: 'Flyer' }).click()
  await expect(page).toHaveURL(/flyers$/)
  await untilSettled(page)
  await page.goBack()
  await expect(page).toHaveURL(/contact$/)
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
})

test('courses of one name that were opened stand open, at the same place, after the way back from one of them', async ({
  page,
  portal,
}) => {
  const course = { seasonId: '4', courseCategoryId: '3', name: 'E2E-Zirkel', day: '1', participants: '12', fee: '0' }
  const times = ['16:00', '17:00', '18:00'].map((startTime, index) => ({
    number: `E2E-F${index}`,
    ...course,
    start: '2027-04-12',
    end: '2027-06-07',
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
