import { WebAuthnError } from '@simplewebauthn/browser'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { enterSession } from './entry-store.ts'
import { addPasskey, showPasskey } from './passkey-api.ts'

/** What came of it: '' when it is done, else what to tell the person. */
type Told = Promise<string>
export type Words = (key: 'refused' | 'twice' | 'noAnswer') => string

/** The browser says little of why there was no passkey: mostly the person has closed its window. */
const reasonOf = (error: unknown, words: Words): string => {
  if (error instanceof WebAuthnError)
    return words(error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' ? 'twice' : 'refused')
  return messageOf(error, words(error instanceof DOMException ? 'refused' : 'noAnswer'))
}

/** Logs in with a passkey, without a user name. */
export async function loginByPasskey(keepSession: boolean, words: Words): Told {
  try {
    return await enterSession(showPasskey(keepSession))
  } catch (error) {
    return reasonOf(error, words)
  }
}

/** Confirms the session, as the desk asks for. */
export async function confirmByPasskey(words: Words): Told {
  try {
    const { status, message } = await withProgress(showPasskey())
    return status === 'Ok' ? '' : message
  } catch (error) {
    return reasonOf(error, words)
  }
}

/** Sets up a passkey. @param token of the link that was mailed with a right @param isVouched there is one that the desk trusts */
export async function setUpPasskey(
  words: Words,
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
