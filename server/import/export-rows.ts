import { type Queryable, sql } from '#server/db/client.ts'
import type { SqlFragment } from '#server/db/sql.ts'
import * as cells from './cell-parsers.ts'
import type { Column, TableName } from './tables.ts'

/** Database row as JSON by column name: wall-clock times, hashes as `\x…`. */
export type ExportRow = Record<string, unknown>

const clock = (time: SqlFragment) =>
  sql`to_char(${time}, case when extract(second from ${time}) = 0 then 'HH24:MI' else 'HH24:MI:SS' end)`

/**
 * Queries ordered by content alone, for reproducible exports; `to` is a column's key, else its name. @param seasonId
 * null: all seasons
 */
export const exportQueries = (
  seasonId: number | null,
): Record<Exclude<TableName, 'users' | 'messages'>, SqlFragment> => {
  const isWanted = sql`(${seasonId}::int is null or c.season_id = ${seasonId})`
  const all = (table: string, order: string) =>
    sql`select to_jsonb(t) as row from ${sql.raw(table)} t order by ${sql.raw(order)}`
  const isShown = sql`(a.course_id is null or ${isWanted})`
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

export const listExportRows = async (tx: Queryable, query: SqlFragment): Promise<ExportRow[]> =>
  (await tx.query<{ row: ExportRow }>(query)).map(({ row }) => row)

const escapeMarkup = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Formats a value so that the import parses it to the same value. @param point decimal separator */
export function formatCell({ parse }: Column, value: unknown, point: ',' | '.'): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join(' ')
  if (parse === cells.hundredths) return (Number(value) / 100).toFixed(2).replace('.', point)
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

/** CSV in the import's format, which a German Excel opens in columns: UTF-8 with BOM, semicolons. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map(row => `${row.map(quoteCell).join(';')}\n`).join('')}`
