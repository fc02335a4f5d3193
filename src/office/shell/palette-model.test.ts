import { expect, test } from 'vitest'
import { findPaletteCandidates, toPaletteCandidate } from './palette-model.ts'

const labels = [
  toPaletteCandidate('T-01 Tennis Level 1', ''),
  toPaletteCandidate('T-02 Tennis Level 2 und 3', ''),
  toPaletteCandidate('T-03 Tennis Level 3', ''),
  toPaletteCandidate('Personen zusammenführen', 'merge'),
  toPaletteCandidate('Kursleitung fällt aus', 'absence'),
  toPaletteCandidate('Müller, Jörg', ''),
  toPaletteCandidate('Räume sperren', 'closure'),
  toPaletteCandidate('Geld', '/office/money'),
  toPaletteCandidate('Saison', '/office/season'),
  toPaletteCandidate('H-1 HIIT', '', 'Julia Weiß'),
]
const find = (typed: string) => findPaletteCandidates(labels, typed).map(({ label }) => label)

test('exact phrases come first', () => {
  expect(find('tennis level 3')).toEqual(['T-03 Tennis Level 3', 'T-02 Tennis Level 2 und 3'])
})

test.each(['krank', 'sick', 'Vertretung'])('"%s" finds the action for an absent instructor', typed => {
  expect(find(typed)).toEqual(['Kursleitung fällt aus'])
})

test.each(['zusammen', 'merge', 'Dublette', 'zusamenführen'])('"%s" finds the action that merges people', typed => {
  expect(find(typed)).toEqual(['Personen zusammenführen'])
})

test.each(['mueller', 'Muller', 'müller joerg', 'Mülller'])('"%s" finds the person Müller', typed => {
  expect(find(typed)).toEqual(['Müller, Jörg'])
})

test.each([
  ['halle gesperrt', 'Räume sperren'],
  ['nachweis', 'Geld'],
  ['erstatten', 'Geld'],
  ['verschieben', 'Saison'],
  ['julia hiit', 'H-1 HIIT'],
])('"%s" finds %s', (typed, label) => {
  expect(find(typed)).toEqual([label])
})

test('one typing error in a course name is corrected', () => {
  expect(find('tenis level 1')).toEqual(['T-01 Tennis Level 1'])
  expect(find('qxz')).toEqual([])
})
