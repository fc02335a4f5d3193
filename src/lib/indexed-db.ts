import { endWithPage } from './page-freeze.ts'

export type StoredRow = { key: string; value: unknown }

export const finished = (transaction: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new DOMException('the transaction was ended', 'AbortError'))
  })

export const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Calls back with what lies under a key, within the transaction. */
export function withStored(store: IDBObjectStore, key: string, act: (value: unknown) => void): void {
  const stored: IDBRequest<unknown> = store.get(key)
  stored.onsuccess = () => act(stored.result)
}

/** Every row of a store with its key. @throws DOMException of the request */
export async function readAll(store: IDBObjectStore): Promise<StoredRow[]> {
  const [keys, values] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())])
  return values.map((value: unknown, at) => ({ key: String(keys[at]), value }))
}

/**
 * A database whose transactions are strict and end with the page.
 * @param onLost it was taken away: the next use opens it anew @throws DOMException
 */
export async function openDatabase(
  opening: IDBOpenDBRequest,
  upgrade: (database: IDBDatabase, transaction: IDBTransaction | null) => void,
  onLost: () => void,
) {
  opening.onupgradeneeded = () => upgrade(opening.result, opening.transaction)
  const database = await resultOf(opening)
  database.onclose = onLost
  // A newer version of the app in another tab, or whoever deletes it, may not have to wait for this one.
  database.onversionchange = () => {
    database.close()
    onLost()
  }
  const open = new Set<IDBTransaction>()
  const begin = (stores: string[], mode: IDBTransactionMode) => {
    const transaction = database.transaction(stores, mode, { durability: 'strict' })
    endWithPage(transaction)
    open.add(transaction)
    for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => open.delete(transaction))
    return transaction
  }
  return {
    read: (...stores: string[]) => begin(stores, 'readonly'),
    /** Resolves once the change is on the disk. */
    async write(stores: string[], change: (transaction: IDBTransaction) => void): Promise<void> {
      const transaction = begin(stores, 'readwrite')
      change(transaction)
      await finished(transaction)
    },
    /** Gives up what is under way. */
    close(): void {
      for (const transaction of open) {
        try {
          transaction.abort()
        } catch {
          // It was finishing already.
        }
      }
      database.close()
    },
  }
}
