import { useEffect, useMemo } from 'react'
import { create, type StoreApi, useStore } from 'zustand'
import { PERSONAL_STORAGE_KEYS } from '#contract/tables/personal-storage.ts'
import { api, type EndpointData, type EndpointName, type EndpointOptions } from './api.ts'
import { serverNow } from './clock.ts'
import { useOnline } from './online.ts'
import { reuseIfEqual } from './reuse-if-equal.ts'
import { readStoredResponse, removeStoredResponses, writeStoredResponse } from './storage.ts'

/** Minimum age in ms at which data is refetched when the page becomes visible again. */
const FRESH_MS = 5 * 60_000

export type DataOwner = { webUserId: number; userName: string }

export type ResourceState<Data> = {
  data: Data
  /** `failed`: there is neither stored data nor a response. With data to show, the phase is `ready`. */
  phase: 'loading' | 'ready' | 'failed'
  /** server time of the data in ms since 1970; null if there is no data yet */
  asOf: number | null
  /** whether the last fetch failed; the data is then as of `asOf` */
  isStale: boolean
  /** error of the last fetch; null if it succeeded */
  error: unknown
  /** whether a fetch is pending */
  isLoading: boolean
}

/** The owner of persisted data and its key in IndexedDB. Data of a single screen is not persisted. */
export type StorageLocation =
  | { of: 'everyone'; key: string }
  | { of: 'person'; key: (typeof PERSONAL_STORAGE_KEYS)[number] }
type AnyPlace = StorageLocation | { of: 'screen'; key: null }

type Request<Answer> = {
  signal: AbortSignal
  /** publishes part of the response while the rest is pending */
  show: (part: Answer) => void
}
type Fetch<Answer> = (request: Request<Answer>) => Promise<Answer>

type Common<Answer, Data> = {
  /** initial data */
  empty: Data
  /**
   * fetches the data from the server
   * @throws if there is no response or an error response
   */
  fetch: Fetch<Answer>
  /** adds fields that are missing from data stored by an older app version */
  complete?: (kept: Answer) => Answer
  /** validates stored data, which is dropped if this returns false or throws */
  isUsable: (data: Data) => boolean
}

type Plain<Data> = StorageLocation & Common<Data, Data> & { decode?: undefined }
type Decoded<Answer, Data> = StorageLocation &
  Common<Answer, Data> & {
    /** maps a response to the data; data that has not changed may keep its object identity */
    decode: (answer: Answer, before: Data) => Data
  }

/** A Zustand store with stale-while-revalidate data, read through selectors. */
export type Resource<Data> = StoreApi<ResourceState<Data>> & {
  (): ResourceState<Data>
  <Part>(select: (held: ResourceState<Data>) => Part): Part
  /**
   * Shows stored data, then the server's, and keeps it current while the app is open. Personal data requires a login.
   */
  load: () => Promise<void>
  /** Shows stored data without sending a request. */
  recall: () => Promise<void>
  /** Stops keeping the data current until the next `load`. */
  stopRefetching: () => void
  /** Applies a change that the server has already accepted. A response to an earlier request does not revert it. */
  change: (next: (data: Data) => Data) => void
}

/** undefined until the session has been checked */
let owner: DataOwner | null | undefined
/** Logical clock, incremented by each request and change to order them independently of the device's clock. */
let turn = 0
/** What triggers a refetch: reconnecting, the page becoming visible again, the user, or an action in the office UI. */
type Reason = 'back' | 'shown' | 'asked' | 'changed'
type Entry = { forget(): void; wake(why: Reason): Promise<void>; of: AnyPlace['of'] }
const everyResource = new Set<Entry>()

/** Creates a resource: server data in memory and in IndexedDB, together with its owner. See docs/decisions/0065. */
export function createResource<Data>(declaration: Plain<Data>): Resource<Data>
export function createResource<Answer, Data>(declaration: Decoded<Answer, Data>): Resource<Data>
export function createResource<Answer, Data>(declaration: Plain<Data> | Decoded<Answer, Data>): Resource<Data> {
  const { entry, resource } = declaration.decode
    ? hold(declaration, declaration.decode, null)
    : hold<Data, Data>(declaration, (answer, before) => reuseIfEqual(before, answer), same)
  everyResource.add(entry)
  return resource
}

const same = <T>(data: T): T => data

export const allItemsHaveIds = (items: Iterable<{ id: number }>): boolean =>
  [...items].every(({ id }) => Number.isInteger(id))

/** Creates a resource whose data is a list of items with ids. */
export const createListResource = <Item extends { id: number }>(
  declaration: StorageLocation & Pick<Plain<readonly Item[]>, 'fetch' | 'complete'>,
): Resource<readonly Item[]> =>
  createResource<readonly Item[]>({ empty: [], isUsable: allItemsHaveIds, ...declaration })

/** Initial state, apart from the data. */
const NOT_LOADED = { phase: 'loading', asOf: null, isStale: false, error: null, isLoading: false } as const

/** Id of the user to whom the data belongs: null for public data, undefined without a login. */
const ownerIdOf = (of: AnyPlace['of']) => (of === 'person' ? owner?.webUserId : null)

/** Whether stored data may be shown to the current user. */
const isReadable = (of: AnyPlace['of'], storedOwner: number | string | null) =>
  storedOwner === ownerIdOf(of) || (of === 'person' && storedOwner === owner?.userName)

const needsRefetch = (why: Reason, of: AnyPlace['of'], { asOf, isStale }: ResourceState<unknown>) =>
  ({
    asked: true,
    changed: of === 'screen',
    back: isStale,
    // Data of a single screen is not refetched when the page becomes visible again, because a form that the user is
    // filling in may depend on it.
    shown: of !== 'screen' && Math.abs(serverNow() - (asOf ?? 0)) > FRESH_MS,
  })[why]

/**
 * Concurrency control of one resource: responses to outdated requests are ignored, and changes that a response may not
 * include yet are applied to it again.
 */
function createRequestOrder<Data>() {
  /** Sequence number of the current data or user. Responses to earlier requests are outdated. */
  let current = 0
  let pending = 0
  let changes: { turn: number; next: (data: Data) => Data }[] = []
  return {
    /** @returns the sequence number of the request */
    begin() {
      pending += 1
      turn += 1
      return turn
    },
    /** @returns whether this was the last pending request */
    end() {
      pending -= 1
      if (pending === 0) changes = []
      return pending === 0
    },
    isOutdated: (request: number) => request < current,
    accept(request: number) {
      current = request
    },
    /** Makes all pending requests outdated. */
    abandon() {
      turn += 1
      current = turn
      changes = []
    },
    addChange(next: (data: Data) => Data) {
      turn += 1
      if (pending > 0) changes.push({ turn, next })
    },
    applyChanges: (data: Data, request: number) =>
      changes.filter(change => change.turn > request).reduce((before, { next }) => next(before), data),
  }
}

/** @param encode inverse of `decode`, used to store data that was changed locally; null if there is no inverse */
function hold<Answer, Data>(
  { key, of, empty, fetch, complete, isUsable }: AnyPlace & Common<Answer, Data>,
  decode: (answer: Answer, before: Data) => Data,
  encode: ((data: Data) => Answer) | null,
) {
  const store = create<ResourceState<Data>>(() => ({ data: empty, ...NOT_LOADED }))
  const order = createRequestOrder<Data>()
  let leaving = new AbortController()
  let isWanted = false

  const write = async (answer: Answer, asOf: number) => {
    if (key !== null) await writeStoredResponse(key, { owner: ownerIdOf(of) ?? null, asOf, answer })
  }

  const meaningOf = (answer: Answer, asked: number) => order.applyChanges(decode(answer, store.getState().data), asked)

  async function recall(asked = turn): Promise<void> {
    const stored = key === null ? null : await readStoredResponse<Answer>(key)
    if (!stored || order.isOutdated(asked) || store.getState().asOf !== null || !isReadable(of, stored.owner)) return
    try {
      const data = meaningOf(complete ? complete(stored.answer) : stored.answer, 0)
      if (isUsable(data)) store.setState({ data, phase: 'ready', asOf: stored.asOf })
    } catch {
      // Damaged stored data is treated as missing.
    }
  }

  async function load(): Promise<void> {
    isWanted = true
    if (ownerIdOf(of) === undefined) return
    const asked = order.begin()
    const { phase, asOf: shownAsOf } = store.getState()
    store.setState({ phase: phase === 'failed' ? 'loading' : phase, error: null, isLoading: true })
    const recalled = shownAsOf === null ? recall(asked) : null
    try {
      // During a refetch, a list must not shrink to its first page.
      const show = (part: Answer) => {
        if (shownAsOf === null && !order.isOutdated(asked))
          store.setState({ data: meaningOf(part, asked), phase: 'ready' })
      }
      const answer = await fetch({ signal: leaving.signal, show })
      if (order.isOutdated(asked)) return
      const [data, asOf] = [meaningOf(answer, asked), serverNow()]
      order.accept(asked)
      store.setState({ data, phase: 'ready', asOf, isStale: false, error: null })
      await write(encode ? encode(data) : answer, asOf)
    } catch (error) {
      // Data that is already shown remains, marked as stale. Without data, the screen reports the failure.
      await recalled
      if (order.isOutdated(asked)) return
      store.setState(({ asOf }) => ({ isStale: true, phase: asOf === null ? 'failed' : 'ready', error }))
    } finally {
      if (order.end()) store.setState({ isLoading: false })
    }
  }

  function change(next: (data: Data) => Data): void {
    order.addChange(next)
    store.setState(({ data }) => ({ data: next(data) }))
    const { data, asOf } = store.getState()
    if (asOf !== null && encode) write(encode(data), asOf)
  }

  const entry: Entry = {
    of,
    forget: () => {
      order.abandon()
      store.setState(store.getInitialState(), true)
      if (isWanted) load()
    },
    wake: async why => {
      if (isWanted && needsRefetch(why, of, store.getState())) await load()
    },
  }

  /** Loads the data and refetches it until the user leaves the screen. Returns the cleanup function. */
  function mount(): () => void {
    everyResource.add(entry)
    leaving = new AbortController()
    void load()
    return () => {
      everyResource.delete(entry)
      order.abandon()
      leaving.abort()
    }
  }
  const stopRefetching = () => {
    isWanted = false
  }
  return { entry, resource: Object.assign(store, { load, recall, stopRefetching, change }), mount }
}

/**
 * Server data of a single screen, which is not persisted. `data` is null before the first response, and again after the
 * request changes.
 */
export type ScreenResource<Data> = Pick<ResourceState<Data | null>, 'data' | 'error' | 'isLoading' | 'asOf'> & {
  reload: () => Promise<void>
  /** Applies a change that the server has already accepted. */
  change: (next: (data: Data | null) => Data | null) => void
}

export function useScreenResource<Data>(key: string | null, fetch: Fetch<Data>): ScreenResource<Data> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the request
  const { resource, mount } = useMemo(
    () =>
      hold<Data | null, Data | null>({ of: 'screen', key: null, empty: null, fetch, isUsable: () => true }, same, same),
    [key],
  )
  useEffect(() => (key === null ? undefined : mount()), [key, mount])
  const { data, error, isLoading, asOf, phase } = useStore(resource)
  return {
    data,
    asOf,
    error,
    isLoading: isLoading || (key !== null && phase === 'loading'),
    reload: resource.load,
    change: resource.change,
  }
}

/**
 * Response of an endpoint. It is refetched after each office action and on reconnect.
 * @param options null if there is nothing to request yet
 * @param around wraps each request, for example in a progress indicator
 */
export const useResource = <Name extends EndpointName>(
  name: Name,
  options: Omit<EndpointOptions<Name>, 'signal'> | null,
  around: (response: Promise<EndpointData<Name>>) => Promise<EndpointData<Name>> = same,
): ScreenResource<EndpointData<Name>> =>
  useScreenResource(options && JSON.stringify([name, options]), ({ signal }) =>
    around(api[name]({ ...options, signal } as EndpointOptions<Name>)),
  )

/** Sets the logged-in user; null after logout. Deletes the data of any other user from memory and storage. */
export function setDataOwner(next: DataOwner | null): void {
  const before = owner
  if (before !== undefined && next?.webUserId === before?.webUserId) return
  owner = next && { webUserId: next.webUserId, userName: next.userName }
  if (!next || before) removeStoredResponses(PERSONAL_STORAGE_KEYS)
  for (const { of, forget } of everyResource) if (of === 'person') forget()
}

/**
 * Refetches the resources in use. `asked`: the user requested it; `changed`: data changed on the server, so only
 * visible screens are refetched.
 */
export async function refetchAll(why: Reason): Promise<void> {
  await Promise.all([...everyResource].map(held => held.wake(why)))
}

/** Refetches stale data on reconnect, and when the page becomes visible after a while. */
export function startResources(): void {
  useOnline.subscribe(({ isOnline }, before) => {
    if (isOnline && !before.isOnline) refetchAll('back')
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') refetchAll('shown')
  })
}
