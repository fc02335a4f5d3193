import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { installPackages, provideChromium, provideHeadlessShell, provideOtherBrowsers } from '../../e2e/browsers.ts'
import { ensureAppBuilt } from '../../server/first-view/app-build.ts'
import { FAKETIME_PACKAGE, findFaketime } from '../../server/test/season/test-clock.ts'
import { type Counts, countPlaywright, countVitest, none } from './counts.ts'

const root = join(import.meta.dirname, '../..')
/** A stage that takes longer than this is terminated and counts as failed. */
const LONGEST_STAGE_MS = 60 * 60_000
/** A run with more failures than this stops: the others rarely have another cause. */
const MAX_FAILURES = 10

type Settings = Record<string, string>

/** Stages run concurrently if `label` is set, which then precedes each line of their output. */
export type Stage = {
  name: string
  /** CPU seconds of its processes, from which the duration is estimated */
  cpuSeconds: number
  run: (folder: string, label?: string) => Promise<Counts>
}

/**
 * Runs a command from node_modules/.bin.
 * @returns its exit status; 1 if it was killed
 */
function run(command: string, args: string[], settings: Settings = {}, label?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...settings },
      stdio: label === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      timeout: LONGEST_STAGE_MS,
    })
    if (label !== undefined) printLines(child, label)
    child.once('error', reject)
    child.once('close', code => resolve(code ?? 1))
  })
}

function printLines({ stdout, stderr }: ChildProcess, label: string): void {
  for (const stream of [stdout, stderr])
    if (stream) createInterface({ input: stream }).on('line', line => console.log(`${label} | ${line}`))
}

const readReport = (path: string) => readFile(path, 'utf8').catch(() => null)
const countOne = (isPassed: boolean): Counts => ({ ...none, [isPassed ? 'passed' : 'failed']: 1 })

async function runVitest(folder: string, part: string, args: string[], label?: string): Promise<Counts> {
  const report = join(folder, `unit-${part}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const status = await run(
    'vitest',
    ['run', ...reporters, `--bail=${MAX_FAILURES}`, ...args],
    { TEST_PART: part },
    label,
  )
  return countVitest(
    await readReport(report),
    status,
    tags => part === 'embedded' || tags.includes('extended') === (part === 'extended'),
  )
}

async function runPlaywright(folder: string, part: string, args: string[], label?: string): Promise<Counts> {
  const report = join(folder, `journeys-${part}.json`)
  const options = ['--reporter=list,json', `--max-failures=${MAX_FAILURES}`]
  const settings = { PLAYWRIGHT_JSON_OUTPUT_NAME: report, TEST_PART: part }
  const status = await run('playwright', ['test', ...options, ...args], settings, label)
  return countPlaywright(await readReport(report), status)
}

/** Runs both concurrently, because neither keeps all cores busy. The tests then find the app already built. */
const build: Stage = {
  name: 'check: types, lint, format, structure; build',
  cpuSeconds: 90,
  async run() {
    const [status] = await Promise.all([run('node', ['scripts/check.ts']), ensureAppBuilt()])
    return countOne(status === 0)
  },
}

const units: Stage = {
  name: 'tests of contract, server and app',
  cpuSeconds: 440,
  run: (folder, label) => runVitest(folder, 'commit', ['--tagsFilter=!extended'], label),
}

const journeys: Stage = {
  name: 'journeys in the browser',
  cpuSeconds: 350,
  async run(folder, label) {
    await provideChromium()
    await provideHeadlessShell()
    return runPlaywright(folder, 'commit', ['--grep-invert=@extended'], label)
  },
}

const embedded: Stage = {
  name: 'database tests on the embedded PostgreSQL',
  cpuSeconds: 60,
  run: (folder, label) => runVitest(folder, 'embedded', [], label),
}

const extendedUnits: Stage = {
  name: 'extended tests of the server',
  cpuSeconds: 880,
  async run(folder, label) {
    await provideFaketime()
    return runVitest(folder, 'extended', ['--tagsFilter=extended'], label)
  },
}

const extendedJourneys: Stage = {
  name: 'extended journeys, some in Chromium, Firefox and WebKit',
  cpuSeconds: 1070,
  async run(folder, label) {
    await provideOtherBrowsers()
    return runPlaywright(folder, 'extended', ['--grep=@extended'], label)
  },
}

/** Runs third-party programs, validators and libraries against the portal, with their own packages. */
const neighbours: Stage = {
  name: 'programs and libraries of others',
  cpuSeconds: 100,
  async run(folder, label) {
    const report = join(folder, 'neighbours.json')
    const args = ['tools/neighbours/run.ts', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const status = await run('node', args, {}, label)
    return countVitest(await readReport(report), status)
  },
}

/** Installs libfaketime for the simulated season if the user has permission. Otherwise, reports that it is skipped. */
async function provideFaketime(): Promise<void> {
  if (await findFaketime()) return
  await installPackages(FAKETIME_PACKAGE)
  if (!(await findFaketime()))
    console.log(`There is no libfaketime here: the simulated season is skipped (apt-get install ${FAKETIME_PACKAGE})`)
}

/** Stages of `npm test`. Those of a group run concurrently, if there are enough cores. */
export const stagesOfCommit = (cores: number): Stage[][] => [
  [build],
  ...(cores >= 4 ? [[units, journeys]] : [[units], [journeys]]),
]

/** The other stages of `npm run test:all`. The neighbours mostly wait for packages and programs. */
export const extendedStages: Stage[][] = [[embedded], [extendedUnits], [extendedJourneys, neighbours]]

/**
 * Stages for a quick check of a change: the unit tests whose imports changed since a commit, and the journeys whose own
 * files did.
 */
export const stagesOfChange = (commit: string): Stage[][] => [
  [{ ...build, run: async () => countOne((await run('node', ['scripts/check.ts'])) === 0) }],
  [
    {
      ...units,
      name: 'tests of changed modules',
      run: folder =>
        runVitest(folder, 'changed', ['--tagsFilter=!extended', '--passWithNoTests', `--changed=${commit}`]),
    },
  ],
  [
    {
      ...journeys,
      name: 'changed journeys (those of changed screens run with npm test)',
      run: folder => runPlaywright(folder, 'commit', ['--pass-with-no-tests', `--only-changed=${commit}`]),
    },
  ],
]
