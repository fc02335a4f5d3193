import type { Page } from '@playwright/test'
import { pageOf, test, untilInstalled } from './browser-fixture.ts'
import { expect } from './fixtures.ts'
import { spareData } from './network-steps.ts'

const FLYER = '/content/gesund-durch-den-winter.pdf'
const TITLE = 'Gesund durch den Winter'

const flyersOn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await (await caches.open('documents-flyers')).keys()).map(({ url }) => url))

test('after one visit the flyers of the selected language are available offline; a missing one shows a notice @extended', async ({
  gate,
  installFrom,
}) => {
  const { browser, page } = await installFrom('/home')
  await expect.poll(async () => (await flyersOn(page)).length).toBe(9)
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate(async () => (await (await caches.open('documents')).keys()).length)).toBe(0)
  await page.reload()

  gate.isOpen = false
  // Otherwise the service worker updates an opened flyer from the browser's cache, possibly after the deletion below.
  await (await browser.newCDPSession(page)).send('Network.clearBrowserCache')
  await page.goto('/flyers')
  const flyer = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: TITLE }) })
  await expect(flyer.getByText('Offline', { exact: true })).toBeVisible()
  expect(await page.evaluate(async path => (await fetch(path)).status, FLYER)).toBe(200)

  await page.evaluate(async path => (await caches.open('documents-flyers')).delete(path), FLYER)
  await page.goto('/flyers')
  await expect(flyer.getByText('Nur mit Internet')).toBeVisible()
  const opened = browser.waitForEvent('page')
  await flyer.getByRole('link').click()
  const tab = await opened
  await expect(tab.getByRole('heading', { name: `„${TITLE}“ ist nicht auf diesem Gerät` })).toBeVisible()
  await expect(tab.getByRole('link', { name: 'Noch einmal öffnen' })).toHaveAttribute('href', FLYER)
})

test('in data saver mode no flyer is downloaded automatically, and saved flyers are labelled @extended', async ({
  openBrowser,
}) => {
  const browser = await openBrowser()
  const page = await pageOf(browser)
  await spareData(page)
  await page.goto('/flyers')
  await untilInstalled(browser)
  const keep = page.getByRole('button', { name: `Offline behalten: ${TITLE}` })
  await expect(keep).toHaveText('Offline behalten')
  await keep.click()
  await expect(keep).toHaveText('Offline')
  await page.waitForLoadState('networkidle')
  expect(await flyersOn(page)).toEqual([])
})
