import { expect, test } from 'vitest'
import { beeswarmOffsets, groupCancellations, roundAxisMax } from './report-model.ts'

test('overlapping dots are stacked around the axis, others stay on it', () => {
  expect(beeswarmOffsets([10, 10, 10, 40], 5)).toEqual([0, -1, 1, 0])
})

test.each([
  [0, 1],
  [7, 10],
  [130, 200],
  [201, 500],
])('the axis for a maximum of %d ends at %d', (value, end) => {
  expect(roundAxisMax(value)).toBe(end)
})

test('each cancellation belongs to exactly one group of days', () => {
  const days = [-3, 0, 1, 3, 4, 14, 15, 28, 29, 300]
  expect(groupCancellations(days.map(day => ({ days: day, count: 1 })))).toEqual([2, 2, 1, 1, 2, 1, 1])
})
