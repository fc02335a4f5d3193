import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText } from '#contract/words.ts'
import { testCourse } from '#test/courses.ts'
import type { ListedCourse } from './model.ts'
import { type LongTexts, parseSearchQuery, searchableLongText, splitQueryTerms } from './search-model.ts'

const isFound = (course: ListedCourse, query: string, language: 'de' | 'en' = 'de', longTexts: LongTexts = new Map()) =>
  parseSearchQuery(query, [course], language, longTexts).isMatch(course)
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

test.each(['tuesday', 'Tuesdays', 'tue', 'dienstag', 'früh', 'frueh'])('%s is known as it is written', word => {
  const [token] = parseSearchQuery(`${word} rückenfit`, [testCourse()], 'de', new Map()).tokens
  expect(token?.meanings).toHaveLength(1)
  expect(token?.corrected).toEqual([])
})

test('a city is known as one beside other words, however it is spelt', () => {
  const courses = [testCourse({ city: 'Tannbrück' }), testCourse({ id: 2, venue: 'Online', city: 'Online' })]
  const cities = (text: string) =>
    parseSearchQuery(text, courses, 'de', new Map()).tokens.flatMap(({ isCity, raw }) => (isCity ? [raw] : []))
  expect(cities('di Tannbrück kostenlos')).toEqual(['Tannbrück'])
  expect(cities('tannbrueck abend')).toEqual(['tannbrueck'])
  expect(cities('online rückenfit')).toEqual(['online'])
  expect(cities('tann "Tannbrück" halle')).toEqual([])
})

test('searches the texts of the reader’s language, and the first where there is no second', () => {
  expect(finds('after-work', {}, 'en')).toBe(true)
  expect(finds('after-work', {}, 'de')).toBe(false)
  expect(finds('feierabend', {}, 'en')).toBe(false)
  expect(finds('mobilisieren', {}, 'en')).toBe(true)
})

test('searches the whole web text once it is there', () => {
  const course = testCourse()
  const texts = { ...course, textWeb: '<p>Kräftigen &amp; <b>mobilisieren</b>.</p><p>Bitte Handtuch mitbringen.</p>' }
  const longTexts = new Map([[course.id, searchableLongText(texts, 'de')]])
  expect(isFound(course, 'handtuch')).toBe(false)
  expect(isFound(course, 'handtuch rücken', 'de', longTexts)).toBe(true)
})

test('an open quote holds what follows together', () => {
  expect(splitQueryTerms('aqua "ines br').map(({ folded }) => folded)).toEqual(['aqua', 'ines br'])
})

test('any piece of a name finds it, however it is written', () => {
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

test('words of cleaned HTML', () => {
  expect(plainText('<p>Kraft &amp; Ruhe</p><ul><li>a</li><li>b</li></ul>')).toBe('Kraft & Ruhe a b')
})

test('two letters with which the town begins fit better than those of another word, behind whatever hall it stands', () => {
  const [other, town] = [
    testCourse({ id: 1, textWeb: 'Sanft', venue: 'Halle 1', city: 'Tannbrück' }),
    testCourse({ id: 2, textWeb: 'Kraft', venue: 'Halle 2', city: 'Salzstadt' }),
  ]
  const found = parseSearchQuery('sa', [other, town], 'de', new Map()).rank([other, town])
  expect(found.map(({ id }) => id)).toEqual([2, 1])
})

test('two letters find what begins with them, names that begin so first, and anything if nothing begins so', () => {
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
