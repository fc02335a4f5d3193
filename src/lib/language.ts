import type { Language } from '#contract/values.ts'
import { readStored, writeStored } from './stored-values.ts'

const KEY = 'Language'

/** German unless the stored setting is `en`. */
export const readLanguage = (): Language => (readStored(KEY) === 'en' ? 'en' : 'de')

export const storeLanguage = (language: Language): void => writeStored(KEY, language)
