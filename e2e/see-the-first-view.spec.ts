import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const PATHS = ['/home', '/courses', '/course-details/2']

/** The first visitor of all may come before the view is made. */
async function open(page: Page, path: string): Promise<void> {
  await expect(async () => {
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.locator('#root[data-first-view]')).toBeAttached({ timeout: 2_000 })
  }).toPass()
}

/** The scripts of the app do not come until they are let through. */
async function holdScripts(page: Page): Promise<() => void> {
  let letThrough = () => {}
  const held = new Promise<void>(resolve => {
    letThrough = resolve
  })
  await page.route('**/assets/*.js', async route => {
    await held
    await route.continue().catch(() => undefined)
  })
  return letThrough
}

test.describe('without any script', () => {
  test.use({ javaScriptEnabled: false })

  test('the page itself shows what it is about', async ({ page }) => {
    await open(page, '/courses')
    await expect(page.locator('main h1')).toHaveText('Kurse')
    expect(await page.locator('main article').count()).toBeGreaterThanOrEqual(4)
    await page.locator('main article').first().getByRole('link').first().click()
    await expect(page).toHaveURL(/course-details\/\d+$/)
    await open(page, '/course-details/2')
    await expect(page.locator('main h1')).not.toBeEmpty()
    await expect(page.locator('main dl')).toBeVisible()
    await open(page, '/home')
    await expect(page.locator('main article').first()).toBeVisible()
  })
})

for (const path of PATHS) {
  test(`the app takes over ${path} with the same words at the same place`, async ({ page }) => {
    const letThrough = await holdScripts(page)
    await open(page, path)
    const heading = page.getByRole('heading', { level: 1 })
    const first = page.locator('main article, main section').first()
    await expect(heading).toBeVisible()
    const before = { words: await first.innerText(), box: await first.boundingBox(), head: await heading.boundingBox() }
    letThrough()
    await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
    expect(await heading.boundingBox()).toEqual(before.head)
    expect((await first.boundingBox())?.y).toBe(before.box?.y)
    expect((await first.innerText()).slice(0, 60)).toBe(before.words.slice(0, 60))
  })
}

test('what was typed before the app came is searched for', async ({ page }) => {
  const letThrough = await holdScripts(page)
  await open(page, '/courses')
  await page.getByRole('searchbox').pressSequentially('yoga')
  letThrough()
  await expect(page.getByRole('status').filter({ hasText: /^\d+ Kurse?$/ })).not.toHaveText(/^[89]\d Kurse$/)
  await expect(page.getByRole('searchbox')).toHaveValue('yoga')
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('nobody sees first what they did not ask for', async ({ page, context }) => {
  const letThrough = await holdScripts(page)
  // A search in the address is for the app.
  await page.goto('/courses?text=yoga', { waitUntil: 'commit' })
  await expect(page.locator('#root .starting')).toBeAttached()
  // Nor does a reader of English see German.
  await context.addInitScript(() => localStorage.setItem('Language', 'en'))
  await open(page, '/courses')
  await expect(page.locator('#root')).toBeHidden()
  letThrough()
  await expect(page.getByRole('heading', { level: 1, name: 'Courses' })).toBeVisible()
})
