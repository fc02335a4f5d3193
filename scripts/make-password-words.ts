import { writeFileSync } from 'node:fs'
import * as common from '@zxcvbn-ts/language-common'
import * as german from '@zxcvbn-ts/language-de'
import * as english from '@zxcvbn-ts/language-en'
import {
  BITS_PER_WORD,
  bloomBits,
  MAX_TRIGRAM_WORD_LENGTH,
  type PasswordDictionaries,
  RANKED_WORD_COUNT,
  TRIGRAM_BITS,
  trigramsOf,
} from '#lib/password-meter.ts'
import { readCommonPasswords } from '#server/features/session/passwords.ts'
import { COMMONEST_WORD_COUNTS } from '#server/features/session/strength-worker.ts'

/** Creates src/lib/password-words.json, the app's excerpt from the server's dictionaries. */
const dictionaries: Record<string, string[]> = Object.fromEntries(
  Object.entries({ ...common.dictionary, ...english.dictionary, ...german.dictionary }).map(([name, words]) => [
    name,
    words.map(String),
  ]),
)
const isSequence = (name: string) => (dictionaries[name]?.length ?? 0) < 100
const large = Object.keys(dictionaries).filter(name => !isSequence(name))
const all = [...new Set(large.flatMap(name => dictionaries[name] ?? []))]
const lettersOnly = all.filter(word => /^\p{L}{3,}$/u.test(word))

const base64 = (bits: Iterable<number>, size: number): string => {
  const bytes = Buffer.alloc(Math.ceil(size / 8))
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7))
  return bytes.toString('base64')
}
const bloom = (words: string[]): string => {
  const size = Math.ceil((words.length * BITS_PER_WORD) / 8) * 8
  return base64(
    words.flatMap(word => bloomBits(word, size)),
    size,
  )
}

const bestRanks = new Map<string, number>()
for (const name of large)
  for (const [index, word] of (dictionaries[name] ?? []).slice(0, RANKED_WORD_COUNT).entries())
    bestRanks.set(word, Math.min(bestRanks.get(word) ?? RANKED_WORD_COUNT, index + 1))

const isCommonPassword = readCommonPasswords()
const commonest = Object.entries(COMMONEST_WORD_COUNTS).flatMap(([name, count]) =>
  (dictionaries[name] ?? []).slice(0, count),
)
/** Dictionaries of common words. Two of them form a common password, with or without a separator. */
const SPOKEN = ['commonWords', 'commonWords-en', 'passwords-common', 'firstnames', 'firstnames-en']
const spoken = new Set(SPOKEN.flatMap(name => (dictionaries[name] ?? []).slice(0, 6_000)))
const fromLists = (dictionaries['passwords-common'] ?? []).filter(word => /^\p{L}{6,}$/u.test(word))
const parts = [...new Set(commonest)].filter(word => /^\p{L}{3,}$/u.test(word)).slice(0, 2_500)
const isOfTwo = (word: string) =>
  Array.from({ length: word.length - 5 }, (_, at) => at + 3).some(
    cut => spoken.has(word.slice(0, cut)) && spoken.has(word.slice(cut)),
  )
const joined = new Set([
  ...fromLists.filter(isOfTwo),
  ...parts.flatMap(first => parts.map(second => first + second).filter(isCommonPassword)),
])

/** Keyboard patterns that are frequent in lists of common passwords. */
const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertzuiopü',
  'qwertyuiop',
  'asdfghjklöä',
  'yxcvbnm',
  'zxcvbnm',
  'qayxswedcvfr',
  'qazxswedcvfr',
]
const runs = RUNS.flatMap(run => [run, [...run].reverse().join('')])

const words: PasswordDictionaries = {
  ranked: [...bestRanks]
    .sort(([, first], [, second]) => first - second)
    .map(([word]) => word)
    .join(' '),
  dictionaries: large.length,
  sequences: Object.fromEntries(
    Object.keys(dictionaries)
      .filter(isSequence)
      .map(name => [name, dictionaries[name] ?? []]),
  ),
  graphs: common.adjacencyGraphs,
  trigrams: base64(
    [...lettersOnly.filter(word => word.length <= MAX_TRIGRAM_WORD_LENGTH), ...runs].flatMap(trigramsOf),
    TRIGRAM_BITS,
  ),
  long: bloom(lettersOnly.filter(word => word.length > MAX_TRIGRAM_WORD_LENGTH)),
  commonest: bloom([...new Set(commonest)].filter(word => /^\p{L}{3,}$/u.test(word))),
  joined: bloom([...joined]),
}
writeFileSync(new URL('../src/lib/password-words.json', import.meta.url), `${JSON.stringify(words)}\n`)
console.log(`${all.length} words, ${bestRanks.size} ranked, ${joined.size} joined`)
for (const [name, part] of Object.entries(words)) console.log(name, JSON.stringify(part).length)
