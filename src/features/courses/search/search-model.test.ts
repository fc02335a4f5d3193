import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText } from '#contract/words.ts'
import { testCourse } from '#test/courses.ts'
import type { ListedCourse } from '../model.ts'
import {
  parseSearchQuery,
  type SearchableDescriptions,
  searchableDescriptionOf,
  splitQueryTerms,
} from './search-model.ts'

const isFound = (
  course: ListedCourse,
  query: string,
  language: 'de' | 'en' = 'de',
  longTexts: SearchableDescriptions = new Map(),
) => parseSearchQuery(query, [course], language, longTexts).isMatch(course)
const finds = (query: string, changes: Parameters<typeof testCourse>[0] = {}, language: 'de' | 'en' = 'de') =>
  isFound(testCourse(changes), query, language)

test.each([
  ['rückenfit'],
  ['Rückenfit'],
  ['RÜCKENFIT'],
  ['rueckenfit'],
  ['ruckenfit'],
  ['  rücken   fit '],
  ['brandt'],
  ['halle salzstadt'],
  ['"Ines Brandt"'],
  ['„Ines Brandt“ rücken'],
  ['f-2614'],
  ['F2614'],
  ['winter'],
  ['fitness'],
  ['mobilisieren'],
  [''],
])('%s finds the back course', query => {
  expect(finds(query)).toBe(true)
})

test.each([
  ['y 1', 'Y-1', true],
  ['y-1', 'Y-1', true],
  ['y1', 'Y-1', true],
  ['b 7', 'B-7', true],
  ['y 8', 'Y-1', false],
])('%s finds the number %s beside a course in hall 17: %s', (query, number, isFoundByNumber) => {
  const courses = [testCourse({ number }), testCourse({ number: 'Z', venue: '17 78', name: 'Yoga' })]
  expect(parseSearchQuery(query, courses, 'de', new Map()).isMatch(courses[0] ?? testCourse())).toBe(isFoundByNumber)
})

test.each([['yoga'], ['rücken yoga'], ['"Brandt Ines"'], ['"Halle 2 Salzstadt"']])(
  '%s does not find the back course',
  query => {
    expect(finds(query)).toBe(false)
  },
)

test.each([
  ['strasse', 'Sporthalle Lange Straße'],
  ['Straße', 'Sporthalle Lange Strasse'],
  ['cafe', 'Café Kurbel'],
  ['aquaaerobic', 'Aqua-Aerobic'],
  ['steuern', 'Boot steuern'],
  ['ern', 'Boot steuern'],
  ['poetzsch', 'Pötzsch'],
  ['celik', 'Çelik'],
])('%s finds %s', (query, venue) => {
  expect(finds(query, { venue })).toBe(true)
})

test.each(['tuesday', 'Tuesdays', 'tue', 'dienstag', 'früh', 'frueh'])('the spelling %s is understood', word => {
  const [token] = parseSearchQuery(`${word} rückenfit`, [testCourse()], 'de', new Map()).tokens
  expect(token?.meanings).toHaveLength(1)
  expect(token?.corrected).toEqual([])
})

test('a city is recognized next to other words, in any spelling', () => {
  const courses = [testCourse({ city: 'Tannbrück' }), testCourse({ id: 2, venue: 'Online', city: 'Online' })]
  const cities = (text: string) =>
    parseSearchQuery(text, courses, 'de', new Map()).tokens.flatMap(({ isCity, raw }) => (isCity ? [raw] : []))
  expect(cities('di Tannbrück kostenlos')).toEqual(['Tannbrück'])
  expect(cities('tannbrueck abend')).toEqual(['tannbrueck'])
  expect(cities('online rückenfit')).toEqual(['online'])
  expect(cities('tann "Tannbrück" halle')).toEqual([])
})

test('searches the texts in the reader’s language, or the German ones if there is no translation', () => {
  expect(finds('after-work', {}, 'en')).toBe(true)
  expect(finds('after-work', {}, 'de')).toBe(false)
  expect(finds('feierabend', {}, 'en')).toBe(false)
  expect(finds('mobilisieren', {}, 'en')).toBe(true)
})

test('searches the complete web text once it is loaded', () => {
  const course = testCourse()
  const texts = { ...course, textWeb: '<p>Kräftigen &amp; <b>mobilisieren</b>.</p><p>Bitte Handtuch mitbringen.</p>' }
  const longTexts = new Map([[course.id, searchableDescriptionOf(texts, 'de')]])
  expect(isFound(course, 'handtuch')).toBe(false)
  expect(isFound(course, 'handtuch rücken', 'de', longTexts)).toBe(true)
})

test('an unclosed quote makes the rest of the query one term', () => {
  expect(splitQueryTerms('aqua "ines br').map(({ folded }) => folded)).toEqual(['aqua', 'ines br'])
})

test('any part of a name finds it, in any spelling', () => {
  const letters = fc.array(fc.constantFrom(...'aeouslnrtbkAEOUS ÄÖÜäöüßéçñ-.0123456789'), {
    minLength: 1,
    maxLength: 30,
  })
  const pieces = fc.tuple(letters, fc.nat(), fc.nat(9)).map(([name, from, length]) => ({
    name: name.join(''),
    piece: name
      .slice(from % name.length)
      .slice(0, 1 + length)
      .join(''),
  }))
  fc.assert(
    fc.property(pieces, fc.boolean(), ({ name, piece }, isUpper) =>
      finds(`"${isUpper ? piece.toUpperCase() : piece}"`, { name }),
    ),
    { numRuns: 1000 },
  )
})

test('HTML is converted to plain text', () => {
  expect(plainText('<p>Kraft &amp; Ruhe</p><ul><li>a</li><li>b</li></ul>')).toBe('Kraft & Ruhe a b')
})

test('two letters that start the city rank above those that start another word, whatever the venue', () => {
  const [other, town] = [
    testCourse({ id: 1, textWeb: 'Sanft', venue: 'Halle 1', city: 'Tannbrück' }),
    testCourse({ id: 2, textWeb: 'Kraft', venue: 'Halle 2', city: 'Salzstadt' }),
  ]
  const found = parseSearchQuery('sa', [other, town], 'de', new Map()).rank([other, town])
  expect(found.map(({ id }) => id)).toEqual([2, 1])
})

test('two letters match beginnings, names first, or any position if nothing begins with them', () => {
  const courses = [
    testCourse({ id: 1, name: 'Tischtennis: Rundlauf & Rückhand', textWeb: 'Am Tisch' }),
    testCourse({ id: 2, name: 'Yoga', textWeb: 'In aller Ruhe' }),
    testCourse({ id: 3, name: 'Rückenfit am Feierabend', textWeb: 'Für den Rücken' }),
  ]
  const find = (text: string) => {
    const query = parseSearchQuery(text, courses, 'de', new Map())
    return query.rank(courses.filter(query.isMatch)).map(({ id }) => id)
  }
  expect(find('rü')).toEqual([3, 1])
  expect(find('ue')).toEqual([1, 2, 3])
})

test('several course numbers find these courses', () => {
  const courses = ['W-0101', 'W-0102', 'W-0103', '17 a'].map((number, id) => testCourse({ id, number, name: 'Yoga' }))
  const find = (text: string) => courses.filter(parseSearchQuery(text, courses, 'de', new Map()).isMatch)
  expect(find('"W-0101" "w-0103" "17 a"').map(({ id }) => id)).toEqual([0, 2, 3])
  expect(find('W-0101 W-0102').map(({ id }) => id)).toEqual([0, 1])
  expect(find('W-0101 W-0199')).toEqual([])
  expect(find('W-0101 yoga').map(({ id }) => id)).toEqual([0])
})
