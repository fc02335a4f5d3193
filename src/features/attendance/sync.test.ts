// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore } from 'zustand'
import type { CourseDates } from '#contract/endpoints/attendance.ts'
import type { Session } from '#contract/endpoints/session.ts'
import type { useSession } from '#features/session/store.ts'
import { participantRowsOf, pendingPresenceEntriesOf, presenceIndexOf } from './model.ts'
import { createAttendanceFeature } from './store.ts'
import { startAttendanceSync } from './sync.ts'

/** Batched lists: a confirmation rerenders all rows, but not during tapping. */
const waitFor = <T>(check: () => T) => vi.waitFor(check, { timeout: 8_000 })

const DATE = { year: 2026, month: 11, day: 23, hour: 18, minute: 0, second: 0 }
type Change = { changeState: string; courseDateId: number; webUserId: number; changeId: string; changedAt: string }
type Completion = { courseId: number; isCompleted: boolean }

/** Changes recorded by the logged-in user and not confirmed by the server. */
class FakePortal {
  isReachable = true
  isComplete = false
  present = new Set<number>()
  sent: (Change | Completion)[] = []
  /** delays the responses to list requests; they contain the state at the time of the request */
  heldLists: (() => void)[] | null = null

  list(): CourseDates {
    const participants = [100, 101].map(id => ({
      id,
      name: `Person ${id}`,
      isUserPresent: this.present.has(id),
      participation: 0,
    }))
    return {
      courseId: 1,
      participants,
      courseDates: [{ id: 11, date: DATE, participants }],
      preSelectCourseDateId: 11,
      participatingComplete: this.isComplete,
      message: '',
      state: 'Ok',
    }
  }

  async answer(request: Request): Promise<unknown> {
    const { pathname } = new URL(request.url)
    if (!this.isReachable) throw new TypeError('Failed to fetch')
    if (pathname === '/api/course/instructor') return []
    if (pathname === '/api/course/1/dates') {
      const list = this.list()
      const held = this.heldLists
      if (held) await new Promise<void>(resolve => held.push(resolve))
      return list
    }
    const body = await request.json()
    this.sent.push(body)
    if ('isCompleted' in body) {
      this.isComplete = body.isCompleted
      return { ...body, state: 'Ok', message: '' }
    }
    if (this.isComplete) return { ...body, status: 'Failed', message: 'complete' }
    if (body.changeState === 'added') this.present.add(body.webUserId)
    else this.present.delete(body.webUserId)
    return { ...body, status: 'Ok', message: '' }
  }
}

let portal: FakePortal

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  localStorage.clear()
  sessionStorage.clear()
  window.location.href = 'http://portal.example/'
  portal = new FakePortal()
  vi.stubGlobal('fetch', async (request: Request) => {
    const body = await portal.answer(request)
    return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })
  })
})

const session = (webUserId: number): Session => ({
  id: 'token',
  webUserId,
  userName: 'i',
  givenName: '',
  familyName: '',
  isInstructor: true,
  keepSession: false,
  employeeStatus: 1,
  rights: [],
  status: 'Ok',
  message: '',
  isDivisionToSet: false,
  isProfileToComplete: false,
  hasUnreadMessages: false,
  isPasswordToChange: false,
})

const started: { close(): void }[] = []
afterEach(() => {
  for (const app of started.splice(0)) app.close()
})

/** Starts attendance as the app does: nothing in memory, but with the stored data. */
async function startApp(webUserId = 7) {
  const store = createAttendanceFeature()
  started.push(store.outbox, store.device)
  const sessions = createStore<Pick<ReturnType<typeof useSession.getState>, 'phase' | 'session'>>(() => ({
    phase: 'started',
    session: session(webUserId),
  }))
  const logIn = (id: number) => sessions.setState({ phase: 'started', session: session(id) })
  await startAttendanceSync(store, sessions)
  const state = () => store.useAttendance.getState()
  const entries = () => state().view.entries
  const row = (id: number) => {
    const list = state().lists[1]
    const rows = list
      ? participantRowsOf(
          list,
          presenceIndexOf(list),
          11,
          pendingPresenceEntriesOf(entries(), 1, webUserId),
          state().view,
        )
      : []
    return rows.find(({ webUserId: person }) => person === id)
  }
  const logOut = () => sessions.setState({ phase: 'none', session: null })
  const { load: loadList } = store.lists
  const { flush, sendAgain } = store.outbox
  return { ...store, loadList, flush, sendAgain, state, entries, row, logIn, logOut }
}

test('a list requested before a change was confirmed does not revert the change', async () => {
  const app = await startApp()
  await app.loadList(1)
  portal.heldLists = []
  const late = app.loadList(1)
  await waitFor(() => expect(portal.heldLists).toHaveLength(1))
  await app.setPresence(1, 11, [{ webUserId: 100, mark: 'present' }])
  await waitFor(() => expect(app.row(100)).toMatchObject({ mark: 'present', state: 'confirmed' }))
  for (const release of portal.heldLists ?? []) release()
  await late
  expect(app.row(100)).toMatchObject({ mark: 'present', state: 'confirmed' })

  portal.heldLists = null
  await app.loadList(1)
  expect(app.row(100)).toMatchObject({ mark: 'present', markAtServer: 'present' })
  await waitFor(() => expect(app.entries()).toEqual([]))
})

test('a logout deletes names but no pending changes, which are sent after the same user’s next login', async () => {
  const app = await startApp()
  await app.loadList(1)
  portal.isReachable = false
  await app.setPresence(1, 11, [{ webUserId: 100, mark: 'present' }])
  app.logOut()
  await waitFor(() => expect(app.state().lists).toEqual({}))
  portal.isReachable = true
  app.logIn(8)
  await app.flush()
  expect(portal.sent).toEqual([])

  const later = await startApp(7)
  await waitFor(() => expect([...portal.present]).toEqual([100]))
  await waitFor(() => expect(later.entries()).toEqual([]))
})

test('lists and pending changes are available after starting offline', async () => {
  const app = await startApp()
  await app.loadList(1)
  portal.isReachable = false
  await app.setPresence(1, 11, [
    { webUserId: 100, mark: 'present' },
    { webUserId: 101, mark: 'present' },
  ])
  const again = await startApp()
  await waitFor(() => expect(again.row(101)).toMatchObject({ mark: 'present', state: 'onThisPhone' }))
})

test('taps keep their order in server time when the device clock is set back', async () => {
  const app = await startApp()
  await app.setPresence(1, 11, [{ webUserId: 100, mark: 'present' }])
  await waitFor(() => expect(app.entries()).toEqual([]))
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000)
  const again = await startApp()
  await again.setPresence(1, 11, [{ webUserId: 100, mark: 'absent' }])
  await waitFor(() => expect(portal.present.size).toBe(0))
  const times = (portal.sent as Change[]).map(({ changedAt }) => Date.parse(changedAt))
  expect(times.at(-1)).toBeGreaterThan(times[0] ?? Number.NaN)
})

test('reopening, changes and closing recorded offline are sent in that order', async () => {
  portal.isComplete = true
  const app = await startApp()
  portal.isReachable = false
  await app.setCompleted(1, false)
  await app.setPresence(1, 11, [{ webUserId: 100, mark: 'present' }])
  await app.setCompleted(1, true)
  await app.setCompleted(1, false)
  await app.setPresence(1, 11, [{ webUserId: 101, mark: 'present' }])
  await app.setCompleted(1, true)
  portal.isReachable = true
  await app.flush()
  await waitFor(() => expect(portal.sent).toHaveLength(4))
  expect(portal.sent.map(body => ('isCompleted' in body ? body.isCompleted : body.webUserId))).toEqual([
    false,
    100,
    101,
    true,
  ])
  await waitFor(() => expect(app.entries()).toEqual([]))
})

test('a rejected change can be sent again and is then accepted', async () => {
  const app = await startApp()
  portal.isComplete = true
  await app.setPresence(1, 11, [{ webUserId: 100, mark: 'present' }])
  await waitFor(() => expect(app.entries()[0]?.state).toBe('refused'))
  portal.isComplete = false
  const [refused] = app.entries()
  if (refused) await app.sendAgain(refused)
  await waitFor(() => expect([...portal.present]).toEqual([100]))
})

test('with a full disk, changes are sent without being stored, and a missing response is reported', async () => {
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const app = await startApp()
  await app.loadList(1)
  await app.setPresence(1, 11, [{ webUserId: 100, mark: 'present' }])
  await waitFor(() => expect(app.row(100)).toMatchObject({ mark: 'present', state: 'confirmed' }))
  portal.isReachable = false
  await expect(app.setPresence(1, 11, [{ webUserId: 101, mark: 'present' }])).rejects.toThrow('')
  expect(app.row(101)).toMatchObject({ mark: 'present', state: 'unstored' })
  portal.isReachable = true
  await app.flush()
  expect([...portal.present]).toEqual([100, 101])
})

test('missing storage and a database of a newer version are distinguished', async () => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('blocked', 'SecurityError')
    },
  })
  const blocked = await startApp()
  await waitFor(() => expect(blocked.state().view.disk).toBe('none'))
  await blocked.loadList(1)
  await blocked.setPresence(1, 11, [{ webUserId: 100, mark: 'present' }])
  expect(blocked.row(100)).toMatchObject({ mark: 'present' })

  const factory = new IDBFactory()
  vi.stubGlobal('indexedDB', factory)
  await new Promise(resolve => {
    factory.open('attendance', 99).onsuccess = ({ target }) =>
      resolve((target as unknown as { result: IDBDatabase }).result.close())
  })
  expect((await startApp()).state().view.disk).toBe('newer')
})
