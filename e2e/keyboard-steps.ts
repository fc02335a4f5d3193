import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

const FAR = 80

/** The focus is visible: on the element itself, its card, or its label. */
const isFocusShown = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    const around = [focused, focused?.parentElement, focused?.nextElementSibling, focused?.closest('article, label')]
    return around.some(
      element =>
        element &&
        Number.parseFloat(getComputedStyle(element).outlineWidth) > 0 &&
        getComputedStyle(element).outlineStyle !== 'none',
    )
  })

/** Presses Tab until the element is focused, and checks that the focus is visible. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < FAR; presses++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate(element => element === document.activeElement)) {
      expect(await isFocusShown(page), `the focus on ${target} shows`).toBe(true)
      return
    }
  }
  throw new Error(`${FAR} times Tab did not reach ${target}`)
}

/** Tab to it, then Enter. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Waits for the screen; the focus is on its heading. */
export const expectArrival = (page: Page, heading: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused()
