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
  ['overlap of a few minutes', '18:25-19:00', SAME, ['2026-11-30'], 'time 30.'],
  ['one right after the other in the same hall', '18:30-19:30', SAME, ['2026-11-23'], null],
  ['one right after the other in two halls', '18:30-19:30', OTHER_VENUE, ['2026-11-23'], 'travel 23.'],
  ['15 minutes apart in two halls', '18:45-19:30', OTHER_VENUE, ['2026-11-23'], null],
  ['less than 15 minutes before, in another hall', '16:30-17:16', OTHER_VENUE, ['2026-11-23'], 'travel 23.'],
  ['29 minutes apart in two cities', '18:59-19:30', OTHER_CITY, ['2026-11-23'], 'travel 23.'],
  ['30 minutes apart in two cities', '19:00-19:30', OTHER_CITY, ['2026-11-23'], null],
  ['an unknown site', '18:30-19:30', { venue: '', city: '' }, ['2026-11-23'], null],
  ['the same weekday in other weeks', '17:30-18:30', SAME, ['2026-12-14', '2026-12-21'], null],
  ['only a past lesson', '17:30-18:30', SAME, ['2026-11-16'], null],
  ['a lesson at a different time than the course', '19:00-20:00', SAME, ['2026-12-07'], 'time 7.'],
  [
    'a time conflict takes precedence over a travel conflict',
    '18:30-19:30',
    OTHER_VENUE,
    ['2026-11-23', '2026-12-07'],
    'time 7.',
  ],
  ['no dates', '17:30-18:30', SAME, [], null],
])('time conflict of two courses: %s', (_case, hours, site, dates, expected) => {
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
