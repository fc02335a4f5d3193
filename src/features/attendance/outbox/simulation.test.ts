// @vitest-environment node
import { expect, test } from 'vitest'
import { simulate } from '#test/outbox/simulation.ts'

const count = Number(process.env.SIMULATE_COUNT ?? 1_000)
// Always the same ones in the test run: it says whether this change broke something. New ones are looked for by
// `npm run simulate`, where a find is one of the outbox and not of whoever happens to run the tests.
const first = Number(process.env.SIMULATE_SEED ?? 1)

test(`${count} schedules of two phones, two instructors and every fault lose no tick and tell no lie`, {
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
