import { expect, test } from 'vitest'
import { parseAmount } from './model.ts'

test.each([
  ['1.234,50', 1234.5],
  ['1234.5', 1234.5],
  ['12,345', 12.35],
  ['-3,00', -3],
  ['', undefined],
  ['zehn', undefined],
])('the amount "%s" is parsed', (typed, amount) => {
  expect(parseAmount(typed)).toBe(amount)
})
