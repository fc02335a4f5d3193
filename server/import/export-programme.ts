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

/** Of every file in a zip: the same programme is the same bytes, whenever it is exported. */
const SAME_FOR_ALL = { mtime: new Date(2020, 0, 1), mode: 0o100644, forceDosTimestamp: true }

export type ProgrammeFormat = 'csv' | 'xlsx'

/** The rows of each file, and what lies in `files/`. @param seasonId null: all seasons */
export async function exportTables(db: Database, seasonId: number | null) {
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
        return definition.file ? files.nameFor(name, row, key) : formatCell(definition, row[key])
      }),
    )
    // A photo that has no picture any more is none.
    const kept = name === 'photos' ? rows.filter(row => row[names.indexOf('fileName')] !== '') : rows
    return [file, [names, ...kept]]
  }
  // Content first, photos before their albums: in this order files get their names.
  const order: Exported[] = ['categories', 'instructors', 'content', 'photos', 'albums']
  const made = new Map([...order, ...keysOf(queries).filter(name => !order.includes(name))].map(toFile))
  const exported = Object.values(tables).flatMap(({ file }) => {
    const rows = made.get(file)
    return rows === undefined ? [] : [{ file, rows }]
  })
  return { exported, hashes: [...files.hashes].sort(([a], [b]) => (a < b ? -1 : 1)) }
}

/** The programme as a zip that the import takes, its tables as CSV files or as the sheets of a workbook: files are read one after the other as they are sent. */
export async function zipProgramme(
  db: Database,
  seasonId: number | null,
  format: ProgrammeFormat = 'csv',
): Promise<Readable> {
  const { exported, hashes } = await exportTables(db, seasonId)
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

/** The zip as an answer to a download; see `zipProgramme`. */
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
