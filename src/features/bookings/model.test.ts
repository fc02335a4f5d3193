import { expect, test } from 'vitest'
import { ApiError, NoResponseError } from '#lib/api-error.ts'
import { dateOf, testCourse } from '#test/courses.ts'
import { countdownAnnouncement, findAlternative, roundedDuration, sortBookedCourses } from './model.ts'
import { findNextSeason } from './next-season-model.ts'
import { bookingStartRetryDelayMs, isOutcomeUnknown, retryDelayMs } from './retry-model.ts'

test('the countdown is announced only at a few points in time', () => {
  const spoken = Array.from({ length: 700 }, (_, second) => countdownAnnouncement(second * 1000)).filter(
    mark => mark !== null,
  )
  expect(spoken).toEqual([10, 30, 60, 180, 300, 600])
})

test('the suggested alternative has a free seat, in the same city and at a similar time', () => {
  const full = { currentParticipants: 20, currentBooked: 20 }
  const all = [
    testCourse({ id: 2, ...full }),
    testCourse({ id: 3, city: 'Tannbrück' }),
    testCourse({ id: 4, day: 3 }),
    testCourse({ id: 5, day: 2, startTime: dateOf('0-0-0 18:00') }),
    testCourse({ id: 6, courseCategoryId: 9 }),
    testCourse({ id: 7, bookingStatus: 1 }),
    testCourse({ id: 8, obstacle: 'over' }),
    testCourse({ id: 9, cancelled: true }),
  ]
  expect(findAlternative(testCourse(), all)?.id).toBe(4)
  expect(findAlternative(testCourse(), [])).toBeNull()
})

test('a course leads to the same one of a later season, on the same weekday if there are several', () => {
  const dated = (id: number, start: string, end: string, values = {}) =>
    testCourse({ id, name: 'Rückenfit', start: dateOf(start), end: dateOf(end), seasonId: 2, weekdays: [2], ...values })
  const own = dated(1, '2026-01-05', '2026-03-02', { seasonId: 1, weekdays: [1] })
  const same = dated(2, '2026-04-13', '2026-06-01', { weekdays: [1] })
  const index = [
    own,
    dated(3, '2026-04-07', '2026-06-02'),
    same,
    dated(4, '2026-04-06', '2026-06-01', { weekdays: [1], name: 'Rückenfit für Eilige' }),
    dated(5, '2026-04-06', '2026-06-01', { weekdays: [1], cancelled: true }),
    dated(6, '2026-02-01', '2026-06-01', { weekdays: [1] }),
    dated(7, '2026-04-06', '2026-06-01', { weekdays: [1], seasonId: 1 }),
  ]
  expect(findNextSeason(own, index, [own])).toBe(same)
  expect(findNextSeason(own, index, [own, { id: 3 }])).toBeNull()
  expect(findNextSeason(same, index, [own])).toBeNull()
})

test('only errors with an unknown outcome are retried', () => {
  expect(isOutcomeUnknown(new NoResponseError('no response'))).toBe(true)
  expect(isOutcomeUnknown(new DOMException('too slow', 'TimeoutError'))).toBe(true)
  expect([503, 429, 500, 502, 504, 408].every(status => isOutcomeUnknown(new ApiError(status, '')))).toBe(true)
  expect([400, 401, 403, 404, 413].some(status => isOutcomeUnknown(new ApiError(status, '')))).toBe(false)
  expect(isOutcomeUnknown(new TypeError('internal server error'))).toBe(false)
})

test('the retry delay grows, stays below 25 s, and respects Retry-After', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 20].map(attempt => retryDelayMs(new NoResponseError(''), attempt, 0.5))
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
  expect(Math.max(...waits)).toBeLessThanOrEqual(25_000)
  expect(retryDelayMs(new ApiError(503, '', 7), 1, 0)).toBe(7000)
})

test('a server that opens slightly after the local countdown is retried, up to a limit', () => {
  expect(bookingStartRetryDelayMs(false, 1, true)).toBeGreaterThan(0)
  expect(bookingStartRetryDelayMs(false, 20, true)).toBeNull()
  expect(bookingStartRetryDelayMs(false, 1, false)).toBeNull()
  expect(bookingStartRetryDelayMs(true, 1, true)).toBeNull()
})

test('booked courses are sorted by start, past ones at the end', () => {
  const courses = [
    testCourse({ id: 1, start: dateOf('2027-01-01'), end: dateOf('2027-02-01') }),
    testCourse({ id: 2, start: dateOf('2026-12-01'), end: dateOf('2027-02-01') }),
    testCourse({ id: 3, start: dateOf('2026-06-01'), end: dateOf('2026-08-01') }),
  ]
  const { current, past } = sortBookedCourses(courses, Date.UTC(2026, 10, 21))
  expect([current, past].map(list => list.map(({ id }) => id))).toEqual([[2, 1], [3]])
})

test.each([
  ['de', 1_000, '1 Sekunde'],
  ['de', 90_000, '90 Sekunden'],
  ['en', 3_700_000, '62 minutes'],
  ['de', 3_781_383_000, '44 Tage'],
  ['en', 7_200_000, '2 hours'],
])('in %s a clock that differs by %i ms differs by %s', (language, ms, text) => {
  expect(roundedDuration(language, ms)).toBe(text)
})
