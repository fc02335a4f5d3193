import { expect, test } from 'vitest'
import { mentionedCoursesOf } from './model.ts'

const courses = ['H-0301', 'W-0306', 'W-0301'].map((number, index) => ({ id: index + 1, number }))

test('a message about a cancelled course links to it and to what can be booked instead', () => {
  const message = {
    title: 'Kurs fällt aus: Rückenfit (H-0301)',
    text: '<p>Frei sind: Heben (W-0306), <b>Rückenfit</b> (W-0301), Yoga (gelöscht)</p><p>Rückenfit (H-0301)</p>',
  }
  expect(mentionedCoursesOf(message, courses).map(({ id }) => id)).toEqual([1, 2, 3])
})

test('words in brackets are no courses', () => {
  expect(mentionedCoursesOf({ title: 'Warteliste (neu)', text: '<p>Bitte lesen (PDF)</p>' }, courses)).toEqual([])
})
