import { expect, test } from 'vitest'
import { testCourse } from '#test/courses.ts'
import { findAlternatives } from './alternative-model.ts'

const full = testCourse({ id: 1, currentParticipants: 20, currentBooked: 20 })
const ids = (courses: { id: number }[]) => courses.map(({ id }) => id)

test('a full course offers the same course at other times, nearest first, before others of its category', () => {
  const courses = [
    full,
    testCourse({ id: 2, day: 3, weekdays: [3] }),
    testCourse({ id: 3, day: 2, weekdays: [2] }),
    testCourse({ id: 4, name: 'Faszien', day: 1 }),
    testCourse({ id: 5, day: 2, weekdays: [2], city: 'Tannbrück' }),
  ]
  expect(ids(findAlternatives(full, courses, 'de', () => true))).toEqual([3, 2, 5])
})

test('only courses of the same category that the user can book are offered', () => {
  const courses = [full, testCourse({ id: 2 }), testCourse({ id: 3 }), testCourse({ id: 5, courseCategoryId: 5 })]
  expect(ids(findAlternatives(full, courses, 'de', ({ id }) => id !== 2))).toEqual([3])
})
