import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import type { DemoAccount, Portal } from './portal.ts'
import { listScreens, type Share } from './screen-steps.ts'

type Visit = { page: Page; portal: Portal; loginAs: (account: DemoAccount) => Promise<string> }

/** Client-side navigation without a page load, as by tapping a link. */
async function goInside(page: Page, path: string): Promise<void> {
  await page.evaluate(to => {
    for (const heading of document.querySelectorAll('h1')) heading.dataset.left = ''
    history.pushState(null, '', to)
  }, path)
  await expect(page.locator('h1:not([data-left])')).toBeVisible()
}

/** If only the content of a screen changes, its heading stays and nothing is announced. */
const isSameRoute = (a: string, b = '') => a.split('/')[1] === b.split('/')[1]

/** Waits until a screen shows its data instead of placeholders. */
const untilShown = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[data-waiting], [aria-busy="true"]')).toHaveCount(0)
}

/**
 * Opens a screen, in the same page where possible, because a page load takes ten times as long.
 * @param left path of the screen before it; undefined: none
 */
export async function visit(page: Page, path: string, left?: string): Promise<void> {
  if (left === undefined || isSameRoute(path, left)) await page.goto(path, { waitUntil: 'networkidle' })
  else await goInside(page, path)
  await untilShown(page)
}

/**
 * Visits the screens of a part.
 * @returns findings of `look` by screen name; null: none
 */
export async function inspectScreens(
  { page, portal, loginAs }: Visit,
  share: Share,
  look: () => Promise<unknown>,
): Promise<Record<string, unknown>> {
  if (share.account) await loginAs(share.account)
  const problems: Record<string, unknown> = {}
  let onTheWay = 0
  const arrive = () => {
    onTheWay -= 1
  }
  page.on('requestfinished', arrive).on('requestfailed', arrive)
  page.on('request', () => {
    onTheWay += 1
  })
  let left: string | undefined
  for (const screen of share.of(await listScreens(portal))) {
    await visit(page, screen.path, screen.prepare ? undefined : left)
    left = screen.path
    await screen.prepare?.(page)
    await untilShown(page)
    await expect.poll(() => onTheWay).toBe(0)
    const found = await look()
    if (found !== null) problems[screen.name] = found
  }
  return problems
}
