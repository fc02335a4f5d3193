import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureAppBuilt } from '../../server/app-build.ts'
import { startExternalPostgres } from '../../server/test/external-postgres.ts'
import { provideChromium, provideOtherEngines } from '../browsers.ts'
import { type Counts, countPlaywright, countVitest, none } from './counts.ts'

const root = join(import.meta.dirname, '../..')
/** A stage that hangs is ended and counts as failed. */
const LONGEST_STAGE_MS = 15 * 60_000

type Settings = Record<string, string>

/** Runs a command of node_modules/.bin with its output on ours. @returns its exit status, 1 when it was killed */
function run(command: string, args: string[], settings: Settings = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...settings },
      stdio: 'inherit',
      shell: process.platform === 'win32',
      timeout: LONGEST_STAGE_MS,
    })
    child.once('error', reject)
    child.once('close', code => resolve(code ?? 1))
  })
}

const readReport = (path: string) => readFile(path, 'utf8').catch(() => null)
const countOne = (isPassed: boolean): Counts => ({ ...none, [isPassed ? 'passed' : 'failed']: 1 })

export const check = async (): Promise<Counts> => countOne((await run('node', ['scripts/check.ts'])) === 0)

async function vitest(report: string, args: string[], settings?: Settings): Promise<Counts> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const status = await run('vitest', ['run', ...reporters, ...args], settings)
  return countVitest(await readReport(report), status)
}

export const unitTests = (folder: string): Promise<Counts> => vitest(join(folder, 'unit.json'), [])

/** The tests that talk to the database through SQL, on the PostgreSQL of an operator instead of the embedded one. */
export async function externalDatabaseTests(folder: string): Promise<Counts> {
  const files = (await readdir(join(root, 'server'), { recursive: true })).filter(name => name.endsWith('.test.ts'))
  const texts = await Promise.all(
    files.map(async name => ({ name, text: await readFile(join(root, 'server', name), 'utf8') })),
  )
  const near = texts
    .filter(({ text }) => /\bcreateTest(?:Database|Server)\b/.test(text))
    .map(({ name }) => `server/${name}`)
  const postgres = await startExternalPostgres()
  console.log(`PostgreSQL ${postgres.version}`)
  try {
    const settings = { TEST_DATABASE_URL: postgres.url }
    return await vitest(join(folder, 'external.json'), ['--project', 'server', ...near], settings)
  } finally {
    await postgres.stop()
  }
}

export async function build(): Promise<Counts> {
  await ensureAppBuilt()
  return countOne(true)
}

async function playwright(report: string, projects: string[]): Promise<Counts> {
  const settings = { CHROMIUM_PATH: await provideChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  const chosen = projects.map(name => `--project=${name}`)
  const status = await run('playwright', ['test', '--reporter=list,json', ...chosen], settings)
  return countPlaywright(await readReport(report), status)
}

export const browserTests = (folder: string): Promise<Counts> =>
  playwright(join(folder, 'browser.json'), ['phone', 'desktop'])

/** The journeys on which everything hangs, in each engine that is here or can be had. */
export async function engineTests(folder: string): Promise<Counts> {
  await provideOtherEngines()
  return playwright(join(folder, 'engines.json'), ['chromium', 'firefox', 'webkit'])
}
