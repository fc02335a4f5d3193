// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { ANONYMOUS_SESSION } from '#contract/endpoints/session.ts'
import { useSession } from '#features/session/store.ts'
import { refreshPushState, subscribeToPush, unsubscribeFromPush, usePushState } from './push-store.ts'
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
Object.assign(navigator, {
  serviceWorker: { ready: Promise.resolve(registration), getRegistration: async () => registration },
})
const answer = async () => Response.json({ status: 'Ok', message: '', publicKey: 'key' })
window.location.href = 'http://portal.example/reminders'
startPushOwnerCheck()

const logIn = (webUserId: number) =>
  useSession.setState({ phase: 'started', session: { ...ANONYMOUS_SESSION, id: 'token', webUserId } })

beforeEach(async () => {
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' })
  vi.stubGlobal('fetch', answer)
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
  await refreshPushState()
  expect(usePushState.getState().state).toBe('on')
})

test('the notifications end as well if an older version of the app had subscribed the browser', async () => {
  localStorage.removeItem('PushOwner')
  logIn(7)
  await vi.waitFor(() => expect(localStorage.getItem('PushOwner')).toBe('7'))
  useSession.setState({ phase: 'none', session: null })
  logIn(8)
  await vi.waitFor(() => expect(isSubscribed).toBe(false))
})

test('a subscription of a user whom an older version did not store becomes the one of the current user', async () => {
  localStorage.removeItem('PushOwner')
  const requests: string[] = []
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    requests.push(`${method} ${new URL(url).pathname}`)
    return answer()
  })
  logIn(8)
  await vi.waitFor(() => expect(localStorage.getItem('PushOwner')).toBe('8'))
  expect(isSubscribed).toBe(true)
  expect(requests).toContain('POST /api/push')
})

test.each([null, 8])('a logout before the server has subscribed the browser ends it (next user: %s)', async next => {
  await unsubscribeFromPush()
  logIn(7)
  const { promise, resolve } = Promise.withResolvers<Response>()
  const isAsked = vi.fn()
  vi.stubGlobal('fetch', async ({ method }: Request) => {
    if (method !== 'POST') return answer()
    isAsked()
    return promise
  })
  const subscribing = subscribeToPush()
  await vi.waitFor(() => expect(isAsked).toHaveBeenCalled())
  if (next === null) useSession.setState({ phase: 'none', session: null })
  else useSession.setState({ session: { ...ANONYMOUS_SESSION, id: 'token', webUserId: next } })
  resolve(await answer())
  await subscribing
  expect(isSubscribed).toBe(false)
  expect(localStorage.getItem('PushOwner')).not.toBe('undefined')
})

test('a tab with a session of its own leaves the notifications that another user has since switched on', async () => {
  logIn(8)
  await vi.waitFor(() => expect(isSubscribed).toBe(false))
  isSubscribed = true
  localStorage.setItem('PushOwner', '7')
  useSession.getState().update({ hasUnreadMessages: true })
  await refreshPushState()
  expect([isSubscribed, localStorage.getItem('PushOwner')]).toEqual([true, '7'])
})

test('a server that never answers does not end the notifications of the next user', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => promise)
  const former = unsubscribeFromPush()
  await vi.waitFor(() => expect(isSubscribed).toBe(false))
  vi.stubGlobal('fetch', answer)
  logIn(8)
  await subscribeToPush()
  resolve(await answer())
  await former
  expect([isSubscribed, localStorage.getItem('PushOwner')]).toEqual([true, '8'])
})
