import ky, { type Hooks } from 'ky'

let isTapped = true

/** Marks the next request as user activity; polling is not. */
export function noteUserInput(): void {
  isTapped = true
}

let confirmSession: () => Promise<void> = async () => undefined

/** Sets how a session is confirmed by passkey. @param confirm resolves after the confirmation */
export function onPasskeyRequired(confirm: () => Promise<void>): void {
  confirmSession = confirm
}

/** Hooks for calls of the desk: report user activity, and repeat a call once its session is confirmed by passkey. */
export const deskHooks: Hooks = {
  beforeRequest: [
    ({ request }) => {
      if (isTapped) request.headers.set('Desk-Tap', '1')
      isTapped = false
    },
  ],
  afterResponse: [
    async ({ response }) => {
      if (response.status !== 403) return
      // A body that is not JSON does not request a passkey.
      const refusal = await response.json<{ status?: string }>().catch(() => null)
      if (refusal?.status !== 'PasskeyRequired') return
      await confirmSession()
      return ky.retry({ delay: 0 })
    },
  ],
}
