import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { npm } from '../../scripts/npm.ts'

/**
 * The first minute of a newcomer: clone, `npm ci`, `npm start`, with the npm and Node.js of systems in use.
 * PAIRS=all tries every npm with every Node.js, each with a clone, the check and a journey of its own.
 */
const NPMS = { '9.2.0': 'Debian 12 and 13', '10.8.2': 'Node.js 20', '11.6.2': 'Node.js 24', '12.2.2': 'the newest' }
const NODES = ['20.20.2', '22.23.5', '24.21.0']
type Pair = [npm: string, node: string]
/**
 * The pairs of each clone: the oldest and the newest npm install the packages. The one between each of them and the
 * other only has to accept the lock file and to run what they have installed.
 */
const CLONES: [Pair, ...Pair[]][] = [
  [
    ['9.2.0', '20.20.2'],
    ['10.8.2', '20.20.2'],
  ],
  [
    ['12.2.2', '24.21.0'],
    ['11.6.2', '22.23.5'],
  ],
]
/** npm 12 refuses to run on Node.js 20. */
const isPossible = ([npmVersion, node]: Pair) => !(npmVersion.startsWith('12.') && node.startsWith('20.'))
const isLong = process.env.PAIRS === 'all'
const clones = isLong
  ? Object.keys(NPMS)
      .flatMap(version => NODES.map((node): Pair => [version, node]))
      .filter(isPossible)
      .map((pair): [Pair] => [pair])
  : CLONES
const PATIENCE_MS = 20 * 60_000

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const nodePackage = `node-${process.platform}-${process.arch}`
let folder: string
const children: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first minute '))
})
afterAll(async () => {
  for (const { pid } of children) if (pid) killGroup(pid)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Installs one package into a folder of its own. @returns the folder of the package */
async function installPackage(name: string, version: string): Promise<string> {
  const at = join(folder, `${name}@${version}`)
  await mkdir(at)
  await writeFile(join(at, 'package.json'), '{"private":true}')
  await run(npm.command, [...npm.args, 'install', '--ignore-scripts', '--no-audit', `${name}@${version}`], { cwd: at })
  return join(at, 'node_modules', name)
}
const installed = new Map<string, Promise<string>>()
function provide(name: string, version: string): Promise<string> {
  const key = `${name}@${version}`
  const known = installed.get(key) ?? installPackage(name, version)
  installed.set(key, known)
  return known
}

/** Copies what a clone would have: the files known to git, as they are in the working tree. */
async function cloneProject(to: string): Promise<void> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await run('git', list, { cwd: root, maxBuffer: 2 ** 26 })
  for (const file of stdout.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(to, file)), { recursive: true })
    await cp(join(root, file), join(to, file)).catch(error => {
      // Deleted, but not yet committed.
      if (error.code !== 'ENOENT') throw error
    })
  }
}

/** Starts the project and resolves to its URL once it is printed. */
async function start(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  let output = ''
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
        if (found) resolve(found)
      })
    void ended.then(code => reject(new Error(`npm start ended with ${code}: ${output}`)))
  })
  return { child, ended, url: await url, output: () => output }
}

/** Runs npm commands of a pair in a clone, and measures them. */
async function openPair(clone: string, [npmVersion, nodeVersion]: Pair) {
  const [npmAt, nodeAt] = await Promise.all([provide('npm', npmVersion), provide(nodePackage, nodeVersion)])
  const node = join(nodeAt, 'bin/node')
  const npmCli = join(npmAt, 'bin/npm-cli.js')
  // Without what the running npm and vitest have set.
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|vitest|node_env|node_options|init_cwd)/i.test(name),
  )
  const env = {
    ...Object.fromEntries(others),
    PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    PORT: '0',
    DATA_DIR: join(clone, 'data'),
  }
  const seconds: Record<string, number> = {}
  const timed = async <T>(step: string, work: Promise<T>): Promise<T> => {
    const since = performance.now()
    const result = await work
    seconds[step] = Math.round((performance.now() - since) / 100) / 10
    return result
  }
  return {
    seconds,
    run: (step: string, ...args: string[]) =>
      timed(step, run(node, [npmCli, ...args], { cwd: clone, env, timeout: PATIENCE_MS, maxBuffer: 2 ** 26 })),
    start: () => timed('start', start(node, [npmCli, 'start'], clone, env)),
  }
}

async function expectRunning({ run, start }: Awaited<ReturnType<typeof openPair>>): Promise<void> {
  // A test of one file, with the Node.js of the packages.
  const { stdout } = await run('unit', 'run', 'unit', '--', 'contract/words.test.ts', '--reporter=verbose')
  expect(stdout).toMatch(/Tests .*passed/)

  const portal = await start()
  const health = await fetch(`${portal.url}/api/health`)
  expect(health.status).toBe(200)
  const courses = (await (await fetch(`${portal.url}/api/course`)).json()) as unknown[]
  expect(courses.length).toBeGreaterThan(10)
  portal.child.kill('SIGTERM')
  expect(await portal.ended, portal.output()).toBe(0)
  await expect(fetch(`${portal.url}/api/health`)).rejects.toThrow()
}

const nameOf = ([npmVersion, nodeVersion]: Pair) => `npm ${npmVersion} on Node.js ${nodeVersion}`

describe
  .runIf(process.platform === 'linux')
  .each(clones.map(([first, ...others]) => ({ name: nameOf(first), first, others })))(
  'a clone of $name',
  ({ name, first, others }) => {
    const clone = () => join(folder, `clone ${first.join(' ')}`)
    afterAll(() => rm(clone(), { recursive: true, force: true, maxRetries: 5 }))

    test('is installed, checked, started and stopped', { timeout: 2 * PATIENCE_MS }, async () => {
      await cloneProject(clone())
      const pair = await openPair(clone(), first)
      const { stdout: packages } = await pair.run('ci', 'ci', '--no-audit')
      await expectRunning(pair)
      if (isLong) {
        await pair.run('check', 'run', 'check')
        const journey = await pair.run('journey', 'run', 'journey', '--', 'log-in.spec.ts', '--project=phone')
        expect(journey.stdout).toMatch(/\d+ passed/)
      }
      const [added] = /added \d+ packages/.exec(packages) ?? []
      const { stdout: size } = await run('du', ['-sm', join(clone(), 'node_modules')])
      console.log(`${name}: ${added}, ${Number.parseInt(size, 10)} MB; seconds ${JSON.stringify(pair.seconds)}`)
    })

    test.for(others.map((pair): [string, Pair] => [nameOf(pair), pair]))(
      'is accepted, started and stopped by %s',
      { timeout: 2 * PATIENCE_MS },
      async ([, pair]) => {
        const opened = await openPair(clone(), pair)
        await opened.run('ci', 'ci', '--no-audit', '--dry-run')
        await expectRunning(opened)
      },
    )
  },
)
