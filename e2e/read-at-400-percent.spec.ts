import type { Page } from '@playwright/test'
import { cutWordsOf, hiddenFocusOf, overflowOf } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { SHARES } from './screen-steps.ts'
import { inspectScreens } from './walk-steps.ts'

/** The viewport that results from 1280 × 1024 px at 400 % zoom. */
const ZOOMED = { width: 320, height: 256 }
const PHONE = { width: 390, height: 844 }
/** Twice the browser's default text size. */
const LARGE = '200%'

const setTextSize = (page: Page, size: string) =>
  page.evaluate(value => {
    document.documentElement.style.fontSize = value
  }, size)

test.use({ ...WITHOUT_WORKER, viewport: ZOOMED, deviceScaleFactor: 4, isMobile: false, hasTouch: false })

for (const share of SHARES) {
  test(`at 400 % zoom and with text of twice the size no route scrolls horizontally, cuts text or hides the focus (${share.name}) @extended`, async ({
    page,
    portal,
    loginAs,
  }) => {
    test.slow()
    const problems = await inspectScreens({ page, portal, loginAs }, share, async () => {
      const zoomed = { overflow: await overflowOf(page), hidden: await hiddenFocusOf(page) }
      await page.setViewportSize(PHONE)
      const phone = await hiddenFocusOf(page)
      await setTextSize(page, LARGE)
      const found = { ...zoomed, phone, large: await overflowOf(page), cut: await cutWordsOf(page) }
      await setTextSize(page, '')
      await page.setViewportSize(ZOOMED)
      return Object.values(found).flat().some(Boolean) ? found : null
    })
    expect(problems).toEqual({})
  })
}

test('at 400 % zoom the filters, the menu and a dialog have room for their content @extended', async ({
  page,
  loginAs,
}) => {
  await loginAs('employee')
  const expectRoom = async (dialog: string) => {
    await expect(page.locator(dialog)).toBeVisible()
    expect(await hiddenFocusOf(page, dialog)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    // The scrollable part of a dialog must not shrink to a narrow strip between a fixed header and fixed buttons.
    const heights = await page
      .locator(`${dialog}, ${dialog} *`)
      .evaluateAll(parts =>
        parts.filter(part => part.scrollHeight > part.clientHeight + 4).map(part => part.clientHeight),
      )
    expect(Math.min(...heights.filter(height => height > 0), 999)).toBeGreaterThan(ZOOMED.height / 2)
    await page.keyboard.press('Escape')
    await expect(page.locator(dialog)).toBeHidden()
  }
  await page.goto('/courses')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expectRoom('[role="dialog"]')
  await page.getByRole('button', { name: 'Menü' }).click()
  await expectRoom('[role="dialog"]')
  await page.goto('/courses/booked')
  // Leaving the waiting list always asks for confirmation, unlike cancelling a place to which no one is promoted.
  await page.getByRole('button', { name: 'Warteliste verlassen' }).first().click()
  await expectRoom('[role="dialog"]')
})
