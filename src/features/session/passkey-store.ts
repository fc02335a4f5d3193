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
import { startPasswordlessSession } from './entry-store.ts'

/** The server generates the WebAuthn options, which the contract passes on without validation. */
const isForMaking = (options: object): options is PublicKeyCredentialCreationOptionsJSON =>
  ['challenge', 'rp', 'user', 'pubKeyCredParams'].every(name => name in options)
const isForShowing = (options: object): options is PublicKeyCredentialRequestOptionsJSON => 'challenge' in options

/**
 * Creates and registers a passkey.
 * @param token token of a link that was sent by e-mail
 * @throws WebAuthnError if the user or the browser refuses
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

/**
 * Confirms the session with a passkey or, if there is no session, logs in.
 * @throws WebAuthnError if the user or the browser refuses
 */
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

/** Resolves with '' on success, otherwise with an error text. */
type Told = Promise<string>
export type PasskeyErrorTranslator = (key: 'refused' | 'twice' | 'noAnswer') => string

/** Browsers report no specific reason; usually the user has dismissed the dialog. */
const reasonOf = (error: unknown, words: PasskeyErrorTranslator): string => {
  if (error instanceof WebAuthnError)
    return words(error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' ? 'twice' : 'refused')
  return errorMessageOf(error, words(error instanceof DOMException ? 'refused' : 'noAnswer'))
}

/** Logs in with a passkey, without a user name. */
export async function loginByPasskey(keepSession: boolean, words: PasskeyErrorTranslator): Told {
  try {
    return await startPasswordlessSession(authenticateWithPasskey(keepSession))
  } catch (error) {
    return reasonOf(error, words)
  }
}

/** Confirms the session with a passkey, which the office UI requires. */
export async function confirmByPasskey(words: PasskeyErrorTranslator): Told {
  try {
    const { status, message } = await withProgress(authenticateWithPasskey())
    return status === 'Ok' ? '' : message
  } catch (error) {
    return reasonOf(error, words)
  }
}

/**
 * Registers a passkey.
 * @param token token of the link that was sent by e-mail when a permission was granted
 * @param isVouched whether the account already has a trusted passkey, which must confirm the new one
 */
export async function registerPasskey(
  words: PasskeyErrorTranslator,
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
