import { expect, test } from 'vitest'
import { isPhotoNameSigned, type PhotoPermit, parsePhotoName, signPhotoName } from './rules.ts'

const signer = { secret: Buffer.alloc(32, 1), period: 2900 }
const permit: PhotoPermit = { sessionRef: Buffer.alloc(12, 7), albumId: 5, name: 'Übung #1 ~ 50 %.webp' }

const read = (name: string) => {
  const found = parsePhotoName(name)
  if (found === null) throw new Error(`${name} is not signed`)
  return found
}

test('a signed name contains its permit and is valid in its half-day and the next', () => {
  const { permit: found, mac } = read(signPhotoName(permit, signer))
  expect(found).toEqual(permit)
  const isGoodIn = (period: number) => isPhotoNameSigned(mac, found, { ...signer, period })
  expect([2899, 2900, 2901, 2902].map(isGoodIn)).toEqual([false, true, true, false])
})

test('a signed name is valid only for its photo, session, album and portal', () => {
  const { mac } = read(signPhotoName(permit, signer))
  for (const change of [{ name: 'other.webp' }, { albumId: 6 }, { sessionRef: Buffer.alloc(12, 8) }])
    expect(isPhotoNameSigned(mac, { ...permit, ...change }, signer)).toBe(false)
  expect(isPhotoNameSigned(mac, permit, { ...signer, secret: Buffer.alloc(32, 2) })).toBe(false)
})

test('a plain name is not signed, and an empty name stays empty', () => {
  const signed = signPhotoName(permit, signer)
  for (const plain of ['a.webp', '~short~a.webp', '~~a.webp', '~', signed.replace('.5.', '.x.'), signed.slice(1)])
    expect(parsePhotoName(plain)).toBeNull()
  expect(signPhotoName({ ...permit, name: '' }, signer)).toBe('')
})
