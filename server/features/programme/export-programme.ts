import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { keysOf } from '#contract/records.ts'
import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import { contentDisposition } from '#server/platform/http/headers.ts'
import { printDocument } from '#server/platform/pdf/printer.ts'
import * as cells from './cell-parsers.ts'
import { fileNameScopeOfAlbum } from './file-refs.ts'
import {
  type Column,
  type ColumnsByName,
  importTableDefinitions,
  type TableDefinition,
  type TableName,
} from './tables.ts'

/** Database row as JSON by column name. Times are in the portal's time zone, hashes have the form `\x…`. */
type ExportRow = Record<string, unknown>

const clock = (time: SqlFragment) =>
  sql`to_char(${time}, case when extract(second from ${time}) = 0 then 'HH24:MI' else 'HH24:MI:SS' end)`

/**
 * Export queries. Rows are ordered only by their content, so that exports are reproducible. The properties of a row are
 * named after the `to` of each column or, if that is empty, after the column.
 * @param seasonId null: all seasons
 * @param hasPrivateAlbums whether to export albums that only the participants of a course can see
 */
const exportQueries = (
  seasonId: number | null,
  hasPrivateAlbums: boolean,
): Record<Exclude<TableName, 'users' | 'messages'>, SqlFragment> => {
  const isWanted = sql`(${seasonId}::int is null or c.season_id = ${seasonId})`
  const all = (table: string, order: string) =>
    sql`select to_jsonb(t) as row from ${sql.raw(table)} t order by ${sql.raw(order)}`
  const isShown = sql`(a.course_id is null or (${hasPrivateAlbums} and ${isWanted}))`
  return {
    divisions: all('divisions', 'id'),
    seasons: sql`select to_jsonb(t) as row from seasons t where ${seasonId}::int is null or id = ${seasonId} order by id`,
    categories: all('categories', 'id'),
    instructors: all('instructors', 'email collate "C"'),
    rooms: all('rooms', 'name collate "C", site collate "C"'),
    courses: sql`
      select to_jsonb(c) || jsonb_build_object('plan_starts_on', c.starts_on, 'plan_ends_on', c.ends_on,
        'cancelled', c.cancelled_at is not null, 'instructorEmails', array(
        select email from course_instructors i where i.course_id = c.id order by email collate "C")) as row
      from courses c where ${isWanted} order by c.number collate "C"`,
    courseDates: sql`
      select jsonb_build_object('courseNumber', c.number, 'date', d.held_at::date, 'startTime', ${clock(sql`d.held_at::time`)},
        'endTime', case when d.ends_at > d.held_at::time then ${clock(sql`d.ends_at`)}
          when c.end_time > c.start_time and (d.held_at + (c.end_time - c.start_time))::date = d.held_at::date
            then ${clock(sql`(d.held_at + (c.end_time - c.start_time))::time`)} end,
        'state', d.state, 'venue', nullif(coalesce(d.venue, r.name), c.venue),
        'instructorEmail', case when array[d.instructor_email] <> array(
          select i.email from course_instructors i where i.course_id = c.id) then d.instructor_email end,
        'note', d.note, 'note2', d.note2) as row
      from course_dates d join courses c on c.id = d.course_id left join rooms r on r.id = d.room_id
      where ${isWanted} order by c.number collate "C", d.held_at`,
    albums: sql`
      select to_jsonb(a) || jsonb_build_object('courseNumber', c.number) as row
      from albums a left join courses c on c.id = a.course_id where ${isShown} order by a.id`,
    photos: sql`
      select to_jsonb(p) || jsonb_build_object('is_private', a.course_id is not null) as row
      from photos p join albums a on a.id = p.album_id left join courses c on c.id = a.course_id
      where ${isShown} order by p.album_id, p.sort_order, p.file_name collate "C"`,
    content: all('content_items', 'content_type collate "C", sort_order'),
  }
}

const listExportRows = async (tx: Queryable, query: SqlFragment): Promise<ExportRow[]> =>
  (await tx.query<{ row: ExportRow }>(query)).map(({ row }) => row)

const escapeMarkup = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Formats a value such that the import parses it back to the same value. @param point decimal separator */
function formatCell({ parse }: Column, value: unknown, point: ',' | '.'): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join(' ')
  if (parse === cells.decimalInHundredths) return (Number(value) / 100).toFixed(2).replace('.', point)
  if (parse === cells.decimal) return String(value).replace('.', point)
  const text = String(value)
  if (parse === cells.time) return text.replace(/^(\d\d:\d\d):00$/, '$1')
  if (parse === cells.dateTime)
    return text
      .slice(0, 19)
      .replace('T', ' ')
      .replace(/^(.{16}):00$/, '$1')
  // Escapes text that would be parsed as markup.
  return parse === cells.plainText && cells.plainText(text, 0) !== text ? escapeMarkup(text) : text
}

const quoteCell = (cell: string) => (/[";\n\r]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/**
 * Formats rows as CSV (UTF-8 with BOM, separated by semicolons), which can be imported again and which Excel opens in
 * separate columns if its language is German.
 */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map(row => `${row.map(quoteCell).join(';')}\n`).join('')}`

const hexOf = (hash: unknown): string | null => (typeof hash === 'string' ? hash.replace(/^\\x/, '') : null)

/** Assigns each exported file a unique name in `files/`. Duplicate names get a number. */
function createExportFiles() {
  const hashes = new Map<string, string>()
  /** names of photos in the export, by scope and name in the portal */
  const photos = new Map<string, string>()

  const give = (name: string, hash: string): string => {
    const [, base = name, ending = ''] = /^(.*?)(\.\w+)$/.exec(name) ?? []
    let free = name
    for (let count = 2; (hashes.get(free) ?? hash) !== hash; count += 1) free = `${base}-${count}${ending}`
    hashes.set(free, hash)
    return free
  }

  return {
    /** hexadecimal SHA-256 by name */
    hashes,
    /**
     * Returns the file name to write to a row's cell, or '' if the portal has no such file. Call it for photos before
     * albums, which refer to photos by these names.
     */
    nameFor(table: TableName, row: ExportRow, column: string): string {
      const name = String(row[column] ?? '')
      if (name === '') return ''
      if (table === 'categories') {
        const icon = hexOf(row.icon_sha256)
        if (!name.includes('.')) return name
        return icon ? give(name, icon) : ''
      }
      if (table === 'photos') {
        const photo = hexOf(row.photo_sha256)
        if (!photo) return ''
        const given = give(name, photo)
        photos.set(`${fileNameScopeOfAlbum(row.album_id, row.is_private === true)}/${name}`, given)
        return given
      }
      if (table === 'albums') {
        const photo = photos.get(`${fileNameScopeOfAlbum(row.id, row.course_id !== null)}/${name}`)
        const thumbnail = hexOf(row.thumbnail_sha256)
        // If the picture of an album is not one of its photos, only its thumbnail is stored.
        return photo ?? (thumbnail ? give(name.replace(/\.\w+$/, '.webp'), thumbnail) : '')
      }
      const hash = hexOf(row[column.replace(/_name$/, '_sha256').replace('picture_file_', 'picture_')])
      return hash ? give(name, hash) : ''
    },
  }
}

const findExportFile = async (db: Queryable, hash: string): Promise<Buffer> =>
  (await db.one<{ content: Buffer }>(sql`select content from file_contents where sha256 = decode(${hash}, 'hex')`))
    .content

type Exported = keyof ReturnType<typeof exportQueries>

/** Metadata of all zip entries. It is constant, so that exports of an unchanged programme are byte-identical. */
const SAME_FOR_ALL = { mtime: new Date(2020, 0, 1), mode: 0o100644, forceDosTimestamp: true }

type ProgrammeFormat = 'csv' | 'xlsx'

/** Columns with codes, which are text in a workbook even if they consist of digits. */
const CODE_COLUMNS = ['number', 'courseNumber', 'meetingID', 'meetingCode', 'centralTestInstitute', 'licence']

/**
 * Exports the rows of each table, and the files in `files/`.
 * @param seasonId null: all seasons
 * @param point decimal separator
 */
export async function exportTables(
  db: Database,
  seasonId: number | null,
  { point = '.', hasPrivateAlbums = true }: { point?: ',' | '.'; hasPrivateAlbums?: boolean } = {},
) {
  const queries = exportQueries(seasonId, hasPrivateAlbums)
  const files = createExportFiles()
  const rowsOf = new Map<Exported, ExportRow[]>()
  await db.transaction(async tx => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`)
    for (const name of keysOf(queries)) rowsOf.set(name, await listExportRows(tx, queries[name]))
  })
  const toFile = (name: Exported): [string, string[][]] => {
    const { file, columns }: TableDefinition<ColumnsByName> = importTableDefinitions[name]
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
  // File names are assigned in this order: content items keep theirs if names clash, and albums refer to their photos.
  const order: Exported[] = ['categories', 'instructors', 'content', 'photos', 'albums']
  const made = new Map([...order, ...keysOf(queries).filter(name => !order.includes(name))].map(toFile))
  const exported = Object.values(importTableDefinitions).flatMap(({ file }) => {
    const rows = made.get(file)
    return rows === undefined ? [] : [{ file, rows }]
  })
  return { exported, hashes: [...files.hashes].sort(([a], [b]) => (a < b ? -1 : 1)) }
}

/**
 * Exports the programme as a zip that can be imported again. Tables are CSV files or sheets of a workbook. Files are
 * streamed one at a time.
 */
export async function zipProgramme(
  db: Database,
  seasonId: number | null,
  {
    format = 'csv',
    hasPrivateAlbums = true,
  }: { format?: ProgrammeFormat | undefined; hasPrivateAlbums?: boolean } = {},
): Promise<Readable> {
  // CSV files use decimal commas, because a German Excel would interpret a decimal point as part of a date.
  const { exported, hashes } = await exportTables(db, seasonId, {
    point: format === 'csv' ? ',' : '.',
    hasPrivateAlbums,
  })
  const zip = new ZipFile()
  if (format === 'csv')
    for (const { file, rows } of exported)
      zip.addBuffer(Buffer.from(toCsv(rows)), file, { ...SAME_FOR_ALL, compress: true })
  else {
    const sheets = exported.map(({ file, rows }) => ({
      name: file.replace(/\.csv$/, ''),
      rows,
      textColumns: rows[0]?.flatMap((name, index) => (CODE_COLUMNS.includes(name) ? [index] : [])),
    }))
    const workbook = await printDocument({ sheets })
    zip.addBuffer(Buffer.from(workbook), 'programme.xlsx', { ...SAME_FOR_ALL, compress: false })
  }
  for (const [name, hash] of hashes) {
    // Compressed, because programs that read the zip as it arrives cannot tell where an uncompressed entry ends.
    zip.addReadStreamLazy(`files/${name}`, SAME_FOR_ALL, done => {
      findExportFile(db, hash).then(
        content => done(null, Readable.from([content])),
        error => zip.emit('error', error),
      )
    })
  }
  zip.end()
  return Readable.from(zip.outputStream)
}

/** Creates a response that streams the zip as a download; see `zipProgramme`. */
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
