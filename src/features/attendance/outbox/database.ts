import type { Language } from '#contract/values.ts'
import { openDatabase, readAll, resultOf, type StoredRow, withStored } from '#lib/indexed-db.ts'
import { newUuid } from '#lib/uuid.ts'
import { type KeyedEntry, readUnsentOwner, readWhenDone } from './records.ts'

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

/** Every function is one transaction. What is read is as it was found: whoever reads it judges it. */
export type OutboxDatabase = {
  /** The entries, the name of the database, and whether somebody may send while no page is open. */
  list(): Promise<{ generation: string; rows: StoredRow[]; hasSender: boolean }>
  /** Stores entries, each unless a newer one of the same key is there; with them who may send while no page is open. */
  put(entries: KeyedEntry[], sender?: Sender | null): Promise<void>
  /** Changes the entry only while it is still the same change: a newer tap on the same person wins. */
  replace(of: KeyedEntry): Promise<void>
  /** Removes the entry only while it is still the same change. */
  remove(of: KeyedEntry): Promise<void>
  /** Removes whatever lies there. */
  removeRow(key: string): Promise<void>
  readSender(): Promise<Sender | null>
  /** Forgets who may send, once nothing of that person waits; at once when `isLost`. */
  releaseSender(isLost?: boolean): Promise<void>
  listStored(): Promise<StoredRow[]>
  /** Writes (null: removes) what is kept, and in the same step removes the entries that are settled with it. */
  writeStored(changes: Record<string, unknown>, settled?: KeyedEntry[]): Promise<void>
  /** Gives up what is under way. */
  close(): void
}

const isSame = (value: unknown, { entry: { changeId } }: KeyedEntry) =>
  typeof value === 'object' && value !== null && 'changeId' in value && value.changeId === changeId

/**
 * @param onLost called when the browser takes the database away; the next use has to open it anew
 * @throws DOMException when the browser refuses IndexedDB (`VersionError`: a newer version of the app has been here)
 */
export async function openOutboxDatabase(
  factory: IDBFactory = indexedDB,
  onLost: () => void = () => undefined,
): Promise<OutboxDatabase> {
  const database = await openDatabase(
    factory.open(NAME, VERSION),
    (fresh, transaction) => {
      for (const store of [ENTRIES, SENDER, KEPT]) fresh.createObjectStore(store)
      transaction?.objectStore(SENDER).put(newUuid(), GENERATION)
    },
    onLost,
  )
  const { read, write, close } = database
  const ifSame = (store: IDBObjectStore, of: KeyedEntry, act: () => void) =>
    withStored(store, of.key, value => isSame(value, of) && act())

  return {
    list: async () => {
      const transaction = read(ENTRIES, SENDER)
      const [rows, generation, senders] = await Promise.all([
        readAll(transaction.objectStore(ENTRIES)),
        resultOf<unknown>(transaction.objectStore(SENDER).get(GENERATION)),
        resultOf(transaction.objectStore(SENDER).count(SENDER)),
      ])
      // One made by an older version of the app has no name.
      return { rows, generation: String(generation ?? ''), hasSender: senders > 0 }
    },
    put: (entries, sender = null) =>
      write([ENTRIES, SENDER], transaction => {
        const store = transaction.objectStore(ENTRIES)
        for (const { key, doneAt, entry } of entries) {
          withStored(store, key, value => {
            // A write that was given up may still have come through, and late.
            if (value === undefined || readWhenDone(key, value) <= doneAt) store.put(entry, key)
          })
        }
        if (sender) transaction.objectStore(SENDER).put(sender, SENDER)
      }),
    replace: of =>
      write([ENTRIES], transaction => {
        const store = transaction.objectStore(ENTRIES)
        ifSame(store, of, () => store.put(of.entry, of.key))
      }),
    remove: of =>
      write([ENTRIES], transaction => {
        const store = transaction.objectStore(ENTRIES)
        ifSame(store, of, () => store.delete(of.key))
      }),
    removeRow: key => write([ENTRIES], transaction => transaction.objectStore(ENTRIES).delete(key)),
    readSender: async () => {
      const stored: Sender | undefined = await resultOf(read(SENDER).objectStore(SENDER).get(SENDER))
      return stored ?? null
    },
    releaseSender: (isLost = false) =>
      write([ENTRIES, SENDER], transaction => {
        const senders = transaction.objectStore(SENDER)
        withStored(senders, SENDER, stored => {
          const { userId } = (stored ?? {}) as Partial<Sender>
          const entries: IDBRequest<unknown[]> = transaction.objectStore(ENTRIES).getAll()
          entries.onsuccess = () => {
            if (isLost || !entries.result.some(value => readUnsentOwner(value) === userId)) senders.delete(SENDER)
          }
        })
      }),
    listStored: () => readAll(read(KEPT).objectStore(KEPT)),
    writeStored: (changes, settled = []) =>
      write([KEPT, ENTRIES], transaction => {
        const rows = transaction.objectStore(KEPT)
        for (const [key, value] of Object.entries(changes)) value === null ? rows.delete(key) : rows.put(value, key)
        const entries = transaction.objectStore(ENTRIES)
        for (const of of settled) ifSame(entries, of, () => entries.delete(of.key))
      }),
    close,
  }
}
