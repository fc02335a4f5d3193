import { create, type StoreApi } from 'zustand'
import { serverNow } from './clock.ts'
import { useOnline } from './online.ts'
import { readStored, removeStored, writeStored } from './storage.ts'

/** Data older than this are refetched when the page becomes visible again. */
const FRESH_MS = 5 * 60_000

/** Storage keys of personal data; deleted at logout, whether or not the page has loaded the resource. */
const PERSON_KEYS = ['course-states', 'booked-courses', 'messages', 'gallery-own', 'follows'] as const

export type Owner = { webUserId: number; userName: string }

export type Held<Data> = {
  data: Data
  /** `failed`: neither stored data nor a response; with data to show it is `ready` */
  phase: 'loading' | 'ready' | 'failed'
  /** server time of the data, ms since 1970; null before any data */
  asOf: number | null
  /** the last fetch failed: the data shown are from `asOf` */
  isStale: boolean
}

/** Owner of the data, and their key in IndexedDB. */
export type Place = { of: 'everyone'; key: string } | { of: 'person'; key: (typeof PERSON_KEYS)[number] }

type Common<Answer, Data> = Place & {
  /** initial data */
  empty: Data
  /** fetches from the server. @throws without a response or for an error response */
  fetch: () => Promise<Answer>
  /** adds fields that data stored by an older app version lack */
  complete?: (kept: Answer) => Answer
  /** validates stored data; false or an exception drops them */
  isUsable: (data: Data) => boolean
}

type Plain<Data> = Common<Data, Data> & { decode?: undefined }
type Decoded<Answer, Data> = Common<Answer, Data> & {
  /** maps a response to the data; unchanged data may keep their object identity */
  decode: (answer: Answer, before: Data) => Data
}

/** A Zustand store with stale-while-revalidate data, read through selectors. */
export type Resource<Data> = StoreApi<Held<Data>> & {
  (): Held<Data>
  <Part>(select: (held: Held<Data>) => Part): Part
  /** Shows stored data, then the server's, and keeps them current while the app is open. Personal data need a login. */
  load: () => Promise<void>
  /** Applies a change already accepted by the server; no response to an earlier request reverts it. */
  change: (next: (data: Data) => Data) => void
}

/** undefined: not determined yet */
let owner: Owner | null | undefined
/** Logical clock: incremented by each request and change, to order them without a wall clock. */
let turn = 0
const everyResource = new Set<{
  forget(): void
  wake(why: 'back' | 'shown' | 'asked'): Promise<void>
  of: 'everyone' | 'person'
}>()

/** Creates a resource: server data in memory and in IndexedDB, with their owner. See docs/decisions/0065. */
export function resource<Data>(declaration: Plain<Data>): Resource<Data>
export function resource<Answer, Data>(declaration: Decoded<Answer, Data>): Resource<Data>
export function resource<Answer, Data>(declaration: Plain<Data> | Decoded<Answer, Data>): Resource<Data> {
  return declaration.decode
    ? hold(declaration, declaration.decode, null)
    : hold<Data, Data>(
        declaration,
        answer => answer,
        data => data,
      )
}

export const haveIds = (items: Iterable<{ id: number }>): boolean => [...items].every(({ id }) => Number.isInteger(id))

/** A resource of a list of items with ids. */
export const listResource = <Item extends { id: number }>(
  declaration: Place & Pick<Plain<readonly Item[]>, 'fetch' | 'complete'>,
): Resource<readonly Item[]> => resource<readonly Item[]>({ empty: [], isUsable: haveIds, ...declaration })

/** @param encode inverse of `decode`, to store locally changed data; null if not invertible */
function hold<Answer, Data>(
  { key, of, empty, fetch, complete, isUsable }: Common<Answer, Data>,
  decode: (answer: Answer, before: Data) => Data,
  encode: ((data: Data) => Answer) | null,
): Resource<Data> {
  const store = create<Held<Data>>(() => ({ data: empty, phase: 'loading', asOf: null, isStale: false }))
  /** Turn of the request or user whose data are shown; responses to earlier ones are ignored. */
  let shownTurn = 0
  let underWay = 0
  let isWanted = false
  /** changes that a pending response may not include yet */
  let changes: { turn: number; next: (data: Data) => Data }[] = []

  const whose = () => (of === 'person' ? owner?.webUserId : null)
  const isMine = (stored: number | string | null) =>
    stored === whose() || (of === 'person' && stored === owner?.userName)
  const write = (answer: Answer, asOf: number) => writeStored(key, { owner: whose() ?? null, asOf, answer })

  function meaningOf(answer: Answer, asked: number): Data {
    const data = decode(answer, store.getState().data)
    return changes.filter(change => change.turn > asked).reduce((before, { next }) => next(before), data)
  }

  async function recall(asked: number): Promise<void> {
    const stored = await readStored<Answer>(key)
    if (!stored || asked < shownTurn || store.getState().asOf !== null || !isMine(stored.owner)) return
    try {
      const data = meaningOf(complete ? complete(stored.answer) : stored.answer, 0)
      if (isUsable(data)) store.setState({ data, phase: 'ready', asOf: stored.asOf })
    } catch {
      // Damaged stored data count as missing.
    }
  }

  async function load(): Promise<void> {
    isWanted = true
    if (whose() === undefined) return
    turn += 1
    const asked = turn
    underWay += 1
    if (store.getState().phase === 'failed') store.setState({ phase: 'loading' })
    const recalled = store.getState().asOf === null ? recall(asked) : null
    try {
      const answer = await fetch()
      if (asked < shownTurn) return
      const [data, asOf] = [meaningOf(answer, asked), serverNow()]
      shownTurn = asked
      store.setState({ data, phase: 'ready', asOf, isStale: false })
      await write(encode ? encode(data) : answer, asOf)
    } catch {
      // Shown data remain, marked as stale; without data the screen reports the failure.
      await recalled
      if (asked < shownTurn) return
      store.setState(({ asOf }) => ({ isStale: true, phase: asOf === null ? 'failed' : 'ready' }))
    } finally {
      underWay -= 1
      if (underWay === 0) changes = []
    }
  }

  function change(next: (data: Data) => Data): void {
    turn += 1
    if (underWay > 0) changes.push({ turn, next })
    store.setState(({ data }) => ({ data: next(data) }))
    const { data, asOf } = store.getState()
    if (asOf !== null && encode) write(encode(data), asOf)
  }

  everyResource.add({
    of,
    forget: () => {
      turn += 1
      shownTurn = turn
      changes = []
      store.setState(store.getInitialState(), true)
      if (isWanted) load()
    },
    wake: async why => {
      const { asOf, isStale } = store.getState()
      const isOld = why === 'asked' || (why === 'back' ? isStale : Math.abs(serverNow() - (asOf ?? 0)) > FRESH_MS)
      if (isWanted && isOld) await load()
    },
  })
  return Object.assign(store, { load, change })
}

/** Sets the logged-in user; null after logout. Deletes the data of any other user from memory and storage. */
export function setOwner(next: Owner | null): void {
  const before = owner
  if (before !== undefined && next?.webUserId === before?.webUserId) return
  owner = next && { webUserId: next.webUserId, userName: next.userName }
  if (!next || before) removeStored(PERSON_KEYS)
  for (const { of, forget } of everyResource) if (of === 'person') forget()
}

async function wakeAll(why: 'back' | 'shown' | 'asked'): Promise<void> {
  await Promise.all([...everyResource].map(held => held.wake(why)))
}

/** Refetches all resources in use, on request of the user. */
export const refreshAll = (): Promise<void> => wakeAll('asked')

/** Starts refetching of stale data: on reconnect, and when the page becomes visible after a while. */
export function startResources(): void {
  useOnline.subscribe(({ isOnline }, before) => {
    if (isOnline && !before.isOnline) wakeAll('back')
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wakeAll('shown')
  })
}
