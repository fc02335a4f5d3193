import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { keysOf } from '#contract/records.ts'
import { type Database, sql } from '#server/db/client.ts'
import { contentDisposition } from '#server/http/content-disposition.ts'
import { printDocument } from '#server/pdf/printer.ts'
import { createExportFiles, findExportFile } from './export-files.ts'
import { type ExportRow, exportQueries, formatCell, listExportRows, toCsv } from './export-rows.ts'
import { type Columns, type TableDefinition, tables } from './tables.ts'

type Exported = keyof ReturnType<typeof exportQueries>

/** Metadata of all zip entries: the export of an unchanged programme is byte-identical. */
const SAME_FOR_ALL = { mtime: new Date(2020, 0, 1), mode: 0o100644, forceDosTimestamp: true }

export type ProgrammeFormat = 'csv' | 'xlsx'

/**
 * Rows of each table, and the files in `files/`.
 * @param seasonId null: all seasons
 * @param point decimal separator
 */
export async function exportTables(db: Database, seasonId: number | null, point: ',' | '.' = '.') {
  const queries = exportQueries(seasonId)
  const files = createExportFiles()
  const rowsOf = new Map<Exported, ExportRow[]>()
  await db.transaction(async tx => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`)
    for (const name of keysOf(queries)) rowsOf.set(name, await listExportRows(tx, queries[name]))
  })
  const toFile = (name: Exported): [string, string[][]] => {
    const { file, columns }: TableDefinition<Columns> = tables[name]
    const names = Object.keys(columns)
    const rows = (rowsOf.get(name) ?? []).map(row =>
      Object.entries(columns).map(([column, definition]) => {
        const key = definition.to || column
        return definition.file ? files.nameFor(name, row, key) : formatCell(definition, row[key], point)
      }),
    )
    // Photos without a stored picture are skipped.
    const kept = name === 'photos' ? rows.filter(row => row[names.indexOf('fileName')] !== '') : rows
    return [file, [names, ...kept]]
  }
  // Determines unique file names: content first, photos before their albums.
  const order: Exported[] = ['categories', 'instructors', 'content', 'photos', 'albums']
  const made = new Map([...order, ...keysOf(queries).filter(name => !order.includes(name))].map(toFile))
  const exported = Object.values(tables).flatMap(({ file }) => {
    const rows = made.get(file)
    return rows === undefined ? [] : [{ file, rows }]
  })
  return { exported, hashes: [...files.hashes].sort(([a], [b]) => (a < b ? -1 : 1)) }
}

/**
 * Exports the programme as a zip that can be imported again, with tables as CSV files or as sheets of a workbook. Files
 * are streamed one at a time.
 */
export async function zipProgramme(
  db: Database,
  seasonId: number | null,
  format: ProgrammeFormat = 'csv',
): Promise<Readable> {
  // A German Excel takes a decimal point in CSV for a date.
  const { exported, hashes } = await exportTables(db, seasonId, format === 'csv' ? ',' : '.')
  const zip = new ZipFile()
  if (format === 'csv')
    for (const { file, rows } of exported)
      zip.addBuffer(Buffer.from(toCsv(rows)), file, { ...SAME_FOR_ALL, compress: true })
  else {
    const sheets = exported.map(({ file, rows }) => ({ name: file.replace(/\.csv$/, ''), rows }))
    const workbook = await printDocument({ sheets })
    zip.addBuffer(Buffer.from(workbook), 'programme.xlsx', { ...SAME_FOR_ALL, compress: false })
  }
  for (const [name, hash] of hashes) {
    zip.addReadStreamLazy(`files/${name}`, { ...SAME_FOR_ALL, compress: false }, done => {
      findExportFile(db, hash).then(
        content => done(null, Readable.from([content])),
        error => zip.emit('error', error),
      )
    })
  }
  zip.end()
  return Readable.from(zip.outputStream)
}

/** Download response with the zip; see `zipProgramme`. */
export async function streamProgramme(...wanted: Parameters<typeof zipProgramme>): Promise<Response> {
  return new Response(Readable.toWeb(await zipProgramme(...wanted)) as ReadableStream, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': contentDisposition('attachment', 'programme.zip'),
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
