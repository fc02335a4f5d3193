import { expect, test } from 'vitest'
import { toLocalTimeMs } from '#lib/format.ts'
import { dateOf, testCourse } from '#test/courses.ts'
import { courseMonthsOf, lessonProgressOf } from './date-model.ts'

const TODAY = toLocalTimeMs(dateOf('2026-11-23'))
const onMondays = (...days: string[]) => ({
  weekdays: [1],
  startTime: dateOf('0-0-0 17:30'),
  dates: days.map(day => dateOf(`${day} 17:30`)),
})
/** `30` a lesson, `(30)` a past one, `!30` today, `-30` struck through. */
const MARKS = { past: ['(', ')'], today: ['!', ''], ahead: ['', ''], off: ['-', ''] }
const linesOf = (changes: Parameters<typeof testCourse>[0]) =>
  courseMonthsOf(testCourse(changes), TODAY).map(({ month, days }) =>
    [
      `${month}:`,
      ...days.map(({ date, state, time, isDayNamed }) => {
        const [before, after] = MARKS[state]
        return `${before}${isDayNamed ? 'day ' : ''}${date.day}${time ? ` ${time}` : ''}${after}`
      }),
    ].join(' '),
  )

test('days are grouped by month; holidays between two lessons are struck through', () => {
  const dates = onMondays('2026-11-16', '2026-11-23', '2026-11-30', '2026-12-07', '2026-12-21', '2027-01-04')
  expect(linesOf(dates)).toEqual(['11: (16) !23 30', '12: 7 -14 21 -28', '1: 4'])
})

test('a moved lesson shows its old day struck through and the new day with weekday and time', () => {
  const base = onMondays('2026-11-23', '2026-12-07', '2026-12-14')
  const course = {
    ...base,
    dates: [...base.dates.slice(0, 1), dateOf('2026-12-02 18:00'), ...base.dates.slice(1)],
    changes: [
      {
        kind: 'moved',
        at: dateOf('2026-12-02 18:00'),
        from: dateOf('2026-11-30 17:30'),
        to: null,
        note: '',
        note2: '',
      },
    ] as const,
  }
  expect(linesOf({ ...course, changes: [...course.changes] })).toEqual(['11: !23 -30', '12: day 2 18:00 7 14'])
})

test('a lesson moved within its day and a course every second week have no struck-through days', () => {
  const later = onMondays('2026-11-23', '2026-11-30')
  const changes = [
    {
      kind: 'moved' as const,
      at: dateOf('2026-11-30 18:00'),
      from: dateOf('2026-11-30 17:30'),
      to: null,
      note: '',
      note2: '',
    },
  ]
  expect(linesOf({ ...later, dates: [dateOf('2026-11-30 18:00')], changes })).toEqual(['11: 30 18:00'])
  expect(linesOf(onMondays('2026-11-23', '2026-12-07', '2026-12-21'))).toEqual(['11: !23', '12: 7 21'])
})

test('cancelled lessons are struck through, even after the last lesson', () => {
  const changes = [
    { kind: 'cancelled' as const, at: dateOf('2026-12-07 17:30'), from: null, to: null, note: '', note2: '' },
  ]
  expect(linesOf({ ...onMondays('2026-11-23', '2026-11-30'), changes })).toEqual(['11: !23 30', '12: -7'])
})

test('a course is running between its first and its last lesson', () => {
  const { dates } = onMondays('2026-11-16', '2026-11-23', '2026-11-30')
  expect(lessonProgressOf({ dates }, TODAY)).toEqual({ past: 1, all: 3 })
  expect(lessonProgressOf({ dates: dates.slice(1) }, TODAY)).toBeNull()
  expect(lessonProgressOf({ dates: dates.slice(0, 1) }, TODAY)).toBeNull()
})
