import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateSecretEntropyBits, MIN_SECRET_ENTROPY_BITS } from './connections.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'
test.each([
  ['one letter', 'a'.repeat(43)],
  ['two letters', 'ab'.repeat(20)],
  ['the alphabet', alphabet.slice(0, 43)],
  ['digits in order', '0123456789'.repeat(5)],
  ['a repeated word', 'Sportabteilung-'.repeat(3)],
  ['a repeated long block', 'x7Qm-2LpZr9_Kd4vTn8B'.repeat(2)],
  ['a padded short secret', `x7Qm2LpZ${'0'.repeat(32)}`],
])('%s is rejected as not random', (_, secret) => {
  expect(estimateSecretEntropyBits(secret)).toBeLessThan(MIN_SECRET_ENTROPY_BITS)
})

test('20 or more random bytes are accepted in every encoding', () => {
  const bytes = fc
    .integer({ min: 0, max: 1 })
    .map(isHex => (isHex ? randomBytes(20).toString('hex') : randomBytes(32).toString('base64url')))
  fc.assert(
    fc.property(bytes, secret => estimateSecretEntropyBits(secret) >= MIN_SECRET_ENTROPY_BITS),
    { numRuns: 2_000 },
  )
})
