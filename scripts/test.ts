import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { cleanUpAfterTests, cleanUpAfterThisProcess } from './test/clean-up.ts'
import { add, type Counts, none, summarize } from './test/counts.ts'
import { makeTestFolder } from './test/folder.ts'
import { findPassedRun, storePassedRun } from './test/passed-run.ts'
import { extendedStages, type Stage, stagesOfChange, stagesOfCommit } from './test/stages.ts'

/** Share of the processor time that the stages use. */
const USED_SHARE = 0.8

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, changed: { type: 'boolean' } },
  allowPositionals: true,
})
const cores = availableParallelism()
/** `npm run test:all` does not repeat what `npm test` has just passed. */
const passed = values.all ? findPassedRun() : null
const ofEachCommit = passed === null ? stagesOfCommit(cores) : []
const groups = values.changed
  ? stagesOfChange(positionals[0] ?? 'HEAD')
  : [...ofEachCommit, ...(values.all ? extendedStages : [])]

const { folder, isInMemory } = await makeTestFolder()
cleanUpAfterThisProcess(folder)
process.env.TMPDIR = folder
console.log(`What the tests write is in ${folder}${isInMemory ? ', in memory' : ''}.`)
if (!values.changed) {
  const seconds = groups.flat().reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  const minutes = Math.ceil(seconds / 60 / cores / USED_SHARE)
  console.log(`This takes about ${minutes} minutes if nothing else uses the ${cores} cores.`)
}

type Result = { counts: Counts; line: string }

async function runStage({ name, run }: Stage, label?: string): Promise<Result> {
  console.log(`\n== ${name}\n`)
  const startedAt = performance.now()
  const counts = await run(folder, label).catch((error: unknown): Counts => {
    console.error(error instanceof Error ? error.message : error)
    return { ...none, failed: 1 }
  })
  const seconds = String(Math.round((performance.now() - startedAt) / 1000)).padStart(5)
  return { counts, line: `${seconds} s  ${name}: ${summarize(counts)}` }
}

/** Runs the stages. What does not compile is not tested. */
async function runStages(): Promise<Result[]> {
  const results: Result[] = []
  for (const group of groups) {
    const isAlone = group.length === 1
    const run = (stage: Stage) => runStage(stage, isAlone ? undefined : (stage.name.split(' ', 1)[0] ?? ''))
    results.push(...(await Promise.all(group.map(run))))
    if (passed === null && results.length === 1 && results[0]?.counts.failed) break
  }
  return results
}

const results = await runStages()
const total = results.reduce((sum, { counts }) => add(sum, counts), passed ?? none)
for (const failure of total.failures) console.log(`\nfailed: ${failure}`)
if (passed) console.log(`\nPassed before on this commit by npm test: ${summarize(passed)}`)
console.log(`\n${results.map(({ line }) => line).join('\n')}\n`)
if (results.length < groups.flat().length) console.log('The tests have not run, because the check failed.')
console.log(summarize(total))
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
if (!values.all && !values.changed) storePassedRun(total)
await cleanUpAfterTests(folder)
