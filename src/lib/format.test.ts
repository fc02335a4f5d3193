import { expect, test } from 'vitest'
import { daysUntil, formatRelativeDay, fromLocalTimeMs } from './format.ts'

const NOW = Date.UTC(2026, 10, 21, 23, 59)

test.each([
  [Date.UTC(2026, 10, 21, 0, 0), 0, 'heute', 'today'],
  [Date.UTC(2026, 10, 21, 18, 0), 0, 'heute', 'today'],
  [Date.UTC(2026, 10, 22, 0, 0), 1, 'morgen', 'tomorrow'],
  [Date.UTC(2026, 10, 20, 23, 59), -1, 'gestern', 'yesterday'],
  [Date.UTC(2026, 10, 23, 7, 0), 2, 'übermorgen', 'in 2 days'],
  [Date.UTC(2026, 10, 24, 7, 0), 3, 'in 3 Tagen', 'in 3 days'],
  [Date.UTC(2026, 10, 16, 17, 30), -5, 'vor 5 Tagen', '5 days ago'],
  [Date.UTC(2026, 11, 21, 7, 0), 30, 'in 30 Tagen', 'in 30 days'],
  [Date.UTC(2027, 0, 1, 0, 0), 41, 'in 41 Tagen', 'in 41 days'],
])('%s is %s days away: %s, %s', (wallMs, days, german, english) => {
  const date = fromLocalTimeMs(wallMs)
  expect(daysUntil(date, NOW)).toBe(days)
  expect(formatRelativeDay(date, NOW, 'de')).toBe(german)
  expect(formatRelativeDay(date, NOW, 'en')).toBe(english)
})
