import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import type { Language } from '#contract/values.ts'
import type { Strength, StrengthQuestion } from './password-strength.ts'

/** The work grows faster than the length, and a strong beginning is strong enough. */
const MAX_JUDGED_LENGTH = 24

const estimators = new Map<Language, Promise<ZxcvbnFactory>>()

async function createEstimator(language: Language): Promise<ZxcvbnFactory> {
  const [common, words] = await Promise.all([
    import('@zxcvbn-ts/language-common'),
    language === 'en' ? import('@zxcvbn-ts/language-en') : import('@zxcvbn-ts/language-de'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...words.dictionary },
    graphs: common.adjacencyGraphs,
    translations: words.translations,
  })
}

async function judge({ password, personalWords, language }: StrengthQuestion): Promise<Strength> {
  const estimator = estimators.get(language) ?? createEstimator(language)
  estimators.set(language, estimator)
  const { score, feedback } = (await estimator).check(password.slice(0, MAX_JUDGED_LENGTH), personalWords)
  return { score, advice: [feedback.warning, ...feedback.suggestions].filter((text): text is string => Boolean(text)) }
}

/** Each question brings the port for its answer; null: the dictionaries could not be fetched. */
addEventListener('message', ({ data, ports }: MessageEvent<StrengthQuestion>) => {
  judge(data).then(
    strength => ports[0]?.postMessage(strength),
    () => ports[0]?.postMessage(null),
  )
})
