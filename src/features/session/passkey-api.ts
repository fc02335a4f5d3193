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

/** The server writes them for the browser, and the contract hands them on as they are. */
const isForMaking = (options: object): options is PublicKeyCredentialCreationOptionsJSON =>
  ['challenge', 'rp', 'user', 'pubKeyCredParams'].every(name => name in options)
const isForShowing = (options: object): options is PublicKeyCredentialRequestOptionsJSON => 'challenge' in options

/** Makes a passkey and registers it. @param token of the mailed link @throws WebAuthnError when the person or the browser refuses */
export async function addPasskey(token?: string) {
  const parts = token === undefined ? {} : { token }
  const options = await call(contract.startPasskey, { body: parts })
  if (!isForMaking(options)) throw new Error('no options for a passkey')
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

/** Confirms the session by a passkey, or logs in where there is none. @throws WebAuthnError when the person or the browser refuses */
export async function showPasskey(keepSession = false) {
  const options = await call(contract.startPasskeyLogin, { body: {} })
  if (!isForShowing(options)) throw new Error('no options for a passkey')
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
