export type StoredRow = { key: string; value: unknown }

export const waitForTransaction = (transaction: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new DOMException('the transaction was ended', 'AbortError'))
  })

export const waitForDbRequest = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Reads the value of a key and calls `act` with it in the same transaction. */
export function readInTransaction(store: IDBObjectStore, key: string, act: (value: unknown) => void): void {
  const stored: IDBRequest<unknown> = store.get(key)
  stored.onsuccess = () => act(stored.result)
}

/**
 * Reads all rows of a store with their keys.
 * @throws DOMException if the request fails
 */
export async function readAll(store: IDBObjectStore): Promise<StoredRow[]> {
  const [keys, values] = await Promise.all([waitForDbRequest(store.getAllKeys()), waitForDbRequest(store.getAll())])
  return values.map((value: unknown, at) => ({ key: String(keys[at]), value }))
}

/**
 * Opens a database with strict durability. Its transactions are aborted when the user leaves the page.
 * @param onLost called when the browser closes the connection; the next use reopens it
 * @throws DOMException
 */
export async function openDatabase(
  opening: IDBOpenDBRequest,
  upgrade: (database: IDBDatabase, transaction: IDBTransaction | null) => void,
  onLost: () => void,
) {
  opening.onupgradeneeded = () => upgrade(opening.result, opening.transaction)
  const database = await waitForDbRequest(opening)
  database.onclose = onLost
  // The connection is closed immediately so that it does not block an upgrade or deletion in another tab.
  database.onversionchange = () => {
    database.close()
    onLost()
  }
  const open = new Set<IDBTransaction>()
  const begin = (stores: string[], mode: IDBTransactionMode) => {
    const transaction = database.transaction(stores, mode, { durability: 'strict' })
    abortOnPageHide(transaction)
    open.add(transaction)
    for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => open.delete(transaction))
    return transaction
  }
  return {
    read: (...stores: string[]) => begin(stores, 'readonly'),
    /** Resolves once the transaction is durable. */
    async write(stores: string[], change: (transaction: IDBTransaction) => void): Promise<void> {
      const transaction = begin(stores, 'readwrite')
      change(transaction)
      await waitForTransaction(transaction)
    },
    /** Aborts pending transactions and closes the connection. */
    close(): void {
      for (const transaction of open) {
        try {
          transaction.abort()
        } catch {
          // `abort` throws if the transaction is already finishing.
        }
      }
      database.close()
    },
  }
}

const unfinished = new Set<IDBTransaction>()
let isListening = false

/**
 * Aborts a transaction when the user leaves the page. A browser may freeze a page for its back/forward cache in the
 * middle of a transaction. WebKit then never ends the transaction, so every later use of the database hangs, in all
 * tabs and even after a reload.
 */
export function abortOnPageHide(transaction: IDBTransaction): void {
  listen()
  unfinished.add(transaction)
  for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => unfinished.delete(transaction))
}

/** In a service worker, the `pagehide` event never fires. */
function listen(): void {
  if (isListening) return
  isListening = true
  globalThis.addEventListener?.('pagehide', giveUp)
}

function giveUp(): void {
  for (const transaction of unfinished) {
    try {
      transaction.abort()
    } catch {
      // `abort` throws if the transaction is already finishing.
    }
  }
  unfinished.clear()
}
