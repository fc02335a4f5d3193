import { spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installPackages, provideChromium, provideOtherBrowsers } from '../../e2e/browsers.ts'
import { ensureAppBuilt } from '../../server/first-view/app-build.ts'
import { FAKETIME_PACKAGE, findFaketime } from '../../server/test/season/test-clock.ts'
import { type Counts, countPlaywright, countVitest, none } from './counts.ts'

const root = join(import.meta.dirname, '../..')
/** A stage that takes longer than this is terminated and counts as failed. */
const LONGEST_STAGE_MS = 30 * 60_000

type Settings = Record<string, string>

/**
 * Runs a command from node_modules/.bin.
 * @param output file descriptor for its output; defaults to the output of this process
 * @returns its exit status; 1 if it was killed
 */
function run(command: string, args: string[], settings: Settings = {}, output?: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...settings },
      stdio: output === undefined ? 'inherit' : ['ignore', output, output],
      shell: process.platform === 'win32',
      timeout: LONGEST_STAGE_MS,
    })
    child.once('error', reject)
    child.once('close', code => resolve(code ?? 1))
  })
}

const readReport = (path: string) => readFile(path, 'utf8').catch(() => null)
const countOne = (isPassed: boolean): Counts => ({ ...none, [isPassed ? 'passed' : 'failed']: 1 })

/**
 * Runs all unit tests, with those that use a database on each relevant kind of PostgreSQL.
 * @param workers number of workers, if other stages run at the same time; the output then appears at the end
 */
export async function unitTests(folder: string, workers?: number): Promise<Counts> {
  await provideFaketime()
  const report = join(folder, 'unit.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const settings = { TEST_DATABASES: 'each', TMPDIR: folder }
  if (workers === undefined) {
    const status = await run('vitest', args, settings)
    return countVitest(await readReport(report), status)
  }
  const path = join(folder, 'unit.txt')
  const output = await open(path, 'w')
  const status = await run('vitest', [...args, `--maxWorkers=${workers}`], settings, output.fd)
  await output.close()
  console.log(await readFile(path, 'utf8'))
  return countVitest(await readReport(report), status)
}

/** Installs libfaketime for the simulated season if the user has permission. Otherwise, reports that it is skipped. */
async function provideFaketime(): Promise<void> {
  if (await findFaketime()) return
  await installPackages(FAKETIME_PACKAGE)
  if (!(await findFaketime()))
    console.log(`There is no libfaketime here: the simulated season is skipped (apt-get install ${FAKETIME_PACKAGE})`)
}

/** Runs both concurrently, because neither keeps all cores busy. The tests then find the app already built. */
export async function checkAndBuild(): Promise<Counts> {
  const [status] = await Promise.all([run('node', ['scripts/check.ts']), ensureAppBuilt()])
  return countOne(status === 0)
}

/** Runs the browser journeys. The most important ones run in each engine that is available or can be installed. */
export async function browserTests(folder: string): Promise<Counts> {
  await provideChromium()
  await provideOtherBrowsers()
  const report = join(folder, 'browser.json')
  const settings = { PLAYWRIGHT_JSON_OUTPUT_NAME: report, TMPDIR: folder }
  const status = await run('playwright', ['test', '--reporter=list,json'], settings)
  return countPlaywright(await readReport(report), status)
}

/** Runs third-party programs, validators and libraries against the portal, with their own packages. */
export async function neighbourTests(folder: string): Promise<Counts> {
  const report = join(folder, 'neighbours.json')
  const args = ['tools/neighbours/run.ts', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const status = await run('node', args, { TMPDIR: folder })
  return countVitest(await readReport(report), status)
}
