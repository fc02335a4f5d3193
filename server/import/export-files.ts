import { type Queryable, sql } from '#server/db/client.ts'
import type { ExportRow } from './export-rows.ts'
import { scopeOfAlbum } from './file-refs.ts'
import type { TableName } from './tables.ts'

const hexOf = (hash: unknown): string | null => (typeof hash === 'string' ? hash.replace(/^\\x/, '') : null)

/** Assigns each exported file a unique name in `files/`; duplicates get a number. */
export function createExportFiles() {
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
    /** File name for a row's cell; '' if the portal has no file. Photos must be processed before albums. */
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
        photos.set(`${scopeOfAlbum(row.album_id, row.is_private === true)}/${name}`, given)
        return given
      }
      if (table === 'albums') {
        const photo = photos.get(`${scopeOfAlbum(row.id, row.course_id !== null)}/${name}`)
        const thumbnail = hexOf(row.thumbnail_sha256)
        // Album pictures that are not photos are stored as thumbnails only.
        return photo ?? (thumbnail ? give(name.replace(/\.\w+$/, '.webp'), thumbnail) : '')
      }
      const hash = hexOf(row[column.replace(/_name$/, '_sha256').replace('picture_file_', 'picture_')])
      return hash ? give(name, hash) : ''
    },
  }
}

export const findExportFile = async (db: Queryable, hash: string): Promise<Buffer> =>
  (await db.one<{ content: Buffer }>(sql`select content from file_contents where sha256 = decode(${hash}, 'hex')`))
    .content
