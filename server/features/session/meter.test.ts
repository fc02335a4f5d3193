import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import * as common from '@zxcvbn-ts/language-common'
import * as german from '@zxcvbn-ts/language-de'
import * as english from '@zxcvbn-ts/language-en'
import { expect, test } from 'vitest'
import { guessableWordsOf } from '#contract/rules/common-rules.ts'
import { PASSWORD_MIN_SCORE, unmetPasswordRules } from '#contract/rules/password-rules.ts'
import { createRandom } from '#contract/test/random.ts'
import type { PasswordDictionaries } from '#lib/password-meter.ts'
import { createStrengthMeter } from '#lib/password-meter.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { ratePassword } from './strength-worker.ts'

const COUNT = 150
const FILE = new URL('../../../src/lib/password-words.json', import.meta.url)
const measure = createStrengthMeter(JSON.parse(readFileSync(FILE, 'utf8')) as PasswordDictionaries)

const localWords = guessableWordsOf(readConfig({}).branding)
const hasForm = (password: string) => unmetPasswordRules(password).length === 0
const isGoodHere = (password: string) => hasForm(password) && measure(password, localWords).score >= PASSWORD_MIN_SCORE
const isTaken = (password: string) => hasForm(password) && ratePassword(password, []) >= PASSWORD_MIN_SCORE

const words = Object.values({ ...common.dictionary, ...english.dictionary, ...german.dictionary })
  .flatMap(list => list.map(String))
  .filter(word => word.length >= 3)
const frequent = Object.values({ ...common.dictionary, ...english.dictionary, ...german.dictionary }).flatMap(list =>
  list.slice(0, 500).map(String),
)

/** Passwords of all kinds: decorated words, phrases, look-alikes, dates, keyboard patterns and generated ones. */
function makePasswords(count: number, seed: number): string[] {
  const random = createRandom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const word = () => pick(random() < 0.5 ? words : frequent)
  const big = (text: string) => text.replace(/^./u, first => first.toUpperCase())
  const number = () => String(Math.floor(random() * 10 ** (1 + Math.floor(random() * 4))))
  const mark = () => pick(['-', '.', '_', '!', ' ', '+', '#', ',', '$', '@'])
  const disguise = (text: string) =>
    text.replace(/[aeilost]/g, letter =>
      random() < 0.4 ? ({ a: '4', e: '3', i: '1', l: '1', o: '0', s: '$', t: '7' }[letter] ?? letter) : letter,
    )
  const letters = (length: number, from: string) => Array.from({ length }, () => pick([...from])).join('')
  const kinds = [
    () => big(word()) + number() + mark(),
    () => mark() + big(word()) + number(),
    () => big(disguise(word())) + number(),
    () => big(word()) + mark() + big(word()) + number(),
    () => big(word()) + word() + number(),
    () => big(word()) + number() + word(),
    () => `${big(word())} ${word()} ${word()}${number()}`,
    () => big(disguise(word())) + mark() + disguise(word()),
    () =>
      big(word()) +
      mark() +
      `${1 + Math.floor(random() * 28)}.0${1 + Math.floor(random() * 9)}.${1950 + Math.floor(random() * 70)}`,
    () =>
      big(pick(['qwertz', 'asdfgh', 'yxcvbn', 'qwerty', 'qaywsx', 'abcdef', 'hjklöä'])) +
      mark() +
      pick(['qwert', '12345', 'asdf', 'zuiop']) +
      number(),
    () => big(letters(3, 'abcxyz').repeat(3)) + number(),
    () => letters(8 + Math.floor(random() * 8), 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'),
    () => letters(8 + Math.floor(random() * 8), 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!#$%&*+-=?@_'),
  ]
  const made = new Set<string>()
  while (made.size < count) {
    const password = pick(kinds)()
    if (hasForm(password) && password.length <= 50) made.add(password)
  }
  return [...made]
}

test.each([[1], [2026]])(
  'the server accepts every password that the meter rates as good, seed %i',
  { tags: 'extended', timeout: 120_000 },
  seed => {
    const verdicts = makePasswords(COUNT, seed).map(password => ({
      password,
      isTaken: isTaken(password),
      isGood: isGoodHere(password),
    }))
    const taken = verdicts.filter(verdict => verdict.isTaken)
    const good = verdicts.filter(verdict => verdict.isGood)
    console.log(`of ${COUNT} passwords the server takes ${taken.length}, the meter ${good.length}`)
    expect(good.filter(verdict => !verdict.isTaken).map(({ password }) => password)).toEqual([])
    // The meter may be moderately stricter than the server.
    expect(good.length / taken.length).toBeGreaterThan(0.6)
  },
)

test('the password meter of the app fits into 60 KB', () => {
  expect(brotliCompressSync(readFileSync(FILE)).length).toBeLessThan(60_000)
})
