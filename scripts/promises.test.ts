import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ClassifiedSentences, INFORMATION } from './promises/classes.ts'
import { CONDITIONS } from './promises/conditions.ts'
import { PROCESSING_RECORD, SUPERIORS } from './promises/data-protection.ts'
import { FAQ } from './promises/faq.ts'
import { PRIVACY } from './promises/privacy.ts'
import { NOT_IMPLEMENTED, PROMISE_TESTS } from './promises/tests.ts'

const root = join(import.meta.dirname, '..')
const ABBREVIATION = /(?:Art|Abs|Buchst|Nr|\d)\.$/
const END = /[.!?][“)]*$/

/** Splits a text into sentences. A list item counts as one sentence. */
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

/**
 * Headings are not promises. The tables below `data` are generated from the data map (see PROMISE_TESTS.dataMap and
 * PROMISE_TESTS.retentionMap).
 */
const isPromise = (key: string) => !/(?:^|\.)title$|^data\./.test(key)

function listSentences(page: string): string[] {
  const read = (value: unknown, key: string): string[] => {
    if (typeof value === 'string') return isPromise(key) ? sentencesOf(value) : []
    return Object.entries(Object(value)).flatMap(([name, inner]) => read(inner, key ? `${key}.${name}` : name))
  }
  return [...new Set(read(JSON.parse(readFileSync(join(root, `src/i18n/de/${page}.json`), 'utf8')), ''))]
}

const PAGES: [page: string, classified: ClassifiedSentences][] = [
  ['faq', FAQ],
  ['conditions', CONDITIONS],
  ['privacy', PRIVACY],
  ['processing-record', PROCESSING_RECORD],
  ['superiors', SUPERIORS],
]
/** Lowered with each promise that is implemented, never raised. */
const NOT_IMPLEMENTED_COUNT = 0

test.each(PAGES)('each sentence of %s is classified as information or names its tests', (page, classified) => {
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
    if (by !== INFORMATION) expect([...(by.testedBy ?? []), ...(by.notImplemented ?? [])], sentence).not.toEqual([])
})

test.each(Object.entries(PROMISE_TESTS))('the test named %s exists', (_, test) => {
  const [file = '', title = ''] = test.split(' › ')
  expect(existsSync(join(root, file)), file).toBe(true)
  const source = readFileSync(join(root, file), 'utf8').replaceAll(' @extended', '')
  expect(
    ["'", '"', '`'].some(quote => source.includes(`${quote}${title}${quote}`)),
    test,
  ).toBe(true)
})

test('every named test belongs to a sentence', () => {
  const named = new Set(
    PAGES.flatMap(([, classified]) => Object.values(classified)).flatMap(by =>
      by === INFORMATION ? [] : (by.testedBy ?? []),
    ),
  )
  expect(Object.keys(PROMISE_TESTS).filter(name => !named.has(name as never))).toEqual([])
})

test('the list of promises without an implementation does not grow', () => {
  const reasons = Object.values(NOT_IMPLEMENTED)
  console.log(`Promised, not implemented:\n- ${reasons.join('\n- ')}`)
  expect(reasons.length).toBe(NOT_IMPLEMENTED_COUNT)
})
