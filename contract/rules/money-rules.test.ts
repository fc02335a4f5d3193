import { expect, test } from 'vitest'
import { countAttendance, hasRegularAttendance } from './money-rules.ts'

const lesson = (day: number, isPresent: boolean | null = null) => ({
  heldAt: `2026-11-${String(day).padStart(2, '0')} 18:00:00`,
  endsAt: `2026-11-${String(day).padStart(2, '0')} 19:00:00`,
  isPresent,
})
const at = (day: number, time = '12:00:00') => `2026-11-${String(day).padStart(2, '0')} ${time}`

test('lessons are counted from the first one after the seat was assigned', () => {
  const lessons = [2, 9, 16, 23, 30].map(day => lesson(day))
  expect(countAttendance(lessons, { placeSince: at(9, '18:00:00'), now: at(17) })).toEqual({
    held: 1,
    present: 0,
    excused: 0,
    unrecorded: 1,
    planned: 3,
    needed: 2,
  })
})

test('a late joiner can always reach the required attendance', () => {
  const lessons = Array.from({ length: 10 }, (_, index) => lesson(index + 1))
  for (let day = 0; day <= 10; day++) {
    const { planned, needed } = countAttendance(lessons, { placeSince: at(day, '20:00:00'), now: at(day, '20:00:00') })
    expect([planned, needed]).toEqual([10 - day, Math.ceil((2 * (10 - day)) / 3)])
    expect(needed).toBeLessThanOrEqual(planned)
  }
})

test('a lesson is treated as held once it is over, and a missing record is not an absence', () => {
  const lessons = [lesson(2, true), lesson(9, false), lesson(16), lesson(23)]
  const span = { placeSince: at(1) }
  expect(countAttendance(lessons, { ...span, now: at(16, '18:59:59') })).toMatchObject({ held: 2, unrecorded: 0 })
  const all = countAttendance(lessons, { ...span, now: at(16, '19:00:00') })
  expect(all).toMatchObject({ held: 3, present: 1, unrecorded: 1, planned: 4, needed: 3 })
})

test('attendance before the seat was assigned is ignored', () => {
  expect(countAttendance([lesson(2, true), lesson(9)], { placeSince: at(3), now: at(30) })).toMatchObject({
    present: 0,
    planned: 1,
  })
})

test('attendance is not regular without any counted lessons', () => {
  const none = countAttendance([lesson(2)], { placeSince: at(3), now: at(30) })
  expect(hasRegularAttendance(none, true)).toBe(false)
  const all = countAttendance([lesson(2, true)], { placeSince: at(1), now: at(3) })
  expect([hasRegularAttendance(all, false), hasRegularAttendance(all, true)]).toEqual([true, true])
})
