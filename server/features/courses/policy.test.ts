import { expect, test } from 'vitest'
import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import { findObstacle, isCancellable, mayWait, priceFor } from './policy.ts'
import type { Booking, CourseLook, Viewer } from './rules.ts'

const NOW = new Date('2026-11-21T12:00:00Z')

type Situation = {
  viewer?: Partial<Viewer> | null
  booking?: Booking
  taken?: number
  today?: string
  opensAt?: string
  closesAt?: string
  meetingURL?: string
}

function look({ viewer = {}, booking, taken = 0, today = '2026-11-21', ...course }: Situation): CourseLook {
  return {
    facts: {
      course: { id: 1, participants: 10, start: { year: 2026 } } as CourseLook['facts']['course'],
      viewableFrom: NOW,
      opensAt: new Date(course.opensAt ?? '2026-11-01T00:00:00Z'),
      closesAt: new Date(course.closesAt ?? '2026-12-31T23:00:00Z'),
      startsOn: '2026-11-16',
      endsOn: '2026-12-31',
      cancelUntil: '2026-11-23',
      feeCents: 4000,
      externalFeeCents: 5500,
      meeting: { meetingURL: course.meetingURL ?? '', meetingID: '', meetingCode: '' },
      instructorEmails: [],
    },
    counters: { taken, isParticipatingComplete: false },
    moment: { now: NOW, today },
    viewer: viewer && {
      webUserId: 1,
      email: 'kim@demo.example',
      language: 'de',
      employeeStatus: EMPLOYEE_STATUS.Employee,
      yearOfBirth: 1980,
      isOnlineOnly: false,
      bookings: new Map(booking && [[1, booking]]),
      ...viewer,
    },
  }
}

const external = { employeeStatus: EMPLOYEE_STATUS.External }
const insured = (yearOfBirth: number | null) => ({ employeeStatus: EMPLOYEE_STATUS.HealthInsurance, yearOfBirth })

test.each<[string, Situation, ReturnType<typeof findObstacle>]>([
  ['an employee, places free', {}, null],
  ['an employee, no place free: waits', { taken: 10 }, null],
  ['an external, one place free', { viewer: external, taken: 9 }, null],
  ['an external, no place free', { viewer: external, taken: 10 }, 'fullForExternals'],
  ['an external, people waiting', { viewer: external, taken: 12 }, 'fullForExternals'],
  ['a profile without a status', { viewer: { employeeStatus: null }, taken: 10 }, null],
  ['at the opening moment', { opensAt: '2026-11-21T12:00:00Z' }, null],
  ['a millisecond before the opening', { opensAt: '2026-11-21T12:00:00.001Z' }, 'notOpenYet'],
  ['a millisecond before the end', { closesAt: '2026-11-21T12:00:00.001Z' }, null],
  ['at the end', { closesAt: '2026-11-21T12:00:00Z' }, 'over'],
  ['an online-only division, a course in a hall', { viewer: { isOnlineOnly: true } }, 'onlineOnly'],
  [
    'an online-only division, an online course',
    { viewer: { isOnlineOnly: true }, meetingURL: 'https://meet.example/1' },
    null,
  ],
  ['an insurer member, 16 this year', { viewer: insured(2010) }, null],
  ['an insurer member, 15 this year', { viewer: insured(2011) }, 'tooYoung'],
  ['an insurer member of unknown age', { viewer: insured(null) }, 'yearOfBirthMissing'],
  ['an apprentice of 15', { viewer: { employeeStatus: EMPLOYEE_STATUS.Apprentice, yearOfBirth: 2011 } }, null],
  [
    'what never changes is said first',
    { viewer: { isOnlineOnly: true }, opensAt: '2026-12-01T00:00:00Z' },
    'onlineOnly',
  ],
])('what keeps from booking: %s', (_case, situation, expected) => {
  expect(findObstacle(look(situation))).toBe(expected)
})

test('only externals never wait and pay the external fee', () => {
  for (const employeeStatus of [...Object.values(EMPLOYEE_STATUS), null]) {
    const isExternal = employeeStatus === EMPLOYEE_STATUS.External
    const its = look({ viewer: { employeeStatus } })
    expect([mayWait(its), priceFor(its).cents]).toEqual(isExternal ? [false, 5500] : [true, 4000])
  }
})

const place: Booking = { state: BOOKING_STATUS.Booked, position: 0, presentDates: 0 }
const spot: Booking = { state: BOOKING_STATUS.Waitinglist, position: 3, presentDates: 0 }
test.each<[string, Situation, boolean]>([
  ['a place on the last day', { booking: place, today: '2026-11-23' }, true],
  ['a place the day after', { booking: place, today: '2026-11-24' }, false],
  ['a waiting-list spot at any time', { booking: spot, today: '2027-03-01' }, true],
])('giving back online: %s', (_case, situation, expected) => {
  expect(isCancellable(look(situation))).toBe(expected)
})
