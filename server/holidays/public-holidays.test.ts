import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isPublicHoliday, publicHolidaysOf } from './public-holidays.ts'

const STATES = ['BB', 'BE', 'BW', 'BY', 'HB', 'HE', 'HH', 'MV', 'NI', 'NW', 'RP', 'SH', 'SL', 'SN', 'ST', 'TH']
// github.com/openpotato/openholidaysapi.data (ODbL), not part of this repository.
const source = new URL('../../../shared/data/holidays/holidays.public.csv', import.meta.url)

test('knows the holidays that only Lower Saxony and its neighbours keep', () => {
  expect(publicHolidaysOf('DE-NI', 2026)).toEqual([
    '2026-01-01',
    '2026-04-03',
    '2026-04-06',
    '2026-05-01',
    '2026-05-14',
    '2026-05-25',
    '2026-10-03',
    '2026-10-31',
    '2026-12-25',
    '2026-12-26',
  ])
  expect(isPublicHoliday('DE-NI', '2026-06-04')).toBe(false)
  expect(isPublicHoliday('DE-NW', '2026-06-04')).toBe(true)
})

test('finds the earliest and the latest Easter of the century', () => {
  expect(isPublicHoliday('DE-BB', '2008-03-23')).toBe(true)
  expect(isPublicHoliday('DE-BB', '2038-04-25')).toBe(true)
})

test.skipIf(!existsSync(source))('agrees with the open holiday tables of all states, 2020 to 2030', () => {
  const rows = readFileSync(source, 'utf8')
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map(line => line.split(';'))
    .filter(cells => cells[4] === 'Public' && cells[5] !== 'Local')
  for (const state of STATES) {
    const expected = rows
      .filter(cells => !cells[8] || cells[8].split(',').includes(state))
      .map(cells => cells[2])
      .sort()
    const actual = Array.from({ length: 11 }, (_, index) => publicHolidaysOf(`DE-${state}`, 2020 + index)).flat()
    expect(actual, state).toEqual(expected)
  }
})
