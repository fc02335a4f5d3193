import sharp from 'sharp'
import type { PictureWidth } from '#contract/endpoints/content.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { type FileReference, findFileContent, type StoredFile } from './repository.ts'

// Disables the library's cache, because each variant is created once and stored in the database.
sharp.cache(false)

/** Maximum size in megapixels of pictures to decode. Phones produce 12 to 50, and decoding takes 4 bytes per pixel. */
export const MAX_MEGAPIXELS = 50
/** Options for sharp, used for all untrusted content: larger pictures fail before they are decoded. */
export const DECODE_LIMITS = { limitInputPixels: MAX_MEGAPIXELS * 1_000_000 }

const QUALITY = 74
export const BITMAP_MEDIA_TYPES = ['image/avif', 'image/jpeg', 'image/png', 'image/webp']
/** Maximum size of a variant relative to the original; a larger variant is discarded. */
const WORTH = 0.9

/** Variants being created, by `hash/width`, so that concurrent requests share the work. */
const underWay = new Map<string, Promise<void>>()
/** Last resize in the queue. Resizing is serialized, so that it occupies at most one CPU core. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Resized variant of a picture, created on first use and then stored. See docs/decisions/0001.
 * @returns null if it would not be smaller
 */
export async function findPictureVariant(
  db: Queryable,
  { name, mediaType, hash }: FileReference,
  width: PictureWidth,
): Promise<(StoredFile & { content: Buffer }) | null> {
  if (!BITMAP_MEDIA_TYPES.includes(mediaType)) return null
  const asked = () =>
    db.maybeOne<{ content: Buffer | null }>(sql`
      select content from picture_variants where sha256 = decode(${hash}, 'hex') and width = ${width}`)
  let row = await asked()
  if (row === null) {
    await makeOnce(db, hash, width)
    row = await asked()
  }
  return row?.content ? { name, mediaType: 'image/webp', hash: `${hash}-${width}`, content: row.content } : null
}

function makeOnce(db: Queryable, hash: string, width: PictureWidth): Promise<void> {
  const key = `${hash}/${width}`
  const present = underWay.get(key)
  if (present) return present
  const making = last.then(() => make(db, hash, width)).finally(() => underWay.delete(key))
  underWay.set(key, making)
  // The caller receives the error; the next picture only waits until this one has been processed.
  last = making.catch(() => undefined)
  return making
}

async function make(db: Queryable, hash: string, width: PictureWidth): Promise<void> {
  const picture = await findFileContent(db, hash)
  if (picture === null) return
  const smaller = await resizePicture(picture, width, QUALITY)
  const content = smaller && smaller.byteLength < picture.byteLength * WORTH ? smaller : null
  await db.execute(sql`
    insert into picture_variants (sha256, width, content)
    select sha256, ${width}, ${content} from file_contents where sha256 = decode(${hash}, 'hex')
    on conflict do nothing`)
}

/**
 * Converts a picture to WebP with at most `width` pixels and its orientation applied; null if the content is not a
 * picture.
 */
export const resizePicture = (content: Buffer, width: number, quality: number): Promise<Buffer | null> =>
  sharp(content, DECODE_LIMITS)
    .rotate()
    .resize({ width, withoutEnlargement: true })
    .webp({ quality })
    .toBuffer()
    // A corrupt picture is sent unchanged.
    .catch(() => null)
