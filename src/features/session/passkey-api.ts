import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { SentBodyOf } from '#contract/endpoint.ts'
import * as contract from '#contract/passkeys.ts'
import { call } from '#lib/api-client.ts'

export const listPasskeys = () => call(contract.listPasskeys, {})
export const removePasskey = (id: string) => call(contract.removePasskey, { params: { id } })

/**
 * Makes a passkey in the browser and registers it. @param token of the link that was mailed with a right
 * @throws WebAuthnError when the person or the browser refuses
 */
export async function addPasskey(token?: string) {
  const parts = token === undefined ? {} : { token }
  const options = await call(contract.startPasskey, { body: parts })
  const made = await startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON })
  return call(contract.addPasskey, { body: { ...made, ...parts } as unknown as SentBodyOf<typeof contract.addPasskey> })
}

/**
 * Shows a passkey: confirms the session, or logs in where there is none.
 * @throws WebAuthnError when the person or the browser refuses
 */
export async function showPasskey(keepSession = false) {
  const options = await call(contract.startPasskeyLogin, { body: {} })
  const shown = await startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON })
  return call(contract.showPasskey, {
    body: { ...shown, keepSession } as unknown as SentBodyOf<typeof contract.showPasskey>,
  })
}
