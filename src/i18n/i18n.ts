import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from '#contract/values.ts'
import { NoAnswerError } from '#lib/api-error.ts'
import { readLanguage, storeLanguage } from '#lib/language.ts'

const files = import.meta.glob<Record<string, unknown>>('./{de,en}/*.json', { import: 'default' })

/** On the phone before the first screen; the others are fetched with the screens that use them. */
const CORE_NAMESPACES = ['shell', 'courses', 'bookings', 'session', 'content'] as const

/**
 * Starts the texts in the stored language. Each file of `i18n/{de,en}` is a namespace.
 * @throws NoAnswerError when they could not be fetched
 */
export async function startTexts(): Promise<void> {
  const language = readLanguage()
  await i18next
    .use({
      type: 'backend' as const,
      read: (wanted: string, namespace: string) => files[`./${wanted}/${namespace}.json`]!(),
    })
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      ns: CORE_NAMESPACES,
      defaultNS: 'shell',
      interpolation: { escapeValue: false },
    })
  document.documentElement.lang = language
  expectTexts(language)
}

function expectTexts(language: Language): void {
  if (CORE_NAMESPACES.every(namespace => i18next.hasResourceBundle(language, namespace))) return
  throw new NoAnswerError('the texts did not come')
}

/** @throws NoAnswerError when the texts could not be fetched; the language then stays as it is */
export async function changeLanguage(language: Language): Promise<void> {
  // Unlike a mere change this asks again for texts that did not come the last time.
  await i18next.reloadResources([language], CORE_NAMESPACES)
  expectTexts(language)
  storeLanguage(language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}
