import sharp from 'sharp'
import type { PictureWidth } from '#contract/content.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { type FileRef, findContent, type StoredFile } from './repository.ts'

// Each picture is made once and kept in the database: what the library would keep beside it is only memory.
sharp.cache(false)

/** Of pictures that are taken and decoded; telephones take 12 to 50, decoded 4 bytes a pixel. */
export const MAX_MEGAPIXELS = 50
/** Options of sharp for every content that comes from outside: what is larger fails before it is decoded. */
export const DECODE_LIMITS = { limitInputPixels: MAX_MEGAPIXELS * 1_000_000 }

const QUALITY = 74
export const BITMAPS = ['image/avif', 'image/jpeg', 'image/png', 'image/webp']
/** A copy that saves less is not worth keeping. */
const WORTH = 0.9

/** Pictures being made by `hash/width`: asked for twice, made once. */
const underWay = new Map<string, Promise<void>>()
/** One at a time: however many are asked for at once, the other processor stays free for everything else. */
let last: Promise<unknown> = Promise.resolve()

/** A stored picture in a smaller width, made once and kept. See docs/decisions/0001. @returns null when nothing is gained by it */
export async function findPictureVariant(
  db: Queryable,
  { name, mediaType, hash }: FileRef,
  width: PictureWidth,
): Promise<(StoredFile & { content: Buffer }) | null> {
  if (!BITMAPS.includes(mediaType)) return null
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
  // Who asked gets the fault; the next picture only waits.
  last = making.catch(() => undefined)
  return making
}

async function make(db: Queryable, hash: string, width: PictureWidth): Promise<void> {
  const picture = await findContent(db, hash)
  if (picture === null) return
  const smaller = await resizePicture(picture, width, QUALITY)
  const content = smaller && smaller.byteLength < picture.byteLength * WORTH ? smaller : null
  await db.execute(sql`
    insert into picture_variants (sha256, width, content)
    select sha256, ${width}, ${content} from file_contents where sha256 = decode(${hash}, 'hex')
    on conflict do nothing`)
}

/** A WebP picture of at most `width` pixels, turned upright; null if the content is no picture. */
export const resizePicture = (content: Buffer, width: number, quality: number): Promise<Buffer | null> =>
  sharp(content, DECODE_LIMITS)
    .rotate()
    .resize({ width, withoutEnlargement: true })
    .webp({ quality })
    .toBuffer()
    // Damaged: the picture is sent as it is stored.
    .catch(() => null)
