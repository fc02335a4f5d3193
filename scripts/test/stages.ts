import { spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installPackages, provideChromium, provideOtherBrowsers } from '../../e2e/browsers.ts'
import { ensureAppBuilt } from '../../server/first-view/app-build.ts'
import { FAKETIME_PACKAGE, findFaketime } from '../../server/test/season/test-clock.ts'
import { type Counts, countPlaywright, countVitest, none } from './counts.ts'

const root = join(import.meta.dirname, '../..')
/** A stage that hangs is ended and counts as failed. */
const LONGEST_STAGE_MS = 30 * 60_000

type Settings = Record<string, string>

/**
 * Runs a command of node_modules/.bin.
 * @param output where it writes, by a file's number; on ours without one @returns its exit status, 1 when it was killed
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
 * All of them, those near the database on the kinds of PostgreSQL that matter to them.
 * @param workers beside something else: how many; what they say comes when they have ended
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

/** Installs libfaketime for the simulated season where this user may; else reports that it is skipped. */
async function provideFaketime(): Promise<void> {
  if (await findFaketime()) return
  await installPackages(FAKETIME_PACKAGE)
  if (!(await findFaketime()))
    console.log(`There is no libfaketime here: the simulated season is skipped (apt-get install ${FAKETIME_PACKAGE})`)
}

/** Both together: neither keeps all cores busy. The tests find the app built. */
export async function checkAndBuild(): Promise<Counts> {
  const [status] = await Promise.all([run('node', ['scripts/check.ts']), ensureAppBuilt()])
  return countOne(status === 0)
}

/** The journeys, and those on which everything hangs in each engine that is here or can be had. */
export async function browserTests(folder: string): Promise<Counts> {
  await provideChromium()
  await provideOtherBrowsers()
  const report = join(folder, 'browser.json')
  const settings = { PLAYWRIGHT_JSON_OUTPUT_NAME: report, TMPDIR: folder }
  const status = await run('playwright', ['test', '--reporter=list,json'], settings)
  return countPlaywright(await readReport(report), status)
}

/** The programs, validators and libraries of others that meet the portal, with their own packages. */
export async function neighbourTests(folder: string): Promise<Counts> {
  const report = join(folder, 'neighbours.json')
  const args = ['tools/neighbours/run.ts', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const status = await run('node', args, { TMPDIR: folder })
  return countVitest(await readReport(report), status)
}
