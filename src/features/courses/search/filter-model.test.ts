import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateOf, testCourse } from '#test/courses.ts'
import type { ListedCourse } from '../model.ts'
import { changedLessonWeekdaysOf, filterOptionsOf, findCourses, sortCourses } from './filter-model.ts'
import { EMPTY_CRITERIA, FACETS, type SearchCriteria, SORT_ORDERS } from './search-criteria-model.ts'
import { parseSearchQuery } from './search-model.ts'
import { parseSearchUrl, toSearchUrl } from './search-url-model.ts'

const today = Date.UTC(2026, 10, 21)
const courses = [
  testCourse({ id: 1, day: 1, city: 'Salzstadt', courseCategoryId: 3 }),
  testCourse({ id: 2, day: 2, city: 'Salzstadt', courseCategoryId: 5, currentParticipants: 20 }),
  testCourse({ id: 3, day: 2, city: 'Tannbrück', courseCategoryId: 3, name: 'Aqua' }),
]
const search = (among: ListedCourse[], criteria: SearchCriteria) =>
  findCourses(among, criteria, parseSearchQuery(criteria.text, among, 'de', new Map()))
const find = (changes: Partial<SearchCriteria>) => search(courses, { ...EMPTY_CRITERIA, ...changes })
const facets = (changes: Partial<SearchCriteria['facets']>) => ({ facets: { ...EMPTY_CRITERIA.facets, ...changes } })
const ids = (list: { id: number }[]) => list.map(({ id }) => id)

test('a course matches if it matches every group; within a group, one value suffices', () => {
  expect(ids(find({}).hits)).toEqual([1, 2, 3])
  expect(ids(find(facets({ days: ['1', '2'], cities: ['Salzstadt'] })).hits)).toEqual([1, 2])
  expect(ids(find({ isFreeOnly: true }).hits)).toEqual([1, 3])
  expect(ids(find({ text: 'aqua', ...facets({ days: ['2'] }) }).hits)).toEqual([3])
})

test('the count of an option equals the hits if it were the only one selected in its group', () => {
  const anyCriteria = fc.record({
    text: fc.constantFrom('', 'aqua', 'rücken'),
    isFreeOnly: fc.boolean(),
    isCertified: fc.boolean(),
    isReversed: fc.boolean(),
    isPast: fc.boolean(),
    from: fc.constantFrom('', '2026-12-07', '2026-12-08'),
    to: fc.constantFrom('', '2026-12-07'),
    sort: fc.constantFrom(...SORT_ORDERS),
    facets: fc.record({
      seasons: fc.subarray(['1', '2']),
      categories: fc.subarray(['3', '5']),
      days: fc.subarray(['1', '2', '3']),
      parts: fc.subarray(['noon', 'afterwork', 'evening']),
      cities: fc.subarray(['Salzstadt', 'Tannbrück']),
      venues: fc.subarray(['Halle 2']),
    }),
  })
  const options = filterOptionsOf(courses, 'de', [])
  fc.assert(
    fc.property(anyCriteria, criteria => {
      const { counts } = find(criteria)
      for (const facet of FACETS) {
        for (const { value } of options[facet]) {
          const alone = find({ ...criteria, facets: { ...criteria.facets, [facet]: [value] } })
          expect(counts.of(facet).get(value) ?? 0).toBe(alone.hits.length)
        }
      }
      expect(counts.free).toBe(find({ ...criteria, isFreeOnly: true }).hits.length)
    }),
    { numRuns: 300 },
  )
})

test('"soonest" lists upcoming courses first, then running ones, then past ones', () => {
  const dated = [
    testCourse({ id: 1, start: dateOf('2026-06-01'), end: dateOf('2026-09-01') }),
    testCourse({ id: 2, start: dateOf('2026-10-01'), end: dateOf('2026-12-20') }),
    testCourse({ id: 3, start: dateOf('2027-01-10'), end: dateOf('2027-03-01') }),
    testCourse({ id: 4, start: dateOf('2026-11-21'), end: dateOf('2027-03-01') }),
    testCourse({ id: 5, start: dateOf('2026-11-21'), end: dateOf('2027-03-01'), startTime: dateOf('0-0-0 07:00') }),
  ]
  expect(ids(sortCourses(dated, 'soonest', 'de', today))).toEqual([5, 4, 3, 2, 1])
})

test('weekdays start on Monday, names sort umlauts with their vowel, and prices ascend', () => {
  const mixed = [
    testCourse({ id: 1, day: 0, name: 'Zumba', fee: 10 }),
    testCourse({ id: 2, day: 1, name: 'Übungen', fee: 0 }),
    testCourse({ id: 3, day: 6, name: 'Unterwasser', fee: 20 }),
  ]
  expect(ids(sortCourses(mixed, 'weekday', 'de', today))).toEqual([2, 3, 1])
  expect(ids(sortCourses(mixed, 'name', 'de', today))).toEqual([2, 3, 1])
  expect(ids(sortCourses(mixed, 'price', 'de', today))).toEqual([2, 1, 3])
})

test('a shared URL restores the same criteria', () => {
  const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  const anyCriteria = fc.record({
    text: value.map(text => text.trim()),
    isFreeOnly: fc.boolean(),
    isCertified: fc.boolean(),
    isReversed: fc.boolean(),
    isPast: fc.boolean(),
    from: fc.constantFrom('', '2026-12-07', '2026-12-08'),
    to: fc.constantFrom('', '2026-12-07'),
    sort: fc.constantFrom(...SORT_ORDERS),
    facets: fc.record({
      seasons: fc.uniqueArray(value, { maxLength: 3 }),
      categories: fc.uniqueArray(value, { maxLength: 3 }),
      days: fc.uniqueArray(value, { maxLength: 3 }),
      parts: fc.uniqueArray(value, { maxLength: 3 }),
      cities: fc.uniqueArray(value, { maxLength: 3 }),
      venues: fc.uniqueArray(value, { maxLength: 3 }),
    }),
  })
  fc.assert(
    fc.property(anyCriteria, criteria => {
      const address = toSearchUrl(criteria)
      expect(parseSearchUrl(address)).toEqual(address === '' ? null : criteria)
    }),
    { numRuns: 300 },
  )
})

test('a URL without criteria keeps those in memory, and invalid values are harmless', () => {
  expect(parseSearchUrl('')).toBeNull()
  expect(parseSearchUrl('?redirect=true')).toBeNull()
  expect(parseSearchUrl('?sort=upside-down&day=99&free=yes')).toEqual({
    ...EMPTY_CRITERIA,
    facets: { ...EMPTY_CRITERIA.facets, days: ['99'] },
  })
})

test('a search reads each course only once, whatever the query', () => {
  const read = new Map<number, number>()
  const many = Array.from({ length: 500 }, (_, index) => {
    const course = testCourse({ id: index + 1, day: index % 7, name: `Kurs ${index} ${index % 3 ? 'Yoga' : 'Rücken'}` })
    // Every search needs the name.
    return new Proxy(course, {
      get: (target, key) => {
        if (key === 'name') read.set(target.id, (read.get(target.id) ?? 0) + 1)
        return Reflect.get(target, key)
      },
    })
  })
  const mostReads = (text: string) => {
    read.clear()
    search(many, { ...EMPTY_CRITERIA, text, ...facets({ days: ['1', '2', '3'] }) })
    return Math.max(0, ...read.values())
  }
  const [first, later] = [mostReads('rueck salz'), mostReads('rueck salzb')]
  expect(first).toBe(1)
  // With the next letter, everything is cached.
  expect(later).toBe(0)
})

test('the weekday filter matches regular weekdays and future moved or extra lessons', () => {
  const course = testCourse({ id: 1, weekdays: [2] })
  const at = { year: 2026, month: 12, day: 4, hour: 18, minute: 0, second: 0 }
  const change = (kind: 'moved' | 'cancelled') => ({ at, kind, from: null, to: null, note: '', note2: '' })
  const daysOn = (kind: 'moved' | 'cancelled', now: number) =>
    changedLessonWeekdaysOf(new Map([[1, { changes: [change(kind)] }]]), now)
  const find = (day: number, changed?: ReturnType<typeof daysOn>) =>
    findCourses(
      [course],
      { ...EMPTY_CRITERIA, facets: { ...EMPTY_CRITERIA.facets, days: [String(day)] } },
      parseSearchQuery('', [course], 'de', new Map()),
      changed,
    ).hits.length
  const before = Date.UTC(2026, 11, 1)
  expect([find(2), find(5), find(5, daysOn('moved', before))]).toEqual([1, 0, 1])
  expect(find(5, daysOn('cancelled', before))).toBe(0)
  expect(find(5, daysOn('moved', Date.UTC(2026, 11, 5)))).toBe(0)
})
