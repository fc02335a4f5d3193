import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { isPredictablePassword } from '#contract/rules/common-rules.ts'

/** Password strength from 0 to 4, and the main weakness. `word` means a dictionary word with additions. */
export type PasswordStrength = { score: number; reason: 'word' | 'short' | '' }

/** Same limit as on the server: the cost grows faster than the length, and a strong prefix is sufficient. */
const MAX_JUDGED_LENGTH = 24
const COMMON_SCORE = 1
/** Maximum period of a repetition to detect, such as 3 for `abcabcabc`. */
const FEW_LETTERS = 3
const GOOD_SCORE = 2

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), character => character.charCodeAt(0))
const hasBit = (bytes: Uint8Array, bit: number): boolean => ((bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0

/** Creates a membership test from a Bloom filter. One percent of its results are false positives. */
function memberOf(base64: string): (word: string) => boolean {
  const bytes = bytesOf(base64)
  return word => bloomBits(word, bytes.length * 8).every(bit => hasBit(bytes, bit))
}

type Ranks = Record<string, number | undefined>
type Internals = {
  options: { rankedDictionaries: Record<string, Ranks>; rankedDictionariesMaxWordSize: Record<string, number> }
}

/**
 * Creates a strength meter that never rates a password higher than the server does. `knownWords` are names of the
 * person and the portal. See docs/decisions/0077.
 */
export function createStrengthMeter(
  words: PasswordDictionaries,
): (password: string, knownWords: string[]) => PasswordStrength {
  const trigrams = bytesOf(words.trigrams)
  const isLong = memberOf(words.long)
  const isCommonest = memberOf(words.commonest)
  const isJoined = memberOf(words.joined)
  const ranks = new Map(
    words.ranked.split(' ').map((word, index) => [word, Math.ceil((index + 1) / words.dictionaries)] as const),
  )
  // Any letter sequence that resembles a word may be in a dictionary that only the server has.
  const isKnown = (word: string): boolean =>
    ranks.has(word) ||
    new Set(word).size <= FEW_LETTERS ||
    (/^\p{L}{3,}$/u.test(word) &&
      (word.length > MAX_TRIGRAM_WORD_LENGTH
        ? isLong(word)
        : trigramsOf(word).every(trigram => trigram < TRIGRAM_BITS && hasBit(trigrams, trigram))))
  const rankOf = (word: string | symbol): number | undefined => {
    if (typeof word === 'symbol') return undefined
    return ranks.get(word) ?? (isKnown(word) ? RANKED_WORD_COUNT + 1 : undefined)
  }

  const estimator = new ZxcvbnFactory({
    dictionary: { ...words.sequences },
    graphs: words.graphs as never,
  })
  const { options } = estimator as unknown as Internals
  options.rankedDictionaries.likely = new Proxy<Ranks>({}, { get: (_, word) => rankOf(word) })
  options.rankedDictionariesMaxWordSize.likely = MAX_JUDGED_LENGTH

  return (password, knownWords) => {
    const local = new Set(knownWords.map(word => word.toLowerCase()).filter(word => word.length > 2))
    const isWord = isPredictablePassword(password, {
      isCommonPassword: isJoined,
      isKnown,
      isCommonest,
      isLocal: word => local.has(word),
    })
    if (isWord) return { score: COMMON_SCORE, reason: 'word' }
    const { score } = estimator.check(password.slice(0, MAX_JUDGED_LENGTH), knownWords)
    return { score, reason: score < GOOD_SCORE ? 'short' : '' }
  }
}

/** Alphabet of the filter. All other characters share one index. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzäöüß'
const BASE = LETTERS.length + 1

const letterOf = (letter: string): number => {
  const found = LETTERS.indexOf(letter)
  return found < 0 ? BASE - 1 : found
}

/** Size in bits of the trigram set, which records the letter triples that occur in dictionary words. */
export const TRIGRAM_BITS = BASE ** 3
export const trigramsOf = (word: string): number[] => {
  const letters = [...word].map(letterOf)
  return letters.slice(2).map((last, at) => ((letters[at] ?? 0) * BASE + (letters[at + 1] ?? 0)) * BASE + last)
}

/**
 * Maximum length of words tested by trigrams. Longer words are stored individually, because concatenated words would
 * pass the trigram test as well.
 */
export const MAX_TRIGRAM_WORD_LENGTH = 12
/** Number of words per dictionary that have a rank of their own. The others share the next rank. */
export const RANKED_WORD_COUNT = 300

const HASHES = 6
export const BITS_PER_WORD = 9

/** Bit positions of a word in a Bloom filter. */
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
 * The server's password dictionaries, reduced to a tenth of their size (scripts/make-password-words.ts). They may have
 * false positives but no false negatives.
 */
export type PasswordDictionaries = {
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
