// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { createStore, get, set } from 'idb-keyval'
import { beforeEach, expect, test, vi } from 'vitest'
import { useOnline } from './online.ts'
import { createResource, type Resource, type StorageLocation, setDataOwner, startResources } from './resource.ts'

const KIM = { webUserId: 7, userName: 'kim@demo.example' }
const MARA = { webUserId: 8, userName: 'mara@demo.example' }
const disk = createStore('portal', 'stores')
const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'))

let answer: () => Promise<number[]> = noNetwork
/** A resource in a newly opened app. */
const open = (place: StorageLocation) =>
  createResource<number[]>({
    ...place,
    empty: [],
    fetch: () => answer(),
    isUsable: numbers => numbers.every(Number.isInteger),
  })
const openPublic = () => open({ of: 'everyone', key: 'numbers' })
const openOwn = () => open({ of: 'person', key: 'messages' })

/** A deferred promise that the test resolves. */
function held() {
  const { promise, resolve } = Promise.withResolvers<number[]>()
  answer = () => promise
  return resolve
}
const settled = () => new Promise(resolve => setTimeout(resolve, 20))
const stateOf = (list: Resource<number[]>) => list.getState()

startResources()
beforeEach(() => {
  answer = noNetwork
  useOnline.setState({ isOnline: true })
  setDataOwner(null)
})

test('the last server response is available offline, with its timestamp', async () => {
  answer = async () => [1, 2]
  await openPublic().load()
  answer = noNetwork
  const list = openPublic()
  await list.load()
  expect(stateOf(list)).toMatchObject({ data: [1, 2], phase: 'ready', isStale: true })
  expect(stateOf(list).asOf).toBeGreaterThan(Date.now() - 10_000)
})

test('a response without changes keeps the stored data, so that nothing is rendered again', async () => {
  answer = async () => [1, 2]
  await openPublic().load()
  const list = openPublic()
  await list.recall()
  const { data } = stateOf(list)
  await list.load()
  expect(stateOf(list)).toMatchObject({ isStale: false, isLoading: false })
  expect(stateOf(list).data).toBe(data)
})

test('stored data are shown without a request', async () => {
  answer = async () => [1, 2]
  setDataOwner(KIM)
  await openOwn().load()
  answer = async () => [3]
  const list = openOwn()
  await list.recall()
  expect(stateOf(list)).toMatchObject({ data: [1, 2], phase: 'ready' })
})

test('without stored data and network a resource fails, and loads after reconnecting', async () => {
  await set('numbers', undefined, disk)
  const list = openPublic()
  await list.load()
  expect(stateOf(list).phase).toBe('failed')
  useOnline.setState({ isOnline: false })
  answer = async () => [1]
  useOnline.setState({ isOnline: true })
  await vi.waitFor(() => expect(stateOf(list)).toMatchObject({ data: [1], phase: 'ready', isStale: false }))
})

test.each([
  ['of a newer version', { version: 3, owner: null, asOf: 1, answer: [1] }],
  ['of the first version', { version: 1, state: { numbers: 'x', fetchedAt: 1 } }],
  ['without a timestamp', { version: 2, owner: null, answer: [1] }],
  ['of a logged-in user', { version: 2, owner: 7, asOf: 1, answer: [1] }],
  ['with invalid content', { version: 2, owner: null, asOf: 1, answer: ['x'] }],
  ['without a response', { version: 2, owner: null, asOf: 1 }],
  ['that are not an object', 42],
])('stored data %s are discarded and fetched again', async (_, stored) => {
  await set('numbers', stored, disk)
  const list = openPublic()
  await list.load()
  expect(stateOf(list)).toMatchObject({ data: [], phase: 'failed' })
  answer = async () => [5]
  await list.load()
  expect(stateOf(list)).toMatchObject({ data: [5], phase: 'ready' })
})

test('a response to an earlier request never replaces that of a later one', async () => {
  const list = openPublic()
  const release = held()
  const slow = list.load()
  answer = async () => [3]
  await list.load()
  release([2])
  await slow
  expect(stateOf(list).data).toEqual([3])
})

test('an accepted change is applied to the response of a pending request, and stored', async () => {
  answer = async () => [1]
  const list = openPublic()
  await list.load()
  const release = held()
  const slow = list.load()
  list.change(numbers => [...numbers, 9])
  expect(stateOf(list).data).toEqual([1, 9])
  release([1, 2])
  await slow
  expect(stateOf(list).data).toEqual([1, 2, 9])
  answer = async () => [4]
  await list.load()
  expect(stateOf(list).data).toEqual([4])
  list.change(() => [5])
  await settled()
  expect(await get('numbers', disk)).toMatchObject({ owner: null, answer: [5] })
})

test('personal data load at login, are available offline and are deleted at logout', async () => {
  const list = openOwn()
  await list.load()
  expect(stateOf(list).phase).toBe('loading')
  answer = async () => [1]
  setDataOwner(KIM)
  await vi.waitFor(() => expect(stateOf(list).data).toEqual([1]))
  await settled()
  answer = noNetwork
  const again = openOwn()
  await again.load()
  expect(stateOf(again)).toMatchObject({ data: [1], isStale: true })
  setDataOwner(null)
  expect(stateOf(list)).toMatchObject({ data: [], asOf: null })
  await settled()
  expect(await get('messages', disk)).toBeUndefined()
})

test('data requested or stored for another user are never visible', async () => {
  const list = openOwn()
  setDataOwner(KIM)
  const release = held()
  const slow = list.load()
  answer = noNetwork
  setDataOwner(MARA)
  release([1])
  await slow
  await settled()
  expect(stateOf(list).data).toEqual([])
  await set('messages', { version: 2, owner: KIM.webUserId, asOf: 1, answer: [1] }, disk)
  const again = openOwn()
  await again.load()
  expect(stateOf(again)).toMatchObject({ data: [], phase: 'failed' })
})

test('when the page becomes visible again, data are fetched only if they are stale', async () => {
  const fetch = vi.fn(async () => [1])
  answer = fetch
  const list = openPublic()
  await list.load()
  fetch.mockClear()
  document.dispatchEvent(new Event('visibilitychange'))
  expect(fetch).not.toHaveBeenCalled()
  list.setState({ asOf: Date.now() - 6 * 60_000 })
  document.dispatchEvent(new Event('visibilitychange'))
  expect(fetch).toHaveBeenCalledOnce()
})
