import type { PictureWidth } from '#contract/content.ts'
import type { Queryable } from './client.ts'
import { type FileRef, findContent, type StoredFile } from './files.ts'
import { findPictureVariant } from './picture-variants.ts'

type KeptFile = StoredFile & { content: Buffer }

/**
 * Reads files by their hash, with what was asked for last kept in memory: the content behind a hash never changes. Without it a
 * flyer of 1.5 MB costs 40 ms each time.
 * @returns reads a file, a picture also in another width than its own; without its content when that is among `knownTags`
 */
export function createFileCache(db: Queryable, maxBytes = 32 * 1024 * 1024) {
  /** the longest unused first */
  const kept = new Map<string, KeptFile>()
  let keptBytes = 0

  const drop = (key: string) => {
    keptBytes -= kept.get(key)?.content.byteLength ?? 0
    kept.delete(key)
  }
  const keep = (key: string, file: KeptFile) => {
    drop(key)
    kept.set(key, file)
    keptBytes += file.content.byteLength
    for (const oldest of kept.keys()) {
      if (keptBytes <= maxBytes) break
      drop(oldest)
    }
  }
  const read = async (ref: FileRef, width: PictureWidth | null): Promise<KeptFile | null> => {
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
    const file = kept.get(key) ?? (await read(ref, width))
    if (file === null) return null
    keep(key, file)
    return file.hash === ref.hash ? { ...file, name: ref.name } : { ...file, ...asWebp(ref), hash: file.hash }
  }
}

/** A smaller copy is another kind of file, and so has another ending. */
const asWebp = ({ name }: FileRef) => ({ name: `${name.replace(/\.\w+$/, '')}.webp`, mediaType: 'image/webp' })
