import { create } from 'zustand'
import { getPushKey, subscribePush, unsubscribePush } from './api.ts'

/** `unable`: this browser cannot, or not before the app stands on the home screen; `denied`: the person has said no for good */
export type PushState = 'asking' | 'unable' | 'denied' | 'off' | 'on'

/** Whether this browser shows what the portal pushes. */
export const usePush = create<{ state: PushState }>(() => ({ state: 'asking' }))

const isAble = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const registration = async () => (isAble() ? ((await navigator.serviceWorker.getRegistration()) ?? null) : null)

const findSubscription = async () => (await (await registration())?.pushManager.getSubscription()) ?? null

export async function lookAtPush(): Promise<void> {
  if (!isAble()) return usePush.setState({ state: 'unable' })
  const isOn = (await findSubscription()) !== null
  usePush.setState({ state: Notification.permission === 'denied' ? 'denied' : isOn ? 'on' : 'off' })
}

/** Asks the person, and subscribes: to be called on a tap only. @throws NoAnswerError, ApiError */
export async function startPush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return lookAtPush()
  // On a first visit the worker is still on its way.
  const worker = await navigator.serviceWorker.ready
  const { publicKey } = await getPushKey()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  // A subscription of another key is another portal's: it cannot be used, and stands in the way.
  const subscription = await worker.pushManager.subscribe(options).catch(async () => {
    await (await worker.pushManager.getSubscription())?.unsubscribe()
    return worker.pushManager.subscribe(options)
  })
  const { endpoint, keys } = subscription.toJSON()
  try {
    await subscribePush({ endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } })
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  } finally {
    await lookAtPush()
  }
}

/** Ends it in this browser; the portal notices by itself where it cannot be told. */
export async function stopPush(): Promise<void> {
  const subscription = await findSubscription()
  if (subscription) {
    // The portal notices at the next push that there is nobody.
    await unsubscribePush(subscription.endpoint).catch(() => undefined)
    await subscription.unsubscribe()
  }
  await lookAtPush()
}
