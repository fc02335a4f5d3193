import type { Language } from '#contract/values.ts'

const KEY = 'Language'

/** German unless the stored setting is `en`. */
export function readLanguage(): Language {
  try {
    return localStorage.getItem(KEY) === 'en' ? 'en' : 'de'
  } catch {
    return 'de'
  }
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language)
  } catch {
    // Blocked storage: the choice lasts as long as the page.
  }
}
