import { expect, test } from 'vitest'
import { isKeyGood, readName, signName } from './rules.ts'

const signer = { secret: Buffer.alloc(32, 1), period: 2900 }
const NAME = 'Übung #1 ~ 50 %.webp'

test('a signed name opens its photo this week and the next, then no more', () => {
  const { name, key } = readName(signName(NAME, signer))
  expect(name).toBe(NAME)
  const isGoodIn = (period: number) => isKeyGood(key ?? '', name, { ...signer, period })
  expect([2899, 2900, 2901, 2902].map(isGoodIn)).toEqual([false, true, true, false])
})

test('a key opens no other photo and no other portal', () => {
  const { key } = readName(signName(NAME, signer))
  expect(isKeyGood(key ?? '', 'other.webp', signer)).toBe(false)
  expect(isKeyGood(key ?? '', NAME, { ...signer, secret: Buffer.alloc(32, 2) })).toBe(false)
})

test('a plain name comes without a key, and no name stays no name', () => {
  for (const plain of ['a.webp', '~short~a.webp', '~~a.webp', '~'])
    expect(readName(plain)).toEqual({ name: plain, key: null })
  expect(signName('', signer)).toBe('')
})
