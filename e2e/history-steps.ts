import { expect, type Page } from '@playwright/test'

export const quickLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name })

/** History navigation is asynchronous, also if triggered by the app. */
export async function untilSettled(page: Page): Promise<void> {
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

/** Whether the open overlay has a history entry, so that the back button closes it. */
export const untilOpen = (page: Page) =>
  expect.poll(() => page.evaluate(() => Boolean(history.state?.overlay))).toBe(true)

export async function openCourses(page: Page): Promise<void> {
  await page.goto('/home')
  await quickLink(page, 'Kurse').click()
  await expect(page.getByText(/^\d+ Kurse?$/).first()).toBeVisible()
}
