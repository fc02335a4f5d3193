import { expect, test } from 'vitest'
import { beeswarmOffsets, groupCancellations, headlineFigures, roundAxisMax } from './report-model.ts'

test('the figures above a report are shares of all courses, and nothing where nothing was counted', () => {
  const course = { courseId: 1, number: 'A', name: 'A', name2: 'A' }
  const money = { charged: 120, waived: 0, refunded: 0, payroll: 0, invoiced: 0, paid: 0, open: 120 }
  const participants = { total: 14, age: [], status: [], division: [] }
  const utilisation = [
    { ...course, courseCategoryId: 1, lessons: 2, places: 40, taken: 30 },
    { ...course, courseCategoryId: 1, lessons: 1, places: 10, taken: 10 },
  ]
  const noShows = [{ ...course, present: 30, absent: 10 }]
  const full = { utilisation, participants, noShows, money }
  expect(headlineFigures(full)).toEqual({ utilisation: 0.8, people: 14, noShows: 0.25, charged: 120 })
  const none = {
    utilisation: [],
    participants: { ...participants, total: null },
    noShows: [],
    money: { ...money, charged: 0 },
  }
  expect(headlineFigures(none)).toEqual({ utilisation: null, people: null, noShows: null, charged: null })
})

test('overlapping dots are stacked around the axis, others stay on it', () => {
  expect(beeswarmOffsets([10, 10, 10, 40], 5)).toEqual([0, -1, 1, 0])
})

test.each([
  [0, 1],
  [7, 10],
  [130, 200],
  [201, 500],
])('the axis for a maximum of %d ends at %d', (value, end) => {
  expect(roundAxisMax(value)).toBe(end)
})

test('each cancellation belongs to exactly one group of days', () => {
  const days = [-3, 0, 1, 3, 4, 14, 15, 28, 29, 300]
  expect(groupCancellations(days.map(day => ({ days: day, count: 1 })))).toEqual([2, 2, 1, 1, 2, 1, 1])
})
