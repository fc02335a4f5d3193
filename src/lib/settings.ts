import type { Language } from '#contract/values.ts'

/** Settings of this page that could not be stored, because storage is blocked or full. */
const unstored = new Map<string, string>()

/** Reads a device setting. Returns null if it is missing, if storage is blocked, or in the service worker. */
export function readSetting(name: string): string | null {
  try {
    return unstored.get(name) ?? localStorage.getItem(name)
  } catch {
    // Storage is blocked.
    return null
  }
}

/** Deletes a device setting. */
export function deleteSetting(name: string): void {
  unstored.delete(name)
  try {
    localStorage.removeItem(name)
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

/** Stores a device setting, or keeps it in the page's memory if storage is blocked. */
export function writeSetting(name: string, text: string): void {
  try {
    localStorage.setItem(name, text)
    unstored.delete(name)
  } catch {
    // Storage is blocked or full.
    unstored.set(name, text)
  }
}

const KEY = 'Language'

/** The stored language setting; defaults to German. */
export const readLanguage = (): Language => (readSetting(KEY) === 'en' ? 'en' : 'de')

export const storeLanguage = (language: Language): void => writeSetting(KEY, language)
