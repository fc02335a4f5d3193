import { parse } from 'csv-parse/sync'
import { PROFILE_FIELD_LABELS } from '../../contract/tables/person.ts'
import type { SourceFile, Violation } from './source-files.ts'

type Language = 'de' | 'en'
/** A synonym that the glossary forbids, with the term to use instead. */
type Synonym = { language: Language; word: string; right: string; pattern: RegExp }
type Exception = { where: string; word: string }
type Text = { where: string; language: Language; text: string }

const GLOSSARY = 'docs/glossary.md'

/** Columns of the demo programme whose texts the department writes; texts written by users are exempt. */
const DEMO_COLUMNS: Record<string, string[]> = {
  'demo/albums.csv': ['name', 'name2', 'description', 'description2'],
  'demo/categories.csv': ['name', 'name2'],
  'demo/content.csv': ['linkText', 'linkText2', 'text1', 'text2', 'text3', 'text4'],
  'demo/courses.csv': ['name', 'name2', 'textWeb', 'textWeb2', 'conditions', 'conditions2', 'location', 'location2'],
  'demo/messages.csv': ['title', 'text'],
  'demo/seasons.csv': ['name', 'name2', 'description', 'description2'],
}
const ENGLISH_COLUMN = /^(?:text3|text4|(?:name|description|linkText|textWeb|conditions|location)2)$/

const escaped = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')

/**
 * Pattern for a word of the glossary. `word*` matches any ending; a lower-case first letter also matches upper case,
 * as at the start of a sentence.
 */
function patternOf(word: string): RegExp {
  const [first = '', ...rest] = word
  const start = /\p{Ll}/u.test(first) ? `[${first}${first.toUpperCase()}]` : escaped(first)
  const body = escaped(rest.join('')).replaceAll('*', '\\p{L}*')
  return new RegExp(`(?<![\\p{L}\\d-])${start}${body}(?![\\p{L}\\d])`, 'u')
}

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim())
const itemsOf = (cell: string) => (cell === '–' ? [] : cell.split(',').map(item => item.trim()))

/** Parses the synonyms in the tables with five columns and the exceptions in the table with three. */
function readGlossary(text: string): { synonyms: Synonym[]; exceptions: Exception[] } {
  const rows = text
    .split('\n')
    .filter(line => line.startsWith('|') && !/^\|[\s|-]+$/.test(line))
    .map(cellsOf)
    .filter(([first]) => first !== 'German' && first !== 'Where')
  const synonyms = rows.flatMap(([german = '', english = '', , notGerman, notEnglish]) => {
    if (notGerman === undefined || notEnglish === undefined) return []
    const of = (language: Language, right: string, cell: string) =>
      itemsOf(cell).map(word => ({ language, word, right, pattern: patternOf(word) }))
    return [...of('de', german, notGerman), ...of('en', english, notEnglish)]
  })
  const exceptions = rows
    .filter(cells => cells.length === 3)
    .map(([where = '', word = '']) => ({ where: where.replaceAll('`', ''), word }))
  return { synonyms, exceptions }
}

/** Visible part of a text, without placeholders, tags and link targets. */
const shown = (text: string) => text.replace(/\{\{[^}]*\}\}|<[^>]+>|\]\([^)]*\)|\S+@\S+/g, ' … ').replace(/\s+/g, ' ')

function textsOf(value: unknown, where: string, language: Language): Text[] {
  if (typeof value === 'string') return [{ where, language, text: shown(value) }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, `${where}.${key}`, language))
}

function readTexts({ path, text }: SourceFile): Text[] {
  const language = /^(?:src\/i18n|server\/platform\/texts)\/(de|en)\/[\w-]+\.json$/.exec(path)?.[1]
  if (language === 'de' || language === 'en') {
    return Object.entries(JSON.parse(text)).flatMap(([key, value]) => textsOf(value, `${path}: ${key}`, language))
  }
  const columns = DEMO_COLUMNS[path]
  if (!columns) return []
  const rows = parse(text, { columns: true, bom: true }) as Record<string, string>[]
  return rows.flatMap((row, index) =>
    columns.map((column): Text => {
      const where = `${path}: row ${index + 2} ${column}`
      return { where, language: ENGLISH_COLUMN.test(column) ? 'en' : 'de', text: shown(row[column] ?? '') }
    }),
  )
}

/** Reports texts that use a synonym instead of the glossary's term, and unused exceptions. */
export function checkGlossary(files: SourceFile[]): Violation[] {
  const glossary = files.find(({ path }) => path === GLOSSARY)
  if (!glossary) return []
  const { synonyms, exceptions } = readGlossary(glossary.text)
  const needed = new Set<Exception>()
  const names = (['de', 'en'] as const).flatMap(language =>
    textsOf(PROFILE_FIELD_LABELS[language], `contract/tables/person.ts: ${language}`, language),
  )
  const violations = [...files.flatMap(readTexts), ...names].flatMap(({ where, language, text }) =>
    synonyms
      .filter(synonym => synonym.language === language && synonym.pattern.test(text))
      .flatMap(({ word, right }) => {
        const exception = exceptions.find(one => where.endsWith(one.where) && one.word === word)
        if (!exception) return [`${where} says "${word}", the glossary says "${right}": ${text.slice(0, 200)}`]
        needed.add(exception)
        return []
      }),
  )
  const idle = exceptions.filter(exception => !needed.has(exception))
  return [
    ...violations,
    ...idle.map(({ where, word }) => `${GLOSSARY}: nothing needs the exception ${where} "${word}"`),
  ]
}
