import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import {
  type AttendanceProof,
  countWorkingDays,
  createAttendanceProofCheck,
  mergeDateSpans,
  toSickLeaves,
} from './proof-rules.ts'
import {
  billingRouteKey,
  billingRouteOf,
  calculateCourseSettlement,
  calculateFloorEntryCents,
  calculateRefundCents,
  isUnrecordedLesson,
  lastLessonEnd,
  type Payer,
  type SettledBooking,
  type SettledLesson,
  sumCents,
} from './rules.ts'

const REGION = 'DE-NI'
const NOW = '2027-12-31 12:00:00'

/** Weekly lessons from Monday, 1 February 2027, one per mark: `h`eld and recorded, `o`pen, e`x`cluded, `c`ancelled. */
const lessonsOf = (marks: string): SettledLesson[] =>
  [...marks].map((mark, week) => {
    const day = new Date(Date.parse('2027-02-01') + week * 7 * 86_400_000).toISOString().slice(0, 10)
    return {
      id: week + 1,
      heldAt: `${day} 18:00:00`,
      endsAt: `${day} 19:00:00`,
      isCancelled: mark === 'c',
      isExcluded: mark === 'x',
      isRecorded: mark !== 'o' && mark !== 'x',
    }
  })
const lessonIds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const booking = (present: number, values: Partial<SettledBooking> = {}): SettledBooking => ({
  bookingId: 1,
  webUserId: 1,
  isEnded: false,
  lateCents: 0,
  feeCents: 4500,
  processingCents: 0,
  energyCents: 0,
  promised: 12,
  isWaiverOffered: true,
  employeeStatus: EMPLOYEE_STATUS.Employee,
  rule: 'fee',
  placeSince: '2027-01-15 12:00:00',
  presence: lessonIds(present).map(lessonId => ({ lessonId, isPresent: true })),
  decision: null,
  proofs: [],
  ...values,
})
const calculate = (marks: string, ...bookings: SettledBooking[]) =>
  calculateCourseSettlement({ isCancelled: false, lessons: lessonsOf(marks) }, bookings, { region: REGION, now: NOW })
const held = (count: number) => 'h'.repeat(count)
const costOf = (marks: string, one: SettledBooking) => {
  const [line] = calculate(marks, one)
  return [line?.outcome, line && sumCents(line.cents)]
}

describe('regular attendance (rule 5)', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [8, 6],
    [10, 7],
    [12, 8],
  ])('of %i lessons, %i are needed', (count, needed) => {
    const promised = count
    expect(costOf(held(count), booking(needed, { promised }))).toEqual(['regular', 0])
    expect(costOf(held(count), booking(needed - 1, { promised }))).toEqual(['not-regular', 4500])
  })

  test('without a counted lesson, staff decide, and nothing is charged until then', () => {
    const late = { placeSince: '2027-12-01 12:00:00', promised: 0 }
    expect(costOf(held(3), booking(0, late))).toEqual(['undecided', 0])
    expect(costOf(held(3), booking(0, { ...late, decision: true }))).toEqual(['regular', 0])
    expect(costOf(held(3), booking(0, { ...late, decision: false }))).toEqual(['not-regular', 4500])
  })

  test('a shift proof needs more than half of the lessons', () => {
    const shift = (to: string): AttendanceProof[] => [{ kind: 'shift', from: '2027-02-01', to }]
    // Four of eight lessons, then five.
    expect(costOf(held(8), booking(3, { promised: 8, proofs: shift('2027-02-22') }))).toEqual(['not-regular', 4500])
    expect(costOf(held(8), booking(3, { promised: 8, proofs: shift('2027-03-01') }))).toEqual(['regular', 0])
    expect(costOf(held(8), booking(2, { promised: 8, proofs: shift('2027-03-01') }))).toEqual(['not-regular', 4500])
  })

  test('lessons before the seat was assigned, open lessons and excluded ones are not counted', () => {
    const [line] = calculate('hhhhoxcc', booking(4, { promised: 8, placeSince: '2027-02-02 00:00:00' }))
    expect(line).toMatchObject({ counted: 3, present: 3, needed: 2, outcome: 'regular' })
    // Present at a lesson earlier on the day on which the seat was assigned.
    const [sameDay] = calculate('hhhhoxcc', booking(4, { promised: 8, placeSince: '2027-02-01 18:30:00' }))
    expect(sameDay).toMatchObject({ counted: 4, present: 4, needed: 3, outcome: 'regular' })
  })
})

describe('sick notes (rule 6)', () => {
  // Easter Monday is 29 March 2027, Good Friday 26 March.
  test.each([
    ['2027-03-15', '2027-03-25', 9, false],
    ['2027-03-15', '2027-03-29', 9, false],
    ['2027-03-15', '2027-03-30', 10, true],
    ['2027-03-15', '2027-03-31', 11, true],
  ])('%s to %s: %i working days over Easter', (from, to, days, isLongEnough) => {
    expect(countWorkingDays(REGION, { from, to })).toBe(days)
    expect(toSickLeaves(REGION, [{ kind: 'sick', from, to }])).toMatchObject([{ workingDays: days, isLongEnough }])
  })

  test('two sick notes without a working day between them are one period', () => {
    const first = { from: '2027-03-15', to: '2027-03-25' }
    expect(mergeDateSpans(REGION, [{ from: '2027-03-30', to: '2027-03-31' }, first])).toEqual([
      { from: '2027-03-15', to: '2027-03-31' },
    ])
    expect(mergeDateSpans(REGION, [first, { from: '2027-03-31', to: '2027-03-31' }])).toHaveLength(2)
  })

  test('present takes precedence over excused', () => {
    const proofs: AttendanceProof[] = [{ kind: 'sick', from: '2027-02-01', to: '2027-02-28' }]
    expect(createAttendanceProofCheck(REGION, proofs)('2027-02-28 18:00:00')).toEqual({
      isExcused: true,
      isOnShift: false,
    })
    const [line] = calculate(held(8), booking(2, { promised: 8, proofs }))
    expect(line).toMatchObject({ present: 2, excused: 2, needed: 6 })
  })
})

describe('waiver, refund and floor (rules 7 to 9)', () => {
  test.each([
    ['an employee', {}, 0],
    ['a pensioner', { employeeStatus: EMPLOYEE_STATUS.Pensioner }, 0],
    ['an apprentice', { employeeStatus: EMPLOYEE_STATUS.Apprentice }, 4500],
    ['an insured person', { employeeStatus: EMPLOYEE_STATUS.HealthInsurance }, 4500],
    ['municipal utilities', { employeeStatus: EMPLOYEE_STATUS.MunicipalUtilities }, 4500],
    [
      'an external participant',
      { employeeStatus: EMPLOYEE_STATUS.External, rule: 'external' as const, processingCents: 1500 },
      6000,
    ],
    ['an unverified employee', { rule: 'external' as const, processingCents: 1500 }, 6000],
    ['a course without a waiver', { isWaiverOffered: false }, 4500],
    ['an employee with an energy fee', { energyCents: 500 }, 500],
  ])('regular attendance of %s', (_who, values, cents) => {
    expect(costOf(held(12), booking(12, values))[1]).toBe(cents)
  })

  test('a refund is rounded up to the cent in the person’s favour, separately for fee and energy fee', () => {
    expect(calculateRefundCents(1000, 3, 2)).toBe(334)
    expect(calculateRefundCents(1000, 0, 0)).toBe(0)
    const values = { feeCents: 1000, energyCents: 100, promised: 3, isWaiverOffered: false }
    const [line] = calculate('hhc', booking(2, values))
    expect(line?.cents).toMatchObject({ fee: 1000, 'energy-fee': 100, 'lessons-cancelled': -(334 + 34) })
    expect(costOf('hhc', booking(2, { ...values, isWaiverOffered: true }))).toEqual(['regular', 66])
  })

  test('added lessons make up for cancelled ones, and never raise the price', () => {
    const values = { promised: 3, isWaiverOffered: false }
    expect(costOf('hhch', booking(0, values))[1]).toBe(4500)
    expect(costOf('hhhhh', booking(0, values))[1]).toBe(4500)
  })

  test('a course cancelled as a whole costs nothing', () => {
    const [line] = calculateCourseSettlement({ isCancelled: true, lessons: lessonsOf('hhh') }, [booking(0)], {
      region: REGION,
      now: NOW,
    })
    expect(line && [line.outcome, sumCents(line.cents)]).toEqual(['course-cancelled', 0])
  })

  test.each([
    // late charge, second booking costs, both together
    [1500, 12, 1500],
    [1500, 0, 4500],
    [4500, 0, 4500],
    [4500, 12, 4500],
  ])('cancelled late for %i and booked again, present %i times: %i in total', (lateCents, present, sum) => {
    const lines = calculate(
      held(12),
      booking(0, { bookingId: 1, isEnded: true, lateCents }),
      booking(present, { bookingId: 2 }),
    )
    expect(lines.reduce((total, { cents }) => total + sumCents(cents), 0)).toBe(sum)
  })

  test('goodwill never reduces the sum below 0', () => {
    expect([
      calculateFloorEntryCents(4500, -2000),
      calculateFloorEntryCents(1000, -2000),
      calculateFloorEntryCents(0, 0),
    ]).toEqual([0, 1000, 0])
  })
})

test('a past lesson without recorded attendance is open', () => {
  const [lesson] = lessonsOf('o') as [SettledLesson]
  expect([
    isUnrecordedLesson(lesson, '2027-02-01 18:59:59'),
    isUnrecordedLesson(lesson, '2027-02-01 19:00:00'),
  ]).toEqual([false, true])
  expect(isUnrecordedLesson({ ...lesson, isExcluded: true }, NOW)).toBe(false)
  expect([lastLessonEnd(lessonsOf('hhc')), lastLessonEnd(lessonsOf('cc'))]).toEqual(['2027-02-08 19:00:00', null])
})

const PAYER: Payer = {
  billingType: 1,
  isOnPayroll: true,
  isVerified: true,
  personnelNumber: '00123',
  hasConsent: false,
  name: 'Kim Muster',
  street: 'Weg 1',
  zip: '38440',
  city: 'Wolfsburg',
  returned: [],
  unpaidCents: 0,
  iban: '',
}
test.each<[string, Partial<Payer>, string]>([
  ['own number', {}, 'payroll'],
  ['own number, no billing type chosen', { billingType: null }, 'payroll'],
  ['not verified', { isVerified: false }, 'unverified'],
  ['no number', { personnelNumber: '' }, 'personnelNumber'],
  ['foreign number', { billingType: 2 }, 'consent'],
  [
    'foreign number with consent, whoever is verified',
    { billingType: 2, hasConsent: true, isVerified: false },
    'payroll',
  ],
  ['invoice', { billingType: 3 }, 'invoice'],
  ['invoice without a street', { billingType: 3, street: ' ' }, 'address'],
  ['unknown', { billingType: 4 }, 'billingType'],
  ['refused by payroll', { returned: ['payroll 00123'] }, 'returned'],
  ['another number since', { returned: ['payroll 00124'] }, 'payroll'],
])('billing route: %s', (_case, values, expected) => {
  const route = billingRouteOf({ payer: { ...PAYER, ...values }, cents: 100 })
  expect(route.kind === 'held' ? route.cause : route.kind).toBe(expected)
})

const cents = fc.integer({ min: 0, max: 20_000 })
const anyBooking = fc.record({
  feeCents: cents,
  processingCents: cents,
  energyCents: cents,
  promised: fc.nat(15),
  lateCents: cents,
  isEnded: fc.boolean(),
  present: fc.nat(12),
  isWaiverOffered: fc.boolean(),
})
const anyMarks = fc.array(fc.constantFrom('h', 'c', 'x', 'o'), { maxLength: 12 }).map(marks => marks.join(''))

test('for any input, no line is below 0, no person pays more than one full price, and the result is reproducible', () => {
  fc.assert(
    fc.property(anyMarks, fc.array(anyBooking, { maxLength: 3 }), (marks, values) => {
      const bookings = values.map(({ present, ...rest }, index) => {
        const last = index === values.length - 1
        const lateCents = Math.min(rest.lateCents, rest.feeCents + rest.processingCents + rest.energyCents)
        const isEnded = !last || rest.isEnded
        return booking(present, { ...rest, bookingId: index + 1, isEnded, lateCents: isEnded ? lateCents : 0 })
      })
      const lines = calculate(marks, ...bookings)
      for (const line of lines) expect(sumCents(line.cents)).toBeGreaterThanOrEqual(0)
      const highest = Math.max(0, ...bookings.map(one => one.feeCents + one.processingCents + one.energyCents))
      expect(lines.reduce((sum, line) => sum + sumCents(line.cents), 0)).toBeLessThanOrEqual(highest)
      expect(calculate(marks, ...bookings)).toEqual(lines)
    }),
    { numRuns: 500 },
  )
})

test('additional attendance never increases the price', () => {
  fc.assert(
    fc.property(anyMarks, fc.nat(11), anyBooking, (marks, present, values) => {
      const price = (ticks: number) => {
        const { present: _, isEnded, lateCents, ...rest } = values
        return sumCents(calculate(marks, booking(ticks, rest))[0]?.cents ?? {})
      }
      expect(price(present + 1)).toBeLessThanOrEqual(price(present))
    }),
    { numRuns: 500 },
  )
})

test.each<[string, Partial<Payer>, string]>([
  ['payroll', {}, 'payroll 00123'],
  ['unpaid invoices that cover it', { billingType: 3, unpaidCents: 100, iban: 'DE75512108001245126199' }, 'set-off'],
  ['smaller unpaid invoices', { billingType: 3, unpaidCents: 99, iban: 'DE75512108001245126199' }, 'payout'],
  ['an IBAN, without an address', { billingType: 3, street: '', iban: 'DE75512108001245126199' }, 'payout'],
  ['nothing', { billingType: 3 }, 'held iban'],
  ['an IBAN that no bank has', { billingType: 3, iban: 'DE4512030000000020205' }, 'held iban'],
  [
    'a name in letters that cannot be transliterated',
    { billingType: 3, iban: 'DE75512108001245126199', name: '王小明' },
    'held payeeName',
  ],
  ['no consent', { billingType: 2 }, 'held consent'],
])('refund route with %s', (_what, values, way) => {
  expect(billingRouteKey(billingRouteOf({ payer: { ...PAYER, ...values }, cents: -100 }))).toBe(way)
})
