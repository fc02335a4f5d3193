// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { ANONYMOUS_SESSION } from '#contract/endpoints/session.ts'
import { useSession } from '#features/session/store.ts'
import { requestLogout } from './logout.ts'

const unsubscribeFromPush = vi.hoisted(() => vi.fn(() => new Promise<void>(() => undefined)))
vi.mock('#features/reminders/push-store.ts', () => ({ unsubscribeFromPush }))
vi.stubGlobal('fetch', () => new Promise(() => undefined))

beforeEach(() => vi.clearAllMocks())

test('a network that never responds does not delay the logout of a user with push notifications', async () => {
  useSession.setState({ phase: 'started', session: { ...ANONYMOUS_SESSION, id: 'token', webUserId: 7 } })
  requestLogout()
  await vi.waitFor(() => expect(unsubscribeFromPush).toHaveBeenCalled(), { timeout: 10_000 })
  await vi.waitFor(() => expect(useSession.getState().session).toBeNull(), { timeout: 5_000 })
})

test('a logout deletes whose notifications they were also if the user has withdrawn the permission for them', async () => {
  vi.stubGlobal('Notification', { permission: 'denied' })
  useSession.setState({ phase: 'started', session: { ...ANONYMOUS_SESSION, id: 'token', webUserId: 7 } })
  requestLogout()
  await vi.waitFor(() => expect(useSession.getState().session).toBeNull(), { timeout: 10_000 })
  expect(unsubscribeFromPush).toHaveBeenCalled()
})
