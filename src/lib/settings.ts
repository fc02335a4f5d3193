import type { Language } from '#contract/values.ts'
/** Reads a device setting; null if missing, in the service worker, or if storage is blocked. */
export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    // Storage is blocked.
    return null
  }
}

/** Deletes a device setting. */
export function deleteSetting(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // Storage is blocked: nothing was stored.
  }
}

/** Stores a device setting; in memory of the page if storage is blocked. */
export function writeSetting(name: string, text: string): void {
  try {
    localStorage.setItem(name, text)
  } catch {
    // Blocked or full: the value remains in memory.
  }
}

const KEY = 'Language'

/** The stored language setting; German by default. */
export const readLanguage = (): Language => (readSetting(KEY) === 'en' ? 'en' : 'de')

export const storeLanguage = (language: Language): void => writeSetting(KEY, language)
