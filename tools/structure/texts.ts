import { FIELD_LABELS } from '#contract/office/programme.ts'
import { isTest, type SourceFile, type Violation } from './source-files.ts'

type Texts = Map<string, string>

const folders = [
  { folder: 'src/i18n', separator: ':' },
  { folder: 'server/platform/texts', separator: '.' },
]

/** Flattens the texts of a language file to entries by key; nested keys are joined, as in `row.markPresent`. */
function flatten(value: unknown, prefix = ''): [string, string][] {
  if (typeof value === 'string') return [[prefix, value]]
  if (typeof value !== 'object' || value === null) return [[prefix, '']]
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, prefix ? `${prefix}.${key}` : key))
}

function readTexts(files: SourceFile[], folder: string, language: string, separator: string): Texts {
  const prefix = `${folder}/${language}/`
  return new Map(
    files
      .filter(({ path }) => path.startsWith(prefix) && path.endsWith('.json'))
      .flatMap(({ path, text }) =>
        flatten(JSON.parse(text)).map(([key, value]): [string, string] => [
          `${path.slice(prefix.length, -'.json'.length)}${separator}${key}`,
          value,
        ]),
      ),
  )
}

const placeholders = (text: string) => [...new Set(text.match(/\{\{\s*\w+/g) ?? [])].sort().join()

/** Requires the same keys and placeholders in both languages, and no empty text. */
export function checkLanguages(files: SourceFile[]): Violation[] {
  return folders.flatMap(({ folder, separator }) => {
    const [german, english] = ['de', 'en'].map(language => readTexts(files, folder, language, separator)) as [
      Texts,
      Texts,
    ]
    const missing = (language: string, texts: Texts, others: Texts) =>
      [...others.keys()].filter(key => !texts.has(key)).map(key => `${folder}/${language}: ${key} is missing`)
    const differing = [...german].filter(([key, text]) => placeholders(text) !== placeholders(english.get(key) ?? text))
    const empty = [...german, ...english].filter(([, text]) => text.trim() === '')
    return [
      ...missing('de', german, english),
      ...missing('en', english, german),
      ...differing.map(([key]) => `${folder}: ${key} has other placeholders in German than in English`),
      ...empty.map(([key]) => `${folder}: ${key} is empty`),
    ]
  })
}

/** Suffixes of plural forms; a list of texts is identified by its first item. */
const FORMS = ['', '_zero', '_one', '_other', '.0']
const has = (texts: Texts, key: string) => FORMS.some(suffix => texts.has(key + suffix))
const hasPrefix = (texts: Texts, prefix: string) => [...texts.keys()].some(key => key.startsWith(prefix))

/** Literal keys in the code (`t('bell.unread')`), and literal prefixes of computed keys. */
const CLIENT_KEY = /\bt\(\s*(?:'([^']+)'|`([^`$]*)\$\{[^`]*`)/g
const SERVER_KEY = /\b(?:translate\([^,()]*,|new HttpProblem\(\s*\d+,)\s*(?:'([^']+)'|`([^`$]*)\$\{[^`]*`)/g
/** Matches the namespace of the file's `t`: from its own hook, a function outside of components, or a parameter. */
const NAMESPACE = /(?:useTranslation\(\s*\[?|getFixedT\(null, |TFunction<)\s*'([\w-]+)'/

function missingKeys(file: SourceFile, texts: Texts, pattern: RegExp, qualify: (key: string) => string): Violation[] {
  return [...file.text.matchAll(pattern)].flatMap(([, whole, beginning]) => {
    const isThere = whole !== undefined ? has(texts, qualify(whole)) : hasPrefix(texts, qualify(beginning ?? ''))
    return isThere ? [] : [`${file.path}: the text ${qualify(whole ?? `${beginning}…`)} does not exist`]
  })
}

/** Reports keys that the code uses but no language file defines. */
export function checkTextKeys(files: SourceFile[]): Violation[] {
  const client = readTexts(files, 'src/i18n', 'de', ':')
  for (const [name, label] of Object.entries(FIELD_LABELS.de)) client.set(`office-programme:field.${name}`, label)
  const server = readTexts(files, 'server/platform/texts', 'de', '.')
  return files
    .filter(({ path }) => /\.tsx?$/.test(path) && !isTest(path))
    .flatMap(file => {
      if (file.path.startsWith('server/')) return missingKeys(file, server, SERVER_KEY, key => key)
      if (!file.path.startsWith('src/')) return []
      const namespace = NAMESPACE.exec(file.text)?.[1] ?? 'shell'
      return missingKeys(file, client, CLIENT_KEY, key => (key.includes(':') ? key : `${namespace}:${key}`))
    })
}
