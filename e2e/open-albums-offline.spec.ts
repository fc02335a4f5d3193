import type { Page } from '@playwright/test'
import { test } from './browser-fixture.ts'
import { expect } from './fixtures.ts'

const OPENED = 'Sporttag am Tor 4'
const PHOTOS = 7

const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

/** Numbers of an album's cached thumbnails and full-size photos. */
const keptOf = (page: Page, name: string) =>
  page.evaluate(
    async part => (await (await caches.open('pictures')).keys()).filter(({ url }) => url.includes(part)).length,
    name,
  )

test('opened albums are available offline with all photos and labelled in the list; missing photos show a notice @extended', async ({
  gate,
  installFrom,
}) => {
  const { browser, page } = await installFrom('/photo-album')
  await card(page, OPENED).getByRole('link').click()
  await expect(page.getByRole('main').getByRole('img')).toHaveCount(PHOTOS)
  // Includes photos that have never been scrolled into view.
  await expect.poll(() => keptOf(page, '/thumbnails/sporttag-')).toBe(PHOTOS)
  await expect.poll(() => keptOf(page, '/photos/sporttag-')).toBe(PHOTOS)
  await page.getByRole('link', { name: 'Zurück zu den Alben' }).click()
  await expect(card(page, OPENED).getByText('Offline', { exact: true })).toBeVisible()

  gate.isOpen = false
  await (await browser.newCDPSession(page)).send('Network.clearBrowserCache')
  await page.goto('/photo-album')
  await expect(card(page, OPENED).getByText('Offline', { exact: true })).toBeVisible()
  const other = page.getByRole('listitem').filter({ hasText: 'Nur mit Internet' }).first()
  await expect(other).toBeVisible()

  await card(page, OPENED).getByRole('link').click()
  const photos = page.getByRole('main').getByRole('img')
  await expect(photos).toHaveCount(PHOTOS)
  for (const photo of await photos.all()) {
    await photo.scrollIntoViewIfNeeded()
    await expect.poll(() => photo.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
    await expect(photo).not.toHaveAttribute('src', /no-picture/)
  }

  await page.goto('/photo-album')
  await other.getByRole('link').click()
  const opened = browser.waitForEvent('page')
  await page.getByRole('main').getByRole('listitem').last().getByRole('link').click()
  const tab = await opened
  await expect(tab.getByRole('heading', { name: 'Dieses Foto ist nicht auf diesem Gerät' })).toBeVisible()
  await tab.getByRole('link', { name: 'Zur Fotogalerie' }).click()
  await expect(tab.getByRole('heading', { level: 1, name: 'Fotogalerie' })).toBeVisible()
})
