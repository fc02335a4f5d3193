import i18next from 'i18next'
import { FIELD_LABELS } from '#contract/office/programme.ts'

const files = import.meta.glob<Record<string, unknown>>('./{de,en}/office*.json', { eager: true, import: 'default' })

/** Adds the texts and field labels of the office UI in both languages. Only the office UI's chunk contains them. */
export function addOfficeTexts(): void {
  for (const [path, texts] of Object.entries(files)) {
    const [, language = '', namespace = ''] = /^\.\/(\w+)\/([\w-]+)\.json$/.exec(path) ?? []
    i18next.addResourceBundle(language, namespace, texts)
  }
  for (const [language, field] of Object.entries(FIELD_LABELS))
    i18next.addResourceBundle(language, 'office-programme', { field }, true)
}
