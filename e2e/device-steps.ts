import type { BrowserContext, Page } from '@playwright/test'
import type { DeviceStorageLocation } from '#contract/tables/device-map.ts'

/**
 * Location of stored data on the device. IndexedDB: `database/store`; for the portal's own store `portal/stores/key`.
 */
export type Found = { where: DeviceStorageLocation['where']; name: string; content: string }

/**
 * All data that a browser has stored for the portal. Bytes are decoded as Latin letters, so that words in them can be
 * found.
 */
export async function searchDevice(page: Page, context: BrowserContext): Promise<Found[]> {
  const cookies = (await context.cookies()).map(({ name, value }): Found => ({ where: 'cookie', name, content: value }))
  const rest = await page.evaluate(async () => {
    const found: { where: string; name: string; content: string }[] = []
    const textOf = (value: unknown) =>
      JSON.stringify(value, (_, part) => {
        if (!(part instanceof ArrayBuffer || ArrayBuffer.isView(part))) return part
        const bytes = part instanceof ArrayBuffer ? new Uint8Array(part) : new Uint8Array(part.buffer)
        return new TextDecoder().decode(bytes)
      })
    const answerOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    for (const [where, storage] of Object.entries({ local: localStorage, tab: sessionStorage })) {
      for (const [name, content] of Object.entries(storage)) found.push({ where, name, content: String(content) })
    }
    for (const { name: database = '' } of await indexedDB.databases()) {
      const opened = await answerOf(indexedDB.open(database))
      for (const store of opened.objectStoreNames) {
        const objects = opened.transaction(store).objectStore(store)
        const [keys, values] = await Promise.all([answerOf(objects.getAllKeys()), answerOf(objects.getAll())])
        values.forEach((value, index) => {
          const key = database === 'portal' ? `/${String(keys[index])}` : ''
          found.push({ where: 'indexedDb', name: `${database}/${store}${key}`, content: textOf([keys[index], value]) })
        })
      }
      opened.close()
    }
    for (const name of await caches.keys()) {
      const addresses = (await (await caches.open(name)).keys()).map(({ url }) => url)
      found.push({ where: 'cache', name, content: addresses.join(' ') })
    }
    return found
  })
  return [...cookies, ...(rest as Found[])]
}
