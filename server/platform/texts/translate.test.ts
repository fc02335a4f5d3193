import { expect, test } from 'vitest'
import { negotiateLanguage } from './translate.ts'

test.each([
  [undefined, 'de'],
  ['', 'de'],
  ['en', 'en'],
  ['EN-GB,en;q=0.9', 'en'],
  ['de;q=0.7, en;q=0.8', 'en'],
  ['fr, en;q=0.5, de;q=0.4', 'en'],
  ['fr, *;q=0.1', 'de'],
  ['de;q=0, *', 'en'],
  ['en;q=0, de;q=0.1', 'de'],
  [`${'fr,'.repeat(5_000)}en`, 'en'],
])('Accept-Language %s selects %s', (header, language) => {
  expect(negotiateLanguage(header)).toBe(language)
})
