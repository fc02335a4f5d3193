import { expect, test } from 'vitest'
import { checkDates } from './dates.ts'

const USES_DATABASE = "import { openTestDatabase } from '#server/test/database.ts'\n"
const violationsOf = (text: string, path = 'server/platform/outbox/sender.test.ts') =>
  checkDates([{ path, text }], '2026-11-28').map(violation => violation.replace(/ will be past:.*/, ''))

test.each([
  ["const end = '2026-11-29'", '2026-11-29'],
  ['const at = `2027-03-01`', '2027-03-01'],
  ["const day = '01.03.2027'", '2027-03-01'],
])('a future date is rejected in a test that uses the database: %s', (code, date) => {
  const path = 'server/platform/outbox/sender.test.ts'
  expect(violationsOf(USES_DATABASE + code)).toEqual([`${path}: the fixed date ${date}`])
  expect(violationsOf(code)).toEqual([])
})

test('past dates, dates of 2100 and explained ones are permitted, and an e2e test needs no import', () => {
  const code = "const end = '2026-11-29'"
  expect(violationsOf(`${USES_DATABASE}const [a, b] = ['2026-11-28', '2100-03-29']`)).toEqual([])
  expect(violationsOf(`${USES_DATABASE}// Fixed dates: the clock is an argument.\n${code}`)).toEqual([])
  expect(violationsOf(code, 'e2e/book-a-course.spec.ts')).toHaveLength(1)
})
