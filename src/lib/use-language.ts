import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import type { Language } from '#contract/values.ts'

const subscribe = (onChange: () => void) => {
  i18next.on('languageChanged', onChange)
  return () => i18next.off('languageChanged', onChange)
}
const language = (): Language => (i18next.language === 'en' ? 'en' : 'de')

/** The current language. Cheaper than `useTranslation` in each card of a list. */
export const useLanguage = (): Language => useSyncExternalStore(subscribe, language, language)
