import { PASSWORD_MIN_LENGTH } from './session.ts'

/** What a new password may still lack of the policy. */
export type PasswordLack = 'length' | 'upperCase' | 'lowerCase' | 'digitOrSpecial'

/** The least strength (0 to 4) of a new password. */
export const PASSWORD_MIN_SCORE = 2

const needs: [lack: PasswordLack, isMet: (password: string) => boolean][] = [
  ['length', password => [...password].length >= PASSWORD_MIN_LENGTH],
  ['upperCase', password => /\p{Lu}/u.test(password)],
  ['lowerCase', password => /\p{Ll}/u.test(password)],
  ['digitOrSpecial', password => /[^\p{L}\s]/u.test(password)],
]

/**
 * What a password lacks: at least 8 characters with upper and lower case letters and a digit or special character. How hard
 * it is to guess is another matter, which the server judges.
 */
export const lacksOfPassword = (password: string): PasswordLack[] =>
  needs.filter(([, isMet]) => !isMet(password)).map(([lack]) => lack)
