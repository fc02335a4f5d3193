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
  | { kind: 'time' }
  /** minimum number of digits before and after the decimal point */
  | { kind: 'padded'; whole: number; decimals: number }

/** Built-in formats, which have an id but no definition in the file, including CJK dates. */
const BUILT_IN = new Map([
  [1, '0'],
  [2, '0.00'],
  ...[14, 15, 16, 17].map(id => [id, 'd.m.yy'] as const),
  ...[18, 19, 20, 21, 45, 47].map(id => [id, 'h:mm:ss'] as const),
  [22, 'd.m.yy h:mm'],
  [46, '[h]:mm:ss'],
])
const isDateOfTheEast = (id: number) => (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

/** @param text format definition in the file; undefined for built-in formats */
export function readNumberFormat(
  id: number,
  text = isDateOfTheEast(id) ? 'd.m.yy' : (BUILT_IN.get(id) ?? ''),
): NumberFormat {
  const [first = ''] = text.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')
  const elapsed = /\[[hms]+\]/i.test(first)
  const code = first.replace(/\[[^\]]*\]/g, '').toLowerCase()
  const [, whole = '', decimals = ''] = /^(0+)(?:\.(0+))?$/.exec(code) ?? []
  if (whole && decimals.length <= MAX_DECIMALS)
    return { kind: 'padded', whole: whole.length, decimals: decimals.length }
  if (!elapsed && (/^general$|e[+-]/.test(code) || !/[dmyhs]/.test(code))) return { kind: 'plain' }
  return /[dy]|mmm/.test(code) || !(elapsed || /[hs]/.test(code)) ? { kind: 'date' } : { kind: 'time' }
}

/** Formats a number, rounded to 15 digits as in spreadsheets, to hide floating-point errors. */
const writePlain = (value: number) => String(Number(value.toPrecision(15)))

function writePadded(value: number, whole: number, decimals: number): string {
  const plain = writePlain(value)
  // If the format hides digits, the number is returned with all of them, so that validating the cell reports them.
  if (value < 0 || Number(value.toFixed(decimals)) !== Number(plain)) return plain
  return value.toFixed(decimals).padStart(whole + (decimals && decimals + 1), '0')
}

/** Epoch of a workbook's date system. The 1900 system includes 29 February 1900, which did not exist. */
const firstDay = (days: number, is1904: boolean) =>
  is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)

/**
 * Formats a cell's number as in CSV: `2026-11-21` for dates, `2026-11-21 18:00` for dates with a time, `18:00` for
 * times.
 */
export function formatCellNumber(value: number, format: NumberFormat, is1904: boolean): string {
  if (format.kind === 'padded') return writePadded(value, format.whole, format.decimals)
  const total = Math.round(value * SECONDS_A_DAY)
  const days = Math.floor(total / SECONDS_A_DAY)
  const first = firstDay(days, is1904)
  // Spreadsheets support dates up to the year 9999.
  if (format.kind === 'plain' || total < 0 || days > 2_958_465) return writePlain(value)
  const isWithoutDay = format.kind === 'time' || total < SECONDS_A_DAY
  const seconds = isWithoutDay ? total : total % SECONDS_A_DAY
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0')
  const clock = [two(seconds / 3600), two((seconds / 60) % 60), ...(seconds % 60 ? [two(seconds % 60)] : [])].join(':')
  if (isWithoutDay) return clock
  const day = new Date(first + days * DAY_MS).toISOString().slice(0, 10)
  return seconds === 0 ? day : `${day} ${clock}`
}
