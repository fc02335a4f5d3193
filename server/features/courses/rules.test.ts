import { expect, test } from 'vitest'
import { teaserOf } from '#contract/words.ts'
import { externalFeeCentsOf } from './rules.ts'

test('external participants pay the imported external fee, otherwise 15 euros more', () => {
  expect(externalFeeCentsOf(4000, null)).toBe(5500)
  expect(externalFeeCentsOf(4000, 4100)).toBe(4100)
  expect(externalFeeCentsOf(4000, 0)).toBe(0)
})

test.each([
  [
    'no markup, no entities',
    '<p>Kraft &amp; Ruhe</p><p>f&uuml;r alle&nbsp;Tage</p>',
    'Kraft & Ruhe f&uuml;r alle Tage',
  ],
  ['short texts unchanged', 'Yoga am Mittag', 'Yoga am Mittag'],
  ['long texts cut at a word', `${'Ausdauer '.repeat(20)}`, `${'Ausdauer '.repeat(10).trim()}…`],
  ['one endless word cut at any character', 'x'.repeat(200), `${'x'.repeat(90)}…`],
  ['nothing of a broken tag', 'Ein Kurs <b onclick="', 'Ein Kurs'],
  ['empty', '', ''],
])('a teaser has %s', (_case, html, expected) => {
  expect(teaserOf(html)).toBe(expected)
})
