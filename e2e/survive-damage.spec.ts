import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { untilKept, WHOLE_PROGRAMME } from './programme-steps.ts'

const DAMAGE: Record<string, unknown> = {
  'a word': 'damaged',
  'an empty object': { state: {}, version: 1 },
  'lists of nothing': {
    state: { items: [null], instructors: [null], albums: [null], photos: { 1: null }, courses: [null], asOf: 1 },
    version: 1,
  },
  'a list of nothing': { state: [null], version: 1 },
}

/** Overwrites all stored values of the app with the same value. @returns number of overwritten values */
const damageDatabase = (page: Page, value: unknown) =>
  page.evaluate(
    damaged =>
      new Promise<number>(resolve => {
        indexedDB.open('portal').onsuccess = ({ target }) => {
          const { result: database } = target as IDBOpenDBRequest
          const transaction = database.transaction('stores', 'readwrite')
          const store = transaction.objectStore('stores')
          const keys = store.getAllKeys()
          keys.onsuccess = () => {
            for (const key of keys.result) store.put(damaged, key)
          }
          transaction.oncomplete = () => {
            database.close()
            resolve(keys.result.length)
          }
        }
      }),
    value,
  )

/** The screens that read stored data, each with an element that only the server's response provides. */
async function expectWhole(page: Page): Promise<void> {
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Worauf haben Sie Lust?' })).toBeVisible()
  await page.goto('/courses')
  await expect(page.getByText(WHOLE_PROGRAMME)).toBeVisible()
  await page.goto('/photo-album')
  await expect(page.getByRole('heading', { name: 'Sporttag am Tor 4' })).toBeVisible()
}

test('a damaged stored programme is fetched again, whatever the damage @extended', async ({ page }) => {
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  await page.goto('/courses')
  await untilKept(page)
  for (const [kind, value] of Object.entries(DAMAGE)) {
    expect(await damageDatabase(page, value), kind).toBeGreaterThan(4)
    await expectWhole(page)
    expect(faults, kind).toEqual([])
  }
})

test('while offline, a damaged programme is treated as missing, and the page offers a retry @extended', async ({
  page,
  context,
}) => {
  await page.goto('/courses')
  await untilKept(page)
  await damageDatabase(page, DAMAGE['an empty object'])
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Noch einmal versuchen' })).toBeVisible()
  // Data that are displayed again are refetched once the network is back.
  await context.setOffline(false)
  await expect(page.getByText(WHOLE_PROGRAMME)).toBeVisible()
})

test('the portal works with a database of another version and invalid settings @extended', async ({ page }) => {
  // A page of the portal without scripts, which therefore keeps no database connection open.
  await page.goto('/robots.txt')
  await page.evaluate(async () => {
    for (const key of ['Language', 'ColorScheme', 'SessionToken', 'LastSession', 'InstallHintDismissed']) {
      localStorage.setItem(key, '{"damaged')
    }
    for (const name of ['portal', 'attendance']) {
      await new Promise<void>(resolve => {
        const opened = indexedDB.open(name, 99)
        opened.onsuccess = () => {
          opened.result.close()
          resolve()
        }
      })
    }
  })
  await expectWhole(page)
  await expect(page.getByRole('button', { name: 'Anmelden', exact: true })).toBeEnabled()
})
