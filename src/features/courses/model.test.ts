import { expect, test } from 'vitest'
import { decodeCourseIndex, encodeCourseIndex } from '#contract/endpoints/course-index.ts'
import type { Season } from '#contract/endpoints/courses.ts'
import { pick } from '#contract/records.ts'
import { TEXT_FIELDS } from '#contract/tables/course.ts'
import { cityAndVenueOf, shortLocation } from '#contract/words.ts'
import { dateOf, testCourse } from '#test/courses.ts'
import { categoryKey } from '#ui/category-color.ts'
import {
  availabilityOf,
  canBookNow,
  createCourseMerger,
  findCourseByNumber,
  isCourseOver,
  isFullForUser,
  isFullyBooked,
  labelledTexts,
  mergeCourseDetails,
  mergeCourseState,
  replaceCourse,
  replaceCourseState,
  reuseUnchangedCourses,
  splitPastSeasons,
  suggestCourses,
} from './model.ts'

test.each([
  [20, 5, 'enough', 15],
  [20, 16, 'enough', 4],
  [20, 17, 'few', 3],
  [20, 18, 'few', 2],
  [20, 19, 'one', 1],
  [20, 20, 'full', 0],
  [20, 22, 'full', -2],
])('%i seats, %i booked: %s', (participants, currentBooked, kind, free) => {
  expect(availabilityOf({ participants, currentBooked })).toEqual({ kind, free })
})

test('a full course is tagged unless the user has booked it or it is over', () => {
  const end = { year: 2099, month: 1, day: 1, hour: 0, minute: 0, second: 0 }
  const full = testCourse({ currentBooked: 20, currentParticipants: 20, end })
  const today = Date.UTC(2026, 10, 21)
  expect(isFullyBooked(full, today)).toBe(true)
  expect(isFullyBooked({ ...full, bookingStatus: 1 }, today)).toBe(false)
  expect(isFullyBooked({ ...full, currentBooked: 19 }, today)).toBe(false)
  expect(isFullyBooked({ ...full, end: { ...end, year: 2020 } }, today)).toBe(false)
})

test('a course is over after its last day, but not on it', () => {
  const course = testCourse()
  expect(isCourseOver(course, Date.UTC(2027, 2, 8))).toBe(false)
  expect(isCourseOver(course, Date.UTC(2027, 2, 9))).toBe(true)
})

test('a course that the server closed with its last lesson is over', () => {
  expect(isCourseOver(testCourse({ obstacle: 'over' }), Date.UTC(2026, 10, 21))).toBe(true)
})

test('a full course is fully booked for external participants, who have no waiting list', () => {
  expect(isFullForUser(testCourse({ obstacle: 'fullForExternals' }))).toBe(true)
  expect(isFullForUser(testCourse())).toBe(false)
})

test('the user can book a course now if booking is open, a seat is free and nothing prevents it', () => {
  const course = testCourse({ seasonBookable: true, directlyBookable: true })
  expect(canBookNow(course, true)).toBe(true)
  expect(canBookNow({ ...course, directlyBookable: false }, true)).toBe(false)
  expect(canBookNow({ ...course, directlyBookable: false }, false)).toBe(true)
  expect(canBookNow({ ...course, seasonBookable: false }, false)).toBe(false)
  expect(canBookNow({ ...course, currentBooked: 20 }, true)).toBe(false)
})

test('courses that have started are suggested separately, and only if the user can book them', () => {
  const startTime = { year: 0, month: 0, day: 0, hour: 18, minute: 0, second: 0 }
  const open = { seasonBookable: true, directlyBookable: true, startTime, end: dateOf('2027-03-01') }
  const courses = [
    testCourse({ ...open, id: 1, start: dateOf('2026-11-01') }),
    testCourse({ ...open, id: 2, start: dateOf('2026-11-01'), directlyBookable: false }),
    testCourse({ ...open, id: 3, start: dateOf('2026-11-21') }),
    testCourse({ ...open, id: 4, start: dateOf('2026-12-01') }),
  ]
  const ids = (nowWallMs: number) =>
    Object.values(suggestCourses(courses, nowWallMs, true)).map(list => list.map(({ id }) => id))
  expect(ids(Date.UTC(2026, 10, 21, 17, 59))).toEqual([[3, 4], [1]])
  expect(ids(Date.UTC(2026, 10, 21, 18))).toEqual([[4], [3, 1]])
})

test('courses of ended seasons are separated, except those with a future lesson', () => {
  const [old, now] = [
    { id: 1, endsAt: dateOf('2026-07-31') },
    { id: 2, endsAt: dateOf('2027-02-28') },
  ]
  const courses = [
    testCourse({ id: 1, seasonId: 1, end: dateOf('2026-07-20') }),
    testCourse({ id: 2, seasonId: 1, end: dateOf('2026-12-20') }),
    testCourse({ id: 3, seasonId: 2, end: dateOf('2026-11-01') }),
    testCourse({ id: 4, seasonId: 3, end: dateOf('2026-11-01') }),
  ]
  const { current, past } = splitPastSeasons(courses, [old, now] as Season[], Date.UTC(2026, 10, 21))
  expect([current, past].map(list => list.map(({ id }) => id))).toEqual([
    [2, 3],
    [1, 4],
  ])
})

test('details show index and texts offline; the course’s own response adds the online room', () => {
  const [indexed] = decodeCourseIndex(encodeCourseIndex([testCourse({ textWeb: 'kurz' })]))
  const known = mergeCourseState(indexed as NonNullable<typeof indexed>, undefined)
  const texts = {
    ...pick(testCourse(), ['id', ...TEXT_FIELDS]),
    textWeb: '<p>lang</p>',
    dates: [],
    changes: [],
    totalHours: 12,
  }
  expect(mergeCourseDetails(known, texts, undefined)).toMatchObject({
    textWeb: '<p>lang</p>',
    totalHours: 12,
    meetingURL: '',
  })
  const answer = testCourse({ textWeb: '<p>ganz</p>', meetingURL: 'https://example.org/m' })
  expect(mergeCourseDetails(known, undefined, answer)).toMatchObject({
    textWeb: '<p>ganz</p>',
    meetingURL: 'https://example.org/m',
  })
})

test('a refreshed list reuses the objects of unchanged courses, and the list if none has changed', () => {
  const before = [testCourse({ id: 1 }), testCourse({ id: 2 })]
  const after = reuseUnchangedCourses(before, [testCourse({ id: 1 }), testCourse({ id: 2, currentBooked: 6 })])
  expect(after[0]).toBe(before[0])
  expect(after[1]).not.toBe(before[1])
  expect(reuseUnchangedCourses(before, [testCourse({ id: 1 }), testCourse({ id: 2 })])).toBe(before)
})

test('opening a course updates the list only if its response contains something new', () => {
  const indexed = [testCourse({ id: 1 }), testCourse({ id: 2 })]
  const join = createCourseMerger()
  const before = join(indexed, [])
  const opened = testCourse({ id: 2, textWeb: 'the whole of it' })
  // The index does not contain the complete text.
  expect(replaceCourse(indexed, opened)).toBe(indexed)
  const states = replaceCourseState([], opened)
  expect(replaceCourseState(states, testCourse({ id: 2 }))).toBe(states)
  expect(join(indexed, states).courses).toBe(before.courses)

  const fuller = testCourse({ id: 2, currentParticipants: 6, bookingStatus: 1 })
  const after = join(replaceCourse(indexed, fuller), replaceCourseState(states, fuller))
  expect(after.courses[0]).toBe(before.courses[0])
  expect(after.byId.get(2)).toMatchObject({ currentParticipants: 6, bookingStatus: 1 })
  expect(before.byId.get(2)).toMatchObject({ currentParticipants: 5 })
})

test('unknown categories have a stable color of their own', () => {
  expect(categoryKey('fitness', 3)).toBe('fitness')
  expect(categoryKey('', 104)).toBe(categoryKey('unheard-of', 104))
  expect(categoryKey('', 104)).not.toBe(categoryKey('', 105))
})

test('venue and city are shown together, or once if they are equal', () => {
  expect(shortLocation({ venue: 'Halle 2', city: 'Salzstadt' })).toBe('Halle 2, Salzstadt')
  expect(shortLocation({ venue: 'Online', city: 'Online' })).toBe('Online')
  expect(shortLocation({ venue: '', city: 'Salzstadt' })).toBe('Salzstadt')
  expect(cityAndVenueOf({ venue: 'Halle 2', city: 'Salzstadt' })).toBe('Salzstadt, Halle 2')
  expect(cityAndVenueOf({ venue: 'Online', city: 'Online' })).toBe('Online')
})

test('labelled texts are in the reader’s language; empty ones are omitted', () => {
  const label = { de: 'Voraussetzungen', en: 'Requirements' }
  const fields = [{ field: 'conditions', second: 'conditions2', label }] as unknown as Parameters<
    typeof labelledTexts
  >[1]
  const course = testCourse({ conditions: 'Matte', conditions2: 'Mat' })
  expect(labelledTexts(course, fields, 'de')).toEqual([['Voraussetzungen', 'Matte']])
  expect(labelledTexts(course, fields, 'en')).toEqual([['Requirements', 'Mat']])
  expect(labelledTexts(testCourse(), fields, 'de')).toEqual([])
})

test.each([
  ['F-2614', true],
  ['f2614', true],
  [' F 2614 ', true],
  ['2614', false],
  ['', false],
])('"%s" is recognized as a course number: %s', (text, isFound) => {
  expect(findCourseByNumber([testCourse({ number: 'F-2614' })], text) !== undefined).toBe(isFound)
})
