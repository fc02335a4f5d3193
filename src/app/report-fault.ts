import i18next from 'i18next'
import { sendClientError } from '#features/system/api.ts'
import { NoAnswerError } from '#lib/api-error.ts'
import { showError } from '#lib/toast.ts'

/** Logs, reports and shows an exception that nobody handled. */
export function reportFault(error: unknown): void {
  console.error(error)
  const message = error instanceof Error ? error.message : String(error)
  showError(error instanceof NoAnswerError ? i18next.t('shell:noAnswer') : `Ein Fehler ist aufgetreten: ${message}`)
  if (!(error instanceof NoAnswerError)) sendClientError(error)
}

/** Catches what no screen caught. */
export function watchFaults(): void {
  window.addEventListener('error', event => event.error && reportFault(event.error))
  window.addEventListener('unhandledrejection', event => reportFault(event.reason))
}
