import * as contract from '#contract/system.ts'
import { call } from '#lib/api-client.ts'

export const getConfig = () => call(contract.getConfig, {})

/** Reports an unhandled exception to the department. @returns whether it was received; unsent reports are dropped */
export const reportClientError = (error: unknown): Promise<boolean> => {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  return call(contract.reportClientError, {
    body: {
      message: message.slice(0, 2000),
      stack: stack.slice(0, 10_000),
      route: window.location.pathname.slice(0, 500),
      release: __RELEASE__,
    },
  }).then(
    () => true,
    // The caller stores the failed report and retries later.
    () => false,
  )
}
