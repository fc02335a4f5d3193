import { readdirSync, readFileSync } from 'node:fs'
import { parseAccept } from 'hono/utils/accept'
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

const texts = { de: readTexts('de'), en: readTexts('en') }

const instance = i18next.createInstance({
  lng: 'de',
  fallbackLng: false,
  resources: { de: { translation: texts.de }, en: { translation: texts.en } },
  // Values are not escaped, because the texts are used in JSON and e-mails, and the mail templates escape HTML
  // themselves.
  interpolation: { escapeValue: false },
  saveMissing: true,
  missingKeyHandler: (_languages, _namespace, key) => {
    throw new Error(`no text for ${key}`)
  },
})
await instance.init()

/**
 * Translates a text.
 * @param key `<file>.<key>` such as `bookings.booked`
 */
export function translate(language: Language, key: string, values: Record<string, string | number> = {}): string {
  return instance.t(key, { lng: language, ...values })
}

const PLURAL = /_(?:one|other)$/

/**
 * English texts at a key and below it, with the keys that `translate` accepts. Of several plural forms, only the last
 * is included.
 */
export function listTextsUnderKey(key: string): { key: string; text: string }[] {
  const found = new Map<string, string>()
  const collect = (at: string, value: unknown) => {
    if (typeof value === 'string') found.set(at.replace(PLURAL, ''), value)
    else for (const [name, inner] of Object.entries(Object(value))) collect(`${at}.${name}`, inner)
  }
  collect(
    key,
    key.split('.').reduce<unknown>((value, name) => Object(value)[name], texts.en),
  )
  return [...found].map(([key, text]) => ({ key, text }))
}

const LANGUAGES: readonly string[] = ['de', 'en']

/** Selects the preferred language from an `Accept-Language` header: `de` or `en`, by default German. */
export function negotiateLanguage(header: string | null | undefined): Language {
  const ranges = parseAccept((header ?? '').toLowerCase()).map(({ type, q }) => ({ range: type.replace(/-.*/, ''), q }))
  const named = ranges.map(({ range }) => range)
  // `*` matches all languages that the header does not name, German first.
  const wanted = ranges
    .filter(({ q }) => q > 0)
    .flatMap(({ range }) => (range === '*' ? LANGUAGES.filter(one => !named.includes(one)) : [range]))
  return wanted.find(range => LANGUAGES.includes(range)) === 'en' ? 'en' : 'de'
}

const MINUTE_S = 60
const HOUR_S = 3600
const LONGEST_IN_MINUTES_S = 90 * MINUTE_S

/** Duration in words, rounded up, for use after "in": "12 Minuten", "3 hours". */
export function durationText(language: Language, seconds: number): string {
  return seconds <= LONGEST_IN_MINUTES_S
    ? translate(language, 'duration.minutes', { count: Math.max(Math.ceil(seconds / MINUTE_S), 1) })
    : translate(language, 'duration.hours', { count: Math.ceil(seconds / HOUR_S) })
}
