import { expect, test } from 'vitest'
import type { HttpProblem } from '#server/platform/http/problems.ts'
import { createRateLimit } from './token-buckets.ts'

const refusal = (call: () => Promise<void>): Promise<HttpProblem | null> =>
  call().then(
    () => null,
    error => error,
  )

test('allows a burst, then rejects with the seconds until the next call', async () => {
  let ms = 0
  const take = createRateLimit({}, 'test', { burst: 3, perMinute: 6, now: () => ms })
  for (let call = 0; call < 3; call++) await take('192.0.2.1')

  expect(await refusal(() => take('192.0.2.1'))).toMatchObject({ status: 429, values: { seconds: 10 } })
  ms = 9_999
  expect(await refusal(() => take('192.0.2.1'))).toMatchObject({ status: 429, values: { seconds: 1 } })
  ms = 10_000
  expect(await refusal(() => take('192.0.2.1'))).toBeNull()
  expect(await refusal(() => take('192.0.2.1'))).not.toBeNull()
})

test('limits of addresses are independent', async () => {
  const take = createRateLimit({}, 'test', { burst: 1, perMinute: 1, now: () => 0 })
  await take('192.0.2.1')
  expect(await refusal(() => take('192.0.2.2'))).toBeNull()
})

test('a long pause allows no more than the burst', async () => {
  let ms = 0
  const take = createRateLimit({}, 'test', { burst: 2, perMinute: 60, now: () => ms })
  await take('192.0.2.1')
  ms = 3_600_000
  await take('192.0.2.1')
  await take('192.0.2.1')
  expect(await refusal(() => take('192.0.2.1'))).not.toBeNull()
})

test('the number of tracked addresses is bounded', async () => {
  const take = createRateLimit({}, 'test', { burst: 1, perMinute: 1, now: () => 0 })
  await take('192.0.2.1')
  for (let other = 0; other < 10_000; other++) await take(`10.0.${other >> 8}.${other & 255}`)
  expect(await refusal(() => take('192.0.2.1'))).toBeNull()
})
