import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { isMixedScript, normalizeEmail, normalizeText } from './normalize.ts'
import { email, singleLinePersonalDataText } from './values.ts'

/** Letters mixed with invisible and combining characters. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'aeioKİßﬀ＠．㎏\u200b\u200c\u200d\u2060\u2063\u00ad\ufeff\u3164\u0301\u00a0'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 30,
})
const INVISIBLE = ['\u200b', '\u200d', '\u2063', '\u00ad', '\ufeff', '\u3164', '\u2800', '\u{e0041}']

test('normalization is idempotent and removes all invisible characters', () => {
  fc.assert(
    fc.property(hostile, text => {
      const once = normalizeText(text)
      expect(normalizeText(once)).toBe(once)
      expect(once.normalize('NFKC')).toBe(once)
      expect(INVISIBLE.some(character => once.includes(character))).toBe(false)
      expect(normalizeEmail(normalizeEmail(text))).toBe(normalizeEmail(text))
    }),
    { numRuns: 5_000 },
  )
})

test('e-mail addresses and names that differ only in invisible characters are treated as equal', () => {
  const at = fc.nat({ max: 17 })
  fc.assert(
    fc.property(at, fc.constantFrom(...INVISIBLE), (index, character) => {
      const hide = (text: string) => `${text.slice(0, index)}${character}${text.slice(index)}`
      expect(v.parse(email, hide('mara@demo.example'))).toBe('mara@demo.example')
      expect(v.parse(singleLinePersonalDataText(100), hide('Mara Beispielmann'))).toBe('Mara Beispielmann')
    }),
  )
})

test.each([
  'a@corp..example',
  'a@.example',
  'a@corp.example.',
  'a@corp',
  'a@@corp.example',
  'a\u0000@corp.example',
  'a\u202e@corp.example',
])('%j is not a valid e-mail address', address => {
  expect(v.safeParse(email, address).success).toBe(false)
})
test.each(['a.b@corp.example', 'a@sub.corp-one.example', 'müller@größe.example', 'Ａ@corp.example'])(
  '%j is a valid e-mail address',
  address => {
    expect(v.safeParse(email, address).success).toBe(true)
  },
)

test.each([
  ['employee@dem\u043e.example', true],
  ['M\u0430ra', true],
  ['Мария', false],
  ['Ελένη', false],
  ['Šárka Ñandú', false],
  ['müller@größe.example', false],
])('%j mixes scripts: %s', (text, isMixed) => {
  expect(isMixedScript(text)).toBe(isMixed)
})
