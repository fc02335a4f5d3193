import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { readWorkbook } from './file-reader.ts'
import { message, type TranslatableMessage } from './messages.ts'
import { type ImportProblems, type SourcePosition, UnreadableFile } from './problems.ts'
import type { CsvRecord } from './read-csv.ts'
import type { Sheet } from './read-xlsx.ts'

/** Maximum size of a CSV file or workbook in MB. */
export const MAX_TABLE_FILE_MB = 16

/**
 * Message for a file that exceeds the size limit, which completes a sentence that starts with the file name; null if
 * the size is allowed.
 */
export const fileSizeProblem = (bytes: number, maxMb: number): TranslatableMessage | null =>
  bytes > maxMb << 20 ? message`has ${Math.ceil(bytes / 2 ** 20)} MB, at most ${maxMb} MB fit` : null

/** Reads a table file of an import folder. If it cannot be read, adds the reason to `problems` and returns null. */
export async function readTableFile(folder: string, file: string, problems: ImportProblems): Promise<Buffer | null> {
  const path = join(folder, file)
  const refuse = (reason: TranslatableMessage) => {
    problems.add({ file, line: 1, row: 1 }, 'file', reason)
    return null
  }
  try {
    const stats = await stat(path)
    // A pipe is rejected, because reading it would block forever. Directories need no check here: reading one fails
    // with a clear error.
    if (!stats.isFile() && !stats.isDirectory()) return refuse(message`is no file`)
    const problem = fileSizeProblem(stats.size, MAX_TABLE_FILE_MB)
    return problem ? refuse(problem) : await readFile(path)
  } catch (error) {
    return refuse(message`cannot be read (${errorFactsOf(error).code})`)
  }
}

export type SheetTable = { place: Pick<SourcePosition, 'file' | 'sheet'>; records: CsvRecord[] }

const plain = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/\.(?:csv|xls[xm])$/, '')

/**
 * Finds the table that a sheet contains by the sheet's name. If the workbook has only one non-empty sheet, the
 * workbook's name may be that of the table instead.
 */
function nameTable(
  file: string,
  sheet: Sheet,
  filled: readonly Sheet[],
  expected: readonly string[],
): string | undefined {
  const named = (name: string) => expected.find(one => plain(one) === plain(name))
  return named(sheet.name) ?? (filled.length === 1 ? named(file) : undefined)
}

/**
 * Reads the tables in a folder's workbooks, keyed by the CSV file that each replaces.
 * @param present CSV files in the folder
 */
export async function readWorkbooks(
  path: string,
  files: readonly string[],
  { present, expected }: { present: readonly string[]; expected: readonly string[] },
  problems: ImportProblems,
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

async function readBook(path: string, file: string, problems: ImportProblems): Promise<Sheet[]> {
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
