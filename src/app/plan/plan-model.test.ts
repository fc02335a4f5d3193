import { expect, test } from 'vitest'
import type { IndexedCourse } from '#contract/endpoints/course-index.ts'
import type { Course, Season } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS, type DateTimeValue } from '#contract/values.ts'
import { fromLocalTimeMs } from '#lib/format.ts'
import { bookingStartsOf, DAY_MS, planChangesOf, planDaysWithin, planLessonsOf } from './plan-model.ts'

const at = (day: number, hour = 0, minute = 0): DateTimeValue => fromLocalTimeMs(Date.UTC(2026, 10, day, hour, minute))
const today = Date.UTC(2026, 10, 22)

const courseWith = (course: Partial<Course>): Course =>
  ({
    id: 1,
    name: 'Rückenfit',
    name2: '',
    startTime: at(1, 17, 30),
    dates: [],
    changes: [],
    cancelled: false,
    bookingStatus: BOOKING_STATUS.Booked,
    ...course,
  }) as Course

const cancelled = { at: at(23, 17, 30), kind: 'cancelled', from: null, to: null, note: 'Halle zu', note2: '' } as const
const room = { at: at(30, 17, 30), kind: 'room', from: 'Halle 1', to: 'Halle 2', note: '', note2: '' } as const

test('booked, waiting and taught lessons are listed by day, including cancelled ones', () => {
  const back = courseWith({ dates: [at(22, 17, 30), at(30, 17, 30)], changes: [cancelled] })
  const yoga = courseWith({ id: 2, dates: [at(23)], bookingStatus: BOOKING_STATUS.Waitinglist })
  const taught = courseWith({ id: 3, dates: [at(23, 12), at(40, 12)], bookingStatus: BOOKING_STATUS.NotBooked })
  const plan = planLessonsOf([back, yoga], [taught], courseId => `/list/${courseId}`)
  const days = planDaysWithin(plan, today, today + 14 * DAY_MS).map(({ day, lessons }) => [
    day.day,
    ...lessons.map(({ part, isCancelled, href }) => `${part}${isCancelled ? ' cancelled' : ''} ${href}`),
  ])
  expect(days).toEqual([
    [22, 'booked /course-details/1'],
    [23, 'taught /list/3', 'booked cancelled /course-details/1', 'waiting /course-details/2'],
    [30, 'booked /course-details/1'],
  ])
})

test('cancelling a course cancels all its lessons', () => {
  const plan = planLessonsOf([courseWith({ dates: [at(23), at(30)], cancelled: true })], [], () => '')
  expect(plan.map(({ isCancelled }) => isCancelled)).toEqual([true, true])
})

test('changes are sorted and shown until the end of their day', () => {
  const changed = [courseWith({ changes: [room] }), courseWith({ id: 2, changes: [cancelled] })]
  const kindsAt = (nowMs: number) => planChangesOf(changed, nowMs).map(({ change }) => change.kind)
  expect(kindsAt(today)).toEqual(['cancelled', 'room'])
  expect(kindsAt(Date.UTC(2026, 10, 23, 23, 59))).toEqual(['cancelled', 'room'])
  expect(kindsAt(Date.UTC(2026, 10, 24))).toEqual(['room'])
})

test('followed courses are listed with the start of booking and a link until booking opens', () => {
  const indexed = (id: number, bookableFrom: DateTimeValue) =>
    ({
      id,
      name: `Kurs ${id}`,
      name2: '',
      courseCategoryId: 5,
      courseCategory: 'Aqua',
      courseCategory2: '',
      bookableFrom,
    }) as IndexedCourse
  const courses = [indexed(1, at(25, 8)), indexed(2, at(24, 8)), indexed(3, at(1))]
  const seasons = [{ id: 4, name: 'Frühjahr', name2: 'Spring', bookableFrom: at(30, 8) } as Season]
  const follows = [
    { kind: 'season', id: 4 } as const,
    { kind: 'category', id: 5 } as const,
    { kind: 'course', id: 1 } as const,
    { kind: 'course', id: 3 } as const,
  ]
  const said = (nowMs: number) =>
    bookingStartsOf(follows, courses, seasons, nowMs, 'en').map(({ name, opensAt, href }) => [name, opensAt.day, href])
  expect(said(today)).toEqual([
    ['Aqua', 24, '/courses?category=5'],
    ['Kurs 1', 25, '/course-details/1'],
    ['Spring', 30, '/courses?season=4'],
  ])
  expect(said(Date.UTC(2026, 10, 30, 8))).toEqual([])
})
