import { cutWordsOf, overflowOf } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'

/** Twice the browser's default text size. */
const LARGE = '200%'

test.use(WITHOUT_WORKER)

test('the text size selected in the menu is stored and also applies to the tab labels @extended', async ({ page }) => {
  await page.goto('/home')
  const sizeOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(element => Number.parseFloat(getComputedStyle(element).fontSize))
  const tab = 'nav[aria-label="Schnellzugriff"] a'
  // Wait until the app has replaced the server-rendered page.
  await expect.poll(() => sizeOf(tab)).toBeGreaterThan(0)
  await page.waitForLoadState('networkidle')
  const before = [await sizeOf('html'), await sizeOf(tab)]
  await page.getByRole('button', { name: 'Menü' }).click()
  await page.getByRole('button', { name: '150 %' }).click()
  await expect(page.getByRole('button', { name: '150 %' })).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await sizeOf('html')).toBe((before[0] ?? 0) * 1.5)
  expect(await sizeOf(tab)).toBeGreaterThan(before[1] ?? 0)
  expect(await overflowOf(page)).toBe(0)
  expect(await cutWordsOf(page)).toEqual([])
})

test('days and times of twice the size do not touch each other or an edge, and tab labels grow @extended', async ({
  page,
  loginAs,
}) => {
  await loginAs('employee')
  await page.addInitScript(size => {
    localStorage.setItem('Language', 'en')
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = size
    })
  }, LARGE)
  /** Horizontal distances between the texts of neighbouring elements. */
  const gapsOf = (selector: string) =>
    page.locator(selector).evaluateAll(all => {
      const boxes = all.map(element => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return range.getBoundingClientRect()
      })
      return boxes.slice(1).map((box, index) => box.left - (boxes[index]?.right ?? 0))
    })
  await page.goto('/home')
  const time = page.locator('.ui-dateBadge .ui-variant-title').first()
  await expect(time).toBeVisible()
  expect(Math.min(...(await gapsOf('main ul[aria-label="Week"] a > [aria-hidden]')))).toBeGreaterThan(4)
  const [text, badge] = [await time.boundingBox(), await time.locator('..').boundingBox()]
  expect((badge?.width ?? 0) - (text?.width ?? 0)).toBeGreaterThan(16)
  const label = page.getByRole('navigation', { name: 'Quick access' }).getByRole('link', { name: 'Courses' })
  expect(await label.evaluate(tab => Number.parseFloat(getComputedStyle(tab).fontSize))).toBeGreaterThan(18)
  await page.goto('/courses')
  await expect(page.getByRole('article').first()).toBeVisible()
  expect(Math.min(...(await gapsOf('main ul[aria-label="Week"] button > b')))).toBeGreaterThan(4)
})
