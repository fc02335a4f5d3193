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
