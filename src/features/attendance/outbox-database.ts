import type { Language } from '#contract/values.ts'
import { endWithPage } from '#lib/page-freeze.ts'
import { entryKey, isUnsent, type OutboxEntry } from './outbox-records.ts'

const NAME = 'attendance'
const VERSION = 1
const ENTRIES = 'entries'
const SENDER = 'sender'
/** The lists and courses that cache.ts keeps, by key. */
const KEPT = 'kept'

/** Who may send while no page is open: present only while that person's entries wait, and gone at logout. */
export type Sender = {
  userId: number
  token: string
  /** of the sentence that a refusal brings; missing in what an older version stored */
  language?: Language
}

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

/** What is on this device. Every write is on the disk (`durability: strict`) before its promise resolves. */
export type OutboxDatabase = {
  list(): Promise<OutboxEntry[]>
  /** Each takes the place of an entry with the same key. `sender` lets the worker send them while no page is open. */
  put(entries: OutboxEntry[], sender?: Sender | null): Promise<void>
  /** Changes the entry only while it is still the same change: a newer tap on the same person wins. */
  replace(changeId: string, entry: OutboxEntry): Promise<void>
  /** Removes the entry only while it is still the same change. */
  remove(entry: OutboxEntry): Promise<void>
  readSender(): Promise<Sender | null>
  /** Forgets who may send, once nothing of that person waits; at once when `isLost`. */
  releaseSender(isLost?: boolean): Promise<void>
  listKept(): Promise<{ key: string; value: unknown }[]>
  /** Writes (null: removes) what is kept, and in the same step removes the entries that are settled with it. */
  writeKept(changes: Record<string, unknown>, settled?: OutboxEntry[]): Promise<void>
  close(): void
}

/**
 * @param onLost called when the browser takes the database away; the next use has to open it anew
 * @throws DOMException when the browser refuses IndexedDB (`VersionError`: a newer version of the app has been here)
 */
export async function openOutboxDatabase(
  factory: IDBFactory = indexedDB,
  onLost: () => void = () => undefined,
): Promise<OutboxDatabase> {
  const opening = factory.open(NAME, VERSION)
  opening.onupgradeneeded = () => {
    for (const store of [ENTRIES, SENDER, KEPT]) opening.result.createObjectStore(store)
  }
  const database = await resultOf(opening)
  database.onclose = onLost
  // A newer version of the app in another tab may not have to wait for this one.
  database.onversionchange = () => {
    database.close()
    onLost()
  }

  const begin = (stores: string[], mode: IDBTransactionMode) => {
    const transaction = database.transaction(stores, mode, { durability: 'strict' })
    endWithPage(transaction)
    return transaction
  }
  const write = async (stores: string[], change: (transaction: IDBTransaction) => void) => {
    const transaction = begin(stores, 'readwrite')
    change(transaction)
    await finished(transaction)
  }
  const ifStored = (
    transaction: IDBTransaction,
    key: string,
    changeId: string,
    change: (entries: IDBObjectStore) => void,
  ) => {
    const entries = transaction.objectStore(ENTRIES)
    const stored: IDBRequest<OutboxEntry | undefined> = entries.get(key)
    stored.onsuccess = () => {
      if (stored.result?.changeId === changeId) change(entries)
    }
  }
  const removeIfStored = (transaction: IDBTransaction, entry: OutboxEntry) => {
    const key = entryKey(entry)
    ifStored(transaction, key, entry.changeId, entries => entries.delete(key))
  }
  const read = <T>(name: string, ask: (store: IDBObjectStore) => IDBRequest<T>) =>
    resultOf(ask(begin([name], 'readonly').objectStore(name)))

  return {
    list: async () => read<OutboxEntry[]>(ENTRIES, entries => entries.getAll()),
    put: (entries, sender = null) =>
      write([ENTRIES, SENDER], transaction => {
        for (const entry of entries) transaction.objectStore(ENTRIES).put(entry, entryKey(entry))
        if (sender) transaction.objectStore(SENDER).put(sender, SENDER)
      }),
    replace: (changeId, entry) =>
      write([ENTRIES], transaction =>
        ifStored(transaction, entryKey(entry), changeId, entries => entries.put(entry, entryKey(entry))),
      ),
    remove: entry => write([ENTRIES], transaction => removeIfStored(transaction, entry)),
    readSender: async () => (await read<Sender | undefined>(SENDER, senders => senders.get(SENDER))) ?? null,
    releaseSender: (isLost = false) =>
      write([ENTRIES, SENDER], transaction => {
        const stored: IDBRequest<Sender | undefined> = transaction.objectStore(SENDER).get(SENDER)
        const entries: IDBRequest<OutboxEntry[]> = transaction.objectStore(ENTRIES).getAll()
        entries.onsuccess = () => {
          const waits = entries.result.some(entry => entry.userId === stored.result?.userId && isUnsent(entry))
          if (isLost || !waits) transaction.objectStore(SENDER).delete(SENDER)
        }
      }),
    listKept: async () => {
      const store = begin([KEPT], 'readonly').objectStore(KEPT)
      const [keys, values] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())])
      return values.map((value, place) => ({ key: String(keys[place]), value }))
    },
    writeKept: (changes, settled = []) =>
      write([KEPT, ENTRIES], transaction => {
        const kept = transaction.objectStore(KEPT)
        for (const [key, value] of Object.entries(changes)) value === null ? kept.delete(key) : kept.put(value, key)
        for (const entry of settled) removeIfStored(transaction, entry)
      }),
    close: () => database.close(),
  }
}
