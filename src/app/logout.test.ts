// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { ANONYMOUS_SESSION } from '#contract/endpoints/session.ts'
import { useSession } from '#features/session/store.ts'
import { requestLogout } from './logout.ts'

const unsubscribe = vi.fn(() => new Promise<boolean>(() => undefined))
const getSubscription = async () =>
  Notification.permission === 'granted' ? { endpoint: 'https://push.example/1', unsubscribe } : null
vi.stubGlobal('PushManager', class {})
Object.assign(navigator, { serviceWorker: { getRegistration: async () => ({ pushManager: { getSubscription } }) } })
vi.stubGlobal('fetch', () => new Promise(() => undefined))

beforeEach(() => {
  vi.clearAllMocks()
  vi.stubGlobal('Notification', { permission: 'granted' })
  localStorage.setItem('PushOwner', '7')
  useSession.setState({ phase: 'started', session: { ...ANONYMOUS_SESSION, id: 'token', webUserId: 7 } })
})

test('a network that never responds does not delay the logout of a user with push notifications', async () => {
  requestLogout()
  await vi.waitFor(() => expect(unsubscribe).toHaveBeenCalled(), { timeout: 10_000 })
  await vi.waitFor(() => expect(useSession.getState().session).toBeNull(), { timeout: 5_000 })
})

test('a logout deletes whose notifications they were also if the user has withdrawn the permission for them', async () => {
  vi.stubGlobal('Notification', { permission: 'denied' })
  requestLogout()
  await vi.waitFor(() => expect(localStorage.getItem('PushOwner')).toBeNull(), { timeout: 10_000 })
})

test('a logout leaves the notifications that another user has switched on in another tab', async () => {
  localStorage.setItem('PushOwner', '8')
  requestLogout()
  await vi.waitFor(() => expect(useSession.getState().session).toBeNull(), { timeout: 10_000 })
  expect(unsubscribe).not.toHaveBeenCalled()
  expect(localStorage.getItem('PushOwner')).toBe('8')
})
