import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCourseIndex, encodeCourseIndex, type IndexedCourse } from './course-index.ts'

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
const course: fc.Arbitrary<IndexedCourse> = fc.record({
  id: fc.integer({ min: 1, max: 2_147_483_647 }),
  number: text,
  name: text,
  name2: text,
  textWeb: text,
  textWeb2: text,
  venue: text,
  city: text,
  instructor: text,
  day: part(6),
  weekdays: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
  bookingSelection: text,
  startTime: dateTime,
  endTime: dateTime,
  start: dateTime,
  end: dateTime,
  bookableFrom: dateTime,
  running: fc.boolean(),
  fee: count.map(cents => cents / 100),
  energyFee: count,
  externalFee: count,
  freeWithAttendance: fc.boolean(),
  participants: count,
  currentParticipants: count,
  currentWaiting: count,
  currentBooked: fc.option(count),
  confirmed: fc.boolean(),
  cancelled: fc.boolean(),
  courseCategory: text,
  courseCategory2: text,
  courseCategoryId: count,
  categoryIcon: text,
  seasonId: count,
  season: text,
  season2: text,
  seasonBookable: fc.boolean(),
})

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
