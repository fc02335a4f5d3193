// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
})

/** A transaction from another page of the same browser, which is blocked while an earlier transaction is open. */
const readElsewhere = (name: string, store: string) =>
  new Promise<string>((resolve, reject) => {
    indexedDB.open(name).onsuccess = ({ target }) => {
      const request = (target as IDBOpenDBRequest).result.transaction(store).objectStore(store).getAllKeys()
      request.onsuccess = () => resolve(JSON.stringify(request.result))
      request.onerror = () => reject(request.error)
    }
  })

test('leaving the page aborts a pending write, and the database remains usable for other pages', async () => {
  const { abortOnPageHide } = await import('./indexed-db.ts')
  const opening = indexedDB.open('kept')
  opening.onupgradeneeded = () => opening.result.createObjectStore('kept')
  await new Promise(resolve => {
    opening.onsuccess = resolve
  })
  const transaction = opening.result.transaction('kept', 'readwrite')
  abortOnPageHide(transaction)
  const aborted = new Promise(resolve => {
    transaction.onabort = resolve
  })
  // These requests never end, like those of a frozen page.
  const again = () => {
    transaction.objectStore('kept').put('value', 'key').onsuccess = again
  }
  again()
  window.dispatchEvent(new Event('pagehide'))
  await aborted
  expect(await readElsewhere('kept', 'kept')).toBe('[]')
})

test('leaving the page also aborts a pending write to the data cache, and the page continues without it', async () => {
  const { readStoredResponse: readStored, writeStoredResponse: writeStored } = await import('./storage.ts')
  await writeStored('first', { owner: null, asOf: 1, answer: 'kept' })
  const writing = writeStored('second', { owner: null, asOf: 1, answer: 'given up' })
  // Waits until the transaction is open, but not until it completes one task later.
  for (let round = 0; round < 5; round += 1) await Promise.resolve()
  window.dispatchEvent(new Event('pagehide'))
  await writing
  expect(await readStored('second')).toBeNull()
  expect(await readStored('first')).toMatchObject({ answer: 'kept' })
})
