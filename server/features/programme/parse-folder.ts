import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { entriesOf } from '#contract/records.ts'
import { readCsvFile } from '#server/platform/files/file-reader.ts'
import { message, type TranslatableMessage } from '#server/platform/files/messages.ts'
import { type ImportProblems, type SourcePosition, UnreadableFile } from '#server/platform/files/problems.ts'
import type { CsvContent, CsvRecord } from '#server/platform/files/read-csv.ts'
import { readTableFile, readWorkbooks, type SheetTable } from '#server/platform/files/read-file.ts'
import { InvalidCell } from './cell-parsers.ts'
import {
  type Column,
  type ColumnsByName,
  type ImportTableDefinitions,
  importTableDefinitions,
  type TableDefinition,
  type TableName,
} from './tables.ts'

/** Parsed values of a row. Invalid cells and columns missing from the file are undefined. */
export type ParsedValues<C extends ColumnsByName> = {
  [Name in keyof C]?: C[Name] extends Column<infer Value> ? Value : never
}

export type ParsedRow<C extends ColumnsByName> = {
  position: SourcePosition
  values: ParsedValues<C>
  /** hashes (hexadecimal SHA-256) of the referenced files by database column; empty until the files have been read */
  hashes: Record<string, string | null>
}

export type ParsedTable<C extends ColumnsByName = ColumnsByName> = {
  definition: TableDefinition<C>
  /** whether the file exists in the folder */
  isPresent: boolean
  /** columns present in the file */
  columnNames: ReadonlySet<string>
  rows: ParsedRow<C>[]
  /** whether the file or one of its key columns could not be read, so that references to its rows are not validated */
  isBroken: boolean
}

export type ParsedFolder = { [Name in TableName]: ParsedTable<ImportTableDefinitions[Name]['columns']> } & {
  path: string
  /** names of the files in files/ as stored on disk, keyed by their NFC form */
  fileNames: ReadonlyMap<string, string>
  /** names in the folder that are not read, in the form in which a note lists them */
  otherNames: string[]
}

/** Source of rows: a CSV file or a sheet of a workbook. */
type Source = CsvContent & { place: SheetTable['place'] }

const definitions: [TableName, TableDefinition][] = entriesOf(importTableDefinitions)
const expectedFiles = definitions.map(([, { file }]) => file)
/** Further names that belong to a folder; `history` has the past of the demo. */
const KNOWN_NAMES = /^(?:files|dates-move-from|history|readme(?:\..*)?)$/i
const isWorkbook = (name: string) => /\.xls[xm]$/i.test(name)
const isOtherSpreadsheet = (name: string) => /\.(?:ods|fods|xls|xlsb|numbers)$/i.test(name)

/** Parses all CSV files and workbooks in an import folder. Invalid content is added to `problems`. */
export async function parseFolder(
  path: string,
  moveDays: number,
  problems: ImportProblems,
  onProgress: (text: string) => void,
): Promise<ParsedFolder> {
  const entries = await readdir(path)
  const present = entries.filter(name => /^[^.].*\.csv$/i.test(name))
  for (const file of present.filter(name => !expectedFiles.includes(name)).sort()) {
    problems.add({ file, line: 1, row: 1 }, 'file', message`is not one of ${expectedFiles.join(', ')}`)
  }
  // Excel creates a lock file prefixed with `~$` for each open workbook.
  const named = entries.filter(name => !/^(?:\.|~\$)/.test(name))
  for (const file of named.filter(isOtherSpreadsheet).sort())
    problems.add({ file, line: 1, row: 1 }, 'file', message`save it as .xlsx`)
  const workbooks = named.filter(isWorkbook)
  const sheets = await readWorkbooks(path, workbooks, { present, expected: expectedFiles }, problems)
  const parsed: [TableName, ParsedTable][] = []
  for (const [name, definition] of definitions) {
    const { file } = definition
    const isThere = present.includes(file)
    const bytes = isThere ? await readTableFile(path, file, problems) : null
    const source = bytes === null ? (sheets.get(file) ?? null) : await readSource(file, bytes)
    const table = await parseTable(definition, source, moveDays, problems, onProgress)
    parsed.push([name, isThere && bytes === null ? { ...table, isBroken: true } : table])
  }
  const files = await listFiles(join(path, 'files'))
  const fileNames = new Map(files.map(name => [name.normalize('NFC'), name]))
  const otherNames = [
    ...named.filter(
      name => !present.includes(name) && !isWorkbook(name) && !isOtherSpreadsheet(name) && !KNOWN_NAMES.test(name),
    ),
    // Names that differ only in their Unicode normalization mean the same file.
    ...files.filter(name => fileNames.get(name.normalize('NFC')) !== name).map(name => `files/${name}`),
  ].sort()
  return { ...Object.fromEntries(parsed), path, fileNames, otherNames } as unknown as ParsedFolder
}

async function readSource(file: string, bytes: Buffer): Promise<Source> {
  const place = { file }
  try {
    return { place, ...(await readCsvFile('import', bytes)) }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return { place, line: 1, column: 'file', text: error.said }
  }
}

async function listFiles(path: string): Promise<string[]> {
  // The subfolder `files` is optional.
  const isFolder = await stat(path).then(
    stats => stats.isDirectory(),
    () => false,
  )
  return isFolder ? readdir(path) : []
}

/** Length of the time slices in which rows are parsed, so that the event loop is not blocked. */
const SLICE_MS = 20

async function parseTable(
  definition: TableDefinition,
  content: Source | null,
  moveDays: number,
  problems: ImportProblems,
  onProgress: (text: string) => void,
): Promise<ParsedTable> {
  const table = { definition, isPresent: content !== null, columnNames: new Set<string>(), rows: [], isBroken: false }
  if (content === null) return table
  const { file, columns } = definition
  const breakOff = (line: number, column: string, text: TranslatableMessage): ParsedTable => {
    problems.add({ ...content.place, line, row: line }, column, text)
    return { ...table, isBroken: true }
  }
  if ('text' in content) return breakOff(content.line, content.column, content.text)
  const [header, ...records] = content.records
  if (!header) return breakOff(1, 'file', message`is empty: the first row must hold the column names`)

  const names = header.cells.map(cell => cell.trim().normalize('NFC'))
  while (names.at(-1) === '') names.pop()
  const position = { ...content.place, line: header.line, row: header.row }
  names.forEach((name, index) => {
    if (!Object.hasOwn(columns, name))
      problems.add(
        position,
        name || `column ${index + 1}`,
        message`is not a column of this file: ${Object.keys(columns).join(', ')}`,
      )
    else if (names.indexOf(name) !== index) problems.add(position, name, message`stands twice`)
  })
  const missing = Object.keys(columns).filter(name => columns[name]?.empty === undefined && !names.includes(name))
  for (const name of missing) problems.add(position, name, message`this column is required`)
  const rows: ParsedRow<ColumnsByName>[] = []
  let sliceEnd = performance.now() + SLICE_MS
  for (const record of records) {
    onProgress(`reading ${file} ${rows.length + 1} of ${records.length}`)
    rows.push(parseRow(definition, names, { ...record, place: content.place }, moveDays, problems))
    if (performance.now() < sliceEnd) continue
    await setImmediate()
    sliceEnd = performance.now() + SLICE_MS
  }
  return { ...table, columnNames: new Set(names), rows, isBroken: definition.key.some(name => missing.includes(name)) }
}

/** Maximum length of a cell: the same as for a page text in the office UI, and far above any text in a programme. */
const MAX_CELL_LENGTH = 100_000

function parseRow(
  { columns }: TableDefinition,
  names: string[],
  { cells, line, row, place }: CsvRecord & { place: SheetTable['place'] },
  moveDays: number,
  problems: ImportProblems,
): ParsedRow<ColumnsByName> {
  const position = { ...place, line, row }
  const values: Record<string, unknown> = {}
  if (cells.slice(names.length).some(cell => cell.trim() !== ''))
    problems.add(
      position,
      `cell ${names.length + 1}`,
      message`the row has ${cells.length} cells, the header ${names.length}`,
    )
  names.forEach((name, index) => {
    const column = columns[name]
    if (!column) return
    const cell = cells[index] ?? ''
    const text = name === 'password' ? cell : cell.trim()
    if (text.length > MAX_CELL_LENGTH)
      problems.add(position, name, message`has ${text.length} characters, at most ${MAX_CELL_LENGTH} fit`)
    else if (text === '' && column.empty === undefined) problems.add(position, name, message`is required`)
    else {
      const value = text === '' ? column.empty : column.parse(text, moveDays)
      if (value instanceof InvalidCell) problems.add(position, name, value.text)
      else if (value === '' && column.empty === undefined) problems.add(position, name, message`is required`)
      else values[name] = value
    }
  })
  return { position, values, hashes: {} }
}
