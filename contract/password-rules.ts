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

/** At least 8 characters, upper and lower case, a digit or special character. How hard it is to guess, the server judges. */
export const lacksOfPassword = (password: string): PasswordLack[] =>
  needs.filter(([, isMet]) => !isMet(password)).map(([lack]) => lack)
