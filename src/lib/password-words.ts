/** Letters by which words are told apart; any other one is the last. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzäöüß'
const BASE = LETTERS.length + 1

const letterOf = (letter: string): number => {
  const found = LETTERS.indexOf(letter)
  return found < 0 ? BASE - 1 : found
}

/** Three letters each: which of them follow each other in words. */
export const TRIGRAM_BITS = BASE ** 3
export const trigramsOf = (word: string): number[] => {
  const letters = [...word].map(letterOf)
  return letters.slice(2).map((last, at) => ((letters[at] ?? 0) * BASE + (letters[at + 1] ?? 0)) * BASE + last)
}

/** Longer words are looked up one by one: by then the three letters of several words together would pass, too. */
export const MAX_WORD_BY_TRIGRAMS = 12
/** So many of each dictionary have their rank; the others count as the next one. */
export const RANKED = 300

const HASHES = 6
export const BITS_PER_WORD = 9

/** The bits that a word sets in a Bloom filter. */
export function bloomBits(word: string, size: number): number[] {
  let [first, second] = [0x811c9dc5, 0x9e3779b9]
  for (const character of word) {
    const code = character.codePointAt(0) ?? 0
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second ^ code, 0x85ebca6b) ^ (second >>> 13)
  }
  return Array.from({ length: HASHES }, (_, turn) => ((first >>> 0) + turn * ((second | 1) >>> 0)) % size)
}

/** The server's dictionaries in a tenth of their size (scripts/make-password-words.ts). In doubt it takes something for a word. */
export type PasswordWords = {
  /** the words of the first ranks, the commonest first, and how many dictionaries they come from */
  ranked: string
  dictionaries: number
  /** words that follow each other, as months do, by the name of their dictionary */
  sequences: Record<string, string[]>
  /** keys that lie beside each other */
  graphs: Record<string, Record<string, (string | null)[]>>
  /** sets of bits, as base64: the three letters of all words; long words; words so common that any two make a common password; what makes a common password when it is parted */
  trigrams: string
  long: string
  commonest: string
  joined: string
}
