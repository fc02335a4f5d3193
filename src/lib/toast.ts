import type { NotificationData } from '@mantine/notifications'
import i18next from 'i18next'
import { insist } from './late.ts'

/** The library comes after the first view: what was to be said before waits for it. */
async function show(message: string, look: Omit<NotificationData, 'message'>): Promise<void> {
  const closeButtonProps = { 'aria-label': i18next.t('shell:close'), size: 44 }
  const { notifications } = await insist(() => import('@mantine/notifications'))
  notifications.show({ id: message, message, closeButtonProps, ...look })
}

/** Goes by itself after 5 s, an error after 10 s. Both are announced by screen readers; the same sentence shows once. */
export const showSuccess = (message: string): void => {
  void show(message, { color: 'hall', autoClose: 5000, role: 'status' })
}

export const showError = (message: string): void => {
  void show(message, { color: 'red', autoClose: 10_000, role: 'alert' })
}
