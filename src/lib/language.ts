import type { Language } from '#contract/values.ts'
import { readSetting, writeSetting } from './settings.ts'

const KEY = 'Language'

/** The stored language setting; German by default. */
export const readLanguage = (): Language => (readSetting(KEY) === 'en' ? 'en' : 'de')

export const storeLanguage = (language: Language): void => writeSetting(KEY, language)
