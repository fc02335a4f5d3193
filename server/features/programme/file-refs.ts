import { type Queryable, sql } from '#server/platform/db/client.ts'
import { message } from '#server/platform/files/messages.ts'
import { type ImportProblems, quoteForMessage, type SourcePosition } from '#server/platform/files/problems.ts'
import type { ParsedFolder } from './parse-folder.ts'

export type FileReferenceKind = 'content' | 'photo' | 'thumbnail' | 'document'

/** Reference from a stored row to a file: the row's import file and key, and the stored content. */
export type StoredFileReference = {
  file: string
  key: string[]
  kind: FileReferenceKind
  /** scope within which file names must be unique, because they are part of URLs */
  scope: string
  name: string
  /** hexadecimal SHA-256 */
  hash: string
}

export const PUBLIC_PHOTO_NAME_SCOPE = 'photos'
export const fileNameScopeOfAlbum = (id: unknown, isPrivate: boolean): string =>
  isPrivate ? `album ${id}` : PUBLIC_PHOTO_NAME_SCOPE

export const listStoredFileReferences = (tx: Queryable): Promise<StoredFileReference[]> =>
  tx.query(sql`
    select file, key, kind, scope, name, encode(sha256, 'hex') as hash from (
      select 'categories.csv' as file, array[id::text] as key, 'content' as kind, 'content' as scope, icon as name, icon_sha256 as sha256
        from categories
      union all select 'instructors.csv', array[email], 'content', 'content', picture_file_name, picture_sha256 from instructors
      union all select 'content.csv', array[content_type, sort_order::text], 'content', 'content', picture_file_name, picture_sha256
        from content_items
      union all select 'content.csv', array[content_type, sort_order::text], 'content', 'content', file_name, file_sha256
        from content_items
      union all select 'albums.csv', array[id::text], 'thumbnail', case when course_id is null then 'photos' else 'album ' || id end,
          thumbnail_file_name, thumbnail_sha256 from albums
      union all select 'photos.csv', array[album_id::text, file_name], kind,
          case when course_id is null then 'photos' else 'album ' || album_id end, file_name, sha256
        from photos join albums on albums.id = album_id
          cross join lateral (values ('photo', photo_sha256), ('thumbnail', photos.thumbnail_sha256)) as made (kind, sha256)
      union all select 'messages.csv', array[u.email, i.created_at::timestamp::text, i.title], 'document', 'message ' || i.id,
          document_name, document_sha256 from inbox_items i join web_users u on u.id = web_user_id
    ) refs where sha256 is not null and name <> ''`)

export const importRowKeyOf = ({ file, key }: { file: string; key: readonly string[] }): string =>
  JSON.stringify([file, ...key])

const describe = ({ file, key }: StoredFileReference) => `${file} ${key.map(part => quoteForMessage(part)).join(' + ')}`

/**
 * Reports file names that would refer to two different files after an import, one of them belonging to a row that is
 * not in the import folder.
 * @param positionOf returns the position of the row in the folder; null if the row is not in the folder
 */
export function checkFileNames(
  refs: StoredFileReference[],
  positionOf: (ref: StoredFileReference) => { position: SourcePosition; column: string } | null,
  problems: ImportProblems,
): void {
  const byName = Map.groupBy(refs, ({ kind, scope, name }) =>
    JSON.stringify([kind === 'content' ? kind : '', scope, name]),
  )
  for (const sameName of byName.values()) {
    const clash = (a: StoredFileReference, b: StoredFileReference) => a.kind === b.kind && a.hash !== b.hash
    const other = sameName.find(ref => positionOf(ref) === null && sameName.some(one => clash(one, ref)))
    const clashing = other ? sameName.filter(ref => clash(ref, other)) : []
    const ours = clashing.find(ref => positionOf(ref) !== null) ?? clashing[0]
    const at = ours && (positionOf(ours) ?? { position: { file: ours.file, line: 1, row: 1 }, column: 'fileName' })
    if (!at || !other) continue
    const text = message`${quoteForMessage(ours.name)} already means another file in the portal, that of ${describe(other)}`
    problems.add(at.position, at.column, message`${text}: give one of them another name`)
  }
}

/**
 * Reports documents of different people that have the same file name but different content, because a person might
 * receive someone else's document.
 */
export function checkDocumentNames(
  { messages }: ParsedFolder,
  before: StoredFileReference[],
  problems: ImportProblems,
): void {
  const stored = new Map(before.filter(({ kind }) => kind === 'document').map(ref => [importRowKeyOf(ref), ref]))
  const byName = Map.groupBy(messages.rows, ({ values }) => values.documentName ?? '')
  for (const [name, rows] of byName) {
    for (const { position, values, hashes } of name === '' ? [] : rows) {
      const { email = '', created = '', title = '' } = values
      const present = stored.get(importRowKeyOf({ file: messages.definition.file, key: [email, created, title] }))
      const other = rows.find(row => row.values.email !== email)
      if (!present || !other || present.hash === hashes.document_sha256 || present.name !== name) continue
      const text = message`${quoteForMessage(name)} is another document than ${quoteForMessage(email)} has under that name`
      problems.add(
        position,
        'documentName',
        message`${text}, and line ${other.position.line} gives it to ${quoteForMessage(String(other.values.email))}: give each its own name`,
      )
    }
  }
}
