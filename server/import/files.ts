import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { FileKind } from '#server/db/files.ts'
import { resizePicture } from '#server/db/picture-variants.ts'
import { identifyFile } from './file-types.ts'
import type { Folder } from './parse-folder.ts'
import type { Place, Problems } from './problems.ts'

const MAX_BYTES = 20 * 1024 * 1024
const THUMBNAIL_WIDTH = 480
const THUMBNAIL_QUALITY = 72
/** Part of a thumbnail's hash: another recipe makes all of them anew. */
const THUMBNAIL_RECIPE = `webp ${THUMBNAIL_WIDTH} q${THUMBNAIL_QUALITY}`

/** A file that a row names. */
type NamedFile = { kind: FileKind; name: string; isPicture: boolean; place: Place; column: string }

/** A file to be stored, unless one of the same hash is there. A thumbnail's hash is that of what it is made from. */
export type SourceFile = {
  kind: FileKind
  name: string
  mediaType: string
  sha256: Buffer
  read(): Promise<Buffer>
}

/** Every file that the rows name, once per kind. */
function listNamedFiles({ instructors, albums, photos, content, messages, categories }: Folder): NamedFile[] {
  const pictures = [...instructors.rows, ...content.rows].map(({ place, values: { pictureFileName: name } }) => {
    return { kind: 'content' as const, name, isPicture: true, place, column: 'pictureFileName' }
  })
  const icons = categories.rows.map(({ place, values: { icon } }) => {
    const name = icon?.includes('.') ? icon : undefined
    return { kind: 'content' as const, name, isPicture: true, place, column: 'icon' }
  })
  const flyers = content.rows.map(({ place, values: { fileName: name } }) => {
    return { kind: 'content' as const, name, isPicture: false, place, column: 'fileName' }
  })
  const thumbnails = albums.rows.map(({ place, values: { thumbnailFileName: name } }) => {
    return { kind: 'thumbnail' as const, name, isPicture: true, place, column: 'thumbnailFileName' }
  })
  const shots = photos.rows.flatMap(({ place, values: { fileName: name } }) =>
    (['photo', 'thumbnail'] as const).map(kind => ({ kind, name, isPicture: true, place, column: 'fileName' })),
  )
  const documents = messages.rows.map(({ place, values: { documentName: name } }) => {
    return { kind: 'document' as const, name, isPicture: false, place, column: 'documentName' }
  })
  const named = [...icons, ...pictures, ...flyers, ...thumbnails, ...shots, ...documents]
  const given = named.flatMap(file => (file.name ? [{ ...file, name: file.name }] : []))
  return [...new Map(given.toReversed().map(file => [`${file.kind}/${file.name}`, file])).values()].toReversed()
}

/**
 * Looks at every file that the rows name: it must lie in files/ (or be in the portal already), be small enough and of a
 * known type, and a photo must be readable as a picture.
 * @param stored hashes (hexadecimal) of the portal's files by `kind/name`
 */
export async function readFiles(
  folder: Folder,
  stored: Map<string, string>,
  problems: Problems,
  onFile: (done: number, all: number) => void,
): Promise<SourceFile[]> {
  const named = listNamedFiles(folder)
  const reported = new Set<string>()
  const sources: SourceFile[] = []
  let done = 0
  const queue = named.values()
  const work = async () => {
    for (const file of queue) {
      const result = await readNamedFile(folder, file, stored)
      onFile(++done, named.length)
      if (result && 'problem' in result) {
        if (!reported.has(file.name)) problems.add(file.place, file.column, result.problem)
        reported.add(file.name)
      } else if (result) sources.push(result)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return sources
}

async function readNamedFile(
  { path, fileNames }: Folder,
  { kind, name, isPicture }: NamedFile,
  stored: Map<string, string>,
): Promise<SourceFile | { problem: string } | null> {
  const diskName = fileNames.get(name)
  if (diskName === undefined) {
    return stored.has(`${kind}/${name}`) ? null : { problem: `"${name}" is neither in files/ nor in the portal` }
  }
  const file = join(path, 'files', diskName)
  const stats = await stat(file)
  if (!stats.isFile()) return { problem: `"${name}" is not a file` }
  if (stats.size > MAX_BYTES) {
    const megabytes = Math.ceil(stats.size / 1024 / 1024)
    return { problem: `"${name}" has ${megabytes} MB, at most ${MAX_BYTES / 1024 / 1024} MB fit` }
  }
  const content = await readFile(file)
  const type = identifyFile(name, content, isPicture)
  if ('problem' in type) return type
  const sha256 = createHash('sha256').update(content)
  if (kind !== 'thumbnail') {
    return { kind, name, mediaType: type.mediaType, sha256: sha256.digest(), read: () => readFile(file) }
  }
  const digest = sha256.update(THUMBNAIL_RECIPE).digest()
  const source = { kind, name, mediaType: 'image/webp', sha256: digest }
  if (stored.get(`thumbnail/${name}`) === digest.toString('hex')) return { ...source, read: () => readFile(file) }
  const thumbnail = await resizePicture(content, THUMBNAIL_WIDTH, THUMBNAIL_QUALITY)
  return thumbnail ? { ...source, read: async () => thumbnail } : { problem: `"${name}" cannot be read as a picture` }
}
