import type { Page } from '@playwright/test'
import { overflowOf } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { SHARES } from './screen-steps.ts'
import { inspectScreens } from './walk-steps.ts'

/** Twice the size of text that the browser comes with. */
const LARGE = '200%'

/**
 * Words that cannot be read whole, one line each: outside the window, or outside the part of the page that holds them. What runs
 * on by its own (carousel, rows to be pushed sideways) and the one line of the breadcrumb's last word, which is the heading, may.
 */
const cutWordsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const cut: string[] = []
    const { clientWidth } = document.documentElement
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const holder = node.parentElement
      if (!node.textContent?.trim() || !holder?.checkVisibility({ visibilityProperty: true })) continue
      if (
        holder.closest('.visually-hidden, [href="#main"], ol [aria-current="page"], svg, [aria-hidden="true"], select')
      )
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const words = range.getBoundingClientRect()
      let box = holder as HTMLElement | null
      let isMovable = false
      while (box && box !== document.body) {
        const { overflowX, overflowY } = getComputedStyle(box)
        const frame = box.getBoundingClientRect()
        if (['auto', 'scroll'].includes(overflowX)) isMovable = true
        const isBeside = overflowX !== 'visible' && (words.right > frame.right + 1 || words.left < frame.left - 1)
        const isBelow = overflowY !== 'visible' && (words.bottom > frame.bottom + 1 || words.top < frame.top - 1)
        if (!isMovable && !['auto', 'scroll'].includes(overflowY) && frame.width > 1 && (isBeside || isBelow))
          cut.push(`${node.textContent.trim().slice(0, 40)} in ${box.tagName}.${box.className}`)
        box = box.parentElement
      }
      if (!isMovable && (words.right > clientWidth + 1 || words.left < -1))
        cut.push(`${node.textContent.trim().slice(0, 40)} beside the window`)
    }
    return [...new Set(cut)]
  })

test.use(WITHOUT_WORKER)

for (const share of SHARES) {
  test(`text of twice the size is read whole, without scrolling sideways, on any route (${share.name})`, async ({
    page,
    portal,
    loginAs,
  }) => {
    test.slow()
    await page.addInitScript(size => {
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.fontSize = size
      })
    }, LARGE)
    const problems = await inspectScreens({ page, portal, loginAs }, share, async () => {
      const [overflow, cut] = [await overflowOf(page), await cutWordsOf(page)]
      return overflow > 0 || cut.length > 0 ? { overflow, cut } : null
    })
    expect(problems).toEqual({})
  })
}

test('the text size chosen in the menu is kept, and enlarges the tab labels, too', async ({ page }) => {
  await page.goto('/home')
  const sizeOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(element => Number.parseFloat(getComputedStyle(element).fontSize))
  const tab = 'nav[aria-label="Schnellzugriff"] a'
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
