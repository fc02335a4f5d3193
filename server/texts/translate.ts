import { readdirSync, readFileSync } from 'node:fs'
import i18next from 'i18next'
import type { Language } from '#contract/values.ts'

const readTexts = (language: Language) => {
  const folder = new URL(`./${language}/`, import.meta.url)
  return Object.fromEntries(
    readdirSync(folder).map(file => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
    ]),
  )
}

const instance = i18next.createInstance({
  lng: 'de',
  fallbackLng: false,
  resources: { de: { translation: readTexts('de') }, en: { translation: readTexts('en') } },
  // The texts go into JSON and mails; the mail templates escape what goes into HTML.
  interpolation: { escapeValue: false },
  saveMissing: true,
  missingKeyHandler: (_languages, _namespace, key) => {
    throw new Error(`no text for ${key}`)
  },
})
await instance.init()

/**
 * A server text in one language.
 * @param key `<file>.<key>`, as in `bookings.booked`
 */
export function translate(language: Language, key: string, values: Record<string, string | number> = {}): string {
  return instance.t(key, { lng: language, ...values })
}

/** The language of an `Accept-Language` header: the first of `de` and `en` by weight; German when neither is named. */
export function languageOf(header: string | null | undefined): Language {
  const ranges = (header ?? '').split(',').map(part => {
    const [tag = '', ...options] = part.toLowerCase().split(';')
    const weight = Number(options.find(option => option.trim().startsWith('q='))?.split('=')[1] ?? 1)
    return { language: tag.trim().replace(/-.*/, ''), weight: Number.isFinite(weight) ? weight : 0 }
  })
  const others = ['de', 'en'].filter(known => !ranges.some(({ language }) => language === known))
  const [best] = ranges
    .flatMap(({ language, weight }) =>
      (language === '*' ? others : [language]).map(wanted => ({ language: wanted, weight })),
    )
    .filter(({ language, weight }) => (language === 'de' || language === 'en') && weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return best?.language === 'en' ? 'en' : 'de'
}
