import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as german from '@zxcvbn-ts/language-de'
import * as english from '@zxcvbn-ts/language-en'
import { guessableWordsOf, isPredictablePassword, type PasswordDictionary } from '#contract/rules/common-rules.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { handleJobs } from '#server/platform/process/thread-jobs.ts'
import { readCommonPasswords } from './passwords.ts'

export type StrengthRequest = { password: string; personalWords: string[] }

/** Maximum number of characters to rate. The run time grows faster than linearly, and a strong prefix suffices. */
const MAX_JUDGED_LENGTH = 24

type Ranks = Record<string, Record<string, number>>

const ourWords = new Set(guessableWordsOf(readConfig().branding))
const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary, ...german.dictionary, local: [...ourWords] },
  graphs: common.adjacencyGraphs,
})

// Reuses the estimator's dictionaries (about 300,000 words) instead of loading them twice.
const { rankedDictionaries }: { rankedDictionaries: Ranks } = Reflect.get(estimator, 'options')
const dictionaries = Object.values(rankedDictionaries)
const isCommonPassword = readCommonPasswords()
/** Number of most common entries per dictionary; even combinations of two such words are guessable. */
export const COMMONEST_WORD_COUNTS = { 'passwords-common': 5_000, commonWords: 2_000, 'commonWords-en': 1_000 }
const isCommonest = (word: string) =>
  Object.entries(COMMONEST_WORD_COUNTS).some(([name, count]) => {
    const words = rankedDictionaries[name] ?? {}
    return Object.hasOwn(words, word) && Number(words[word]) <= count
  })

const wordsFor = (personalWords: string[]): PasswordDictionary => {
  const personal = new Set(personalWords.map(word => word.toLowerCase()).filter(word => word.length > 2))
  return {
    isCommonPassword,
    isKnown: word => isCommonPassword(word) || dictionaries.some(words => Object.hasOwn(words, word)),
    isCommonest,
    isLocal: word => ourWords.has(word) || personal.has(word),
  }
}

/**
 * Score of common passwords with predictable modifications. They are detected here much faster than by the estimator.
 */
const COMMON_SCORE = 1

export const ratePassword = (password: string, personalWords: string[]): number =>
  isPredictablePassword(password, wordsFor(personalWords))
    ? COMMON_SCORE
    : estimator.check(password.slice(0, MAX_JUDGED_LENGTH), personalWords).score

handleJobs(({ password, personalWords }: StrengthRequest) => ratePassword(password, personalWords))
