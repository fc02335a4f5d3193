import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { BookingOrder } from '#contract/endpoints/booking-order.ts'
import { formatInstant, leafHash, proofPath, rootOfPath, verifyProof } from './booking-order-model.ts'

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest('hex')
const hex = (text: string) => Buffer.from(text, 'hex')

test('a path of the reference data for certificate transparency leads to its root', async () => {
  const leaf = sha256(Buffer.of(0), hex('40414243'))
  const path = [
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ]
  expect(await rootOfPath(leaf, 5, 8, path)).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328')
  expect(await rootOfPath(leaf, 5, 8, path.slice(1))).toBeNull()
  expect(await rootOfPath(leaf, 5, 8, [...path, leaf])).toBeNull()
})

test('a proof holds for its own number, time and order only', async () => {
  const leaves = [1, 2, 3].map(number => `7|${number}|2026-08-01T06:00:00.213Z|token${number}`)
  const [first = '', second = '', third = ''] = await Promise.all(leaves.map(leafHash))
  const left = sha256(Buffer.of(1), hex(first), hex(second))
  const root = sha256(Buffer.of(1), hex(left), hex(third))
  const order = {
    seasonId: 4,
    digest: sha256(hex(root)),
    courses: [{ courseId: 7, number: 'C1', name: 'Yoga', name2: '', requests: 3, places: 2, root }],
  } as BookingOrder
  const fragmentOf = (leaf: string, path: string[]) => proofPath({ seasonId: 4, leaf, path }).split('#')[1] ?? ''
  const request = { courseId: 7, number: 3, askedAt: '2026-08-01T06:00:00.213Z' }
  expect(await verifyProof(fragmentOf(leaves[2] ?? '', [left]), order)).toEqual({ verdict: 'proven', request })
  expect(await verifyProof(fragmentOf(leaves[0] ?? '', [second, third]), order)).toMatchObject({ verdict: 'proven' })
  for (const fragment of [
    fragmentOf((leaves[2] ?? '').replace('|3|', '|2|'), [left]),
    fragmentOf((leaves[2] ?? '').replace('.213', '.113'), [left]),
    fragmentOf((leaves[2] ?? '').replace('7|', '8|'), [left]),
    fragmentOf(leaves[1] ?? '', [left]),
    'nothing',
    '%~1',
  ])
    expect(await verifyProof(fragment, order).catch(() => ({ verdict: 'different' }))).toEqual({ verdict: 'different' })
  expect(await verifyProof(fragmentOf(leaves[2] ?? '', [left]), { ...order, digest: root })).toEqual({
    verdict: 'different',
  })
})

test('times are shown to the millisecond in the portal’s time zone', () => {
  expect(formatInstant('2026-08-01T06:00:00.213Z', 'de')).toBe('01.08.2026, 08:00:00,213')
  expect(formatInstant('2026-01-01T07:00:00.005Z', 'en')).toBe('01.01.2026, 08:00:00.005')
})
