/** Alphabet of the filter; all other characters share one index. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzäöüß'
const BASE = LETTERS.length + 1

const letterOf = (letter: string): number => {
  const found = LETTERS.indexOf(letter)
  return found < 0 ? BASE - 1 : found
}

/** Bits of the trigram set: which three letters occur in a row in dictionary words. */
export const TRIGRAM_BITS = BASE ** 3
export const trigramsOf = (word: string): number[] => {
  const letters = [...word].map(letterOf)
  return letters.slice(2).map((last, at) => ((letters[at] ?? 0) * BASE + (letters[at + 1] ?? 0)) * BASE + last)
}

/** Longer words are tested one by one: concatenated words would pass the trigram test as well. */
export const MAX_WORD_BY_TRIGRAMS = 12
/** Number of words per dictionary with an individual rank; the others share the next rank. */
export const RANKED = 300

const HASHES = 6
export const BITS_PER_WORD = 9

/** The bit positions of a word in a Bloom filter. */
export function bloomBits(word: string, size: number): number[] {
  let [first, second] = [0x811c9dc5, 0x9e3779b9]
  for (const character of word) {
    const code = character.codePointAt(0) ?? 0
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second ^ code, 0x85ebca6b) ^ (second >>> 13)
  }
  return Array.from({ length: HASHES }, (_, turn) => ((first >>> 0) + turn * ((second | 1) >>> 0)) % size)
}

/**
 * The server's password dictionaries in a tenth of their size (scripts/make-password-words.ts). May have false
 * positives, but no false negatives.
 */
export type PasswordWords = {
  /** the highest-ranked words, most common first, and the number of source dictionaries */
  ranked: string
  dictionaries: number
  /** words in a fixed order, such as months, by dictionary name */
  sequences: Record<string, string[]>
  /** keyboard adjacency graphs */
  graphs: Record<string, Record<string, (string | null)[]>>
  /**
   * bit sets in base64: trigrams of all words; long words; words so common that any two form a common password; parts
   * of common passwords
   */
  trigrams: string
  long: string
  commonest: string
  joined: string
}
