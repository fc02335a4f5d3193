import type { PictureWidth } from '#contract/content.ts'
import type { Queryable } from '#server/db/client.ts'
import { findPictureVariant } from './picture-repository.ts'
import { type FileRef, findContent, type StoredFile } from './repository.ts'

type CachedFile = StoredFile & { content: Buffer }

/**
 * LRU cache of files by content hash: reading a flyer of 1.5 MB from the database takes 40 ms. See docs/decisions/0001.
 * @returns a function that reads a file, pictures optionally in another width; without content if its hash is in
 * `knownTags`
 */
export function createFileCache(db: Queryable, maxBytes = 32 * 1024 * 1024) {
  /** least recently used first */
  const cached = new Map<string, CachedFile>()
  let cachedBytes = 0

  const drop = (key: string) => {
    cachedBytes -= cached.get(key)?.content.byteLength ?? 0
    cached.delete(key)
  }
  const store = (key: string, file: CachedFile) => {
    drop(key)
    cached.set(key, file)
    cachedBytes += file.content.byteLength
    for (const oldest of cached.keys()) {
      if (cachedBytes <= maxBytes) break
      drop(oldest)
    }
  }
  const read = async (ref: FileRef, width: PictureWidth | null): Promise<CachedFile | null> => {
    const variant = width && (await findPictureVariant(db, ref, width))
    if (variant) return variant
    const content = await findContent(db, ref.hash)
    return content && { ...ref, content }
  }

  return async (
    ref: FileRef,
    knownTags: readonly string[],
    width: PictureWidth | null = null,
  ): Promise<StoredFile | null> => {
    const tags = width ? [`${ref.hash}-${width}`, ref.hash] : [ref.hash]
    const known = tags.find(tag => knownTags.includes(tag))
    if (known) return known === ref.hash ? { ...ref, content: null } : { ...asWebp(ref), hash: known, content: null }
    const key = `${ref.hash}/${width}`
    const file = cached.get(key) ?? (await read(ref, width))
    if (file === null) return null
    store(key, file)
    return file.hash === ref.hash ? { ...file, name: ref.name } : { ...file, ...asWebp(ref), hash: file.hash }
  }
}

/** Resized copies have another media type and file extension. */
const asWebp = ({ name }: FileRef) => ({ name: `${name.replace(/\.\w+$/, '')}.webp`, mediaType: 'image/webp' })
