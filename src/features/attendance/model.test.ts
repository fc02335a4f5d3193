import { describe, expect, it } from 'vitest'
import type { Course } from '#contract/endpoints/courses.ts'
import {
  attendanceListUrl,
  findDateOfUrl,
  findOrphanedAttendanceChanges,
  findPendingCompletionEntry,
  groupInstructorCourses,
  isAttendanceClosed,
  latestRecordedAttendance,
  participantRowsOf,
  pendingPresenceEntriesOf,
  presenceIndexOf,
  startsWithinWeek,
} from './model.ts'
import type { StoredAttendanceList } from './outbox/list-rows.ts'
import type { ListCompletionEntry, PresenceEntry } from './outbox/records.ts'

const dateOn = (day: number) => ({ year: 2026, month: 11, day, hour: 18, minute: 0, second: 0 })
const person = (id: number, isUserPresent: boolean) => ({ id, name: `Person ${id}`, isUserPresent, participation: 0 })

const list: StoredAttendanceList = {
  courseId: 1,
  participants: [],
  courseDates: [
    { id: 11, date: dateOn(16), participants: [person(100, true), person(101, false)] },
    { id: 12, date: dateOn(23), participants: [person(100, false), person(101, false)] },
  ],
  preSelectCourseDateId: 12,
  participatingComplete: false,
  message: '',
  state: 'Ok',
  fetchedAt: Date.parse('2026-11-21T12:00:00Z'),
}
const tick = (changes: Partial<PresenceEntry>): PresenceEntry => ({
  kind: 'tick',
  changeId: crypto.randomUUID(),
  userId: 7,
  courseId: 1,
  courseDateId: 12,
  webUserId: 100,
  isPresent: true,
  recordedAt: 1,
  clockOffsetMs: 0,
  state: 'waiting',
  attempts: 0,
  lastError: '',
  ...changes,
})

describe('the attendance rows of a lesson', () => {
  const rows = (...ticks: PresenceEntry[]) =>
    participantRowsOf(list, presenceIndexOf(list), 12, pendingPresenceEntriesOf(ticks, 1, 7), {
      saving: new Set(),
      unstored: new Set(),
    })

  it('apply pending changes to the server’s list and recount the attended lessons', () => {
    expect(rows(tick({}))[0]).toMatchObject({ mark: 'present', participation: 2, state: 'onThisPhone' })
    expect(rows()[0]).toMatchObject({ mark: 'none', participation: 1, state: 'open' })
  })

  it('distinguish absent from not recorded, both from the server and from pending changes', () => {
    const said = { ...person(100, false), isRecorded: true }
    const unsaid = { ...person(101, false), isRecorded: false }
    const of = { ...list, courseDates: [{ id: 12, date: dateOn(23), participants: [said, unsaid] }] }
    const marks = (...ticks: PresenceEntry[]) =>
      participantRowsOf(of, presenceIndexOf(of), 12, pendingPresenceEntriesOf(ticks, 1, 7), {
        saving: new Set(),
        unstored: new Set(),
      }).map(({ mark, state }) => [mark, state])
    expect(marks()).toEqual([
      ['absent', 'confirmed'],
      ['none', 'open'],
    ])
    const [takenBack, absent] = [
      tick({ isPresent: false, isRecorded: false }),
      tick({ webUserId: 101, isPresent: false }),
    ]
    expect(marks(takenBack, absent)).toEqual([
      ['none', 'onThisPhone'],
      ['absent', 'onThisPhone'],
    ])
  })

  it('retain a confirmed change when the response to an earlier request arrives', () => {
    expect(rows(tick({ state: 'confirmed' }))[0]).toMatchObject({
      mark: 'present',
      participation: 2,
      state: 'confirmed',
    })
  })

  it('show a rejected change with its reason and the server’s value, without counting it', () => {
    expect(rows(tick({ state: 'refused', lastError: 'closed' }))[0]).toMatchObject({
      mark: 'present',
      markAtServer: 'none',
      participation: 1,
      state: 'refused',
      reason: 'closed',
    })
  })

  it('show a superseded change like a rejected one, with the server’s value', () => {
    expect(rows(tick({ state: 'overtaken', lastError: 'later' }))[0]).toMatchObject({
      markAtServer: 'none',
      participation: 1,
      state: 'overtaken',
      reason: 'later',
    })
  })

  it('distinguish changes that are being stored from those that could not be stored', () => {
    const [saving, unstored] = [tick({}), tick({ webUserId: 101 })]
    const disk = { saving: new Set([saving.changeId]), unstored: new Set([unstored.changeId]) }
    const states = participantRowsOf(
      list,
      presenceIndexOf(list),
      12,
      pendingPresenceEntriesOf([saving, unstored], 1, 7),
      disk,
    ).map(({ state }) => state)
    expect(states).toEqual(['saving', 'unstored'])
  })

  it('ignore changes recorded by another user on this device', () => {
    expect(rows(tick({ userId: 8 }))[0]).toMatchObject({ mark: 'none', state: 'open' })
  })
})

it('finds the lesson named in the URL', () => {
  const dates = list.courseDates
  const named = (value: string | null) => findDateOfUrl(dates, value)?.id
  expect(
    dates.map(({ date }) => named(new URL(attendanceListUrl(1, date), 'http://x').searchParams.get('date'))),
  ).toEqual([11, 12])
  expect(named('2026-11-23')).toBe(12)
  expect(['2026-11-24T18:00', 'x', '', null].map(named)).toEqual([undefined, undefined, undefined, undefined])
  const twice = [...dates, { id: 13, date: { ...dateOn(23), hour: 20 }, participants: [] }]
  expect(findDateOfUrl(twice, '2026-11-23T20:00')?.id).toBe(13)
  // The lesson was moved or cancelled; the other one of that day is not the one that was meant.
  expect(findDateOfUrl(twice, '2026-11-23T19:00')).toBeUndefined()
})

it('finds rejected changes for unlisted participants, and all changes if there is no list', () => {
  const cancelled = tick({ webUserId: 999, state: 'refused' })
  const settled = tick({ webUserId: 998, state: 'confirmed' })
  expect(findOrphanedAttendanceChanges(list, 1, [tick({}), cancelled, settled], 7)).toEqual([cancelled])
  expect(
    findOrphanedAttendanceChanges(undefined, 1, [tick({}), cancelled, tick({ courseId: 2, courseDateId: 21 })], 7),
  ).toHaveLength(2)
})

it('attendance is closed as soon as the instructor closes it, unless the server rejects it', () => {
  const { courseDateId: _d, webUserId: _w, isPresent: _p, ...common } = tick({})
  const close: ListCompletionEntry = { ...common, kind: 'completion', isCompleted: true }
  expect(isAttendanceClosed(list, undefined)).toBe(false)
  expect(isAttendanceClosed(list, close)).toBe(true)
  expect(isAttendanceClosed(list, { ...close, state: 'refused' })).toBe(false)
  const reopen: ListCompletionEntry = { ...close, isCompleted: false, recordedAt: 2 }
  expect(findPendingCompletionEntry([reopen, close], 1, 7)).toBe(reopen)
})

it('courses of today come first, then others by their next date, and past ones last', () => {
  const course = (id: number, ...days: number[]) => ({ id, dates: days.map(dateOn) }) as Course
  const courses = [course(1, 2, 9), course(2, 20, 27), course(3, 21, 28), course(4, 14, 24), course(5, 3, 10)]
  const { today, current, past } = groupInstructorCourses(courses, Date.UTC(2026, 10, 21, 23, 0))
  expect([today, current, past].map(group => group.map(({ id }) => id))).toEqual([[3], [4, 2], [5, 1]])
})

it.each([
  ['a week and a day before', 13, false],
  ['within a week', 15, true],
  ['on the first day before the lesson', 21, true],
  ['the day after', 22, false],
])('the list of a course that begins on the 21st is stored in advance: %s', (_when, day, isStored) => {
  const start = { ...dateOn(21), hour: 0 }
  expect(startsWithinWeek({ start }, Date.UTC(2026, 10, day, 6))).toBe(isStored)
})

describe('the attendance of the last lesson', () => {
  const at = (day: number) => Date.UTC(2026, 10, day, 20)

  it('is that of the last past date with a record, including pending changes', () => {
    expect(latestRecordedAttendance(list, new Map(), at(17))).toEqual({ date: dateOn(16), present: 1, listed: 2 })
    const open = {
      ...list,
      courseDates: list.courseDates.map(of => ({
        ...of,
        participants: of.participants.map(one => ({ ...one, isRecorded: of.id === 11 })),
      })),
    }
    expect(latestRecordedAttendance(open, new Map(), at(24))?.date).toEqual(dateOn(16))
  })

  it('is null before the first lesson', () => {
    expect(latestRecordedAttendance(list, new Map(), at(15))).toBeNull()
  })
})
