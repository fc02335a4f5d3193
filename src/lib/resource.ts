import { create, type StoreApi } from 'zustand'
import { serverNow } from './clock.ts'
import { useOnline } from './online.ts'
import { readStored, removeStored, writeStored } from './storage.ts'

/** Back on the screen after this long, everything is fetched again. */
const FRESH_MS = 5 * 60_000

/** What lies on the device about one person, under these keys; gone at the logout, whatever the page has loaded. */
const PERSON_KEYS = ['course-states', 'booked-courses', 'messages', 'gallery-own', 'follows'] as const

export type Owner = { webUserId: number; userName: string }

export type Held<Data> = {
  data: Data
  /** `failed`: nothing kept and no answer; with anything to show it is `ready` */
  phase: 'loading' | 'ready' | 'failed'
  /** when the server said so, ms since 1970 by its clock; null before anything is known */
  asOf: number | null
  /** the last try to fetch failed: what shows is from `asOf` */
  isStale: boolean
}

/** Whose the data are, and where the answer is kept in IndexedDB. */
export type Place = { of: 'everyone'; key: string } | { of: 'person'; key: (typeof PERSON_KEYS)[number] }

type Common<Answer, Data> = Place & {
  /** before anything is known */
  empty: Data
  /** asks the server. @throws when it does not answer, or refuses */
  fetch: () => Promise<Answer>
  /** what an older app has kept, with what was added since */
  complete?: (kept: Answer) => Answer
  /** looks into what the device has kept; false or an exception drops it */
  isUsable: (data: Data) => boolean
}

type Plain<Data> = Common<Data, Data> & { decode?: undefined }
type Decoded<Answer, Data> = Common<Answer, Data> & {
  /** what the answer means, when it is not shown as it is; what did not change may stay the object it was */
  decode: (answer: Answer, before: Data) => Data
}

/** A zustand store to be read through selectors, and the ways in which its data change. */
export type Resource<Data> = StoreApi<Held<Data>> & {
  (): Held<Data>
  <Part>(select: (held: Held<Data>) => Part): Part
  /** Shows what the device has kept, then what the server answers, for as long as the app is open: to whoever is logged in. */
  load: () => Promise<void>
  /** Takes over what the server has accepted or answered elsewhere; no answer that was asked for earlier undoes it. */
  change: (next: (data: Data) => Data) => void
}

/** undefined: not judged yet */
let owner: Owner | null | undefined
/** Grows with every question and every change: which came first is never asked of a clock. */
let turn = 0
const everyResource = new Set<{
  forget(): void
  wake(why: 'back' | 'shown' | 'asked'): Promise<void>
  of: 'everyone' | 'person'
}>()

/** The server's data of one kind: in memory, on the device, and whose they are. See docs/decisions/0065. */
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

/** A list of things that have ids. */
export const listResource = <Item extends { id: number }>(
  declaration: Place & Pick<Plain<readonly Item[]>, 'fetch' | 'complete'>,
): Resource<readonly Item[]> => resource<readonly Item[]>({ empty: [], isUsable: haveIds, ...declaration })

/** @param encode the answer again, of data that changed here; null where data do not tell it */
function hold<Answer, Data>(
  { key, of, empty, fetch, complete, isUsable }: Common<Answer, Data>,
  decode: (answer: Answer, before: Data) => Data,
  encode: ((data: Data) => Answer) | null,
): Resource<Data> {
  const store = create<Held<Data>>(() => ({ data: empty, phase: 'loading', asOf: null, isStale: false }))
  /** Of the question, or the person, that shows: what was asked before is not wanted any more. */
  let shownTurn = 0
  let underWay = 0
  let isWanted = false
  /** what an answer still under way may lack */
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
      // What is shown stays and says that it is old; with nothing to show the screen says so.
      // Damaged: as if nothing were kept.
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
      // What is shown stays and says that it is old; with nothing to show the screen says so.
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

/** Who is logged in from now on; null: nobody. What the device has of anybody else leaves it, and the page. */
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

/** Fetches everything that shows anew, because somebody asks for it. */
export const refreshAll = (): Promise<void> => wakeAll('asked')

/** From now on what is old is fetched again: when the portal answers again, and back on the screen after a while. */
export function startResources(): void {
  useOnline.subscribe(({ isOnline }, before) => {
    if (isOnline && !before.isOnline) wakeAll('back')
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wakeAll('shown')
  })
}
