import { MAX_MEGAPIXELS } from '#server/features/files/picture-repository.ts'
import { sanitizeSvgFile } from '#server/platform/files/file-reader.ts'
import { message, type TranslatableMessage } from '#server/platform/files/messages.ts'
import { canRenderSvg, countMegapixels } from './pictures.ts'

const startsWith =
  (...bytes: number[]) =>
  (content: Uint8Array) =>
    bytes.every((byte, index) => content[index] === byte)
const asciiAt = (offset: number, text: string) => (content: Uint8Array) =>
  Buffer.from(content.subarray(offset, offset + text.length)).toString('latin1') === text
const isSvg = (content: Uint8Array) => /<svg[\s>]/.test(Buffer.from(content.subarray(0, 4096)).toString('utf8'))
/** Whether an SVG embeds raster images. The sanitizer removes them, so such a file is rejected instead. */
const hasEmbeddedPixels = (svg: Buffer) => /<(?:\w+:)?image\s[^<>]*href\s*=\s*["']\s*data:/.test(svg.toString('utf8'))
const isZip = startsWith(0x50, 0x4b, 0x03, 0x04)

type FileType = { mediaType: string; isPicture?: true; fits: (content: Uint8Array) => boolean }

const jpeg: FileType = { mediaType: 'image/jpeg', isPicture: true, fits: startsWith(0xff, 0xd8, 0xff) }

/** Allowed file types by extension. `fits` checks the content, because the extension may be wrong. */
const TYPES: Record<string, FileType> = {
  jpg: jpeg,
  jpeg,
  png: { mediaType: 'image/png', isPicture: true, fits: startsWith(0x89, 0x50, 0x4e, 0x47) },
  webp: { mediaType: 'image/webp', isPicture: true, fits: asciiAt(8, 'WEBP') },
  avif: { mediaType: 'image/avif', isPicture: true, fits: asciiAt(4, 'ftypavif') },
  svg: { mediaType: 'image/svg+xml', isPicture: true, fits: isSvg },
  pdf: { mediaType: 'application/pdf', fits: asciiAt(0, '%PDF-') },
  docx: { mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', fits: isZip },
  xlsx: { mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', fits: isZip },
  ics: { mediaType: 'text/calendar', fits: asciiAt(0, 'BEGIN:VCALENDAR') },
}

/**
 * Validates and sanitizes an untrusted file. Its content must match the extension.
 * @returns the content to store, or the reason for rejection, which completes a sentence that starts with the file name
 */
export async function validateFile(
  name: string,
  content: Buffer,
  isPictureNeeded: boolean,
): Promise<{ mediaType: string; content: Buffer } | { problem: TranslatableMessage }> {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? ''
  const type = TYPES[extension]
  const allowed = Object.keys(TYPES).filter(name => !isPictureNeeded || TYPES[name]?.isPicture)
  if (!type || (isPictureNeeded && !type.isPicture)) return { problem: message`is not one of ${allowed.join(', ')}` }
  if (!type.fits(content)) return { problem: message`is not what its ending says` }
  const { mediaType, isPicture } = type
  if (extension === 'svg' && hasEmbeddedPixels(content))
    return { problem: message`holds an embedded picture, which SVG files must not have: save it as PNG` }
  const reduced = extension === 'svg' ? await sanitizeSvgFile('pictures', content) : content
  if (reduced === null || (extension === 'svg' && !(await canRenderSvg(reduced))))
    return { problem: message`cannot be read as a picture` }
  const megapixels = isPicture ? await countMegapixels(reduced) : 0
  if (megapixels > MAX_MEGAPIXELS)
    return { problem: message`has ${Math.ceil(megapixels)} megapixels, at most ${MAX_MEGAPIXELS} fit` }
  return { mediaType, content: reduced }
}
