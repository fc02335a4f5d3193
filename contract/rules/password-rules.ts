import { PASSWORD_MIN_LENGTH } from '../values.ts'

/** A requirement of the password policy that is not met. */
export type UnmetPasswordRule = 'length' | 'upperCase' | 'lowerCase' | 'digitOrSpecial'

/** Minimum strength of a new password, on the zxcvbn scale from 0 to 4. */
export const PASSWORD_MIN_SCORE = 2

const needs: [lack: UnmetPasswordRule, isMet: (password: string) => boolean][] = [
  ['length', password => [...password].length >= PASSWORD_MIN_LENGTH],
  ['upperCase', password => /\p{Lu}/u.test(password)],
  ['lowerCase', password => /\p{Ll}/u.test(password)],
  ['digitOrSpecial', password => /[^\p{L}\s]/u.test(password)],
]

/**
 * Password requirements that are not met: at least 8 characters, upper and lower case, and a digit or special
 * character. The server also checks how easy the password is to guess.
 */
export const unmetPasswordRules = (password: string): UnmetPasswordRule[] =>
  needs.filter(([, isMet]) => !isMet(password)).map(([lack]) => lack)
