import type { Language } from '#contract/values.ts'
import { endWithPage } from '#lib/page-freeze.ts'
import { newUuid } from '#lib/uuid.ts'
import { doneAtOf, entryKey, isUnsent, type OutboxEntry, readEntry } from './records.ts'

const NAME = 'attendance'
const VERSION = 1
const ENTRIES = 'entries'
const SENDER = 'sender'
/** The lists and courses that lists.ts keeps, by key. */
const KEPT = 'kept'
/** Names this very database, in the store of the sender: another name means that the former one was taken away. */
const GENERATION = 'generation'

/** Who may send while no page is open: present only while that person's entries wait, and gone at logout. */
export type Sender = {
  userId: number
  token: string
  /** of the sentence that a refusal brings; missing in what an older version stored */
  language?: Language
}

export type StoredRow = { key: string; value: unknown }

/** Every function is one transaction. What is read is as it was found: whoever reads it judges it. */
export type OutboxDatabase = {
  list(): Promise<{ generation: string; rows: StoredRow[] }>
  /** Stores entries, each unless a newer one of the same key is there; with them who may send while no page is open. */
  put(entries: OutboxEntry[], sender?: Sender | null): Promise<void>
  /** Changes the entry only while it is still the same change: a newer tap on the same person wins. */
  replace(entry: OutboxEntry): Promise<void>
  /** Removes the entry only while it is still the same change. */
  remove(entry: OutboxEntry): Promise<void>
  /** Removes whatever lies there. */
  removeRow(key: string): Promise<void>
  readSender(): Promise<Sender | null>
  /** Forgets who may send, once nothing of that person waits; at once when `isLost`. */
  releaseSender(isLost?: boolean): Promise<void>
  listStored(): Promise<StoredRow[]>
  /** Writes (null: removes) what is kept, and in the same step removes the entries that are settled with it. */
  writeStored(changes: Record<string, unknown>, settled?: OutboxEntry[]): Promise<void>
  /** Gives up what is under way. */
  close(): void
}

const finished = (transaction: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new DOMException('the transaction was ended', 'AbortError'))
  })

const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Calls back with what lies under a key, within the transaction. */
function withStored(store: IDBObjectStore, key: string, act: (value: unknown) => void): void {
  const stored: IDBRequest<unknown> = store.get(key)
  stored.onsuccess = () => act(stored.result)
}

const isSame = (value: unknown, { changeId }: OutboxEntry) =>
  typeof value === 'object' && value !== null && 'changeId' in value && value.changeId === changeId

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
    opening.transaction?.objectStore(SENDER).put(newUuid(), GENERATION)
  }
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
  const write = async (stores: string[], change: (transaction: IDBTransaction) => void) => {
    const transaction = begin(stores, 'readwrite')
    change(transaction)
    await finished(transaction)
  }
  const readAll = async (store: IDBObjectStore): Promise<StoredRow[]> => {
    const [keys, values] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())])
    return values.map((value: unknown, at) => ({ key: String(keys[at]), value }))
  }
  const removeIfSame = (transaction: IDBTransaction, entry: OutboxEntry) => {
    const entries = transaction.objectStore(ENTRIES)
    const key = entryKey(entry)
    withStored(entries, key, value => isSame(value, entry) && entries.delete(key))
  }

  return {
    list: async () => {
      const transaction = begin([ENTRIES, SENDER], 'readonly')
      const [rows, generation] = await Promise.all([
        readAll(transaction.objectStore(ENTRIES)),
        resultOf<unknown>(transaction.objectStore(SENDER).get(GENERATION)),
      ])
      // One made by an older version of the app has no name.
      return { rows, generation: String(generation ?? '') }
    },
    put: (entries, sender = null) =>
      write([ENTRIES, SENDER], transaction => {
        const store = transaction.objectStore(ENTRIES)
        for (const entry of entries) {
          const key = entryKey(entry)
          withStored(store, key, value => {
            const stored = readEntry(key, value)
            // A write that was given up may still have come through, and late.
            if (!stored || doneAtOf(stored) <= doneAtOf(entry)) store.put(entry, key)
          })
        }
        if (sender) transaction.objectStore(SENDER).put(sender, SENDER)
      }),
    replace: entry =>
      write([ENTRIES], transaction => {
        const store = transaction.objectStore(ENTRIES)
        const key = entryKey(entry)
        withStored(store, key, value => isSame(value, entry) && store.put(entry, key))
      }),
    remove: entry => write([ENTRIES], transaction => removeIfSame(transaction, entry)),
    removeRow: key => write([ENTRIES], transaction => transaction.objectStore(ENTRIES).delete(key)),
    readSender: async () => {
      const stored = await resultOf<Sender | undefined>(
        begin([SENDER], 'readonly').objectStore(SENDER).get(SENDER) as IDBRequest<Sender | undefined>,
      )
      return stored ?? null
    },
    releaseSender: (isLost = false) =>
      write([ENTRIES, SENDER], transaction => {
        const senders = transaction.objectStore(SENDER)
        withStored(senders, SENDER, stored => {
          const { userId } = (stored ?? {}) as Partial<Sender>
          const entries: IDBRequest<unknown[]> = transaction.objectStore(ENTRIES).getAll()
          entries.onsuccess = () => {
            const waits = entries.result.some(value => {
              const entry = readEntry(null, value)
              return entry !== null && entry.userId === userId && isUnsent(entry)
            })
            if (isLost || !waits) senders.delete(SENDER)
          }
        })
      }),
    listStored: () => readAll(begin([KEPT], 'readonly').objectStore(KEPT)),
    writeStored: (changes, settled = []) =>
      write([KEPT, ENTRIES], transaction => {
        const rows = transaction.objectStore(KEPT)
        for (const [key, value] of Object.entries(changes)) value === null ? rows.delete(key) : rows.put(value, key)
        for (const entry of settled) removeIfSame(transaction, entry)
      }),
    close: () => {
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
