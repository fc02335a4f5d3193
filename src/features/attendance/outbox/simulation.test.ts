// @vitest-environment node
import { expect, test } from 'vitest'
import { simulate } from '#test/outbox/simulation.ts'

const count = Number(process.env.SIMULATE_COUNT ?? 1_000)
// The test run uses fixed seeds, so that a failure is caused by the tested change. `npm run simulate` searches for
// failures with new seeds.
const first = Number(process.env.SIMULATE_SEED ?? 1)

test(`${count} schedules with three phones, two instructors, bookings and every fault lose no change and show no false status`, {
  timeout: 120_000 + count * 100,
}, async () => {
  for (let seed = first; seed < first + count; seed += 1) {
    const found = await simulate(seed)
    if (found) {
      const again = `repeat with: npm run simulate -- 1 --seed ${found.seed}`
      expect.fail(`${found.message}\n${again}\n${found.trace.join('\n')}`)
    }
  }
})
