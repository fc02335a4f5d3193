import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LessonChange } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import { type Booking, type CourseView, type CourseViewer, courseStateAtTime } from '#server/features/courses/rules.ts'
import { findBookingObstacle, findCancellationDeadline, isBookingCancellable, mayJoinWaitingList } from './policy.ts'
import { bookingFeeOf, priceOf, viewerAttendanceOf } from './pricing-rules.ts'

const NOW = new Date('2026-11-21T12:00:00Z')

const CANCELLED: LessonChange = {
  at: { year: 2026, month: 12, day: 23, hour: 18, minute: 0, second: 0 },
  kind: 'cancelled',
  from: null,
  to: null,
  note: '',
  note2: '',
}

type Situation = {
  viewer?: Partial<CourseViewer> | null
  booking?: Booking
  taken?: number
  isParticipatingComplete?: boolean
  /** wall-clock time, 'YYYY-MM-DD HH:MM:SS' */
  wallClock?: string
  opensAt?: string
  closesAt?: string
  meetingURL?: string
  lessons?: string[]
  cancelledLesson?: string
  energyFee?: number
  freeWithAttendance?: boolean
}

function see({ viewer = {}, booking, taken = 0, wallClock = '2026-11-21 13:00:00', ...course }: Situation): CourseView {
  const {
    energyFee = 0,
    freeWithAttendance = false,
    lessons = ['2026-11-16 18:00:00', '2026-12-31 18:00:00'],
    cancelledLesson,
  } = course
  const instantOf = (local: string) => new Date(`${local.replace(' ', 'T')}+01:00`)
  const closesAt = course.closesAt ? new Date(course.closesAt) : instantOf(cancelledLesson ?? lessons.at(-1) ?? '')
  const facts: CourseView['facts'] = {
    course: {
      id: 1,
      participants: 10,
      start: { year: 2026 },
      energyFee,
      freeWithAttendance,
    } as CourseView['facts']['course'],
    isDraft: false,
    viewableFrom: NOW,
    opensAt: new Date(course.opensAt ?? '2026-11-01T00:00:00Z'),
    closesAt,
    closesAtLocal: closesAt.toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' }),
    startsOn: '2026-11-16',
    endsOn: '2026-12-31',
    isCancelled: false,
    cancellationNote: { note: '', note2: '' },
    changes: cancelledLesson === undefined ? [] : [{ at: cancelledLesson, change: CANCELLED }],
    region: 'DE-NI',
    lessons: lessons.map((heldAt, index) => ({
      id: index + 1,
      heldAt,
      endsAt: heldAt.replace(' 18:', ' 19:'),
      substitute: null,
    })),
    feeCents: 4000,
    externalFeeCents: 5500,
    meeting: { meetingURL: course.meetingURL ?? '', meetingID: '', meetingCode: '' },
    instructorEmails: [],
    substituteEmails: [],
  }
  const counters = { taken, passedOver: 0, isParticipatingComplete: course.isParticipatingComplete ?? false }
  return {
    ...courseStateAtTime(facts, counters, { now: instantOf(wallClock), today: wallClock.slice(0, 10), wallClock }),
    viewer: viewer && {
      webUserId: 1,
      email: 'kim@demo.example',
      employeeStatus: EMPLOYEE_STATUS.Employee,
      isUnverified: false,
      yearOfBirth: 1980,
      isOnlineOnly: false,
      guestCourseIds: [],
      proofs: [],
      bookings: new Map(booking && [[1, { ...booking, isWaiverOffered: freeWithAttendance }]]),
      ...viewer,
    },
  }
}

const external = { employeeStatus: EMPLOYEE_STATUS.External }
const insured = (yearOfBirth: number | null) => ({ employeeStatus: EMPLOYEE_STATUS.HealthInsurance, yearOfBirth })

test.each<[string, Situation, ReturnType<typeof findBookingObstacle>]>([
  ['an employee, seats free', {}, null],
  ['an employee, no seat free: waits', { taken: 10 }, null],
  ['an external participant, one seat free', { viewer: external, taken: 9 }, null],
  ['an external participant, no seat free', { viewer: external, taken: 10 }, 'fullForExternals'],
  ['an external participant, people waiting', { viewer: external, taken: 12 }, 'fullForExternals'],
  ['a visitor', { viewer: null }, 'notLoggedIn'],
  ['a profile without a status', { viewer: { employeeStatus: null } }, 'profileIncomplete'],
  ['at the opening time', { opensAt: '2026-11-21T12:00:00Z' }, null],
  ['a millisecond before the opening', { opensAt: '2026-11-21T12:00:00.001Z' }, 'notOpen'],
  ['a millisecond before the end', { closesAt: '2026-11-21T12:00:00.001Z' }, null],
  ['at the end', { closesAt: '2026-11-21T12:00:00Z' }, 'over'],
  ['an online-only division, an on-site course', { viewer: { isOnlineOnly: true } }, 'onlineOnly'],
  [
    'an online-only division, an online course',
    { viewer: { isOnlineOnly: true }, meetingURL: 'https://meet.example/1' },
    null,
  ],
  ['an insurer member, 16 this year', { viewer: insured(2010) }, null],
  ['an insurer member, 15 this year', { viewer: insured(2011) }, 'tooYoung'],
  ['an insurer member of unknown age', { viewer: insured(null) }, 'yearOfBirthMissing'],
  ['an apprentice of 15', { viewer: { employeeStatus: EMPLOYEE_STATUS.Apprentice, yearOfBirth: 2011 } }, null],
  ['permanent obstacles come first', { viewer: { isOnlineOnly: true }, opensAt: '2026-12-01T00:00:00Z' }, 'onlineOnly'],
])('booking obstacle: %s', (_case, situation, expected) => {
  expect(findBookingObstacle(see(situation))).toBe(expected)
})

test('only external participants are excluded from the waiting list and pay the external fee', () => {
  for (const employeeStatus of [...Object.values(EMPLOYEE_STATUS), null]) {
    const isExternal = employeeStatus === EMPLOYEE_STATUS.External
    const view = see({ viewer: { employeeStatus } })
    expect([mayJoinWaitingList(view), bookingFeeOf(view).cents]).toEqual(isExternal ? [false, 5500] : [true, 4000])
  }
})

const placeSince = (since: string, presentLessons = 0): Booking => ({
  state: BOOKING_STATUS.Booked,
  position: 0,
  presence: Array.from({ length: presentLessons }, (_, index) => ({ lessonId: index + 1, isPresent: true })),
  placeSince: since,
  firstLessonOn: null,
  fee: { cents: 4000, rule: 'fee', energyCents: 0, onceVerifiedCents: null },
  isWaiverOffered: false,
  employeeStatus: EMPLOYEE_STATUS.Employee,
})
const spot: Booking = {
  state: BOOKING_STATUS.Waitinglist,
  position: 3,
  presence: [],
  placeSince: null,
  firstLessonOn: null,
  fee: { cents: 4000, rule: 'fee', energyCents: 0, onceVerifiedCents: null },
  isWaiverOffered: false,
  employeeStatus: EMPLOYEE_STATUS.Employee,
}

// Wednesdays. The 25th and 26th of December and the 1st of January are public holidays.
const WEDNESDAYS = ['2026-12-02 18:00:00', '2026-12-09 18:00:00', '2026-12-16 18:00:00', '2026-12-23 18:00:00']
const LAST = '2026-12-23 18:00:00'
const before = '2026-11-10 09:00:00'
/** A person with a seat assigned at `since`, at the time `wallClock`. */
const held = (since: string, wallClock = since): Situation => ({ booking: placeSince(since), wallClock })
const endOf = (day: string) => `${day} 23:59:59`
test.each<[string, Situation, [isBookingCancellable: boolean, until: string | null]]>([
  ['booked before the start, requested before it', held(before, '2026-11-21 12:00:00'), [true, endOf('2026-12-09')]],
  ['… on the last free day', held(before, '2026-12-09 23:59:59'), [true, endOf('2026-12-09')]],
  ['… the day after', held(before, '2026-12-10 00:00:00'), [false, null]],
  [
    'booked on the first day, before the lesson',
    held('2026-12-02 17:59:59', '2026-12-03 08:00:00'),
    [true, endOf('2026-12-09')],
  ],
  [
    'booked while the first lesson runs: the next one is the trial lesson',
    held('2026-12-02 18:00:00', '2026-12-03 08:00:00'),
    [true, endOf('2026-12-16')],
  ],
  ['a seat whose free days reach the last lesson: until it begins', held('2026-12-15 10:00:00'), [true, LAST]],
  ['a seat with one lesson ahead: until it begins', held('2026-12-17 10:00:00'), [true, LAST]],
  ['… a second before', held('2026-12-17 10:00:00', '2026-12-23 17:59:59'), [true, LAST]],
  ['… when it has begun', held('2026-12-17 10:00:00', LAST), [false, null]],
  ['a workshop of one evening, after it has begun', { ...held(before, LAST), lessons: [LAST] }, [false, null]],
  [
    'not booked, before the start: as if booked now',
    { wallClock: '2026-11-21 12:00:00' },
    [false, endOf('2026-12-09')],
  ],
  ['not booked, in a running course', { wallClock: '2026-12-10 12:00:00' }, [false, LAST]],
  ['not booked, the course is over', { closesAt: '2026-11-21T11:00:00Z' }, [false, null]],
  [
    'a later day that the person was told, because the first lesson was cancelled and restored',
    { booking: { ...placeSince(before), firstLessonOn: '2026-12-09' }, wallClock: '2026-12-10 00:00:00' },
    [true, endOf('2026-12-16')],
  ],
  [
    'the only lesson after the seat is cancelled: the deadline does not become earlier',
    { ...held('2026-12-17 10:00:00'), lessons: WEDNESDAYS.slice(0, 3), cancelledLesson: LAST },
    [true, LAST],
  ],
  ['waiting: at any time, without a deadline', { booking: spot, wallClock: '2027-03-01 12:00:00' }, [true, null]],
  ['a visitor', { viewer: null }, [false, null]],
])('online cancellation: %s', (_case, situation, expected) => {
  const view = see({ lessons: WEDNESDAYS, ...situation })
  expect([isBookingCancellable(view), findCancellationDeadline(view)]).toEqual(expected)
})

test('a late booking can be cancelled until its first lesson, and no cancellation deadline is in the past', () => {
  const minutes = fc.integer({ min: 0, max: 60 * 24 * 60 })
  const at = (minute: number) =>
    new Date(Date.parse('2026-11-10T00:00:00Z') + minute * 60_000).toISOString().slice(0, 19).replace('T', ' ')
  fc.assert(
    fc.property(minutes, minutes, (gotAfter, askedAfter) => {
      const [since, wallClock] = [at(gotAfter), at(gotAfter + askedAfter)]
      const view = see({ lessons: WEDNESDAYS, booking: placeSince(since), wallClock })
      const until = findCancellationDeadline(view)
      if (until !== null) expect(until >= wallClock && until <= LAST).toBe(true)
      expect(until !== null).toBe(isBookingCancellable(view))
      const lesson = WEDNESDAYS.find(heldAt => heldAt > since)
      if (lesson !== undefined && wallClock < lesson) expect(isBookingCancellable(view)).toBe(true)
    }),
  )
})

const { External, Pensioner, HealthInsurance, MunicipalUtilities, Apprentice } = EMPLOYEE_STATUS
const price = (fee: number, energyFee: number, kind: string, rest = {}) => ({
  amount: fee + energyFee,
  fee,
  energyFee,
  kind,
  freeWithAttendance: false,
  waived: false,
  priceOnceVerified: null,
  ...rest,
})
const earned = {
  freeWithAttendance: true,
  lessons: WEDNESDAYS,
  wallClock: '2027-01-10 12:00:00',
  booking: placeSince(before, 3),
}
test.each<[string, Situation, ReturnType<typeof priceOf>]>([
  ['an employee', {}, price(40, 0, 'fee')],
  ['an employee, with energy fee', { energyFee: 9 }, price(40, 9, 'fee')],
  ['an external participant', { viewer: { employeeStatus: External }, energyFee: 9 }, price(55, 9, 'external')],
  [
    'an external participant, even with regular attendance',
    {
      ...earned,
      viewer: { employeeStatus: External },
      booking: {
        ...placeSince(before, 3),
        fee: { cents: 5500, rule: 'external', energyCents: 0, onceVerifiedCents: null },
        employeeStatus: External,
      },
    },
    price(55, 0, 'external'),
  ],
  ['no profile data', { viewer: { employeeStatus: null } }, price(40, 0, 'fee')],
  [
    'unverified, … attended regularly',
    { ...earned, viewer: { isUnverified: true }, booking: undefined, energyFee: 9 },
    price(55, 9, 'external', { priceOnceVerified: 49 }),
  ],
  ['a visitor', { viewer: null }, null],
  [
    'as agreed on at the time of booking',
    { booking: { ...placeSince(before), fee: { cents: 2000, rule: 'fee', energyCents: 0, onceVerifiedCents: null } } },
    price(20, 0, 'fee'),
  ],
  [
    '… including the energy fee, whatever it costs now',
    {
      booking: { ...placeSince(before), fee: { cents: 2000, rule: 'fee', energyCents: 300, onceVerifiedCents: null } },
      energyFee: 9,
    },
    price(20, 3, 'fee'),
  ],
  [
    'a free seat',
    { booking: { ...placeSince(before), fee: { cents: 0, rule: 'fee', energyCents: 0, onceVerifiedCents: null } } },
    price(0, 0, 'free'),
  ],
  [
    'a free seat with an energy fee is not free',
    { booking: { ...placeSince(before), fee: { cents: 0, rule: 'fee', energyCents: 900, onceVerifiedCents: null } } },
    price(0, 9, 'fee'),
  ],
  [
    'free with attendance, not yet reached',
    { freeWithAttendance: true },
    price(40, 0, 'fee', { freeWithAttendance: true }),
  ],
  [
    '… attended regularly',
    {
      ...earned,
      booking: {
        ...placeSince(before, 3),
        fee: { cents: 4000, rule: 'fee', energyCents: 900, onceVerifiedCents: null },
      },
    },
    price(40, 9, 'fee', { amount: 9, freeWithAttendance: true, waived: true }),
  ],
  ['… no remaining price', earned, price(40, 0, 'free', { amount: 0, freeWithAttendance: true, waived: true })],
  [
    '… one lesson too few',
    { ...earned, booking: placeSince(before, 2) },
    price(40, 0, 'fee', { freeWithAttendance: true }),
  ],
  [
    '… regular, but the course has not ended',
    { ...earned, wallClock: '2026-12-17 12:00:00' },
    price(40, 0, 'fee', { freeWithAttendance: true }),
  ],
  [
    '… and the attendance list is closed',
    { ...earned, wallClock: '2026-12-17 12:00:00', isParticipatingComplete: true },
    price(40, 0, 'free', { amount: 0, freeWithAttendance: true, waived: true }),
  ],
  [
    '… a pensioner',
    { freeWithAttendance: true, viewer: { employeeStatus: Pensioner } },
    price(40, 0, 'fee', { freeWithAttendance: true }),
  ],
  ...[HealthInsurance, MunicipalUtilities, Apprentice].map(
    (employeeStatus): [string, Situation, ReturnType<typeof priceOf>] => [
      `group ${employeeStatus} always pays`,
      { ...earned, viewer: { employeeStatus }, booking: { ...placeSince(before, 3), employeeStatus } },
      price(40, 0, 'fee') as ReturnType<typeof priceOf>,
    ],
  ),
] as [string, Situation, ReturnType<typeof priceOf>][])('price: %s', (_case, situation, expected) => {
  expect(priceOf(see(situation))).toEqual(expected)
})

test('attendance counts past lessons and requires two thirds of the planned ones, rounded up', () => {
  const at = (wallClock: string) =>
    viewerAttendanceOf(see({ lessons: WEDNESDAYS, booking: placeSince(before, 1), wallClock }))
  const all = { present: 1, excused: 0, planned: 4, needed: 3 }
  expect(at('2026-12-02 18:59:59')).toEqual({ held: 0, unrecorded: 0, ...all })
  expect(at('2026-12-09 19:00:00')).toEqual({ held: 2, unrecorded: 1, ...all })
  expect(viewerAttendanceOf(see({ lessons: WEDNESDAYS }))).toBeNull()
})
