import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import type { Language } from '#contract/values.ts'

const subscribe = (onChange: () => void) => {
  i18next.on('languageChanged', onChange)
  return () => i18next.off('languageChanged', onChange)
}
const language = (): Language => (i18next.language === 'en' ? 'en' : 'de')

/** The reader's language; the component renders again when it changes. A list of cards asks for it in each of them. */
export const useLanguage = (): Language => useSyncExternalStore(subscribe, language, language)
