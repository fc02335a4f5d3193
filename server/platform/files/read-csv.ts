import { CsvError, parse } from 'csv-parse/sync'
import { message, type TranslatableMessage } from './messages.ts'
import { UnreadableFile } from './problems.ts'

/** Row with its cells. `line`: line on which the row starts. `row`: number of the row in a spreadsheet. */
export type CsvRecord = { line: number; row: number; cells: string[] }

/** Non-empty rows of a CSV file, or the reason why it cannot be read. */
export type CsvContent = { records: CsvRecord[] } | { line: number; column: string; text: TranslatableMessage }

const MAX_ROWS = 100_000
const MAX_CELLS = 1_000_000

const QUOTE_PROBLEMS: Record<string, TranslatableMessage> = {
  CSV_QUOTE_NOT_CLOSED: message`a cell that begins with a quote does not end with one`,
  CSV_INVALID_CLOSING_QUOTE: message`a closing quote must be followed by the next cell; a quote inside a cell is doubled ("")`,
  INVALID_OPENING_QUOTE: message`a cell with a quote in it must stand in quotes, with the inner quote doubled ("")`,
}

/**
 * Decodes UTF-8, UTF-16 with BOM ("Unicode text" of Excel) or, if the bytes are neither, Windows-1252, in which
 * spreadsheet and payroll programs write.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Invalid UTF-8: every byte is a letter of Windows-1252.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * Parses CSV in UTF-8 with or without BOM, separated by commas, semicolons or tabs, with quotes as in RFC 4180 and any
 * line endings. See docs/decisions/0039.
 * @param isAnyEncoding accepts Windows-1252 and UTF-16, too
 * @param isLoose accepts quotes inside of cells without quotes, as banks write them
 */
export function readCsv(
  bytes: Uint8Array,
  {
    delimiter,
    isAnyEncoding = false,
    isLoose = false,
  }: { delimiter?: string; isAnyEncoding?: boolean; isLoose?: boolean } = {},
): CsvContent {
  let text: string
  try {
    text = isAnyEncoding ? decodeText(bytes) : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // TextDecoder does not report the position of the invalid bytes.
    const line = findUndecodableLine(bytes)
    return { line, column: 'encoding', text: message`is not UTF-8; save the file as "CSV UTF-8"` }
  }
  const lines = text.replace(/\r\n?/g, '\n')
  // Some programs name the delimiter for Excel in the first line, Windows PowerShell the type of the objects.
  const named = /^(?:[sS][eE][pP]=([;,\t])|#TYPE [\w.+`]+(?:\[[^\n]*\])?[;,\t]*)\n/.exec(lines)
  const body = named ? lines.slice(named[0].length) : lines
  const records: CsvRecord[] = []
  const skipped = named ? 1 : 0
  let line = 1 + skipped
  let cellCount = 0
  try {
    parse(body, {
      delimiter: delimiter ?? named?.[1] ?? detectDelimiter(body),
      relax_quotes: isLoose,
      record_delimiter: '\n',
      relax_column_count: true,
      on_record: (cells: string[], info) => {
        records.push({ line, row: records.length + 1 + skipped, cells })
        cellCount += cells.length
        if (records.length > MAX_ROWS) throw new UnreadableFile(message`has more than ${MAX_ROWS} rows`)
        if (cellCount > MAX_CELLS) throw new UnreadableFile(message`has more than ${MAX_CELLS} cells`)
        line = info.lines + 1 + skipped
      },
    })
    return { records: records.filter(({ cells }) => cells.some(cell => cell.trim() !== '')) }
  } catch (error) {
    if (error instanceof UnreadableFile) return { line, column: 'file', text: error.said }
    if (!(error instanceof CsvError)) throw error
    return { line, column: 'quotes', text: QUOTE_PROBLEMS[error.code] ?? message`${error.message}` }
  }
}

function findUndecodableLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start)
    const next = end < 0 ? bytes.length : end + 1
    try {
      decoder.decode(bytes.subarray(start, next))
    } catch {
      // This is the first line that cannot be decoded.
      return line
    }
    start = next
  }
  return 1
}

/** Detects the delimiter: the most frequent one in the header. */
function detectDelimiter(text: string): string {
  const [header = ''] = text.split('\n', 1)
  const names = header.replace(/"[^"]*"/g, '')
  const countOf = (delimiter: string) => names.split(delimiter).length
  return [',', ';', '\t'].reduce((best, one) => (countOf(one) > countOf(best) ? one : best))
}
