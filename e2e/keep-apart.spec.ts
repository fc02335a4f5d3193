import type { Page } from '@playwright/test'
import { listCourses } from '#contract/endpoints/courses.ts'
import { login } from '#contract/endpoints/session.ts'
import { cutWordsOf, LARGE_TEXT_TOO, overflowOf, overlapsOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { openRunningList, rowOf, runningCourse, tickButtons, tickUntil } from './attendance-steps.ts'
import { pageOf, test, untilInstalled } from './browser-fixture.ts'
import { DEMO_PASSWORD, emailOf, expect, WITHOUT_WORKER } from './fixtures.ts'
import { scrollDown } from './programme-steps.ts'
import { hasRealProgrammes, openRealPortal } from './real-programme-fixture.ts'
import { visit } from './walk-steps.ts'

/** The narrowest viewport of each layout, where a text that is too long shows first, and the widest. */
const WIDTHS = [320, 480, 768, 992, 1920]
/** Viewport tall enough for about a hundred cards, because only cards near the window are rendered. */
const TALL = 12_000
const CARDS = 'main article, main section li a'

/** One column and two. */
const NARROWEST = [320, 768]

type Fault = [width: number, what: string, where: unknown]

/** The text size is stored as if selected in the menu; every page reads it at the start. */
const LARGE = '150'

type Sweep = { widths: number[]; large: number[]; isExpanded?: boolean }
const DEMO: Sweep = { widths: WIDTHS, large: [320, 768, 992], isExpanded: true }
/** The cards of an employee with other prices and buttons. */
const OTHER_GROUP: Sweep = { widths: [320], large: [320], isExpanded: true }
/** The same cards with other texts. */
const REAL: Sweep = { widths: NARROWEST, large: [320] }
/** Cards have the same elements and colours in both languages; only their texts need different space. */
const ENGLISH: Sweep = { widths: NARROWEST, large: [320] }

const setTextSize = (page: Page, percent: string) =>
  page.evaluate(size => {
    document.documentElement.dataset.text = size
  }, percent)

/** Layout faults of all cards, rows and blocks at this width, found by scrolling through the page. */
async function faultsAt(page: Page, width: number): Promise<Fault[]> {
  await page.setViewportSize({ width, height: TALL })
  const found: Fault[] = []
  for (let top = 0, end = 1; top < end; top += TALL) {
    await page.evaluate(to => window.scrollTo(0, to), top)
    await expect(page.locator(CARDS).first()).toBeVisible()
    // Rows render a frame after the scroll.
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const [cut, over] = [await cutWordsOf(page), await overlapsOf(page, CARDS)]
    if (cut.length > 0) found.push([width, 'cut', cut])
    if (over.length > 0) found.push([width, 'over each other', over])
    end = await page.evaluate(() => document.documentElement.scrollHeight)
  }
  const overflow = await overflowOf(page)
  if (overflow > 0) found.push([width, 'overflow', overflow])
  return found
}

/** Layout faults of a page in both languages, and accessibility violations in German. */
async function sweep(page: Page, path: string, german: Sweep): Promise<[string, Fault[] | string[]][]> {
  const found: [string, Fault[] | string[]][] = []
  for (const [language, { widths, large }] of [
    ['de', german],
    ['en', ENGLISH],
  ] as const) {
    await page.addInitScript(chosen => localStorage.setItem('Language', chosen), language)
    await page.goto(path, { waitUntil: 'networkidle' })
    for (const width of widths) found.push([language, await faultsAt(page, width)])
    await page.setViewportSize({ width: 390, height: TALL })
    if (german.isExpanded) {
      await page.locator('main article [aria-expanded="false"]').evaluateAll((all: HTMLElement[]) => {
        for (const button of all) button.click()
      })
      await expect(page.locator('main article dl').first()).toBeVisible()
      found.push([`${language}, expanded`, await faultsAt(page, 390)])
    }
    if (language === 'de') found.push(['axe', await violationsInBothSchemes(page, 'main', LARGE_TEXT_TOO)])
    await setTextSize(page, LARGE)
    for (const width of large) found.push([`${language}, ${LARGE} %`, await faultsAt(page, width)])
  }
  return found.filter(([, faults]) => faults.length > 0)
}

test.describe(() => {
  // Windows of this height have seven times as many pixels on a phone, and the same layout.
  test.use({ ...WITHOUT_WORKER, deviceScaleFactor: 1 })

  for (const [account, paths, widths] of [
    [null, ['/courses', '/home'], DEMO],
    ['employee', ['/courses', '/courses/booked'], DEMO],
    ['external', ['/courses'], OTHER_GROUP],
    ['insured', ['/courses'], OTHER_GROUP],
    ['instructor', ['/courses/instructor'], DEMO],
  ] as const) {
    test(`no card or row is cut off or overlaps another at any width: ${account ?? 'visitor'} @extended`, async ({
      page,
      loginAs,
    }) => {
      test.slow()
      if (account) await loginAs(account)
      for (const path of paths) expect([path, await sweep(page, path, widths)]).toEqual([path, []])
    })
  }

  for (const name of ['bern', 'fribourg', 'rwth'] as const) {
    test(`no card or row of a real programme is cut off or overlaps another: ${name} @extended`, async ({
      browser,
    }) => {
      test.skip(!hasRealProgrammes, 'no real programmes beside this checkout')
      test.setTimeout(900_000)
      const portal = await openRealPortal(name)
      const page = await browser.newPage({ ...WITHOUT_WORKER, baseURL: portal.url })
      const found = await sweep(page, '/courses', REAL)
      await page.close()
      await portal.close()
      expect(found).toEqual([])
    })
  }
})

test('the decorative lines of a screen header do not cross its text @extended', async ({ page }) => {
  for (const language of ['de', 'en']) {
    await page.addInitScript(chosen => localStorage.setItem('Language', chosen), language)
    let left: string | undefined
    for (const path of ['/home', '/teamsport', '/photo-album', '/courseprogram', '/flyers', '/info']) {
      await visit(page, path, left)
      left = path
      for (const width of [360, 430]) {
        await page.setViewportSize({ width, height: 844 })
        const header = page.locator('main header')
        await expect(header.getByRole('heading', { level: 1 })).toBeVisible()
        // Polled, because a screen is hidden briefly while one of its parts is inserted.
        const gapOf = () =>
          header.evaluate(element => {
            // The first vertical line; the faint horizontal one is below the text.
            const lines = element.querySelector('svg path:nth-last-of-type(2)')?.getBoundingClientRect().left ?? 0
            const words = [...element.querySelectorAll('h1, h1 + p')].map(text => {
              const range = document.createRange()
              range.selectNodeContents(text)
              return range.getBoundingClientRect().right
            })
            return lines - Math.max(...words)
          })
        await expect.poll(gapOf, { message: `${path} in ${language} at ${width} px` }).toBeGreaterThan(0)
      }
    }
  }
})

test('the dates of a course do not overflow their card @extended', async ({ page, portal }) => {
  const answer = await portal.call(listCourses, {})
  const course = Array.isArray(answer)
    ? answer.find(({ dates }) => new Set(dates.map(({ month }) => month)).size >= 3)
    : undefined
  await page.goto(`/course-details/${course?.id}`, { waitUntil: 'networkidle' })
  for (const width of [320, 430, 768, 992]) {
    await page.setViewportSize({ width, height: 900 })
    const card = page.locator('section', { has: page.getByRole('heading', { name: /^\d+ Termine$/ }) })
    await expect(card.locator('ol li').first()).toBeVisible()
    const isOutside = await card.evaluate(section => {
      const { left, right } = section.getBoundingClientRect()
      return [...section.querySelectorAll('ol li')].some(day => {
        const box = day.getBoundingClientRect()
        return box.left < left || box.right > right
      })
    })
    expect([width, isOutside]).toEqual([width, false])
  }
})

test('the active tab scrolls a long list to its top @extended', async ({ page }) => {
  await page.goto('/courses')
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
  await scrollDown(page, 4_000)
  await page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name: 'Kurse' }).click()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})

test('each attendance button is next to its own name @extended', async ({ openBrowser, portal }) => {
  const { page } = await openRunningList(portal, await openBrowser(), 0)
  for (const width of [390, 820, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const rows = await tickButtons(page).evaluateAll(buttons =>
      buttons.map(button => {
        const [ring, name] = ['svg', 'span span'].map(part => button.querySelector(part)?.getBoundingClientRect())
        return { gap: (name?.left ?? 0) - (ring?.right ?? 0), isRingFirst: (ring?.left ?? 0) < (name?.left ?? 0) }
      }),
    )
    for (const { gap, isRingFirst } of rows) expect([width, isRingFirst, gap < 40]).toEqual([width, true, true])
  }
})

test('an instructor without a permanent login is warned in the list, and stays logged in after confirming @extended', async ({
  portal,
  gate,
  openBrowser,
}) => {
  const browser = await openBrowser()
  const page = await pageOf(browser)
  const { id: token } = await portal.call(login, {
    body: { userName: emailOf('instructor'), password: DEMO_PASSWORD, keepSession: false },
  })
  const courseId = await runningCourse(portal, token, 0)
  await page.goto('/login')
  await page.getByLabel('E-Mail').fill(emailOf('instructor'))
  await page.getByRole('textbox', { name: 'Passwort' }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page).not.toHaveURL(/login/)
  await page.goto(`/course-participation/${courseId}`)
  await page.getByRole('link', { name: 'Angemeldet bleiben' }).click()
  await expect(page.getByLabel('Angemeldet bleiben')).toBeChecked()
  await page.getByLabel('E-Mail').fill(emailOf('instructor'))
  await page.getByRole('textbox', { name: 'Passwort' }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/course-participation/${courseId}`))
  await expect(page.getByRole('link', { name: 'Angemeldet bleiben' })).toHaveCount(0)
  await expect(tickButtons(page).first()).toBeVisible()
  await untilInstalled(browser)
  gate.isOpen = false
  await browser.setOffline(true)
  const names = await tickUntil(page, 'auf diesem Gerät', 3)
  await browser.close()
  const reopened = await pageOf(await openBrowser())
  await reopened.goto(`/course-participation/${courseId}`)
  await expect(rowOf(reopened, names[0] ?? '')).toContainText('auf diesem Gerät')
})

test('the offline login page explains itself and shows the number of unsent attendance changes @extended', async ({
  portal,
  gate,
  openBrowser,
}) => {
  const browser = await openBrowser()
  const { page } = await openRunningList(portal, browser, 0)
  await untilInstalled(browser)
  gate.isOpen = false
  await browser.setOffline(true)
  await tickUntil(page, 'auf diesem Gerät', 12)
  await page.evaluate(() => localStorage.removeItem('SessionToken'))
  await page.goto('/')
  const link = page.getByRole('main').getByRole('link', { name: 'Zur Anmeldung' })
  await expect(link).toBeVisible()
  const count = page.getByText('12', { exact: true })
  const { height } = (await count.boundingBox()) ?? { height: 99 }
  expect(height).toBeLessThan(40)
  expect(await violationsInBothSchemes(page)).toEqual([])
  await link.click()
  await expect(page.getByText('Ohne Netz ist keine Anmeldung möglich')).toBeVisible()
  await expect(page.getByText('12', { exact: true })).toBeVisible()
})
