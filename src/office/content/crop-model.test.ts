import { expect, test } from 'vitest'
import { croppedFileName, croppedMediaType, largestCropArea } from './crop-model.ts'

test.each([
  ['a wide image cropped to a square, from the left', 400, 100, 'square', 0, { x: 0, y: 0, width: 100, height: 100 }],
  [
    'a wide image cropped to a square, from the right',
    400,
    100,
    'square',
    100,
    { x: 300, y: 0, width: 100, height: 100 },
  ],
  [
    'a tall image cropped to a wide one, from the middle',
    160,
    290,
    'wide',
    50,
    { x: 0, y: 100, width: 160, height: 90 },
  ],
  ['an uncropped image', 160, 290, 'whole', 0, { x: 0, y: 0, width: 160, height: 290 }],
] as const)('%s', (_, width, height, shape, place, part) => {
  expect(largestCropArea({ width, height }, shape, place)).toEqual(part)
})

test.each([
  ['logo.png', 'image/png', 'image/png'],
  ['hall.jpeg', 'image/jpeg', 'image/jpeg'],
  ['logo.webp', 'image/webp', 'image/webp'],
  ['logo.avif', 'image/avif', 'image/webp'],
  ['hall.heic', 'image/heic', 'image/jpeg'],
])('%s keeps its transparency, if it can have any', (_, mediaType, cropped) => {
  expect(croppedMediaType(mediaType)).toBe(cropped)
})

test.each([
  ['hall.JPEG', 'image/jpeg', 'hall.jpg'],
  ['logo.webp', 'image/webp', 'logo.webp'],
  ['logo.avif', 'image/png', 'logo.png'],
])('a crop of %s as %s is %s', (name, mediaType, cropped) => {
  expect(croppedFileName(name, mediaType)).toBe(cropped)
})
