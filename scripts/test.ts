import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { add, type Counts, none, summarize } from './test/counts.ts'
import { browserTests, checkAndBuild, unitTests } from './test/stages.ts'

const stages: { name: string; run: (folder: string) => Promise<Counts> }[] = [
  { name: 'check: types, lint, format, structure; build', run: checkAndBuild },
  { name: 'tests of contract, server and app', run: unitTests },
  { name: 'journeys in the browser, some in Chromium, Firefox and WebKit', run: browserTests },
]

const folder = await mkdtemp(join(tmpdir(), 'portal-test-'))
const lines: string[] = []
let total = none
for (const { name, run } of stages) {
  console.log(`\n== ${name}\n`)
  const startedAt = performance.now()
  const counts = await run(folder).catch((error: unknown): Counts => {
    console.error(error instanceof Error ? error.message : error)
    return { ...none, failed: 1 }
  })
  total = add(total, counts)
  lines.push(
    `${String(Math.round((performance.now() - startedAt) / 1000)).padStart(5)} s  ${name}: ${summarize(counts)}`,
  )
}
await rm(folder, { recursive: true, force: true })

console.log(`\n${lines.join('\n')}\n`)
console.log(summarize(total))
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
