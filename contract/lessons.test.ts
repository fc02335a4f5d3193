import { expect, test } from 'vitest'
import { dateOf, testCourse } from '#test/courses.ts'
import { findClashes, futureLessonsOf, isCancellableAt, lastCancelDay } from './lessons.ts'

const NOW = Date.UTC(2026, 10, 21, 13, 0)
const at = (hours: string, changes = {}) => {
  const [startTime = '', endTime = ''] = hours.split('-')
  return { startTime: dateOf(`0-0-0 ${startTime}`), endTime: dateOf(`0-0-0 ${endTime}`), ...changes }
}
const course = testCourse({
  ...at('17:30-18:30', { venue: 'Halle 2', city: 'Salzstadt' }),
  dates: ['2026-11-16 17:30', '2026-11-23 17:30', '2026-11-30 17:30', '2026-12-07 19:00'].map(dateOf),
})
const [SAME, OTHER_VENUE, OTHER_CITY] = [
  { venue: 'Halle 2', city: 'Salzstadt' },
  { venue: 'Bad', city: 'Salzstadt' },
  { venue: 'Halle 2', city: 'Oderwerk' },
]

test.each<[string, string, object, string[], string | null]>([
  ['the same hour of the same day', '17:30-18:30', SAME, ['2026-11-23'], 'time 23.'],
  ['a few minutes of it', '18:25-19:00', SAME, ['2026-11-30'], 'time 30.'],
  ['one right after the other in one hall', '18:30-19:30', SAME, ['2026-11-23'], null],
  ['one right after the other in two halls', '18:30-19:30', OTHER_VENUE, ['2026-11-23'], 'travel 23.'],
  ['… with a quarter of an hour between', '18:45-19:30', OTHER_VENUE, ['2026-11-23'], null],
  ['… before it', '16:30-17:16', OTHER_VENUE, ['2026-11-23'], 'travel 23.'],
  ['another city, 29 minutes between', '18:59-19:30', OTHER_CITY, ['2026-11-23'], 'travel 23.'],
  ['another city, half an hour between', '19:00-19:30', OTHER_CITY, ['2026-11-23'], null],
  ['a site that nobody knows', '18:30-19:30', { venue: '', city: '' }, ['2026-11-23'], null],
  ['the same weekday in weeks between', '17:30-18:30', SAME, ['2026-12-14', '2026-12-21'], null],
  ['only a lesson long past', '17:30-18:30', SAME, ['2026-11-16'], null],
  ['a lesson of another hour than the course’s', '19:00-20:00', SAME, ['2026-12-07'], 'time 7.'],
  ['time is worse than the way', '18:30-19:30', OTHER_VENUE, ['2026-11-23', '2026-12-07'], 'time 7.'],
  ['no dates are known', '17:30-18:30', SAME, [], null],
])('two courses: %s', (_case, hours, site, dates, expected) => {
  const other = testCourse({ id: 2, name: 'Yoga', ...at(hours), ...site, dates: dates.map(dateOf) })
  const [clash] = findClashes(course, [course, other], NOW)
  expect(clash ? `${clash.kind} ${clash.at.day}.` : null).toBe(expected)
})

test('a lesson is upcoming until it starts', () => {
  const days = (nowWallMs: number) => futureLessonsOf(course, nowWallMs).map(({ day }) => day)
  expect(days(NOW)).toEqual([23, 30, 7])
  expect(days(Date.UTC(2026, 10, 23, 17, 29))).toEqual([23, 30, 7])
  expect(days(Date.UTC(2026, 10, 23, 17, 30))).toEqual([30, 7])
})

test('cached courses show no expired deadline and offer no cancellation that the server would refuse', () => {
  const kept = {
    bookingStatus: 1,
    cancellabel: true,
    cancelUntil: { ...dateOf('2026-11-30 23:59'), second: 59 },
  } as const
  const until = Date.UTC(2026, 10, 30, 23, 59, 59)
  expect([lastCancelDay(kept, until), isCancellableAt(kept, until)]).toEqual([kept.cancelUntil, true])
  expect([lastCancelDay(kept, until + 1), isCancellableAt(kept, until + 1)]).toEqual([null, false])
  const waiting = { bookingStatus: 2, cancellabel: true, cancelUntil: null } as const
  expect([lastCancelDay(waiting, until), isCancellableAt(waiting, until)]).toEqual([null, true])
})
