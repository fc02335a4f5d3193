import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keysOf } from '#contract/records.ts'
import { Button } from '#ui/button.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { Stack } from '#ui/layout.tsx'
import { ASPECT_RATIOS, type AspectRatio, croppedFileName, croppedMediaType, largestCropArea } from '../crop-model.ts'

const PREVIEW_WIDTH = 240

function draw(
  canvas: HTMLCanvasElement,
  picture: ImageBitmap,
  { x, y, width, height }: ReturnType<typeof largestCropArea>,
  drawnWidth: number,
): HTMLCanvasElement {
  Object.assign(canvas, { width: drawnWidth, height: Math.round((height * drawnWidth) / width) })
  canvas.getContext('2d')?.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height)
  return canvas
}

const isOpaque = (canvas: HTMLCanvasElement): boolean =>
  canvas
    .getContext('2d')
    ?.getImageData(0, 0, canvas.width, canvas.height)
    .data.every((value, index) => index % 4 !== 3 || value === 255) ?? false

type Props = { file: File; onCropped: (file: File) => void }

/** Crops a picture to an aspect ratio. Files in unsupported formats remain unchanged. */
export function CropField({ file, onCropped }: Props) {
  const { t } = useTranslation('office-content')
  const [picture, setPicture] = useState<ImageBitmap | null>(null)
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null)
  const [shape, setShape] = useState<AspectRatio>('whole')
  const [place, setPlace] = useState(50)
  useEffect(() => {
    let isGone = false
    createImageBitmap(file).then(
      drawn => !isGone && setPicture(drawn),
      // A vector graphic, or not a picture at all: there is nothing to crop.
      () => !isGone && setPicture(null),
    )
    return () => {
      isGone = true
    }
  }, [file])
  useEffect(() => {
    if (!canvas || !picture) return
    draw(canvas, picture, largestCropArea(picture, shape, place), PREVIEW_WIDTH)
  }, [canvas, picture, shape, place])
  if (!picture) return null
  const part = largestCropArea(picture, shape, place)
  const take = () => {
    const whole = draw(document.createElement('canvas'), picture, part, part.width)
    const write = (mediaType: string) =>
      whole.toBlob(
        blob => {
          // Safari writes a PNG instead of a WebP, which is many times as large for a photo.
          const isPhoto = mediaType === 'image/webp' && blob?.type === 'image/png' && isOpaque(whole)
          if (isPhoto) write('image/jpeg')
          else if (blob) onCropped(new File([blob], croppedFileName(file.name, blob.type), { type: blob.type }))
        },
        mediaType,
        0.92,
      )
    write(croppedMediaType(file.type))
  }
  return (
    <Stack as="fieldset" gap="s" bare>
      <ChoiceField
        name="shape"
        label={t('crop.shape')}
        value={shape}
        options={keysOf(ASPECT_RATIOS).map(value => ({ value, label: t(`crop.${value}`) }))}
        onChange={setShape}
      />
      {(part.width < picture.width || part.height < picture.height) && (
        <Stack as="label" gap="s">
          {t(part.width < picture.width ? 'crop.across' : 'crop.down')}
          <input type="range" value={place} onChange={event => setPlace(Number(event.currentTarget.value))} />
        </Stack>
      )}
      <canvas ref={setCanvas} role="img" aria-label={t('crop.preview')} />
      {shape !== 'whole' && (
        <p>
          <Button look="quiet" isPill onClick={take}>
            {t('crop.take')}
          </Button>
        </p>
      )}
    </Stack>
  )
}
