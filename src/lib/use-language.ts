import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/values.ts'

/** The reader's language; the component renders again when it changes. */
export const useLanguage = (): Language => (useTranslation().i18n.language === 'en' ? 'en' : 'de')
