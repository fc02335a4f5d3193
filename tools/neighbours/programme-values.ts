import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseFolder } from '../../server/features/programme/parse-folder.ts'
import { importTableDefinitions } from '../../server/features/programme/tables.ts'
import { ImportProblems } from '../../server/platform/files/problems.ts'
import { readCsv } from '../../server/platform/files/read-csv.ts'
import { type Sheet, toCell } from './workbook-writers.ts'

/** The files of a programme as sheets of a workbook. */
export async function readSheets(folder: string): Promise<Sheet[]> {
  const sheets: Sheet[] = []
  for (const { file } of Object.values(importTableDefinitions)) {
    const bytes = await readFile(join(folder, file)).catch(() => null)
    const content = bytes && readCsv(bytes)
    if (content && 'records' in content)
      sheets.push({ name: file.replace('.csv', ''), rows: content.records.map(({ cells }) => cells.map(toCell)) })
  }
  return sheets
}

/** The values of a programme as the import reads them, and the number of problems. */
export async function readValues(folder: string): Promise<string> {
  const problems = new ImportProblems()
  const {
    path: _path,
    fileNames: _names,
    otherNames: _others,
    ...tables
  } = await parseFolder(folder, 0, problems, () => undefined)
  const rows = Object.entries(tables).map(([name, { rows }]) => [name, rows.map(({ values }) => values)])
  return JSON.stringify([rows, problems.count])
}
