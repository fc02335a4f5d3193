import type { Language } from '#contract/values.ts'

/** How hard a password is to guess: 0 to 4, and advice in the reader's language. */
export type Strength = { score: number; advice: string[] }

/** The work grows faster than the length, and a strong beginning is strong enough. */
const MAX_JUDGED_LENGTH = 24

/** Loads the dictionaries of one language (some hundred KB) and judges; the server judges with all of them. */
export async function judgeStrength(password: string, personalWords: string[], language: Language): Promise<Strength> {
  const [{ ZxcvbnFactory }, common, words] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    language === 'en' ? import('@zxcvbn-ts/language-en') : import('@zxcvbn-ts/language-de'),
  ])
  const estimator = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...words.dictionary },
    graphs: common.adjacencyGraphs,
    translations: words.translations,
  })
  const { score, feedback } = estimator.check(password.slice(0, MAX_JUDGED_LENGTH), personalWords)
  return { score, advice: [feedback.warning, ...feedback.suggestions].filter((text): text is string => Boolean(text)) }
}
