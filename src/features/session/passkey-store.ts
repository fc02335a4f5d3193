import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { enterSession } from './entry-store.ts'

/** The server produces the WebAuthn options; the contract passes them unvalidated. */
const isForMaking = (options: object): options is PublicKeyCredentialCreationOptionsJSON =>
  ['challenge', 'rp', 'user', 'pubKeyCredParams'].every(name => name in options)
const isForShowing = (options: object): options is PublicKeyCredentialRequestOptionsJSON => 'challenge' in options

/**
 * Creates and registers a passkey. @param token of a mailed link @throws WebAuthnError if the user or the browser
 * refuses
 */
async function addPasskey(token?: string) {
  const parts = token === undefined ? {} : { token }
  const options = await api.startPasskey({ body: parts })
  if (!isForMaking(options)) throw new Error('the response contains no passkey creation options')
  const made = await startRegistration({ optionsJSON: options })
  return api.addPasskey({
    body: {
      ...made,
      response: { ...made.response },
      clientExtensionResults: { ...made.clientExtensionResults },
      ...parts,
    },
  })
}

/** Confirms the session by passkey, or logs in without one. @throws WebAuthnError if the user or the browser refuses */
async function authenticateWithPasskey(keepSession = false) {
  const options = await api.startPasskeyLogin({ body: {} })
  if (!isForShowing(options)) throw new Error('the response contains no passkey request options')
  const shown = await startAuthentication({ optionsJSON: options })
  return api.showPasskey({
    body: {
      ...shown,
      response: { ...shown.response },
      clientExtensionResults: { ...shown.clientExtensionResults },
      keepSession,
    },
  })
}

/** Resolves to '' on success, else to an error text. */
type Told = Promise<string>
export type TranslatePasskeyError = (key: 'refused' | 'twice' | 'noAnswer') => string

/** Browsers report no specific reason; most often the user dismissed the dialog. */
const reasonOf = (error: unknown, words: TranslatePasskeyError): string => {
  if (error instanceof WebAuthnError)
    return words(error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' ? 'twice' : 'refused')
  return errorMessageOf(error, words(error instanceof DOMException ? 'refused' : 'noAnswer'))
}

/** Logs in by passkey, without a user name. */
export async function loginByPasskey(keepSession: boolean, words: TranslatePasskeyError): Told {
  try {
    return await enterSession(authenticateWithPasskey(keepSession))
  } catch (error) {
    return reasonOf(error, words)
  }
}

/** Confirms the session, as required by the office. */
export async function confirmByPasskey(words: TranslatePasskeyError): Told {
  try {
    const { status, message } = await withProgress(authenticateWithPasskey())
    return status === 'Ok' ? '' : message
  } catch (error) {
    return reasonOf(error, words)
  }
}

/**
 * Registers a passkey. @param token of the link mailed when a right was granted @param isVouched the account already
 * has a trusted passkey
 */
export async function registerPasskey(
  words: TranslatePasskeyError,
  { token, isVouched = false }: { token?: string; isVouched?: boolean } = {},
): Told {
  try {
    if (isVouched && token === undefined) {
      const problem = await confirmByPasskey(words)
      if (problem) return problem
    }
    const { status, message } = await withProgress(addPasskey(token))
    return status === 'Ok' ? '' : message
  } catch (error) {
    return reasonOf(error, words)
  }
}
