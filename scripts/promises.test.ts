import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Classified, INFORMATION } from './promises/classes.ts'
import { CONDITIONS } from './promises/conditions.ts'
import { FAQ } from './promises/faq.ts'
import { PRIVACY } from './promises/privacy.ts'
import { NOT_KEPT_YET, TESTS } from './promises/tests.ts'

const root = join(import.meta.dirname, '..')
const ABBREVIATION = /(?:Art|Abs|Buchst|Nr|\d)\.$/
const END = /[.!?][“)]*$/

/** The sentences of a text; an item of a list is one. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let words: string[] = []
  for (const word of text.split(' ')) {
    words.push(word)
    if (!END.test(word) || ABBREVIATION.test(word)) continue
    sentences.push(words.join(' '))
    words = []
  }
  return words.length > 0 ? [...sentences, words.join(' ')] : sentences
}

/** Headings promise nothing; the tables below `data` are made from the data map, which TESTS.dataMap and others hold. */
const isPromise = (key: string) => !/(?:^|\.)title$|^data\./.test(key)

function listSentences(page: string): string[] {
  const read = (value: unknown, key: string): string[] => {
    if (typeof value === 'string') return isPromise(key) ? sentencesOf(value) : []
    return Object.entries(Object(value)).flatMap(([name, inner]) => read(inner, key ? `${key}.${name}` : name))
  }
  return [...new Set(read(JSON.parse(readFileSync(join(root, `src/i18n/de/${page}.json`), 'utf8')), ''))]
}

const PAGES: [page: string, classified: Classified][] = [
  ['faq', FAQ],
  ['conditions', CONDITIONS],
  ['privacy', PRIVACY],
]
/** Who keeps one of them takes it off the list, and lowers this. */
const NOT_KEPT_AT_MOST = 9

test.each(PAGES)('each sentence of %s is information or names what holds it', (page, classified) => {
  const sentences = listSentences(page)
  expect(
    sentences.filter(sentence => !(sentence in classified)),
    'to be classified in scripts/promises',
  ).toEqual([])
  expect(
    Object.keys(classified).filter(sentence => !sentences.includes(sentence)),
    'no longer in the text',
  ).toEqual([])
  for (const [sentence, by] of Object.entries(classified))
    if (by !== INFORMATION) expect([...(by.heldBy ?? []), ...(by.notKeptYet ?? [])], sentence).not.toEqual([])
})

test.each(Object.entries(TESTS))('the test that holds %s exists', (_, test) => {
  const [file = '', title = ''] = test.split(' › ')
  expect(existsSync(join(root, file)), file).toBe(true)
  const source = readFileSync(join(root, file), 'utf8')
  expect(
    ["'", '"', '`'].some(quote => source.includes(`${quote}${title}${quote}`)),
    test,
  ).toBe(true)
})

test('every named test holds a sentence', () => {
  const named = new Set(
    PAGES.flatMap(([, classified]) => Object.values(classified)).flatMap(by =>
      by === INFORMATION ? [] : (by.heldBy ?? []),
    ),
  )
  expect(Object.keys(TESTS).filter(name => !named.has(name as never))).toEqual([])
})

test('what is promised and not kept yet becomes less, never more', () => {
  const reasons = Object.values(NOT_KEPT_YET)
  console.log(`Promised and not kept yet:\n- ${reasons.join('\n- ')}`)
  expect(reasons.length).toBe(NOT_KEPT_AT_MOST)
})
