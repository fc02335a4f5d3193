import sharp from 'sharp'
import { DECODE_LIMITS, resizePicture } from '#server/features/files/picture-repository.ts'

const THUMBNAIL_WIDTH = 480
const THUMBNAIL_QUALITY = 72
/** Recipe for thumbnails. It is part of their cache key, so changing it regenerates all thumbnails. */
export const THUMBNAIL_RECIPE = `webp ${THUMBNAIL_WIDTH} q${THUMBNAIL_QUALITY}`
export const PICTURE_RECIPE = 'picture'

/** Quality at which re-encoded pictures look lossless. */
const QUALITY = 92

/** Size of a picture with all its frames in megapixels, read from its header; 0 if it is not a picture. */
export const countMegapixels = (content: Buffer): Promise<number> =>
  sharp(content, { limitInputPixels: false })
    .metadata()
    .then(
      ({ width, height, pages = 1 }) => (width * height * pages) / 1_000_000,
      () => 0,
    )

const DRAW_TIMEOUT_S = 5

/** Whether an SVG can be rendered within the limits. Nested references can grow exponentially. */
export const canRenderSvg = (svg: Buffer): Promise<boolean> =>
  sharp(svg, DECODE_LIMITS)
    .resize({ width: 64 })
    .timeout({ seconds: DRAW_TIMEOUT_S })
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    )

/** Creates a thumbnail. A picture that already is a thumbnail is returned unchanged. */
export async function makeThumbnail(content: Buffer): Promise<Buffer | null> {
  // If the file cannot be read, the conversion below reports it.
  const found = await sharp(content, DECODE_LIMITS)
    .metadata()
    .catch(() => null)
  const isThumbnail =
    found?.format === 'webp' && found.width <= THUMBNAIL_WIDTH && !found.exif && !found.xmp && !found.iptc
  return isThumbnail ? content : resizePicture(content, THUMBNAIL_WIDTH, THUMBNAIL_QUALITY)
}

/**
 * Whether a JPEG contains only picture data: header, tables, frames and scans, with the end marker at the very end of
 * the file.
 */
function isPlainJpeg(content: Buffer): boolean {
  let at = 2
  while (at + 4 <= content.length && content[at] === 0xff) {
    const marker = content[at + 1] ?? 0
    if (marker === 0xd9) return at + 2 === content.length
    const length = content.readUInt16BE(at + 2)
    const isHeader = marker === 0xe0 && length === 16 && content.toString('latin1', at + 4, at + 9) === 'JFIF\0'
    const isPicture = (marker >= 0xc0 && marker <= 0xcf) || marker === 0xda || marker === 0xdb || marker === 0xdd
    if (!isHeader && !isPicture) return false
    at += 2 + length
    // In entropy-coded data, 0xff is followed only by 0 or a restart marker.
    const isScan = marker === 0xda
    while (isScan && at < content.length) {
      const next = content[at + 1] ?? 0
      if (content[at] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7)) break
      at += 1
    }
  }
  return false
}

/**
 * Removes metadata and trailing data from a picture, applies its orientation and converts it to sRGB. A JPEG can hide
 * data in many segment types, so it is left unchanged only if it contains nothing but picture data.
 * @returns null if the picture cannot be decoded
 */
export async function stripPictureMetadata(content: Buffer): Promise<Buffer | null> {
  try {
    const { format, pages = 1, chromaSubsampling, ...found } = await sharp(content, DECODE_LIMITS).metadata()
    const { exif, xmp, iptc, tifftagPhotoshop, comments, orientation } = found
    const isPlain = !exif && !xmp && !iptc && !tifftagPhotoshop && !comments?.length && (orientation ?? 1) === 1
    if (isPlain && (format !== 'jpeg' || isPlainJpeg(content))) return content
    const picture = sharp(content, { ...DECODE_LIMITS, animated: pages > 1 })
    const upright = pages > 1 ? picture : picture.rotate()
    if (format === 'jpeg') {
      const isFull = chromaSubsampling === '4:4:4'
      return await upright.jpeg({ quality: QUALITY, ...(isFull && { chromaSubsampling }) }).toBuffer()
    }
    if (format === 'png') return await upright.png().toBuffer()
    if (format === 'webp') return await upright.webp({ quality: QUALITY }).toBuffer()
    return await upright.avif({ quality: 75, effort: 2 }).toBuffer()
  } catch {
    // The picture is corrupt; the caller reports the file.
    return null
  }
}
