import { clear, createStore, delMany, get, set, type UseStore } from 'idb-keyval'
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

/** An answer of the server as the device keeps it. */
export type Stored<Answer> = {
  /** the id of the person whose it is; null: everybody's. An older app noted the name. */
  owner: number | string | null
  /** when the server said so, ms since 1970 by its clock */
  asOf: number
  answer: Answer
}

/** Grows when the envelope changes: what `opened` does not know is dropped and fetched again. */
const VERSION = 2

/** Version 1 had an envelope of its own for each list: the answer alone, or in a field, beside whose and of when it is. */
function fromVersion1(state: object): Stored<unknown> {
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

/** What is kept under a key; null: nothing, or nothing that can be read. It was written by some version of this app, or damaged since. */
export async function readStored<Answer>(key: string): Promise<Stored<Answer> | null> {
  try {
    const stored = await get(key, store())
    const kept = stored?.version === VERSION ? stored : stored?.version === 1 ? fromVersion1(stored.state) : null
    return Number.isFinite(kept?.asOf) ? kept : null
  } catch {
    // Blocked or broken: everything kept here can be fetched again.
    return null
  }
}

/** Values go in by structured clone, not through JSON. */
export async function writeStored<Answer>(key: string, stored: Stored<Answer>): Promise<void> {
  try {
    await set(key, { version: VERSION, ...stored }, store())
  } catch {
    // A full disk or a blocked database: the page goes on with what it has in memory.
  }
}

export async function removeStored(keys: readonly string[]): Promise<void> {
  try {
    await delMany([...keys], store())
  } catch {
    // Nothing to remove where nothing can be stored.
  }
}

/** Forgets everything kept under these keys; what the server has is fetched again. */
export async function clearStores(): Promise<void> {
  await clear(store())
}
