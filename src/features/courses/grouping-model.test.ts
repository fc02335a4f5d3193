import { expect, test } from 'vitest'
import { testCourse } from '#test/courses.ts'
import { readProgramme } from '#test/programmes.ts'
import { groupCoursesByName } from './grouping-model.ts'

test('courses with the same name in one season form one entry at the position of the first', () => {
  const courses = [
    testCourse({ id: 1, name: 'Yoga' }),
    testCourse({ id: 2, name: 'Pilates' }),
    testCourse({ id: 3, name: 'yoga ' }),
    testCourse({ id: 4, name: 'Yoga', seasonId: 2 }),
  ]
  const folds = groupCoursesByName(courses, 'de').map(fold => fold.courses.map(({ id }) => id))
  expect(folds).toEqual([[1, 3], [2], [4]])
})

const rwth = readProgramme('rwth')
test.skipIf(!rwth)('a real programme of 2,072 courses has about 549 entries', () => {
  const folds = groupCoursesByName(rwth ?? [], 'de')
  expect(rwth).toHaveLength(2072)
  expect(folds.length).toBeLessThanOrEqual(549)
  expect(folds.reduce((sum, { courses }) => sum + courses.length, 0)).toBe(2072)
})
