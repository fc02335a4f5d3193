import type { PictureWidth } from '#contract/content.ts'
import type { Queryable } from './client.ts'
import { type FileKind, findFile, type StoredFile } from './files.ts'
import { findPictureVariant } from './picture-variants.ts'

type KeptFile = StoredFile & { content: Buffer }

/**
 * Like findFile, with the content of what was asked for last kept in memory: the database says each time which content is
 * the present one, and sends it only when it is not here. Without it a flyer of 1.5 MB costs 40 ms each time.
 * @returns finds a file, a picture also in another width than its own
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

  return async (
    kind: FileKind,
    name: string,
    knownHashes: readonly string[],
    width: PictureWidth | null = null,
  ): Promise<StoredFile | null> => {
    const key = `${kind}/${name}/${width}`
    const copy = kept.get(key)
    const known = copy ? [...knownHashes, copy.hash] : knownHashes
    const file = await (width ? findPictureVariant(db, kind, name, width, known) : findFile(db, kind, name, known))
    if (file?.content) keep(key, { ...file, content: file.content })
    if (copy === undefined || file?.hash !== copy.hash) return file
    keep(key, copy)
    return knownHashes.includes(copy.hash) ? file : copy
  }
}
