import { deskWords } from './field-words/desk.ts'
import { ownDataWords } from './field-words/own-data.ts'
import { peopleWords } from './field-words/people.ts'
import { programmeWords } from './field-words/programme.ts'
import { FIELD_NAMES } from './person.ts'

/**
 * What each field of the interface means, with its unit: said once for its name, and again, behind what holds it, where the name
 * means something else there (`price.fee`, `create-token.token`). In plain English, for those who write programs against it; a
 * person's field of which nothing more is said here is what its name says.
 * See docs/decisions/0100.
 */
export const FIELD_WORDS: Record<string, string> = {
  ...FIELD_NAMES.en,
  ...programmeWords,
  ...peopleWords,
  ...ownDataWords,
  ...deskWords,
}

/** @param holders the outermost first: a call or a shared shape, then fields @returns undefined: nobody has said what it means */
export function keyOfWords(holders: readonly string[], field: string): string | undefined {
  const keys = [...holders.map(holder => `${holder}.${field}`).reverse(), field]
  return keys.find(key => key in FIELD_WORDS)
}
