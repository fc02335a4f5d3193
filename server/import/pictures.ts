import sharp from 'sharp'
import { resizePicture } from '#server/features/files/picture-repository.ts'

const THUMBNAIL_WIDTH = 480
const THUMBNAIL_QUALITY = 72
/** Another recipe makes all of them anew. */
export const THUMBNAIL_RECIPE = `webp ${THUMBNAIL_WIDTH} q${THUMBNAIL_QUALITY}`
export const PICTURE_RECIPE = 'picture'

/** Hardly to be told from the original, for a picture that has to be written anew. */
const QUALITY = 92

export const makeThumbnail = (content: Buffer): Promise<Buffer | null> =>
  resizePicture(content, THUMBNAIL_WIDTH, THUMBNAIL_QUALITY)

/**
 * A picture without what cameras and programs write beside it: place, time, device, person, comments, and what hangs on behind
 * its end. Turned upright, in the colours that screens have. One that holds nothing of the kind stays as it is; a JPEG never does,
 * since it can hide things in a dozen places.
 * @returns null when it cannot be read as a picture
 */
export async function cleanPicture(content: Buffer): Promise<Buffer | null> {
  try {
    const { format, pages = 1, chromaSubsampling, ...found } = await sharp(content).metadata()
    const { exif, xmp, iptc, tifftagPhotoshop, comments, orientation } = found
    const isPlain = !exif && !xmp && !iptc && !tifftagPhotoshop && !comments?.length && (orientation ?? 1) === 1
    if (isPlain && format !== 'jpeg') return content
    const picture = sharp(content, { animated: pages > 1 })
    const upright = pages > 1 ? picture : picture.rotate()
    if (format === 'jpeg') {
      const isFull = chromaSubsampling === '4:4:4'
      return await upright.jpeg({ quality: QUALITY, ...(isFull && { chromaSubsampling }) }).toBuffer()
    }
    if (format === 'png') return await upright.png().toBuffer()
    if (format === 'webp') return await upright.webp({ quality: QUALITY }).toBuffer()
    return await upright.avif({ quality: 75, effort: 2 }).toBuffer()
  } catch {
    return null
  }
}
