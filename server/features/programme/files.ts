import { readFile, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { validateFile } from '#server/features/files/file-types.ts'
import { BITMAP_MEDIA_TYPES } from '#server/features/files/picture-repository.ts'
import {
  makeThumbnail,
  PICTURE_RECIPE,
  stripPictureMetadata,
  THUMBNAIL_RECIPE,
} from '#server/features/files/pictures.ts'
import { hashFileContent, insertFileContent } from '#server/features/files/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { message, type TranslatableMessage } from '#server/platform/files/messages.ts'
import type { ImportProblems } from '#server/platform/files/problems.ts'
import { type FileReferenceKind, fileNameScopeOfAlbum, importRowKeyOf, type StoredFileReference } from './file-refs.ts'
import type { ParsedFolder, ParsedRow, ParsedTable } from './parse-folder.ts'
import type { ColumnsByName, FileDerivative, ReferencedFile, TableName } from './tables.ts'
import { createRowCounts, type RowCounts } from './write/upsert.ts'

/** Maximum size in bytes of a picture or document. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024

export type FileReference = {
  row: ParsedRow<ColumnsByName>
  column: string
  name: string
  file: ReferencedFile
  /** key of the row in the database; see `StoredFileReference` */
  refKey: string
  /** scope of the file name (see `StoredFileReference`); null for documents, which are identified by their row */
  scope: string | null
}

/**
 * Lists all cells that reference a file. If the folder makes an album private or public, the new visibility applies to
 * its photos.
 */
export function listFileReferences(folder: ParsedFolder, privateAlbums: Set<unknown>): FileReference[] {
  const { albums } = folder
  const isPrivate = new Map([...privateAlbums].map(id => [id, true]))
  if (albums.columnNames.has('courseNumber'))
    for (const { values } of albums.rows) isPrivate.set(values.id, Boolean(values.courseNumber))
  const names: TableName[] = ['categories', 'instructors', 'content', 'albums', 'photos', 'messages']
  return names.flatMap(tableName => {
    const { definition, rows }: ParsedTable = folder[tableName]
    return Object.entries(definition.columns).flatMap(([column, { file }]) =>
      rows.flatMap(row => {
        const name = row.values[column]
        if (!file || typeof name !== 'string' || name === '' || file.isFile?.(name) === false) return []
        const key = definition.key.map(part => String(row.values[part]))
        const albumId = row.values[tableName === 'albums' ? 'id' : 'albumId']
        const scopes = {
          content: 'content',
          photo: fileNameScopeOfAlbum(albumId, isPrivate.get(albumId) === true),
          document: null,
        }
        return {
          row,
          column,
          name,
          file,
          refKey: importRowKeyOf({ file: definition.file, key }),
          scope: scopes[file.kind],
        }
      }),
    )
  })
}

export const fileReferenceKindOf = (file: ReferencedFile, recipe: FileDerivative): FileReferenceKind =>
  recipe === 'thumbnail' ? 'thumbnail' : file.kind

/**
 * Validates and stores the files that rows reference. Each must exist, must not exceed the maximum size, and must have
 * a known type; pictures must be decodable.
 */
export async function storeReferencedFiles(
  tx: Queryable,
  folder: ParsedFolder,
  namings: FileReference[],
  before: StoredFileReference[],
  problems: ImportProblems,
  onFile: (done: number, all: number) => void,
): Promise<void> {
  const store = await createDerivativeStore(tx)
  const storedFiles = new Map(
    before.flatMap(ref =>
      [ref.scope, importRowKeyOf(ref)].map(where => [`${ref.kind}/${ref.name}/${where}`, ref.hash]),
    ),
  )
  const reported = new Set<string>()
  const report = ({ row, column, name }: FileReference, text: TranslatableMessage) => {
    if (!reported.has(name)) problems.add(row.position, column, message`"${name}" ${text}`)
    reported.add(name)
  }

  const readNamed = async (name: string, sameName: FileReference[]) => {
    const diskName = folder.fileNames.get(name)
    const source = diskName === undefined ? null : await readSource(join(folder.path, 'files', diskName))
    for (const naming of sameName) {
      const { row, file, refKey, scope } = naming
      const admitted =
        source && ('problem' in source ? source : await validateFile(name, source.content, file.isPicture))
      if (admitted && 'problem' in admitted) {
        report(naming, admitted.problem)
        continue
      }
      for (const [pointer, recipe] of Object.entries(file.pointers)) {
        const of = `${fileReferenceKindOf(file, recipe)}/${name}`
        const hash = admitted
          ? await store({ ...admitted, hash: hashFileContent(admitted.content) }, admitted.mediaType, recipe)
          : (storedFiles.get(`${of}/${refKey}`) ?? storedFiles.get(`${of}/${scope}`))
        if (hash) row.hashes[pointer] = hash
        else
          report(
            naming,
            admitted ? message`cannot be read as a picture` : message`is neither in files/ nor in the portal`,
          )
      }
    }
  }

  const byName = [...Map.groupBy(namings, ({ name }) => name)]
  const queue = byName.values()
  let done = 0
  const work = async () => {
    for (const [name, sameName] of queue) {
      await readNamed(name, sameName)
      onFile(++done, byName.length)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}

type Source = { content: Buffer; hash: Buffer }

async function readSource(path: string): Promise<Source | { problem: TranslatableMessage }> {
  const stats = await stat(path)
  if (!stats.isFile()) return { problem: message`is not a file` }
  if (stats.size > MAX_FILE_BYTES) {
    const megabytes = Math.ceil(stats.size / 1024 / 1024)
    return { problem: message`has ${megabytes} MB, at most ${MAX_FILE_BYTES / 1024 / 1024} MB fit` }
  }
  const content = await readFile(path)
  return { content, hash: hashFileContent(content) }
}

/**
 * Creates a store for files in the versions that the portal needs, such as thumbnails.
 * @returns function that stores a version of a file unless it is already stored, and returns its hash; null if the file
 * cannot be read as a picture
 */
export async function createDerivativeStore(tx: Queryable) {
  const contents = await tx.query<{ hash: string }>(sql`select encode(sha256, 'hex') as hash from file_contents`)
  const sources = await tx.query<{ made: string; hash: string }>(sql`
    select encode(source_sha256, 'hex') || '/' || recipe as made, encode(sha256, 'hex') as hash from file_sources`)
  const stored = new Set(contents.map(({ hash }) => hash))
  const made = new Map(sources.map(({ made, hash }) => [made, hash]))
  /**
   * Serializes database access, because several files are read concurrently but the transaction has only one
   * connection.
   */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>) => {
    const result = last.then(work)
    // The caller receives the error; the next job only waits for this one to finish.
    last = result.catch(() => undefined)
    return result
  }

  return async ({ content, hash }: Source, mediaType: string, recipe: FileDerivative): Promise<string | null> => {
    const insert = (content: Buffer, type: string, contentHash = hashFileContent(content).toString('hex')) => {
      if (!stored.has(contentHash)) void inTurn(() => insertFileContent(tx, type, content))
      stored.add(contentHash)
      return inTurn(async () => contentHash)
    }
    const hex = hash.toString('hex')
    const isBitmap = BITMAP_MEDIA_TYPES.includes(mediaType)
    if (recipe === 'as given' || (recipe === 'picture' && !isBitmap)) return insert(content, mediaType, hex)
    const key = `${hex}/${RECIPES[recipe].name}`
    const present = made.get(key)
    if (present) return present
    const result = await RECIPES[recipe].make(content)
    if (result === null) return null
    const resultHash = await insert(result, recipe === 'thumbnail' ? 'image/webp' : mediaType)
    await inTurn(() =>
      tx.execute(sql`
        insert into file_sources (source_sha256, recipe, sha256)
        values (${hash}, ${RECIPES[recipe].name}, decode(${resultHash}, 'hex')) on conflict do nothing`),
    )
    made.set(key, resultHash)
    return resultHash
  }
}

const RECIPES = {
  picture: { name: PICTURE_RECIPE, make: stripPictureMetadata },
  thumbnail: { name: THUMBNAIL_RECIPE, make: makeThumbnail },
}

/** Counts the files that the import has added, changed and removed. */
export function countFiles(
  namings: FileReference[],
  before: StoredFileReference[],
  after: StoredFileReference[],
): RowCounts {
  // Documents of different people often have the same name, so a document with different content is considered a new
  // file.
  const nameOf = ({ kind, name, hash }: Pick<StoredFileReference, 'kind' | 'name' | 'hash'>) =>
    kind === 'document' ? `${kind}/${name}/${hash}` : `${kind}/${name}`
  const hashesBefore = Map.groupBy(before, nameOf)
  const namesAfter = new Set(after.map(nameOf))
  const counts = createRowCounts()
  const counted = new Set<string>()
  for (const { row, name, file } of namings) {
    for (const [pointer, recipe] of Object.entries(file.pointers)) {
      const hash = row.hashes[pointer] ?? ''
      const id = nameOf({ kind: fileReferenceKindOf(file, recipe), name, hash })
      if (counted.has(id)) continue
      counted.add(id)
      const present = hashesBefore.get(id)
      if (!present) counts.created += 1
      else counts[present.some(ref => ref.hash === hash) ? 'unchanged' : 'updated'] += 1
    }
  }
  counts.removed = [...hashesBefore.keys()].filter(id => !namesAfter.has(id)).length
  return counts
}
