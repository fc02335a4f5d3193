import { notifications } from '@mantine/notifications'
import i18next from 'i18next'

const partsOf = (message: string) => ({
  id: message,
  message,
  closeButtonProps: { 'aria-label': i18next.t('shell:close'), size: 44 },
})

/**
 * A success toast goes by itself after 5 s, an error toast after 10 s. Both are announced by screen readers. The same sentence
 * shows once, however many places say it.
 */
export const showSuccess = (message: string): void => {
  notifications.show({ ...partsOf(message), color: 'hall', autoClose: 5000, role: 'status' })
}

export const showError = (message: string): void => {
  notifications.show({ ...partsOf(message), color: 'red', autoClose: 10_000, role: 'alert' })
}
