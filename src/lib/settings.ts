import type { Language } from '#contract/values.ts'

/** Reads a device setting. Returns null if it is missing, if storage is blocked, or in the service worker. */
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
    // Storage is blocked, so nothing was stored.
  }
}

/** Stores a device setting. Has no effect if storage is blocked or full. */
export function writeSetting(name: string, text: string): void {
  try {
    localStorage.setItem(name, text)
  } catch {
    // Storage is blocked or full; the value remains in memory.
  }
}

const KEY = 'Language'

/** The language chosen on this page, with the value that was stored then: that language if it could be stored. */
let chosen: { language: Language; stored: string | null } | null = null

/** The language setting; defaults to German. Remains in memory if it could not be stored, until another tab stores one. */
export function readLanguage(): Language {
  const stored = readSetting(KEY)
  if (chosen?.stored !== stored) chosen = null
  return chosen?.language ?? (stored === 'en' ? 'en' : 'de')
}

export function storeLanguage(language: Language): void {
  writeSetting(KEY, language)
  chosen = { language, stored: readSetting(KEY) }
}
