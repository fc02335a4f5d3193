import { type Call, createCall } from './call.ts'

let isTapped = true

/** Somebody is at the desk: what is read after a tap is read by a person, not by a clock. Returns the way to stop. */
export function watchTaps(): () => void {
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
      // No JSON: it asks for no passkey.
      .catch(() => null)
  )?.status === 'PasskeyRequired'

/** @param askPasskey resolves when one confirmed the session: the call goes on @param prepare what is sent in place of JSON */
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
      // The person took their time: the call's own has run out.
      response = await fetch(url, { ...init, headers, signal: null })
    }
    return response
  })
