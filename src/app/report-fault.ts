import i18next from 'i18next'
import { CSP_REPORT_PREFIX } from '#contract/endpoints/system.ts'
import { api } from '#lib/api.ts'
import { ApiError, NoResponseError } from '#lib/api-error.ts'
import { showError } from '#lib/toast.ts'

/**
 * Reports an unhandled exception to the department. Reports that cannot be sent are dropped.
 * @returns whether the report was received
 */
const reportClientError = (error: unknown): Promise<boolean> => {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const body = {
    message: message.slice(0, 2000),
    stack: stack.slice(0, 10_000),
    route: window.location.pathname.slice(0, 500),
    release: __RELEASE__,
  }
  return api.reportClientError({ body }).then(
    () => true,
    // The report was not received. The caller displays the error in any case.
    () => false,
  )
}

/**
 * Logs, reports and displays an unhandled exception.
 * @returns whether the report was received
 */
export async function reportFault(error: unknown): Promise<boolean> {
  console.error(error)
  if (error instanceof NoResponseError) {
    showError(i18next.t('shell:noAnswer'))
    return false
  }
  // Expired sessions (401) and missing permissions (403) have their own toasts.
  if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return false
  showError(`Ein Fehler ist aufgetreten: ${error instanceof Error ? error.message : String(error)}`)
  return reportClientError(error)
}

/**
 * Chunk of DOMPurify. Chromium reports the event handlers of a hostile text while DOMPurify parses it, although they are
 * removed and never run.
 */
const SANITIZER = /\/assets\/purify\.es-\w+\.js$/

export function reportUnhandledErrors(): void {
  window.addEventListener('error', event => event.error && reportFault(event.error))
  window.addEventListener('unhandledrejection', event => reportFault(event.reason))
  // The user cannot act on these errors, so they are only reported to the department.
  document.addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective, blockedURI, sample, sourceFile, lineNumber }) => {
      if (SANITIZER.test(sourceFile)) return
      reportClientError(
        new Error(`${CSP_REPORT_PREFIX} ${effectiveDirective} ${blockedURI} ${sample} ${sourceFile}:${lineNumber}`),
      )
    },
  )
}
