import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const module = pathToFileURL(join(import.meta.dirname, 'gc-scheduler.ts')).href

/** Takes some 200 MB. */
const TAKING = `
import { setTimeout as sleep } from 'node:timers/promises'
import { spareMemory } from ${JSON.stringify(module)}
const megabytes = () => process.memoryUsage.rss() / 2 ** 20
const takeMuch = async (parts = 30) => {
  const kept = []
  for (let part = 0; part < parts; part++) {
    for (let index = 0; index < 50_000; index++) kept.push({ index, text: 'x' + index, list: [index] })
    await sleep(5)
  }
  return kept
}
const work = async (ms, isEnough = () => false) => {
  const end = performance.now() + ms
  while (!isEnough() && performance.now() < end) {
    const pauseAt = performance.now() + 80
    while (performance.now() < pauseAt) Math.sqrt(pauseAt)
    await sleep(10)
  }
}`

/** Starts into a rush, drops what it took, and works on without a quiet moment. Prints what it had at most and in the end, in MB. */
const BUSY = `${TAKING}
let kept = await takeMuch()
spareMemory(100)
const most = megabytes()
await work(1_000)
console.assert(kept.length > 0)
kept = null
await work(20_000, () => megabytes() < most / 2)
console.log(most, megabytes())
process.exit()`

/** Drops much before it begins to serve, and waits. */
const STARTED = `${TAKING}
const most = await takeMuch().then(megabytes)
spareMemory(300)
const end = performance.now() + 20_000
while (megabytes() > most / 2 && performance.now() < end) await sleep(50)
console.log(most, megabytes())
process.exit()`

/** Is cleared up after its start, then takes some 80 MB in less than a second, drops them and waits. Prints how much more it had, and has in the end. */
const SHORT = `${TAKING}
spareMemory(300)
await sleep(2_000)
const least = megabytes()
const most = await takeMuch(8).then(megabytes)
const end = performance.now() + 20_000
while (megabytes() - least > (most - least) / 2 && performance.now() < end) await sleep(50)
console.log(most - least, megabytes() - least)
process.exit()`

test.each([
  ['a rush took is given back while there is still work', BUSY, 180],
  ['a start took is given back after it', STARTED, 180],
  ['a short rush took is given back after it', SHORT, 40],
])('what %s', async (_name, program, leastMost) => {
  const args = ['--max-semi-space-size=16', '--input-type=module', '--eval', program]
  const { stdout } = await run(process.execPath, args)
  const [most = 0, left = 0] = stdout.split(' ').map(Number)
  expect(most).toBeGreaterThan(leastMost)
  expect(left).toBeLessThan(most / 2)
})
