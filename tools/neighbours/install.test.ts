import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { npm } from '../../scripts/npm.ts'

/**
 * The first minute of a newcomer: clone, `npm ci`, `npm start`, with the npm and Node.js of systems in use. Each pair
 * takes minutes; PAIRS=all tries every npm with every Node.js, the check and a journey included.
 */
const NPMS = { '9.2.0': 'Debian 12 and 13', '10.8.2': 'Node.js 20', '11.6.2': 'Node.js 24', '12.2.2': 'the newest' }
const NODES = ['20.20.2', '22.23.5', '24.21.0']
const PAIRS = [
  ['9.2.0', '20.20.2'],
  ['10.8.2', '20.20.2'],
  ['11.6.2', '22.23.5'],
  ['12.2.2', '24.21.0'],
]
/** npm 12 refuses to run on Node.js 20. */
const isPossible = ([npmVersion, node]: string[]) => !(npmVersion?.startsWith('12.') && node?.startsWith('20.'))
const isLong = process.env.PAIRS === 'all'
const pairs = isLong
  ? Object.keys(NPMS)
      .flatMap(version => NODES.map(node => [version, node]))
      .filter(isPossible)
  : PAIRS
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

test.runIf(process.platform === 'linux').for(pairs)(
  'with npm %s on Node.js %s, a clone is installed, checked, started and stopped',
  { timeout: 2 * PATIENCE_MS },
  async ([npmVersion = '', nodeVersion = '']) => {
    const [npmAt, nodeAt] = await Promise.all([provide('npm', npmVersion), provide(nodePackage, nodeVersion)])
    const clone = join(folder, `clone ${npmVersion} ${nodeVersion}`)
    await cloneProject(clone)
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
    const npmRun = (step: string, ...args: string[]) =>
      timed(step, run(node, [npmCli, ...args], { cwd: clone, env, timeout: PATIENCE_MS, maxBuffer: 2 ** 26 }))

    const { stdout: packages } = await npmRun('ci', 'ci', '--no-audit')
    // A test of one file, with the Node.js of the packages.
    const { stdout } = await npmRun('unit', 'run', 'unit', '--', 'contract/words.test.ts', '--reporter=verbose')
    expect(stdout).toMatch(/Tests .*passed/)

    const portal = await timed('start', start(node, [npmCli, 'start'], clone, env))
    const health = await fetch(`${portal.url}/api/health`)
    expect(health.status).toBe(200)
    const courses = (await (await fetch(`${portal.url}/api/course`)).json()) as unknown[]
    expect(courses.length).toBeGreaterThan(10)
    portal.child.kill('SIGTERM')
    expect(await portal.ended, portal.output()).toBe(0)
    await expect(fetch(`${portal.url}/api/health`)).rejects.toThrow()
    if (isLong) {
      await npmRun('check', 'run', 'check')
      const journey = await npmRun('journey', 'run', 'journey', '--', 'log-in.spec.ts', '--project=phone')
      expect(journey.stdout).toMatch(/\d+ passed/)
    }
    const [added] = /added \d+ packages/.exec(packages) ?? []
    const { stdout: size } = await run('du', ['-sm', join(clone, 'node_modules')])
    console.log(
      `npm ${npmVersion}, Node.js ${nodeVersion}: ${added}, ${Number.parseInt(size, 10)} MB; seconds ${JSON.stringify(seconds)}`,
    )
    await rm(clone, { recursive: true, force: true, maxRetries: 5 })
  },
)
