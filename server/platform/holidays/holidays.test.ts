import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addWorkingDays, holidayNameOf, isPublicHoliday, isSchoolHoliday, publicHolidaysOf } from './holidays.ts'
import data from './school-holidays.json' with { type: 'json' }

const STATES = ['BB', 'BE', 'BW', 'BY', 'HB', 'HE', 'HH', 'MV', 'NI', 'NW', 'RP', 'SH', 'SL', 'SN', 'ST', 'TH']
// github.com/openpotato/openholidaysapi.data (ODbL), not part of this repository.
const source = new URL('../../../../shared/data/holidays/holidays.public.csv', import.meta.url)

test('knows the holidays that apply only in Lower Saxony and its neighbours', () => {
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

test.skipIf(!existsSync(source))('matches the public holiday data of all states from 2020 to 2030', () => {
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

test.each([
  ['DE-NI', '2026-03-22', false],
  ['DE-NI', '2026-03-23', true],
  ['DE-NI', '2026-04-07', true],
  ['DE-NI', '2026-04-08', false],
  ['DE-NI', '2026-10-12', true],
  ['DE-NI', '2026-07-15', false],
  ['DE-NW', '2026-03-25', false],
  ['DE-HH', '2026-03-09', true],
  ['DE-HH', '2026-04-03', false],
  ['DE-BY', '2026-02-17', false],
  ['DE-SH', '2026-10-06', false],
  ['DE-MV', '2026-04-10', false],
])('%s on %s: %s', (region, date, expected) => {
  expect(isSchoolHoliday(region, date)).toBe(expected)
})

test('every state has its Easter and autumn holidays in every year from 2024 to 2029', () => {
  const states = Object.entries<string[][]>(data.states)
  expect(states).toHaveLength(16)
  for (const [state, periods] of states)
    for (const year of [2024, 2025, 2026, 2027, 2028, 2029])
      for (const months of [/-0[345]-/, /-(09-30|1[01]-\d\d)/])
        expect(
          periods.some(([first = '']) => first.startsWith(`${year}-`) && months.test(first)),
          `${state} ${year} ${months}`,
        ).toBe(true)
})

test.each([
  ['Monday: the following Monday', 'DE-NI', '2026-11-23', '2026-11-30'],
  ['Saturday: the weekend is skipped', 'DE-NI', '2026-11-21', '2026-11-27'],
  ['before Easter: Good Friday and Easter Monday are skipped', 'DE-NI', '2026-04-01', '2026-04-10'],
  ['over the turn of the year', 'DE-NI', '2026-12-28', '2027-01-05'],
  ['a holiday only in its region', 'DE-NW', '2026-06-01', '2026-06-09'],
  ['… and not elsewhere', 'DE-NI', '2026-06-01', '2026-06-08'],
])('the fifth working day after %s', (_case, region, date, expected) => {
  expect(addWorkingDays(region, date, 5)).toBe(expected)
})

test('the one-time holidays of Berlin have names of their own', () => {
  expect(holidayNameOf('DE-BE', '2025-05-08')).toBe('liberationDay')
  expect(holidayNameOf('DE-BE', '2028-06-17')).toBe('uprising1953')
})
