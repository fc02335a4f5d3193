import { expect, test } from 'vitest'
import { testCourse } from '#test/courses.ts'
import type { Price } from './endpoints/courses.ts'
import { displayedPriceOf } from './words.ts'

const mine = (changes: Partial<Price>): Price => ({
  amount: 0,
  fee: 0,
  energyFee: 0,
  kind: 'fee',
  freeWithAttendance: false,
  waived: false,
  priceOnceVerified: null,
  ...changes,
})

test.each([
  [
    'a visitor sees both prices, including the energy fee',
    testCourse({ fee: 45, externalFee: 60, energyFee: 9 }),
    { amount: 54, external: 69 },
  ],
  [
    'a course with an energy fee is not free for a visitor',
    testCourse({ fee: 0, externalFee: 15, energyFee: 9 }),
    { amount: 9, external: 24 },
  ],
  [
    'an employee also sees the price for external participants',
    testCourse({ price: mine({ amount: 54, fee: 45, energyFee: 9 }), externalFee: 60, energyFee: 9 }),
    { amount: 54, external: 69 },
  ],
  [
    'an external participant sees one price and its parts',
    testCourse({ price: mine({ amount: 24, fee: 15, energyFee: 9, kind: 'external' }) }),
    { amount: 24, parts: { fee: 15, energyFee: 9, isExternal: true }, external: null },
  ],
  [
    'a fee that may be waived for regular attendance is still included',
    testCourse({ price: mine({ amount: 40, fee: 40, freeWithAttendance: true }) }),
    { amount: 40, attendance: 'frees' },
  ],
  [
    'a waived fee is not included',
    testCourse({ price: mine({ amount: 5, fee: 40, energyFee: 5, freeWithAttendance: true, waived: true }) }),
    { amount: 5, parts: { fee: 0, energyFee: 5, isExternal: false }, attendance: 'freed' },
  ],
])('%s', (_case, course, expected) => {
  expect(displayedPriceOf(course)).toMatchObject(expected)
})
