import { afterEach, expect, test } from 'vitest'
import { instantOfLocalTimeMs, localTimeMsAt, setPortalTimeZone, startOfDayAt } from './format.ts'

afterEach(() => setPortalTimeZone('Europe/Berlin'))

test.each([
  ['2026-11-21T07:00:00Z', Date.UTC(2026, 10, 21, 8)],
  ['2026-07-01T06:00:00.250Z', Date.UTC(2026, 6, 1, 8) + 250],
  ['2027-03-28T00:59:59Z', Date.UTC(2027, 2, 28, 1, 59, 59)],
  ['2027-03-28T01:00:00Z', Date.UTC(2027, 2, 28, 3)],
  ['2027-10-31T01:00:00Z', Date.UTC(2027, 9, 31, 2)],
])('the local time in the portal’s time zone is correct at %s', (instant, wallMs) => {
  expect(localTimeMsAt(Date.parse(instant))).toBe(wallMs)
})

test('a local opening time maps to one instant, in summer and winter time', () => {
  expect(instantOfLocalTimeMs(Date.UTC(2026, 10, 30, 8))).toBe(Date.parse('2026-11-30T07:00:00Z'))
  expect(instantOfLocalTimeMs(Date.UTC(2027, 5, 15, 8))).toBe(Date.parse('2027-06-15T06:00:00Z'))
  expect(instantOfLocalTimeMs(Date.UTC(2027, 2, 28, 3, 30))).toBe(Date.parse('2027-03-28T01:30:00Z'))
})

test.each([
  ['in a repeated hour (second occurrence)', Date.UTC(2026, 9, 25, 2, 30), '2026-10-25T01:30:00Z'],
  ['an hour before the repeated hour', Date.UTC(2026, 9, 25, 1, 30), '2026-10-24T23:30:00Z'],
  ['an hour after the repeated hour', Date.UTC(2026, 9, 25, 3, 30), '2026-10-25T02:30:00Z'],
  ['in an hour that is skipped', Date.UTC(2027, 2, 28, 2, 30), '2027-03-28T01:30:00Z'],
])('a start of booking %s is converted to the same instant as in the database', (_case, wallMs, instant) => {
  expect(new Date(instantOfLocalTimeMs(wallMs)).toISOString()).toBe(instant.replace('Z', '.000Z'))
})

test('today is the date in the portal’s time zone at any hour', () => {
  expect(startOfDayAt(Date.parse('2026-11-20T23:30:00Z'))).toBe(Date.UTC(2026, 10, 21))
  expect(startOfDayAt(Date.parse('2026-11-21T22:59:59Z'))).toBe(Date.UTC(2026, 10, 21))
})

test('a change of the portal’s time zone takes effect immediately', () => {
  const opening = Date.UTC(2026, 10, 30, 8)
  expect(instantOfLocalTimeMs(opening)).toBe(Date.parse('2026-11-30T07:00:00Z'))
  setPortalTimeZone('Europe/Athens')
  expect(instantOfLocalTimeMs(opening)).toBe(Date.parse('2026-11-30T06:00:00Z'))
  expect(localTimeMsAt(Date.parse('2026-11-30T06:00:00Z'))).toBe(opening)
})

test('an unknown time zone does not change the current one', () => {
  setPortalTimeZone('Mars/Olympus')
  expect(instantOfLocalTimeMs(Date.UTC(2026, 10, 30, 8))).toBe(Date.parse('2026-11-30T07:00:00Z'))
})
