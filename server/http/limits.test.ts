import { expect, test } from 'vitest'
import { createLimit } from './limits.ts'
import type { HttpProblem } from './problems.ts'

const refusal = (call: () => void): HttpProblem | null => {
  try {
    call()
    return null
  } catch (error) {
    return error as HttpProblem
  }
}

test('takes a burst, then refuses with the seconds until the next call', () => {
  let ms = 0
  const take = createLimit({ burst: 3, perMinute: 6, now: () => ms })
  for (let call = 0; call < 3; call++) take('192.0.2.1')

  expect(refusal(() => take('192.0.2.1'))).toMatchObject({ status: 429, values: { seconds: 10 } })
  ms = 9_999
  expect(refusal(() => take('192.0.2.1'))).toMatchObject({ status: 429, values: { seconds: 1 } })
  ms = 10_000
  expect(refusal(() => take('192.0.2.1'))).toBeNull()
  expect(refusal(() => take('192.0.2.1'))).not.toBeNull()
})

test('one address never uses up what another has', () => {
  const take = createLimit({ burst: 1, perMinute: 1, now: () => 0 })
  take('192.0.2.1')
  expect(refusal(() => take('192.0.2.2'))).toBeNull()
})

test('a long pause gives no more than the burst', () => {
  let ms = 0
  const take = createLimit({ burst: 2, perMinute: 60, now: () => ms })
  take('192.0.2.1')
  ms = 3_600_000
  take('192.0.2.1')
  take('192.0.2.1')
  expect(refusal(() => take('192.0.2.1'))).not.toBeNull()
})

test('remembers a bounded number of addresses', () => {
  const take = createLimit({ burst: 1, perMinute: 1, now: () => 0 })
  take('192.0.2.1')
  for (let other = 0; other < 10_000; other++) take(`10.0.${other >> 8}.${other & 255}`)
  expect(refusal(() => take('192.0.2.1'))).toBeNull()
})
