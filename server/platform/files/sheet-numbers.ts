const SECONDS_A_DAY = 86_400
const DAY_MS = SECONDS_A_DAY * 1000

/** Excel's own limit. */
export const MAX_FORMAT_LENGTH = 255
/** Maximum number of decimals that Excel shows. */
const MAX_DECIMALS = 30

/** Number format of a cell, reduced to what affects the meaning of the number. */
export type NumberFormat =
  | { kind: 'plain' }
  | { kind: 'date' }
  /** time of day, also of a value that contains a date */
  | { kind: 'time' }
  /** duration such as `[h]:mm`, which may exceed 24 hours */
  | { kind: 'elapsed' }
  /** minimum number of digits before and after the decimal point */
  | { kind: 'padded'; whole: number; decimals: number }
  | { kind: 'percent' }
  /** digits among text, such as `"P-"00000` and `00\:00`: placeholders (null) and the texts around them */
  | { kind: 'mask'; parts: (string | null)[] }

/** Built-in formats, which have an id but no definition in the file, including CJK dates. */
const BUILT_IN = new Map([
  [1, '0'],
  [2, '0.00'],
  [9, '0%'],
  [10, '0.00%'],
  ...[14, 15, 16, 17].map(id => [id, 'd.m.yy'] as const),
  ...[18, 19, 20, 21, 45, 47].map(id => [id, 'h:mm:ss'] as const),
  [22, 'd.m.yy h:mm'],
  [46, '[h]:mm:ss'],
])
const isDateOfTheEast = (id: number) => (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

/** Parts of a format: quoted or escaped text, conditions and colors, padding, single characters. */
const FORMAT_PARTS = /"[^"]*"|\\.|\[[^\]]*\]|[_*].|./g
const isLiteral = (part: string) => /^(?:"[^"]*"|\\.|[ ()+/:-])$/.test(part)

/**
 * Parses a format of two or more digits among text, with which numbers of people, accounts and the like are shown.
 * @returns null if it is none, or has no text
 */
function readMask(text: string): NumberFormat | null {
  const all: string[] = text.match(FORMAT_PARTS) ?? []
  const first = (all.includes(';') ? all.slice(0, all.indexOf(';')) : all).filter(
    part => !/^(?:\[.*|[_*].)$/.test(part),
  )
  if (!first.every(part => part === '0' || isLiteral(part))) return null
  const parts = first.map(part => (part === '0' ? null : part.replace(/^\\|"/g, '')))
  const digits = parts.filter(part => part === null).length
  return digits > 1 && digits < parts.length ? { kind: 'mask', parts } : null
}

/** @param text format definition in the file; undefined for built-in formats */
export function readNumberFormat(
  id: number,
  text = isDateOfTheEast(id) ? 'd.m.yy' : (BUILT_IN.get(id) ?? ''),
): NumberFormat {
  const [first = ''] = text.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')
  const elapsed = /\[[hms]+\]/i.test(first)
  const code = first.replace(/\[[^\]]*\]/g, '').toLowerCase()
  const mask = readMask(text)
  if (mask) return mask
  if (code.includes('%')) return { kind: 'percent' }
  const [, whole = '', decimals = ''] = /^(0+)(?:\.(0+))?$/.exec(code) ?? []
  if (whole && decimals.length <= MAX_DECIMALS)
    return { kind: 'padded', whole: whole.length, decimals: decimals.length }
  if (!elapsed && (/^general$|e[+-]/.test(code) || !/[dmyhs]/.test(code))) return { kind: 'plain' }
  if (/[dy]|mmm/.test(code) || !(elapsed || /[hs]/.test(code))) return { kind: 'date' }
  return { kind: elapsed ? 'elapsed' : 'time' }
}

/** Formats a number, rounded to 15 digits as in spreadsheets, to hide floating-point errors. */
const writePlain = (value: number) => String(Number(value.toPrecision(15)))

function writePadded(value: number, whole: number, decimals: number): string {
  const plain = writePlain(value)
  // If the format hides digits, the number is returned with all of them, so that validating the cell reports them.
  if (value < 0 || Number(value.toFixed(decimals)) !== Number(plain)) return plain
  return value.toFixed(decimals).padStart(whole + (decimals && decimals + 1), '0')
}

/** Fills the placeholders from the right; the first one takes all further digits. */
function writeMask(value: number, parts: readonly (string | null)[]): string {
  const digits = parts.filter(part => part === null).length
  const plain = writePlain(value)
  if (!/^\d+$/.test(plain)) return plain
  const text = plain.padStart(digits, '0')
  const more = text.length - digits
  let placed = 0
  return parts.map(part => part ?? text.slice(placed === 0 ? 0 : placed + more, more + ++placed)).join('')
}

/** Epoch of a workbook's date system. The 1900 system includes 29 February 1900, which did not exist. */
const firstDay = (days: number, is1904: boolean) =>
  is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)

/**
 * Formats a cell's number as in CSV: `2026-11-21` for dates, `2026-11-21 18:00` for dates with a time, `18:00` for
 * times, `80%` for percentages.
 */
export function formatCellNumber(value: number, format: NumberFormat, is1904: boolean): string {
  if (format.kind === 'padded') return writePadded(value, format.whole, format.decimals)
  if (format.kind === 'percent') return `${writePlain(value * 100)}%`
  if (format.kind === 'mask') return writeMask(value, format.parts)
  const total = Math.round(value * SECONDS_A_DAY)
  const days = Math.floor(total / SECONDS_A_DAY)
  const first = firstDay(days, is1904)
  // Spreadsheets support dates up to the year 9999.
  if (format.kind === 'plain' || total < 0 || days > 2_958_465) return writePlain(value)
  if (format.kind === 'elapsed') return writeClock(total)
  const seconds = total % SECONDS_A_DAY
  if (format.kind === 'time' || total < SECONDS_A_DAY) return writeClock(seconds)
  const day = new Date(first + days * DAY_MS).toISOString().slice(0, 10)
  return seconds === 0 ? day : `${day} ${writeClock(seconds)}`
}

function writeClock(seconds: number): string {
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0')
  return [two(seconds / 3600), two((seconds / 60) % 60), ...(seconds % 60 ? [two(seconds % 60)] : [])].join(':')
}

/**
 * Formats an ISO 8601 value of a cell as `formatCellNumber` does, rounded to the second, because Excel writes times
 * with floating-point errors. Other values are returned unchanged.
 */
export function formatIsoValue(value: string): string {
  const [, day = '', clock = '', fraction = '0'] =
    /^(\d{4}-\d\d-\d\d)?T?(?:(\d\d:\d\d:\d\d)(\.\d+)?)?Z?$/.exec(value) ?? []
  if (clock === '') return day || value
  const time = Date.parse(`${day || '1970-01-01'}T${clock}Z`) + Math.round(Number(fraction)) * 1000
  if (Number.isNaN(time)) return value
  const seconds = (((time / 1000) % SECONDS_A_DAY) + SECONDS_A_DAY) % SECONDS_A_DAY
  // Day 0 of the 1900 date system: the value is a time of day.
  if (day === '' || day === '1899-12-30' || day === '1899-12-31') return writeClock(seconds)
  const date = new Date(time).toISOString().slice(0, 10)
  return seconds === 0 ? date : `${date} ${writeClock(seconds)}`
}
