import { expect, test } from 'vitest'
import { compareCellValues, parseAmount, toCsv } from './model.ts'

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

test('CSV and sorting treat phone numbers and names as the server does', () => {
  expect(toCsv([['+49 (0)511 12-3', '=1+1']])).toBe("\uFEFF+49 (0)511 12-3;'=1+1\r\n")
  expect(['Zorn', 'Ott', 'Öz', 'K 10', 'K 9'].toSorted(compareCellValues)).toEqual(['K 9', 'K 10', 'Öz', 'Ott', 'Zorn'])
})
