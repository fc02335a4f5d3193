import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkGlossary } from './glossary.ts'

const glossary = {
  path: 'docs/glossary.md',
  text: await readFile(join(import.meta.dirname, '../../docs/glossary.md'), 'utf8'),
}
const OWN = { path: 'docs/glossary.md', text: '| Platz | place | `place` | Kursplatz | seat, spot* |' }

const said = (path: string, texts: object) => checkGlossary([OWN, { path, text: JSON.stringify(texts) }])

describe('a text with a word that the glossary forbids is reported', () => {
  test.each([
    ['src/i18n/en/courses.json', { list: { left: '{{count}} seats left' } }, []],
    [
      'src/i18n/en/courses.json',
      { list: { left: 'One seat left' } },
      ['list.left says "seat", the glossary says "place"'],
    ],
    ['src/i18n/en/courses.json', { left: ['', 'Seat 3'] }, ['left.1 says "seat", the glossary says "place"']],
    [
      'server/platform/texts/en/mail.json',
      { left: 'Waiting-list spots' },
      ['left says "spot*", the glossary says "place"'],
    ],
    ['src/i18n/de/courses.json', { left: 'Ihr Kursplatz' }, ['left says "Kursplatz", the glossary says "Platz"']],
    ['src/i18n/de/courses.json', { left: 'The seat' }, []],
    ['src/i18n/en/courses.json', { left: 'The {{seat}} and [this](/seat)' }, []],
  ])('%s %o', (path, texts, expected) => {
    expect(said(path, texts)).toEqual(expected.map(words => expect.stringContaining(`${path}: ${words}`)))
  })

  test('in the demo programme, with row and column', () => {
    const text = 'number,name,name2,textWeb2\nW-1,Sport,Spot on,"One <b>seat</b>,\nno more"\nW-2,Ihr Kursplatz,,'
    expect(checkGlossary([OWN, { path: 'demo/courses.csv', text }])).toEqual([
      expect.stringContaining('demo/courses.csv: row 2 name2 says "spot*"'),
      expect.stringContaining('demo/courses.csv: row 2 textWeb2 says "seat"'),
      expect.stringContaining('demo/courses.csv: row 3 name says "Kursplatz"'),
    ])
  })
})

test('the project’s glossary is parsed, and its forbidden words are found', () => {
  const old = { path: 'src/i18n/de/faq.json', text: JSON.stringify({ cancel: 'Kostenfrei absagen geht per Mail.' }) }
  expect(checkGlossary([glossary, old]).filter(line => line.startsWith('src/'))).toEqual([
    expect.stringContaining('"absagen", the glossary says "stornieren, Stornierung"'),
    expect.stringContaining('"kostenfrei*", the glossary says "kostenlos"'),
    expect.stringContaining('"Mail", the glossary says "E-Mail"'),
  ])
})

test('an exception applies to one text and one word, and is reported once unused', () => {
  const except = { ...OWN, text: `${OWN.text}\n| \`courses.json: left\` | seat | a chair |` }
  const chair = { path: 'src/i18n/en/courses.json', text: JSON.stringify({ left: 'A seat', right: 'Nothing' }) }
  expect(checkGlossary([except, chair])).toEqual([])
  expect(checkGlossary([except])).toEqual(['docs/glossary.md: nothing needs the exception courses.json: left "seat"'])
})
