import type { NotificationData } from '@mantine/notifications'
import i18next from 'i18next'
import { retryUntilLoaded } from './lazy-load.ts'

/** The toast library is loaded after the first render. Messages shown earlier are queued until then. */
async function show(message: string, look: Omit<NotificationData, 'message'>): Promise<void> {
  const closeButtonProps = { 'aria-label': i18next.t('shell:close'), size: 44 }
  const { notifications } = await retryUntilLoaded(() => import('@mantine/notifications'))
  notifications.show({ id: message, message, closeButtonProps, ...look })
}

/** Shows a toast for 5 s, or 10 s for errors. It is announced by screen readers. A repeated message is shown once. */
export const showSuccess = (message: string): void => {
  void show(message, { color: 'hall', autoClose: 5000, role: 'status' })
}

export const showError = (message: string): void => {
  void show(message, { color: 'red', autoClose: 10_000, role: 'alert' })
}
