import { expect, test } from 'vitest'
import { withoutPersonalData } from './rules.ts'

test.each([
  ['/activate/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy', '/activate/…'],
  ['/courses?text=Erika%20Muster', '/courses'],
  ['no user erika.muster@example.com here', 'no user … here'],
  [
    'at load (https://sport.example/assets/index-BHS.js?v=1:3:5)',
    'at load (https://sport.example/assets/index-BHS.js)',
  ],
  ['x is not a function', 'x is not a function'],
  ['Sommer-Wind-2026', '…'],
  ['Elefant! of A123456789', '… of …'],
  ['DE89 3704 0044 0532 0130 00', '… … … … … 00'],
  ['/activate/zvbzxcvbnmasdfghjklqwert', '/activate/…'],
  ['/course-details/17', '/course-details/17'],
  [
    'load@https://sport.example/assets/index-B2HS.js:3:51234',
    'load@https://sport.example/assets/index-B2HS.js:3:51234',
  ],
  [
    "Cannot read properties of undefined (reading 'courseDateId')",
    "Cannot read properties of undefined (reading 'courseDateId')",
  ],
  ['…"password":"Blauer Elefant9","keepSession"… is not valid JSON', '…"password":…,"keepSession"… is not valid JSON'],
  ['confirmPassword=Elefant.9 is wrong', 'confirmPassword=… is wrong'],
  ['the password is missing', 'the password is missing'],
])('%s is logged as %s', (reported, logged) => {
  expect(withoutPersonalData(reported, 500)).toBe(logged)
})

test('a long report is cut', () => {
  expect(withoutPersonalData('word '.repeat(1000), 2000)).toHaveLength(2000)
})
