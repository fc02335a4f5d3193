import { clear, createStore, del, get, set, type UseStore } from 'idb-keyval'
import type { PersistStorage, StorageValue } from 'zustand/middleware'
import { endWithPage } from './page-freeze.ts'

/** Made at the first use: in a browser that refuses IndexedDB every use fails, none breaks the page. */
let database: UseStore | null = null
const store = (): UseStore => {
  database ??= createStore('portal', 'stores')
  const opened = database
  return (mode, use) =>
    opened(mode, objects => {
      endWithPage(objects.transaction)
      return use(objects)
    })
}

/**
 * A zustand `persist` storage over IndexedDB. Values go in by structured clone, not through JSON. What cannot be read counts
 * as nothing stored: everything kept here can be fetched again.
 */
export const indexedDbStorage = <State>(): PersistStorage<State> => ({
  getItem: async name => {
    try {
      return (await get<StorageValue<State>>(name, store())) ?? null
    } catch {
      return null
    }
  },
  setItem: async (name, value) => {
    try {
      await set(name, value, store())
    } catch {
      // A full disk or a blocked database: the page goes on with what it has in memory.
    }
  },
  removeItem: async name => {
    try {
      await del(name, store())
    } catch {
      // Nothing to remove where nothing can be stored.
    }
  },
})

/** Forgets everything kept under these keys; what the server has is fetched again. */
export async function clearStores(): Promise<void> {
  await clear(store())
}
