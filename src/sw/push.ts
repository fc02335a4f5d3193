import type { PushPayload } from '#contract/endpoints/push.ts'

const isOwnPath = (path: unknown): path is string => typeof path === 'string' && /^\/(?:[\w-][\w/-]*)?$/.test(path)

function readPayload(event: PushEvent): PushPayload | null {
  try {
    const { title, body, path, tag }: Partial<Record<keyof PushPayload, unknown>> = event.data?.json() ?? {}
    return typeof title === 'string' && isOwnPath(path) ? { title, body: String(body), path, tag: String(tag) } : null
  } catch {
    // The payload is not JSON, so a generic notification is shown.
    return null
  }
}

/**
 * Shows a push notification. Browsers revoke the permission of sites that receive a push without showing one. A
 * duplicate replaces the earlier notification.
 */
export async function showPushNotification(
  { registration }: ServiceWorkerGlobalScope,
  event: PushEvent,
): Promise<void> {
  const { title, body, path, tag } = readPayload(event) ?? {
    title: registration.scope,
    body: '',
    path: '/',
    tag: 'unknown',
  }
  await registration.showNotification(title, { body, tag, data: path, icon: '/icons/icon-192.png' })
}

/**
 * Opens the target of a notification. A window that shows another page is not reused, because it may contain unsaved
 * input.
 */
export async function openNotificationTarget(
  { clients, location }: ServiceWorkerGlobalScope,
  { notification }: NotificationEvent,
): Promise<void> {
  notification.close()
  const url = new URL(isOwnPath(notification.data) ? notification.data : '/', location.origin).href
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find(one => one.url === url)
  await (shown ? shown.focus() : clients.openWindow(url))
}
