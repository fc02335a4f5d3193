import type { Language } from '#contract/values.ts'
import { loadProgramme } from '#features/courses/resource.ts'
import { changeLanguage } from '../i18n/i18n.ts'

/** Stores the language and refetches the data that depends on it. */
export async function switchLanguage(language: Language): Promise<void> {
  await changeLanguage(language)
  loadProgramme()
}
