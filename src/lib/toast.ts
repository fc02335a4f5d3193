import { notifications } from '@mantine/notifications'

/** A success toast goes by itself after 5 s, an error toast after 10 s. Both are announced by screen readers. */
export const showSuccess = (message: string): void => {
  notifications.show({ message, color: 'hall', autoClose: 5000, role: 'status' })
}

export const showError = (message: string): void => {
  notifications.show({ message, color: 'red', autoClose: 10_000, role: 'alert' })
}
