import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { PASSWORD_MIN_LENGTH } from '#contract/session.ts'
import type { Language } from '#contract/values.ts'
import { NoAnswerError } from '#lib/api-error.ts'
import { retryUntilLoaded } from '#lib/lazy-load.ts'
import { readLanguage, storeLanguage } from '#lib/settings.ts'

/** On the phone before the first screen, in one file per language; the others are fetched with the screens that use them. */
const FIRST_NAMESPACES = ['shell', 'courses', 'bookings', 'content']
const firstTexts = { de: () => import('./first-de.ts'), en: () => import('./first-en.ts') }

const files = import.meta.glob<Record<string, unknown>>(
  ['./{de,en}/*.json', '!./{de,en}/{shell,courses,bookings,content,office*}.json'],
  { import: 'default' },
)

async function readTexts(language: string, namespace: string): Promise<Record<string, unknown>> {
  const file = files[`./${language}/${namespace}.json`]
  // A text that does not come would be given up for good, and its key shown in its place.
  if (file) return retryUntilLoaded(file)
  const texts: Record<string, Record<string, unknown>> = { ...(await firstTexts[language === 'en' ? 'en' : 'de']()) }
  return texts[namespace] ?? {}
}

/** Starts the texts in the stored language; each file of `i18n/{de,en}` is a namespace. @throws NoAnswerError without them */
export async function startTexts(): Promise<void> {
  const language = readLanguage()
  await i18next
    .use({
      type: 'backend' as const,
      read: readTexts,
    })
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      // At once: whose texts are asked for before these have come would be waited for, too.
      initAsync: false,
      ns: [...FIRST_NAMESPACES],
      defaultNS: 'shell',
      interpolation: { escapeValue: false, defaultVariables: { passwordMin: PASSWORD_MIN_LENGTH } },
    })
  document.documentElement.lang = language
  expectTexts(language)
}

function expectTexts(language: Language): void {
  if (FIRST_NAMESPACES.every(namespace => i18next.hasResourceBundle(language, namespace))) return
  throw new NoAnswerError('the texts did not come')
}

/** Fetches the texts of all other screens, so that none waits for them. */
export async function loadOtherTexts(): Promise<void> {
  const names = Object.keys(files).map(path => path.replace(/^.*\/|\.json$/g, ''))
  await i18next.loadNamespaces([...new Set(names)])
}

/** @throws NoAnswerError when the texts could not be fetched; the language then stays as it is */
export async function changeLanguage(language: Language): Promise<void> {
  // Unlike a mere change this asks again for texts that did not come the last time.
  await i18next.reloadResources([language], FIRST_NAMESPACES)
  expectTexts(language)
  // All that was read so far changes at once, or nothing does.
  await Promise.all([...(i18next.options.ns ?? [])].map(name => files[`./${language}/${name}.json`]?.())).catch(
    cause => {
      throw new NoAnswerError('the texts did not come', { cause })
    },
  )
  storeLanguage(language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}
