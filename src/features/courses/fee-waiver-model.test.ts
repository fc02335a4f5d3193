import { expect, test } from 'vitest'
import type { Price } from '#contract/endpoints/courses.ts'
import { attendanceDotsOf, feeWaiverStateOf } from './fee-waiver-model.ts'

const attendance = { held: 5, present: 3, excused: 1, unrecorded: 0, planned: 10, needed: 7 }
const price: Price = {
  amount: 45,
  fee: 45,
  energyFee: 0,
  kind: 'fee',
  freeWithAttendance: true,
  waived: false,
  priceOnceVerified: null,
}
const course = { bookingStatus: 1, attendance, price } as const

test.each([
  ['in the middle of the course', {}, { kind: 'lessons', count: 3 }],
  ['before the first lesson', { held: 0, present: 0, excused: 0 }, { kind: 'lessons', count: 7 }],
  ['the last lesson decides', { held: 9, present: 6, excused: 0 }, { kind: 'lessons', count: 1 }],
  ['no remaining lesson suffices', { held: 9, present: 5, excused: 0 }, { kind: 'missed' }],
  [
    'an unrecorded lesson may still be recorded as attended',
    { held: 9, present: 5, excused: 0, unrecorded: 1 },
    { kind: 'lessons', count: 2 },
  ],
  ['only unrecorded lessons remain', { held: 10, present: 6, excused: 0, unrecorded: 1 }, { kind: 'unrecorded' }],
  ['reached early', { held: 7, present: 6, excused: 1 }, { kind: 'reached' }],
  ['over and missed', { held: 10, present: 5, excused: 1 }, { kind: 'missed' }],
])('the state of the fee waiver: %s', (_case, changes, expected) => {
  expect(feeWaiverStateOf({ ...course, attendance: { ...attendance, ...changes } })).toEqual(expected)
})

test.each([
  ['not booked', { bookingStatus: 2 }],
  ['no counted lesson', { attendance: { ...attendance, planned: 0 } }],
  ['fee not waived for regular attendance', { price: { ...price, freeWithAttendance: false } }],
  ['waived already', { price: { ...price, waived: true } }],
  ['without a fee', { price: { ...price, fee: 0 } }],
] as const)('no fee waiver is promised: %s', (_case, changes) => {
  expect(feeWaiverStateOf({ ...course, ...changes })).toBe(null)
})

test('each counted lesson is one dot, attended ones first', () => {
  expect(attendanceDotsOf({ ...attendance, unrecorded: 1 })).toEqual([
    'present',
    'present',
    'present',
    'excused',
    'unrecorded',
    ...Array(5).fill('toCome'),
  ])
  expect(attendanceDotsOf({ held: 4, present: 1, excused: 0, unrecorded: 1, planned: 5, needed: 4 })).toEqual([
    'present',
    'missed',
    'missed',
    'unrecorded',
    'toCome',
  ])
  // A lesson that is both excused and unrecorded counts once.
  expect(attendanceDotsOf({ held: 2, present: 0, excused: 2, unrecorded: 2, planned: 2, needed: 2 })).toEqual([
    'excused',
    'excused',
  ])
})
