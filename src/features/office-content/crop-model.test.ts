import { expect, test } from 'vitest'
import { largestCropArea } from './crop-model.ts'

test.each([
  ['a wide picture made square, from its left', 400, 100, 'square', 0, { x: 0, y: 0, width: 100, height: 100 }],
  ['… from its right', 400, 100, 'square', 100, { x: 300, y: 0, width: 100, height: 100 }],
  ['a high one made wide, from its middle', 160, 290, 'wide', 50, { x: 0, y: 100, width: 160, height: 90 }],
  ['as it is', 160, 290, 'whole', 0, { x: 0, y: 0, width: 160, height: 290 }],
] as const)('%s', (_, width, height, shape, place, part) => {
  expect(largestCropArea({ width, height }, shape, place)).toEqual(part)
})
