import sharp from 'sharp'
import type { PictureWidth } from '#contract/content.ts'
import { type Queryable, sql } from './client.ts'
import { type FileKind, findFile, type StoredFile } from './files.ts'

const QUALITY = 74
const BITMAPS = ['image/avif', 'image/jpeg', 'image/png', 'image/webp']
/** A copy that saves less is not worth keeping. */
const WORTH = 0.9

type VariantRow = { mediaType: string; hash: string; isMade: boolean; isSmaller: boolean; content: Buffer | null }

/** Pictures being made by `kind/name/width`: asked for twice, made once. */
const underWay = new Map<string, Promise<void>>()
/** One at a time: however many are asked for at once, the other processor stays free for everything else. */
let last: Promise<unknown> = Promise.resolve()

/**
 * A stored picture in a smaller width, made at the first request and kept in the database: whatever is asked for how often, a
 * picture is worked on once per width. What gains nothing by it (drawings, documents, small pictures) comes as it is.
 */
export async function findPictureVariant(
  db: Queryable,
  kind: FileKind,
  name: string,
  width: PictureWidth,
  knownHashes: readonly string[] = [],
): Promise<StoredFile | null> {
  const asked = () => findVariantRow(db, kind, name, width, knownHashes)
  let row = await asked()
  if (row && BITMAPS.includes(row.mediaType) && !row.isMade) {
    await makeOnce(db, kind, name, width)
    row = await asked()
  }
  if (!row?.isSmaller) return findFile(db, kind, name, knownHashes)
  const webpName = `${name.replace(/\.\w+$/, '')}.webp`
  return { name: webpName, mediaType: 'image/webp', hash: row.hash, content: row.content }
}

/** The hash of a variant is its picture's, with the width. */
const findVariantRow = (
  db: Queryable,
  kind: FileKind,
  name: string,
  width: PictureWidth,
  knownHashes: readonly string[],
): Promise<VariantRow | null> =>
  db.maybeOne(sql`
    select media_type as "mediaType", hash, v.width is not null as "isMade", v.content is not null as "isSmaller",
      case when hash = any(${knownHashes}) then null else v.content end as content
    from files f
      cross join lateral (select encode(f.sha256, 'hex') || '-' || ${width}::int as hash) h
      left join picture_variants v on v.kind = f.kind and v.name = f.name and v.width = ${width} and v.source_sha256 = f.sha256
    where f.kind = ${kind} and f.name = ${name}`)

function makeOnce(db: Queryable, kind: FileKind, name: string, width: PictureWidth): Promise<void> {
  const key = `${kind}/${name}/${width}`
  const present = underWay.get(key)
  if (present) return present
  const making = last.then(() => make(db, kind, name, width)).finally(() => underWay.delete(key))
  underWay.set(key, making)
  last = making.catch(() => undefined)
  return making
}

async function make(db: Queryable, kind: FileKind, name: string, width: PictureWidth): Promise<void> {
  const picture = await findFile(db, kind, name)
  if (!picture?.content) return
  const smaller = await resizePicture(picture.content, width, QUALITY)
  const content = smaller && smaller.byteLength < picture.content.byteLength * WORTH ? smaller : null
  await db.execute(sql`
    insert into picture_variants (kind, name, width, source_sha256, content)
    select kind, name, ${width}, sha256, ${content} from files
    where kind = ${kind} and name = ${name} and encode(sha256, 'hex') = ${picture.hash}
    on conflict (kind, name, width) do update set source_sha256 = excluded.source_sha256, content = excluded.content`)
}

/** A WebP picture of at most `width` pixels, turned upright; null if the content is no picture. */
export const resizePicture = (content: Buffer, width: number, quality: number): Promise<Buffer | null> =>
  sharp(content)
    .rotate()
    .resize({ width, withoutEnlargement: true })
    .webp({ quality })
    .toBuffer()
    .catch(() => null)
