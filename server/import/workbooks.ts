import { readWorkbook } from './file-reader.ts'
import { message } from './messages.ts'
import type { Position, Problems } from './problems.ts'
import type { CsvRecord } from './read-csv.ts'
import { readTableFile } from './read-file.ts'
import type { Sheet } from './read-xlsx.ts'
import { UnreadableFile } from './unreadable-file.ts'

export type SheetTable = { place: Pick<Position, 'file' | 'sheet'>; records: CsvRecord[] }

const plain = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/\.(?:csv|xlsx)$/, '')

/** A workbook with one non-empty sheet may be named after its table; otherwise each sheet is. */
function nameTable(
  file: string,
  sheet: Sheet,
  filled: readonly Sheet[],
  expected: readonly string[],
): string | undefined {
  const named = (name: string) => expected.find(one => plain(one) === plain(name))
  return named(sheet.name) ?? (filled.length === 1 ? named(file) : undefined)
}

/** Tables of a folder's workbooks, by the CSV file that they replace. @param present CSV files of the folder */
export async function readWorkbooks(
  path: string,
  files: readonly string[],
  { present, expected }: { present: readonly string[]; expected: readonly string[] },
  problems: Problems,
): Promise<Map<string, SheetTable>> {
  const tables = new Map<string, SheetTable>()
  for (const file of files.toSorted()) {
    const filled = (await readBook(path, file, problems)).filter(({ rows, wrong }) => rows.length + wrong.length > 0)
    for (const sheet of filled) {
      const place = { file, sheet: sheet.name }
      const start = { ...place, line: 1, row: 1 }
      const table = nameTable(file, sheet, filled, expected)
      if (table === undefined) {
        problems.add(start, 'sheet', message`is not one of ${expected.map(plain).join(', ')}`)
        continue
      }
      if (present.includes(table) || tables.has(table)) problems.add(start, 'sheet', message`stands twice: ${table}`)
      for (const { row, cell, text } of sheet.wrong) problems.add({ ...place, line: row, row }, cell, text)
      tables.set(table, { place, records: sheet.rows.map(({ row, cells }) => ({ line: row, row, cells })) })
    }
  }
  return tables
}

async function readBook(path: string, file: string, problems: Problems): Promise<Sheet[]> {
  const content = await readTableFile(path, file, problems)
  if (content === null) return []
  try {
    return await readWorkbook('import', content)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    problems.add({ file, line: 1, row: 1 }, 'file', error.said)
    return []
  }
}
