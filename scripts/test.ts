import { availableParallelism } from 'node:os'
import { add, type Counts, none, summarize } from './test/counts.ts'
import { makeTestFolder, removeTestFolder } from './test/folder.ts'
import { browserTests, checkAndBuild, neighbourTests, unitTests } from './test/stages.ts'

type Stage = { name: string; run: (folder: string, workers?: number) => Promise<Counts> }

const build: Stage = { name: 'check: types, lint, format, structure; build', run: checkAndBuild }
const units: Stage = { name: 'tests of contract, server and app', run: unitTests }
const journeys: Stage = { name: 'journeys in the browser, some in Chromium, Firefox and WebKit', run: browserTests }
const neighbours: Stage = { name: 'programs and libraries of others', run: neighbourTests }

const cores = availableParallelism()
/** The test runs are parallel, because each spends half of its time waiting for disks, databases and timers. */
const unitsBeside = cores >= 4 ? cores : undefined

const { folder, isInMemory } = await makeTestFolder()
console.log(`What the tests write is in ${folder}${isInMemory ? ', in memory' : ''}.`)

async function runStage({ name, run }: Stage, workers?: number) {
  console.log(`\n== ${name}\n`)
  const startedAt = performance.now()
  const counts = await run(folder, workers).catch((error: unknown): Counts => {
    console.error(error instanceof Error ? error.message : error)
    return { ...none, failed: 1 }
  })
  const seconds = String(Math.round((performance.now() - startedAt) / 1000)).padStart(5)
  return { counts, line: `${seconds} s  ${name}: ${summarize(counts)}` }
}

const results = [await runStage(build)]
if (unitsBeside) results.push(...(await Promise.all([runStage(units, unitsBeside), runStage(journeys)])))
else results.push(await runStage(units), await runStage(journeys))
results.push(await runStage(neighbours))

const total = results.reduce((sum, { counts }) => add(sum, counts), none)
for (const failure of total.failures) console.log(`\nfailed: ${failure}`)
console.log(`\n${results.map(({ line }) => line).join('\n')}\n`)
console.log(summarize(total))
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
await removeTestFolder(folder)
