import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** URLs of users' own pictures in the worker's cache and in Workbox's expiration records. */
const traces = (page: Page) =>
  page.evaluate(async () => {
    const kept = await (await caches.open('pictures-own')).keys()
    const notes = await new Promise<unknown[]>(resolve => {
      const opening = indexedDB.open('workbox-expiration')
      opening.onsuccess = () => {
        const all = opening.result.transaction('cache-entries').objectStore('cache-entries').getAll()
        all.onsuccess = () => {
          opening.result.close()
          resolve(all.result)
        }
      }
    })
    return { kept: kept.map(({ url }) => url), notes: JSON.stringify(notes) }
  })

test('photos of the user’s own courses are available offline and deleted at logout @extended', async ({
  page,
  context,
  loginAs,
}) => {
  await loginAs('employee')
  await page.goto('/photo-album/5')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  const photos = page.getByRole('main').getByRole('img')
  await expect(photos).toHaveCount(5)
  const signed = (await photos.first().getAttribute('src')) ?? ''
  expect(signed).toMatch(/^\/thumbnails\/~/)
  const isDrawn = () => photos.first().evaluate(image => (image as HTMLImageElement).naturalWidth > 0)
  await expect.poll(async () => (await traces(page)).kept.length).toBeGreaterThanOrEqual(5)

  const key = decodeURIComponent(signed).split('~')[1] ?? ''
  const { kept, notes } = await traces(page)
  expect(kept.join()).toContain('/thumbnails/~5~rueckenfit-01.webp')
  expect(kept.join() + notes).not.toContain(key)

  await context.setOffline(true)
  await page.reload()
  await expect.poll(isDrawn).toBe(true)
  await context.setOffline(false)
  await page.reload()
  const fresh = (await photos.first().getAttribute('src')) ?? ''
  expect((await page.request.get(fresh)).status()).toBe(200)

  await page.getByRole('button', { name: 'Menü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  const statusOf = async (address: string) => (await page.request.get(address)).status()
  for (const address of [signed, fresh]) await expect.poll(() => statusOf(address)).toBe(404)
  await expect.poll(async () => (await traces(page)).kept).toEqual([])
  await expect.poll(async () => (await traces(page)).notes).not.toContain('rueckenfit')
})
