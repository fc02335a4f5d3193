import i18next from 'i18next'

const files = import.meta.glob<Record<string, unknown>>('./{de,en}/office*.json', { eager: true, import: 'default' })

/** The desk's texts, in both languages: they come with the desk's own file, and to nobody else. */
export function addOfficeTexts(): void {
  for (const [path, texts] of Object.entries(files)) {
    const [, language = '', namespace = ''] = /^\.\/(\w+)\/([\w-]+)\.json$/.exec(path) ?? []
    i18next.addResourceBundle(language, namespace, texts)
  }
}
