import { expect, test } from 'vitest'
import { addWorkingDays } from './working-days.ts'

test.each([
  ['Monday: the Monday after', 'DE-NI', '2026-11-23', '2026-11-30'],
  ['Saturday: the weekend does not count', 'DE-NI', '2026-11-21', '2026-11-27'],
  ['before Easter: Good Friday and Easter Monday do not count', 'DE-NI', '2026-04-01', '2026-04-10'],
  ['over the turn of the year', 'DE-NI', '2026-12-28', '2027-01-05'],
  ['a holiday only where the region keeps it', 'DE-NW', '2026-06-01', '2026-06-09'],
  ['… and not elsewhere', 'DE-NI', '2026-06-01', '2026-06-08'],
])('the fifth working day after %s', (_case, region, date, expected) => {
  expect(addWorkingDays(region, date, 5)).toBe(expected)
})
