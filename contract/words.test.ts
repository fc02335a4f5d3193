import { expect, test } from 'vitest'
import { testCourse } from '#test/courses.ts'
import type { Price } from './courses.ts'
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
    'a visitor reads both prices, all in',
    testCourse({ fee: 45, externalFee: 60, energyFee: 9 }),
    { amount: 54, external: 69 },
  ],
  [
    'a course with energy is not free for a visitor',
    testCourse({ fee: 0, externalFee: 15, energyFee: 9 }),
    { amount: 9, external: 24 },
  ],
  [
    'a person of the company reads the price for externals, too',
    testCourse({ price: mine({ amount: 54, fee: 45, energyFee: 9 }), externalFee: 60, energyFee: 9 }),
    { amount: 54, external: 69 },
  ],
  [
    'an external reads one price and its parts',
    testCourse({ price: mine({ amount: 24, fee: 15, energyFee: 9, kind: 'external' }) }),
    { amount: 24, parts: { fee: 15, energyFee: 9, isExternal: true }, external: null },
  ],
  [
    'what attendance frees is still owed',
    testCourse({ price: mine({ amount: 40, fee: 40, freeWithAttendance: true }) }),
    { amount: 40, attendance: 'frees' },
  ],
  [
    'what attendance has freed is not',
    testCourse({ price: mine({ amount: 5, fee: 40, energyFee: 5, freeWithAttendance: true, waived: true }) }),
    { amount: 5, parts: { fee: 0, energyFee: 5, isExternal: false }, attendance: 'freed' },
  ],
])('%s', (_case, course, expected) => {
  expect(displayedPriceOf(course)).toMatchObject(expected)
})
