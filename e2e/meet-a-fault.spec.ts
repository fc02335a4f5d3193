import type { Page } from '@playwright/test'
import { violationsOf } from './accessibility-steps.ts'
import { expect, test } from './fixtures.ts'

// No service worker: its caches would hide the simulated network failures.
test.use({ serviceWorkers: 'block' })

test('a page that fails to render shows an error, reports it to the server, and recovers after a reload @extended', async ({
  page,
}) => {
  const reports: { message: string; route: string }[] = []
  await page.route('**/api/clienterror', async route => {
    reports.push(route.request().postDataJSON())
    await route.continue()
  })
  await page.route('**/api/webcontentitem', async route => {
    const items = await (await route.fetch()).json()
    await route.fulfill({ json: [...items, null] })
  })
  await page.goto('/flyers')
  await expect(page.getByRole('heading', { level: 1, name: 'Hier ist etwas schiefgegangen' })).toBeVisible()
  await expect(page.getByText('Unser Team ist benachrichtigt.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Zur Startseite' })).toHaveAttribute('href', '/home')
  await expect(page).toHaveTitle('Hier ist etwas schiefgegangen · Werksport')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatchObject({ route: '/flyers' })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violationsOf(page)).toEqual([])
  }

  await page.evaluate(() => localStorage.setItem('Language', 'en'))
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong here' })).toBeVisible()
  await page.unroute('**/api/webcontentitem')
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByRole('heading', { name: 'Healthy through winter' })).toBeVisible()
})

test('if a lazily loaded script no longer exists, the page asks for a reload and reports no error', async ({
  page,
}) => {
  let reports = 0
  await page.route('**/api/clienterror', route => {
    reports++
    return route.continue()
  })
  // Set up before the page opens, because the app prefetches its other screens when idle.
  await page.route('**/assets/legal-screens*', route => route.fulfill({ status: 404, body: 'Not found' }))
  await page.goto('/contact')
  await expect(page.getByRole('heading', { level: 1, name: 'Kontakt' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'häufigen Fragen' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Diese Seite ist noch nicht hier' })).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await page.unroute('**/assets/legal-screens*')
  await page.getByRole('button', { name: 'Seite neu laden' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Häufige Fragen' })).toBeVisible()
  expect(reports).toBe(0)
})

/** Switches to the other language while its texts cannot be loaded: the displayed texts remain. */
async function switchInVain(page: Page, words: string): Promise<void> {
  await page.route(words, route => route.abort())
  await page.getByRole('button', { name: 'Switch to English' }).click()
  await expect(page.getByText('Das Portal antwortet gerade nicht.')).toBeVisible()
}

test('if the texts of a language cannot be loaded, the page keeps the current language @extended', async ({ page }) => {
  await page.goto('/contact', { waitUntil: 'networkidle' })
  await switchInVain(page, '**/assets/*-en-*')
  await expect(page.getByRole('heading', { level: 1, name: 'Kontakt' })).toBeVisible()
  await page.unroute('**/assets/*-en-*')
  await page.getByRole('alert').getByRole('button').click()
  await page.getByRole('button', { name: 'Switch to English' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sport that fits your day' })).toBeVisible()
})

test('a component that cannot be loaded leaves the page usable, and is shown once it is loaded @extended', async ({
  page,
}) => {
  await page.route('**/assets/search-suggestions-*', route => route.abort())
  await page.goto('/courses', { waitUntil: 'networkidle' })
  await page.getByRole('searchbox').fill('yo')
  await expect(page.getByText('Das Portal antwortet gerade nicht.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Kurse' })).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue('yo')
  await page.unroute('**/assets/search-suggestions-*')
  await expect(page.getByRole('list', { name: 'Vorschläge' }).getByRole('button').first()).toBeVisible()
})

test('texts that cannot be loaded are retried, and no translation keys are shown @extended', async ({ page }) => {
  await page.route('**/assets/faq-*', route => route.abort())
  const asked = page.waitForEvent('requestfailed')
  await page.goto('/faq')
  await asked
  await page.unroute('**/assets/faq-*')
  await expect(page.getByRole('button', { name: 'Wer darf mitmachen?' })).toBeVisible()
})

test('a course page is readable while the booking component cannot be loaded @extended', async ({ page, loginAs }) => {
  await loginAs('employee')
  await page.goto('/courses')
  await page.route(/assets\/(booking-actions|own-bookings)-/, route => route.abort())
  await page.getByRole('searchbox').fill('Aktive Pause')
  await page.getByRole('main').getByRole('link', { name: 'Aktive Pause online' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Aktive Pause online' })).toBeVisible()
  await expect(page.getByText('Das Portal antwortet gerade nicht.')).toBeVisible()
  await page.unroute(/assets\/(booking-actions|own-bookings)-/)
  await expect(page.getByRole('button', { name: 'Jetzt buchen' })).toBeVisible()
})

test('formatted text is shown as plain text until the sanitizer is loaded @extended', async ({ page }) => {
  await page.goto('/courses')
  await page.route('**/assets/purify*', route => route.abort())
  const asked = page.waitForEvent('requestfailed')
  await page.getByRole('searchbox').fill('Faszien')
  await page.getByRole('main').getByRole('link', { name: 'Faszien & Mobilität' }).first().click()
  const item = page.getByRole('listitem').filter({ hasText: 'Rollen für Waden' })
  await asked
  await expect(page.getByText('Rollen für Waden')).toBeVisible()
  await expect(item).toBeHidden()
  await page.unroute('**/assets/purify*')
  await expect(item).toBeVisible()
})

test('if the texts of a page cannot be loaded in the other language, the page keeps the current one @extended', async ({
  page,
}) => {
  await page.goto('/faq', { waitUntil: 'networkidle' })
  await switchInVain(page, '**/assets/faq-*')
  await expect(page.getByRole('heading', { level: 1, name: 'Häufige Fragen' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Wer darf mitmachen?' })).toBeVisible()
})

test('if the scripts of the app cannot be loaded, the page shows a notice @extended', async ({ page }) => {
  const notice = page.getByText('Das Portal lässt sich gerade nicht laden.')
  for (const files of ['**/assets/index-*.js', '**/assets/first-*.js']) {
    await page.route(files, route => route.abort())
    await page.goto('/courses')
    await expect(notice).toBeVisible()
    await expect(page.getByText('The portal cannot be loaded just now.')).toBeVisible()
    await page.unroute(files)
  }
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Kurse' })).toBeVisible()
  await expect(notice).toBeHidden()
})
