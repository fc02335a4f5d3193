import { PASSWORD_MIN_LENGTH } from './session.ts'

/** Unmet requirement of the password policy. */
export type UnmetPasswordRule = 'length' | 'upperCase' | 'lowerCase' | 'digitOrSpecial'

/** Minimum strength (zxcvbn scale 0 to 4) of a new password. */
export const PASSWORD_MIN_SCORE = 2

const needs: [lack: UnmetPasswordRule, isMet: (password: string) => boolean][] = [
  ['length', password => [...password].length >= PASSWORD_MIN_LENGTH],
  ['upperCase', password => /\p{Lu}/u.test(password)],
  ['lowerCase', password => /\p{Ll}/u.test(password)],
  ['digitOrSpecial', password => /[^\p{L}\s]/u.test(password)],
]

/**
 * Password requirements that are not met: at least 8 characters, upper and lower case, a digit or special character.
 * The server also checks how guessable the password is.
 */
export const unmetPasswordRules = (password: string): UnmetPasswordRule[] =>
  needs.filter(([, isMet]) => !isMet(password)).map(([lack]) => lack)
