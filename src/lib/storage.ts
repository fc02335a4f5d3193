import { clear, createStore, delMany, get, set, type UseStore } from 'idb-keyval'
import { abortOnPageHide } from './indexed-db.ts'

/** Opened on first use. In a browser without IndexedDB, each use fails, but the page still works. */
let database: UseStore | null = null
const store = (): UseStore => {
  database ??= createStore('portal', 'stores')
  const opened = database
  return (mode, use) =>
    opened(mode, objects => {
      abortOnPageHide(objects.transaction)
      return use(objects)
    })
}

/** A server response as stored in IndexedDB. */
export type StoredResponse<Answer> = {
  /** user id of the owner; null for public data. Older app versions stored the user name. */
  owner: number | string | null
  /** server time of the response, ms since 1970 */
  asOf: number
  answer: Answer
}

/** Version of the envelope. Data with an unknown version is dropped and fetched again. */
const VERSION = 2

/**
 * Migrates version 1, in which the format differed by list: either just the response, or an object with the owner and
 * the time, whose remaining fields contain the response.
 */
function fromVersion1(state: object): StoredResponse<unknown> {
  if (Array.isArray(state)) return { owner: null, asOf: 0, answer: state }
  const {
    userName = null,
    webUserId = userName,
    fetchedAt = 0,
    asOf = fetchedAt,
    ...rest
  }: Record<string, unknown> = { ...state }
  const [first, ...others] = Object.values(rest)
  const owner = typeof webUserId === 'number' || typeof webUserId === 'string' ? webUserId : null
  return { owner, asOf: Number(asOf), answer: others.length > 0 ? rest : first }
}

/**
 * Reads stored data, which may come from any app version or be damaged. Returns null if it is missing or unreadable.
 */
export async function readStoredResponse<Answer>(key: string): Promise<StoredResponse<Answer> | null> {
  try {
    const stored = await get(key, store())
    const kept = stored?.version === VERSION ? stored : stored?.version === 1 ? fromVersion1(stored.state) : null
    return Number.isFinite(kept?.asOf) ? kept : null
  } catch {
    // Storage is blocked or broken. All data stored here can be fetched again.
    return null
  }
}

/** Writes data by structured cloning rather than as JSON. */
export async function writeStoredResponse<Answer>(key: string, stored: StoredResponse<Answer>): Promise<void> {
  try {
    await set(key, { version: VERSION, ...stored }, store())
  } catch {
    // The disk is full or the database blocked. The page continues with its data in memory.
  }
}

export async function removeStoredResponses(keys: readonly string[]): Promise<void> {
  try {
    await delMany([...keys], store())
  } catch {
    // Storage is unavailable, so there is nothing to delete.
  }
}

/** Deletes all stored data. It can be fetched again from the server. */
export async function clearStores(): Promise<void> {
  await clear(store())
}
