import { create } from 'zustand'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { deleteSetting, readSetting, writeSetting } from '#lib/settings.ts'

/**
 * `unable`: not supported, or only after installation to the home screen; `denied`: the user has blocked notifications
 */
export type PushState = 'asking' | 'unable' | 'denied' | 'off' | 'on'

/** State of web push notifications in this browser. */
export const usePushState = create<{ state: PushState }>(() => ({ state: 'asking' }))

/** Setting with the id of the user who has subscribed in this browser. */
const OWNER_KEY = 'PushOwner'

const isAble = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const registration = async () => (isAble() ? ((await navigator.serviceWorker.getRegistration()) ?? null) : null)

const findSubscription = async () => (await (await registration())?.pushManager.getSubscription()) ?? null

export async function refreshPushState(): Promise<void> {
  if (!isAble()) return usePushState.setState({ state: 'unable' })
  const subscription = await findSubscription().catch(() => {
    // The reminders are then sent by e-mail, as without a subscription.
    return null
  })
  usePushState.setState({ state: Notification.permission === 'denied' ? 'denied' : subscription ? 'on' : 'off' })
}

/**
 * Registers the subscription for the user at the server, which removes it from any former user. If the user has logged
 * out before the response, it ends, because the next user would receive the notifications.
 */
async function registerSubscription(subscription: PushSubscription, webUserId: number | undefined): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  await api.subscribePush({
    body: { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } },
  })
  if (useSession.getState().session?.webUserId === webUserId) writeSetting(OWNER_KEY, String(webUserId))
  else await unsubscribeUser(webUserId)
}

/** Requests permission and subscribes. Must be called from a user gesture. @throws NoResponseError, ApiError */
export async function subscribeToPush(): Promise<void> {
  const webUserId = useSession.getState().session?.webUserId
  if ((await Notification.requestPermission()) !== 'granted') return refreshPushState()
  // On the first visit, the service worker is still being installed.
  const worker = await navigator.serviceWorker.ready
  const { publicKey } = await api.getPushKey()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  // An existing subscription with a different VAPID key is unusable and prevents a new one.
  const subscription = await worker.pushManager.subscribe(options).catch(async () => {
    await (await worker.pushManager.getSubscription())?.unsubscribe()
    return worker.pushManager.subscribe(options)
  })
  try {
    await registerSubscription(subscription, webUserId)
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  } finally {
    await refreshPushState()
  }
}

/** Unsubscribes this browser, even if the server cannot be reached. */
export async function unsubscribeFromPush(): Promise<void> {
  const subscription = await findSubscription()
  // If this request fails, the server detects the ended subscription when it sends the next push message.
  const notified =
    subscription && api.unsubscribePush({ body: { endpoint: subscription.endpoint } }).catch(() => undefined)
  // Without waiting for the response, because the next user may have subscribed by then.
  await subscription?.unsubscribe()
  deleteSetting(OWNER_KEY)
  await refreshPushState()
  await notified
}

/** Unsubscribes this browser unless another user has subscribed in it. */
export async function unsubscribeUser(webUserId: number | undefined): Promise<void> {
  if ([null, String(webUserId)].includes(readSetting(OWNER_KEY))) await unsubscribeFromPush()
}

/** Unsubscribes this browser if another user has subscribed in it. Older versions of the app did not store which. */
export async function unsubscribeOtherUser(webUserId: number): Promise<void> {
  const owner = readSetting(OWNER_KEY)
  if (owner === String(webUserId)) return
  if (owner !== null) return unsubscribeFromPush()
  const subscription = await findSubscription()
  if (subscription) await registerSubscription(subscription, webUserId)
}
