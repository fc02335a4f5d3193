import { formatMoney, plainText } from '#contract/words.ts'

/** Returns the translation of a key, or `otherwise` if there is none. */
export type TranslateWithFallback = (key: string, otherwise: string) => string

/** Labels of the profile fields in the language of the export. */
type Names = Partial<Record<string, string>>

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}:\d{2})(?::\d{2})?)?$/
/** Fields with enumeration values that have translated labels. */
const CODED = new Set(['employeeStatus', 'billingType', 'formOfAddress', 'state', 'language', 'priceRule', 'actor'])

const KINDS = new Set(['kind', 'purpose'])

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function readableValue(name: string, value: unknown, texts: TranslateWithFallback): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return texts(value ? 'data.yes' : 'data.no', String(value))
  const text = String(value)
  if (CODED.has(name)) return texts(`${name}.${text}`, text)
  if (KINDS.has(name)) return texts(`data.kind.${text}`, text)
  if (name === 'priceEuro') return formatMoney(Number(text))
  const [, year, month, day, time] = INSTANT.exec(text) ?? []
  if (year) return `${day}.${month}.${year}${time ? ` ${time}` : ''}`
  return /<\w/.test(text) ? plainText(text) : text
}

function readableLines(value: unknown, texts: TranslateWithFallback, names: Names, indent = ''): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${indent}–`]
    return value.flatMap((entry, index) => [...(index > 0 ? [''] : []), ...readableLines(entry, texts, names, indent)])
  }
  if (!isObject(value)) return [`${indent}${readableValue('', value, texts)}`]
  return Object.entries(value).flatMap(([name, entry]) => {
    const label = texts(`data.name.${name}`, names[name] ?? name)
    if (Array.isArray(entry) && !entry.some(isObject)) return [`${indent}${label}: ${entry.join(', ') || '–'}`]
    return isObject(entry)
      ? [`${indent}${label}:`, ...readableLines(entry, texts, names, `${indent}  `)]
      : [`${indent}${label}: ${readableValue(name, entry, texts)}`]
  })
}

/**
 * Formats the exported data as plain text: one heading per part, one value per line, and a blank line between entries.
 */
export const exportToText = (data: Record<string, unknown>, texts: TranslateWithFallback, names: Names): string =>
  Object.entries(data)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => {
      const title = texts(`data.part.${name}`, name)
      return [title, '='.repeat(title.length), ...readableLines(part, texts, names), ''].join('\n')
    })
    .join('\n')

export const DATA_FILE_FORMATS = ['readable', 'json'] as const
export type DataFileFormat = (typeof DATA_FILE_FORMATS)[number]

/** Returns the exported data as a text or JSON file. @param name file name without extension */
export const createDataFile = (
  name: string,
  kind: DataFileFormat,
  data: Record<string, unknown>,
  texts: TranslateWithFallback,
  names: Names,
): [content: Blob, name: string] =>
  kind === 'readable'
    ? [new Blob([exportToText(data, texts, names)], { type: 'text/plain;charset=utf-8' }), `${name}.txt`]
    : [new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), `${name}.json`]
