import { expect, test } from 'vitest'
import { compareByName } from '#contract/name-order.ts'
import { decideAttendanceChange, formatFamilyNameFirst, selectDefaultLesson } from './rules.ts'

const dates = [
  { id: 7, heldAt: '2026-11-14 18:00:00' },
  { id: 8, heldAt: '2026-11-21 18:00:00' },
  { id: 9, heldAt: '2026-11-28 18:00:00' },
]

test("the default lesson is today's, otherwise the last past one, otherwise the first", () => {
  expect(selectDefaultLesson(dates, '2026-11-21')).toBe(8)
  expect(selectDefaultLesson(dates, '2026-11-27')).toBe(8)
  expect(selectDefaultLesson(dates, '2027-01-01')).toBe(9)
  expect(selectDefaultLesson(dates, '2026-11-13')).toBe(7)
  expect(selectDefaultLesson([], '2026-11-21')).toBe(0)
})

test('names are in the order of a telephone book, a person without given name first', () => {
  const people = ['Zorn, Ada', 'Özil, Cem', 'Ott, Bo', 'Čapek, Eva', 'Celik, Ali', 'Ärmel, Uwe', 'Arm, Jo', 'Ott'].map(
    name => {
      const [familyName = '', givenName = ''] = name.split(', ')
      return { familyName, givenName }
    },
  )
  expect(people.sort(compareByName).map(formatFamilyNameFirst)).toEqual([
    'Ärmel, Uwe',
    'Arm, Jo',
    'Čapek, Eva',
    'Celik, Ali',
    'Özil, Cem',
    'Ott',
    'Ott, Bo',
    'Zorn, Ada',
  ])
})

const HELD = { heldOn: '2026-11-21', today: '2026-11-21' }

test('an accepted change stays acknowledged after the list is closed or the booking cancelled', () => {
  expect(decideAttendanceChange({ isKnown: true, isComplete: true, standing: 'outside', ...HELD })).toBe('known')
  expect(decideAttendanceChange({ isKnown: false, isComplete: true, standing: 'inLesson', ...HELD })).toBe('complete')
  expect(decideAttendanceChange({ isKnown: false, isComplete: false, standing: 'outside', ...HELD })).toBe(
    'notInLesson',
  )
  expect(decideAttendanceChange({ isKnown: false, isComplete: true, standing: 'unknown', ...HELD })).toBe(
    'unknownPerson',
  )
})

test.each([
  ['2026-11-20', 'early'],
  ['2025-12-31', 'early'],
  ['2026-11-21', 'recorded'],
  ['2026-11-22', 'recorded'],
  ['2027-01-01', 'recorded'],
])('on %s a change for the lesson of 2026-11-21 is %s', (today, verdict) => {
  const facts = { isComplete: false, standing: 'inLesson', heldOn: '2026-11-21', today } as const
  expect(decideAttendanceChange({ ...facts, isKnown: false })).toBe(verdict)
  expect(decideAttendanceChange({ ...facts, isKnown: true })).toBe('known')
})
