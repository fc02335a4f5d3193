import { expect, test } from 'vitest'
import data from './school-holidays.json' with { type: 'json' }
import { isSchoolHoliday } from './school-holidays.ts'

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
