import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const project = join(import.meta.dirname, '../../..')
let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'my project '))
  for (const folder of ['server/platform/process', 'scripts']) await mkdir(join(root, folder), { recursive: true })
  for (const file of ['server/platform/process/own-node.mjs', 'scripts/run.mjs'])
    await cp(join(project, file), join(root, file))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const installPackages = () => symlink(join(project, 'node_modules'), join(root, 'node_modules'))
/** Node.js options after which it resembles version 20. */
const asVersion20 = [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    Object.defineProperty(process.versions, 'node', { value: '20.20.2' })
    delete process.execve
  `)}`,
]
const runScript = (options: string[], ...args: string[]) =>
  spawnSync(process.execPath, [...options, join(root, 'scripts/run.mjs'), ...args], { encoding: 'utf8' })

test('an outdated Node.js without one among the packages is reported in one line', () => {
  const { status, stdout, stderr } = runScript(asVersion20, 'server/start.mjs')
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^Node\.js 22\.18 or newer is needed, this is 20\.20\.2\. [^\n]+ install Node\.js 24\.\n$/)
})

test('a sufficient Node.js runs scripts without one among the packages', async () => {
  await writeFile(join(root, 'scripts/greet.ts'), "console.log('hello', process.argv[2] as string)")
  expect(runScript([], 'scripts/greet.ts', 'you')).toMatchObject({ status: 0, stdout: 'hello you\n', stderr: '' })
})

test.each([
  ['replaced', []],
  ['kept as the parent', asVersion20],
])(
  'the process is %s: the Node.js of the packages runs the script, with arguments and exit status',
  async (_, options) => {
    await installPackages()
    await writeFile(
      join(root, 'scripts/show.ts'),
      `console.log(JSON.stringify([process.versions.node, process.argv.slice(2), process.env.PATH]))
    process.exitCode = 7 as number`,
    )
    const { status, stdout, stderr } = runScript(options, 'scripts/show.ts', 'a b', '--c')
    expect({ status, stderr }).toEqual({ status: 7, stderr: '' })
    const [version, args, path] = JSON.parse(stdout)
    expect(version).toMatch(/^24\./)
    expect(args).toEqual(['a b', '--c'])
    expect(path.split(':').slice(0, 2)).toEqual([
      expect.stringMatching(/node_modules\/node-[\w-]+\/bin$/),
      expect.stringMatching(/node_modules\/\.bin$/),
    ])
  },
)

test.each([
  ['replaced', []],
  ['kept as the parent', asVersion20],
])('the process is %s: the portal has its memory options and receives signals', async (_, options) => {
  await installPackages()
  await writeFile(
    join(root, 'server/start.mjs'),
    `process.on('SIGTERM', () => process.exit(0))
    setInterval(() => {}, 1000)
    console.log(process.execArgv.join(' '), process.env.MALLOC_ARENA_MAX, process.env.MALLOC_TRIM_THRESHOLD_)`,
  )
  const child = spawn(process.execPath, [...options, join(root, 'scripts/run.mjs'), 'server/start.mjs'])
  const ended = once(child, 'exit')
  const [output] = await once(child.stdout, 'data')
  expect(String(output)).toBe('--max-semi-space-size=16 --heap-growing-percent=30 --expose-gc 1 131072\n')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
