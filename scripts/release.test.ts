// @module-tag extended
import { execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { npm } from './npm.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

let folder: string
let released: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'released-'))
  const { stdout } = await run(npm.command, [...npm.args, 'run', '--silent', 'release'], { cwd: root })
  file = join(root, stdout.trim().split('\n').at(-1) as string)
  await run('sha256sum', ['--check', '--quiet', `${file}.sha256`], { cwd: join(file, '..') })
  await run('tar', ['-xzf', file, '-C', folder])
  released = join(folder, (await readdir(folder))[0] as string)
}, 300_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a release is complete, with checksums and licences, but without app sources, tests and build tools', async () => {
  await run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: released })
  const names = await readdir(released)
  for (const name of ['src', 'e2e', 'vite.config.ts', 'tsconfig.json']) expect(names).not.toContain(name)
  const packages = await readdir(join(released, 'node_modules'))
  for (const name of ['vite', 'vitest', 'typescript', 'react', '@mantine']) expect(packages).not.toContain(name)
  expect((await readdir(join(released, 'server'), { recursive: true })).filter(name => /\.test\./.test(name))).toEqual(
    [],
  )
  const bill = JSON.parse(await readFile(join(released, 'sbom.cdx.json'), 'utf8'))
  const origin = JSON.parse(await readFile(`${file.replace(/\.tar\.gz$/, '')}.provenance.json`, 'utf8'))
  expect((await readFile(`${file}.sha256`, 'utf8')).startsWith(origin.subject[0].digest.sha256)).toBe(true)
  expect((await stat(file)).size).toBeLessThan(100e6)
  expect(bill.bomFormat).toBe('CycloneDX')
  expect(bill.components.map(({ name }: { name: string }) => name)).toContain('hono')
  expect((await stat(join(released, 'dist/third-party-notices.txt'))).size).toBeGreaterThan(10_000)
}, 60_000)

test('an unpacked release starts without npm, Node, sources or a build, and shows the programme', async () => {
  const data = await mkdtemp(join(tmpdir(), 'released-data-'))
  const child = spawn(join(released, 'packaging/portal'), [], {
    env: { PATH: '/usr/bin:/bin', HOME: '/nowhere', DATA_DIR: data, PORT: '0', LOG_LEVEL: 'error', PROCESSES: '1' },
    stdio: 'pipe',
  })
  const ended = new Promise<number | null>(resolve => child.on('exit', resolve))
  try {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
    while (!/http:\/\/\S+/.test(output) && child.exitCode === null) await sleep(100)
    const [url] = /http:\/\/\S+/.exec(output) ?? [output]
    const show = async () => (await fetch(`${url}/courses`)).text()
    // Under load, the server-rendered HTML may not be ready until the next visitor arrives.
    await expect.poll(show, { timeout: 30_000, interval: 500 }).toContain('/course-details/')
    expect((await fetch(`${url}/api/health/ready`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  } finally {
    child.kill('SIGKILL')
    await ended
    await rm(data, { recursive: true, force: true })
  }
}, 120_000)

test('a version whose tag names another commit is not released again', async () => {
  const clone = join(folder, 'clone')
  await run('git', ['clone', '--quiet', '--no-tags', root, clone])
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'))
  await cp(join(root, 'scripts/release.ts'), join(clone, 'scripts/release.ts'))
  const { version } = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8'))
  await run('git', ['tag', `v${version}`], { cwd: clone })
  await run('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.com', 'commit', '-qm', 'next', '--allow-empty'], {
    cwd: clone,
  })
  const failed: { code: number; stderr: string } = await run(process.execPath, ['scripts/release.ts'], {
    cwd: clone,
  }).then(
    () => Promise.reject(new Error('released')),
    error => error,
  )
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining(`version ${version} is already released`)])
})
