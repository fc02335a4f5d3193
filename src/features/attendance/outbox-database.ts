import { entryKey, type OutboxEntry } from './outbox-records.ts'

const NAME = 'attendance-outbox'
const ENTRIES = 'entries'
const SENDER = 'sender'

/** Who may send while no page is open: present only while entries wait, and gone at logout. */
export type Sender = { userId: number; token: string }

const finished = (transaction: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
  })

const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** The outbox on this device. Every write is on the disk (`durability: strict`) before its promise resolves. */
export type OutboxDatabase = {
  list(): Promise<OutboxEntry[]>
  /** Takes the place of an entry with the same key. */
  put(entry: OutboxEntry): Promise<void>
  /** Changes the entry only while it is still the same change: a newer tap on the same person wins. */
  replace(changeId: string, entry: OutboxEntry): Promise<void>
  /** Removes the entry only while it is still the same change. */
  remove(entry: OutboxEntry): Promise<void>
  readSender(): Promise<Sender | null>
  writeSender(sender: Sender | null): Promise<void>
}

/** @throws DOMException when the browser refuses IndexedDB */
export async function openOutboxDatabase(factory: IDBFactory = indexedDB): Promise<OutboxDatabase> {
  const opening = factory.open(NAME, 1)
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(ENTRIES)
    opening.result.createObjectStore(SENDER)
  }
  const database = await resultOf(opening)

  const write = (stores: string, change: (store: IDBObjectStore) => void) => {
    const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' })
    change(transaction.objectStore(stores))
    return finished(transaction)
  }
  const ifSame = (entry: OutboxEntry, changeId: string, change: (store: IDBObjectStore, key: string) => void) =>
    write(ENTRIES, store => {
      const key = entryKey(entry)
      const stored: IDBRequest<OutboxEntry | undefined> = store.get(key)
      stored.onsuccess = () => {
        if (stored.result?.changeId === changeId) change(store, key)
      }
    })

  return {
    list: () => resultOf<OutboxEntry[]>(database.transaction(ENTRIES).objectStore(ENTRIES).getAll()),
    put: entry => write(ENTRIES, store => store.put(entry, entryKey(entry))),
    replace: (changeId, entry) => ifSame(entry, changeId, (store, key) => store.put(entry, key)),
    remove: entry => ifSame(entry, entry.changeId, (store, key) => store.delete(key)),
    readSender: async () =>
      (await resultOf<Sender | undefined>(database.transaction(SENDER).objectStore(SENDER).get('sender'))) ?? null,
    writeSender: sender => write(SENDER, store => (sender ? store.put(sender, 'sender') : store.delete('sender'))),
  }
}
