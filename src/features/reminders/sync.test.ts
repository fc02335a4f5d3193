// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { ANONYMOUS_SESSION } from '#contract/endpoints/session.ts'
import { useSession } from '#features/session/store.ts'
import { subscribeToPush, usePushState } from './push-store.ts'
import { startPushOwnerCheck } from './sync.ts'

let isSubscribed = false
const subscription = {
  endpoint: 'https://push.example/1',
  toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'key', auth: 'secret' } }),
  unsubscribe: async () => {
    isSubscribed = false
  },
}
const pushManager = {
  getSubscription: async () => (isSubscribed ? subscription : null),
  subscribe: async () => {
    isSubscribed = true
    return subscription
  },
}
const registration = { pushManager }
vi.stubGlobal('PushManager', class {})
vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' })
Object.assign(navigator, {
  serviceWorker: { ready: Promise.resolve(registration), getRegistration: async () => registration },
})
vi.stubGlobal('fetch', async () => Response.json({ status: 'Ok', message: '', publicKey: 'key' }))
window.location.href = 'http://portal.example/reminders'
startPushOwnerCheck()

const logIn = (webUserId: number) =>
  useSession.setState({ phase: 'started', session: { ...ANONYMOUS_SESSION, id: 'token', webUserId } })

beforeEach(async () => {
  logIn(7)
  await subscribeToPush()
  useSession.setState({ phase: 'none', session: null })
})

test('the notifications of a user whose session has expired end when another user logs in', async () => {
  logIn(8)
  await vi.waitFor(() => expect(usePushState.getState().state).toBe('off'))
  expect(isSubscribed).toBe(false)
})

test('the same user keeps the notifications after an expired session', async () => {
  logIn(7)
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(isSubscribed).toBe(true)
})
