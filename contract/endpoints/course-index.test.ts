import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keysOf, recordFromKeys } from '../records.ts'
import { decodeCourseIndex, encodeCourseIndex, INDEX_COLUMNS, type IndexedCourse } from './course-index.ts'

const part = (max: number) => fc.integer({ min: 0, max })
const dateTime = fc.record({
  year: part(9999),
  month: part(12),
  day: part(31),
  hour: part(23),
  minute: part(59),
  second: part(59),
})
const text = fc.string({ unit: 'grapheme' })
const count = fc.nat()
const values = {
  plain: count.map(cents => cents / 100),
  text,
  moment: dateTime,
  flag: fc.boolean(),
  days: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
}
const course = fc.record({
  ...recordFromKeys(keysOf(INDEX_COLUMNS), field => values[INDEX_COLUMNS[field]]),
  number: text,
  currentBooked: fc.option(count),
}) as fc.Arbitrary<IndexedCourse>

test('every course list survives an encode-decode round trip', () => {
  fc.assert(
    fc.property(fc.array(course), courses => {
      const sent = JSON.parse(JSON.stringify(encodeCourseIndex(courses)))
      expect(decodeCourseIndex(sent)).toEqual(courses)
    }),
  )
})

test('an index with a missing column is rejected', () => {
  const [one] = fc.sample(course, 1) as [IndexedCourse]
  const { texts, columns } = encodeCourseIndex([one])
  const { venue: _, ...rest } = columns
  expect(() => decodeCourseIndex({ texts, columns: rest })).toThrow('venue')
})

test('a field that an index of an earlier version lacks is decoded as empty', () => {
  const [one] = fc.sample(course, 1) as [IndexedCourse]
  const { texts, columns } = encodeCourseIndex([one])
  const { freeWithAttendance: _, weekdays, ...rest } = columns
  const [decoded] = decodeCourseIndex({ texts, columns: rest })
  expect(decoded).toEqual({ ...one, freeWithAttendance: false, weekdays: [one.day] })
  expect(weekdays).toHaveLength(1)
})
