import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from '#contract/values.ts'
import { PASSWORD_MIN_LENGTH } from '#contract/values.ts'
import { NoResponseError } from '#lib/api-error.ts'
import { retryUntilLoaded } from '#lib/lazy-load.ts'
import { readLanguage, storeLanguage } from '#lib/settings.ts'

/**
 * Bundled per language and loaded before the first screen; all other texts are loaded with the screens that use them.
 */
const FIRST_NAMESPACES = ['shell', 'courses', 'bookings', 'content']
const firstTexts = { de: () => import('./first-de.ts'), en: () => import('./first-en.ts') }

const files = import.meta.glob<Record<string, unknown>>(
  ['./{de,en}/*.json', '!./{de,en}/{shell,courses,bookings,content,office*}.json'],
  { import: 'default' },
)

async function readTexts(language: string, namespace: string): Promise<Record<string, unknown>> {
  const file = files[`./${language}/${namespace}.json`]
  // i18next does not retry a failed namespace and would show keys instead of texts.
  if (file) return retryUntilLoaded(file)
  const texts: Record<string, Record<string, unknown>> = { ...(await firstTexts[language === 'en' ? 'en' : 'de']()) }
  return texts[namespace] ?? {}
}

/**
 * Initializes i18next in the stored language; each file of `i18n/{de,en}` is a namespace.
 * @throws NoResponseError if the texts could not be loaded
 */
export async function initializeTexts(): Promise<void> {
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
      // Synchronous initialization: otherwise i18next would also wait for namespaces requested in the meantime.
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
  throw new NoResponseError('the texts could not be loaded')
}

/** Prefetches the texts of all other screens. */
export async function prefetchRemainingTexts(): Promise<void> {
  const names = Object.keys(files).map(path => path.replace(/^.*\/|\.json$/g, ''))
  await i18next.loadNamespaces([...new Set(names)])
}

/**
 * Shows the app in a language.
 * @param isChosen stores it for the device, unless it is the stored one that another tab has chosen
 * @throws NoResponseError when the texts could not be fetched; the language then remains unchanged
 */
export async function changeLanguage(language: Language, isChosen = true): Promise<void> {
  // Unlike `changeLanguage`, this also retries texts that failed to load before.
  await i18next.reloadResources([language], FIRST_NAMESPACES)
  expectTexts(language)
  // The language changes only if the texts of all namespaces loaded so far are available in it.
  await Promise.all([...(i18next.options.ns ?? [])].map(name => files[`./${language}/${name}.json`]?.())).catch(
    cause => {
      throw new NoResponseError('the texts could not be loaded', { cause })
    },
  )
  if (isChosen) storeLanguage(language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}

// In development, applies changed texts without a reload (scripts/dev.ts).
if (import.meta.hot)
  import.meta.hot.on('texts', ({ language, namespace, texts }) => {
    i18next.addResourceBundle(language, namespace, texts, true, true)
    void i18next.changeLanguage(i18next.language)
  })
