import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const module = pathToFileURL(join(import.meta.dirname, 'spare-memory.ts')).href

/** Takes some 200 MB, drops them, and works on without a quiet moment. Prints what it had at most and in the end, in MB. */
const BUSY = `
import { setTimeout as sleep } from 'node:timers/promises'
import { spareMemory } from ${JSON.stringify(module)}
const megabytes = () => process.memoryUsage.rss() / 2 ** 20
spareMemory(300)
let kept = []
for (let part = 0; part < 30; part++) {
  for (let index = 0; index < 50_000; index++) kept.push({ index, text: 'x' + index, list: [index] })
  await sleep(5)
}
const most = megabytes()
kept = null
const end = performance.now() + 20_000
while (megabytes() > most / 2 && performance.now() < end) {
  const pauseAt = performance.now() + 80
  while (performance.now() < pauseAt) Math.sqrt(pauseAt)
  await sleep(10)
}
console.log(most, megabytes())
process.exit()`

test('what a rush took is given back while there is still work', async () => {
  const args = ['--max-semi-space-size=16', '--input-type=module', '--eval', BUSY]
  const { stdout } = await run(process.execPath, args)
  const [most = 0, left = 0] = stdout.split(' ').map(Number)
  expect(most).toBeGreaterThan(180)
  expect(left).toBeLessThan(most / 2)
})
