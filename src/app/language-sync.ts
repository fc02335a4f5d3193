import i18next from 'i18next'
import { loadProgramme } from '#features/courses/resource.ts'
import { readLanguage } from '#lib/settings.ts'
import { changeLanguage } from '../i18n/i18n.ts'

/**
 * Applies the language that another tab has stored, because the messages of the server are requested in it. It may be
 * changed again while the texts are loaded.
 */
async function applyStoredLanguage(): Promise<void> {
  const language = readLanguage()
  if (language === i18next.language) return
  await changeLanguage(language, false)
  loadProgramme()
  await applyStoredLanguage()
}

/** Links the manifest of the language, whose name an installed app gets. At the start, public/boot.js links it. */
const showManifest = (language: string) =>
  document
    .querySelector('link[rel="manifest"]')
    ?.setAttribute('href', language === 'en' ? '/manifest.en.webmanifest' : '/manifest.webmanifest')

/** Follows the language setting of the other tabs. Frozen pages miss the event and catch up when they are shown. */
export function startLanguageSync(): void {
  // If the texts cannot be fetched, the language changes when the page is shown again.
  const apply = () => applyStoredLanguage().catch(() => undefined)
  showManifest(i18next.language)
  i18next.on('languageChanged', showManifest)
  window.addEventListener('storage', apply)
  document.addEventListener('visibilitychange', apply)
}
