import { type Call, createCall } from './call.ts'

let isTapped = true

/**
 * Tracks user input, so that a request that follows a tap counts as activity and polling does not. Returns the stop
 * function.
 */
export function trackUserActivity(): () => void {
  const note = () => {
    isTapped = true
  }
  const kinds = ['pointerdown', 'keydown'] as const
  for (const kind of kinds) window.addEventListener(kind, note, true)
  return () => {
    for (const kind of kinds) window.removeEventListener(kind, note, true)
  }
}

const isPasskeyMissing = async (response: Response): Promise<boolean> =>
  response.status === 403 &&
  (
    await response
      .clone()
      .json()
      // A body that is not JSON does not request a passkey.
      .catch(() => null)
  )?.status === 'PasskeyRequired'

/**
 * API client of the office; pauses a call while the user confirms the session by passkey.
 * @param askPasskey resolves after the confirmation; the call is then sent again @param prepare builds a body other
 * than JSON
 */
export const createDeskCall = (
  askPasskey: () => Promise<void>,
  prepare: (init: RequestInit) => RequestInit = init => init,
): Call =>
  createCall(async (url, given) => {
    const init = prepare(given)
    const headers = new Headers(init.headers)
    if (isTapped) headers.set('Desk-Tap', '1')
    isTapped = false
    let response = await fetch(url, { ...init, headers })
    while (await isPasskeyMissing(response)) {
      await askPasskey()
      // The call's own timeout expired during the passkey confirmation.
      response = await fetch(url, { ...init, headers, signal: null })
    }
    return response
  })
