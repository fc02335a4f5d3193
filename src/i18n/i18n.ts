import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from '#contract/values.ts'
import { readLanguage, storeLanguage } from '#lib/language.ts'

const files = import.meta.glob<Record<string, unknown>>('./{de,en}/*.json', { import: 'default' })

/** On the phone before the first screen; the others are fetched with the screens that use them. */
const CORE_NAMESPACES = ['shell', 'courses', 'bookings', 'session', 'content'] as const

/** Starts the texts in the stored language. Each file of `i18n/{de,en}` is a namespace. */
export async function startTexts(): Promise<void> {
  await i18next
    .use({
      type: 'backend' as const,
      read: (language: string, namespace: string) => files[`./${language}/${namespace}.json`]!(),
    })
    .use(initReactI18next)
    .init({
      lng: readLanguage(),
      fallbackLng: false,
      ns: CORE_NAMESPACES,
      defaultNS: 'shell',
      interpolation: { escapeValue: false },
    })
  document.documentElement.lang = readLanguage()
}

export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}
