import { expect, test } from 'vitest'
import { findReportSeasons, formatHeadlineFigures, headlineFigures } from './headline-figures.ts'

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
  expect(formatHeadlineFigures(headlineFigures(full))).toEqual({
    utilisation: '80\u00a0%',
    people: '14',
    noShows: '25\u00a0%',
    charged: '120,00\u00a0€',
  })
  const none = {
    utilisation: [],
    participants: { ...participants, total: null },
    noShows: [],
    money: { ...money, charged: 0 },
  }
  expect(headlineFigures(none)).toEqual({ utilisation: null, people: null, noShows: null, charged: null })
})

test('the report is on the chosen season or the latest that has begun, and is compared with the one before', () => {
  const startingIn = (id: number, year: number, month: number) => ({
    id,
    startsAt: { year, month, day: 1, hour: 0, minute: 0, second: 0 },
  })
  const seasons = [startingIn(3, 2026, 1), startingIn(1, 2026, 1), startingIn(2, 2026, 9)]
  const idsOn = (day: { year: number; month: number; day: number }, chosen?: number) => {
    const { season, before } = findReportSeasons(seasons, day, chosen)
    return [season?.id, before?.id]
  }
  expect(idsOn({ year: 2026, month: 9, day: 1 })).toEqual([2, 1])
  expect(idsOn({ year: 2026, month: 8, day: 31 })).toEqual([1, undefined])
  expect(idsOn({ year: 2025, month: 12, day: 31 })).toEqual([3, undefined])
  expect(idsOn({ year: 2026, month: 8, day: 31 }, 2)).toEqual([2, 1])
  expect(findReportSeasons([], { year: 2026, month: 1, day: 1 })).toEqual({ season: undefined, before: undefined })
})
