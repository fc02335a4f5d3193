/** Aspect ratios for cropping (width to height); null leaves the picture uncropped. */
export const ASPECT_RATIOS = { whole: null, wide: 16 / 9, classic: 4 / 3, square: 1 } as const
export type AspectRatio = keyof typeof ASPECT_RATIOS

type Size = { width: number; height: number }

/**
 * The largest crop with the given aspect ratio.
 * @param place offset as a percentage: 0 is left or top, 100 is right or bottom
 */
export function largestCropArea(
  { width, height }: Size,
  shape: AspectRatio,
  place: number,
): Size & { x: number; y: number } {
  const ratio = ASPECT_RATIOS[shape]
  if (ratio === null) return { x: 0, y: 0, width, height }
  const part = {
    width: Math.min(width, Math.round(height * ratio)),
    height: Math.min(height, Math.round(width / ratio)),
  }
  const at = (free: number) => Math.round((free * place) / 100)
  return { ...part, x: at(width - part.width), y: at(height - part.height) }
}

/** Media types of crops of pictures that can be transparent. In a JPEG, transparent pixels are black. */
const TRANSPARENT: Readonly<Record<string, string>> = {
  'image/png': 'image/png',
  'image/webp': 'image/webp',
  // No browser writes AVIF.
  'image/avif': 'image/webp',
}

export const croppedMediaType = (mediaType: string): string => TRANSPARENT[mediaType] ?? 'image/jpeg'

/** Name of the cropped picture. Its media type may differ from the requested one: some browsers write no WebP. */
export const croppedFileName = (name: string, mediaType: string): string =>
  `${name.replace(/\.\w+$/, '')}.${mediaType.replace('image/', '').replace('jpeg', 'jpg')}`
