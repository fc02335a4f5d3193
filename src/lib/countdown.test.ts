import { expect, test } from 'vitest'
import { countdownParts } from './countdown.ts'

test.each([
  [167_000, 0, '02:47'],
  [3_599_000, 0, '59:59'],
  [3_600_000, 0, '01:00:00'],
  [183_126_000, 2, '02:52:06'],
  [400, 0, '00:01'],
  [0, 0, '00:00'],
  [-5, 0, '00:00'],
])('%i ms remain: %i days, %s', (remainingMs, days, clock) => {
  expect(countdownParts(remainingMs)).toEqual({ days, clock })
})
