import type { Page } from '@playwright/test'
import { PAGE_PATHS } from '#contract/endpoints/public-pages.ts'
import { test } from './browser-fixture.ts'
import { expect } from './fixtures.ts'
import { patience } from './patience.ts'

test('the app fulfils the browser’s criteria for installation, in both languages @extended', async ({
  installFrom,
}) => {
  const { browser, page } = await installFrom('/home')
  const devtools = await browser.newCDPSession(page)
  for (const language of ['de', 'en']) {
    await page.evaluate(value => localStorage.setItem('Language', value), language)
    // The browser fetches the manifest asynchronously, and may still return that of the previous page.
    await expect(async () => {
      await page.goto('/home')
      await expect
        .poll(async () => JSON.parse((await devtools.send('Page.getAppManifest')).data ?? '{}'), { timeout: 3_000 })
        .toMatchObject({ lang: language, display: 'standalone', start_url: '/home' })
    }).toPass({ timeout: patience * 20_000 })
    const { data = '{}', errors } = await devtools.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const { screenshots } = JSON.parse(data)
    const forms = screenshots.map((picture: { form_factor: string }) => picture.form_factor)
    expect([...new Set(forms)].toSorted()).toEqual(['narrow', 'wide'])
    for (const { src } of screenshots) expect((await page.request.get(src)).ok()).toBe(true)
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    expect(installabilityErrors).toEqual([])
  }
})

/** The pages that users of outdated or wrong links see. */
const ROUTES = [...PAGE_PATHS.map(path => path.replace(':id', '1').replace(':token', 'unknown')), '/no-such-page']

test('every route is available offline after one visit @extended', async ({ gate, installFrom }) => {
  test.slow()
  const { page } = await installFrom('/home')
  await page.waitForLoadState('networkidle')
  gate.isOpen = false
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  for (const route of ROUTES) {
    await page.goto(route)
    await expect(page.getByRole('heading', { level: 1 }), route).toBeVisible()
  }
  expect(faults).toEqual([])
})

const askForUpdate = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
  })

test('a tab with the old version offers the update after another tab has activated the new one @extended', async ({
  gate,
  installFrom,
}) => {
  const { browser, page } = await installFrom('/faq')
  await page.reload()
  const other = await browser.newPage()
  await other.goto('/contact')
  gate.version = 1
  await askForUpdate(page)
  await page.getByRole('button', { name: 'Jetzt aktualisieren' }).click()
  const reloaded = other.waitForEvent('load')
  await other.getByRole('button', { name: 'Jetzt aktualisieren' }).click()
  await reloaded
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
})

test('accepting the update reloads the page even if the old service worker stays active @extended', async ({
  gate,
  installFrom,
}) => {
  const { page } = await installFrom('/faq')
  await page.reload()
  gate.version = 1
  await askForUpdate(page)
  const update = page.getByRole('button', { name: 'Jetzt aktualisieren' })
  await expect(update).toBeVisible()
  await page.evaluate(() => {
    ServiceWorker.prototype.postMessage = () => undefined
  })
  const reloaded = page.waitForEvent('load')
  await update.click()
  await reloaded
  // The page still runs the old version: it shows the update prompt again.
  const taken = page.waitForEvent('load')
  await update.click()
  await taken
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(update).toBeHidden()
})
