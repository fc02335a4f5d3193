import { notifications } from '@mantine/notifications'

/**
 * A success toast goes by itself after 5 s, an error toast after 10 s. Both are announced by screen readers. The same sentence
 * shows once, however many places say it.
 */
export const showSuccess = (message: string): void => {
  notifications.show({ id: message, message, color: 'hall', autoClose: 5000, role: 'status' })
}

export const showError = (message: string): void => {
  notifications.show({ id: message, message, color: 'red', autoClose: 10_000, role: 'alert' })
}
