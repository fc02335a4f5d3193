import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import * as contract from '#contract/passkeys.ts'
import { call } from '#lib/api-client.ts'

export const listPasskeys = () => call(contract.listPasskeys, {})
export const removePasskey = (id: string, password = '') =>
  call(contract.removePasskey, { params: { id }, body: { password } })

/** The server produces the WebAuthn options; the contract passes them unvalidated. */
const isForMaking = (options: object): options is PublicKeyCredentialCreationOptionsJSON =>
  ['challenge', 'rp', 'user', 'pubKeyCredParams'].every(name => name in options)
const isForShowing = (options: object): options is PublicKeyCredentialRequestOptionsJSON => 'challenge' in options

/**
 * Creates and registers a passkey. @param token of a mailed link @throws WebAuthnError if the user or the browser
 * refuses
 */
export async function addPasskey(token?: string) {
  const parts = token === undefined ? {} : { token }
  const options = await call(contract.startPasskey, { body: parts })
  if (!isForMaking(options)) throw new Error('the response contains no passkey creation options')
  const made = await startRegistration({ optionsJSON: options })
  return call(contract.addPasskey, {
    body: {
      ...made,
      response: { ...made.response },
      clientExtensionResults: { ...made.clientExtensionResults },
      ...parts,
    },
  })
}

/** Confirms the session by passkey, or logs in without one. @throws WebAuthnError if the user or the browser refuses */
export async function authenticateWithPasskey(keepSession = false) {
  const options = await call(contract.startPasskeyLogin, { body: {} })
  if (!isForShowing(options)) throw new Error('the response contains no passkey request options')
  const shown = await startAuthentication({ optionsJSON: options })
  return call(contract.showPasskey, {
    body: {
      ...shown,
      response: { ...shown.response },
      clientExtensionResults: { ...shown.clientExtensionResults },
      keepSession,
    },
  })
}
