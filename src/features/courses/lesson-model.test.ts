import { expect, test } from 'vitest'
import type { DateTimeValue } from '#contract/values.ts'
import { fromLocalTimeMs } from '#lib/format.ts'
import { findNextLesson } from './lesson-model.ts'

const at = (day: number, hour = 0, minute = 0): DateTimeValue => fromLocalTimeMs(Date.UTC(2026, 10, day, hour, minute))
const now = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour, minute)
const time = (hour: number, minute = 0): DateTimeValue => ({ year: 0, month: 0, day: 0, hour, minute, second: 0 })

const back = { name: 'back', startTime: time(17, 30), endTime: time(18, 30), dates: [at(16, 17, 30), at(23, 17, 30)] }
const aqua = { name: 'aqua', startTime: time(7), endTime: time(7, 45), dates: [at(18), at(25)] }

test.each([
  ['before the first lesson', now(1, 8), 'back', at(16, 17, 30)],
  ['during a lesson', now(16, 18, 29), 'back', at(16, 17, 30)],
  ['after that lesson', now(16, 18, 31), 'aqua', at(18, 7)],
  ['between two courses', now(20, 12), 'back', at(23, 17, 30)],
  ['before the last lesson', now(25, 6, 59), 'aqua', at(25, 7)],
])('finds the next lesson: %s', (_, nowMs, name, startsAt) => {
  expect(findNextLesson([back, aqua], nowMs)).toMatchObject({ course: { name }, startsAt })
})

test('a lesson can remain listed for a while after its end', () => {
  expect(findNextLesson([back, aqua], now(16, 18, 59), 30 * 60_000)).toMatchObject({ course: { name: 'back' } })
  expect(findNextLesson([back, aqua], now(16, 19, 1), 30 * 60_000)).toMatchObject({ course: { name: 'aqua' } })
})

test('there is no next lesson after the last one', () => {
  expect(findNextLesson([back, aqua], now(25, 7, 46))).toBeNull()
  expect(findNextLesson([], now(1, 8))).toBeNull()
})
