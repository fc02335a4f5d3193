// @module-tag extended
import { execFileSync, spawn } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFreePort } from '#server/test/free-port.ts'
import { formatPublicKeyFile, signFile, verifyFileSignature } from './signature.ts'
import { type ServiceManager, type UpgradeOptions, upgradeRelease } from './upgrade.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519').privateKey

/** Creates a program that counts its starts in the data folder and then serves, or changes the data and ends. */
const program = (version: string, isBroken: boolean) => `#!/usr/bin/env node
const { appendFileSync } = require('node:fs')
appendFileSync(process.env.DATA_DIR + '/starts', '${version}\\n')
if (${isBroken}) process.exit(1)
require('node:http').createServer((_, response) => response.end('${version}')).listen(process.env.PORT, '127.0.0.1')
`

let folder: string
let port: number
let running: ReturnType<typeof spawn> | null = null
const lines: string[] = []
let backups = 0

/** Starts and stops the release to which the link points, like systemd. */
const service: ServiceManager = {
  async stop() {
    if (running && running.exitCode === null) {
      running.kill()
      await once(running, 'exit')
    }
    running = null
  },
  async start() {
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: join(folder, 'data'), PORT: String(port) }
    running = spawn(process.execPath, [join(folder, 'portal/packaging/portal.cjs')], { env, stdio: 'ignore' })
  },
  async backUp() {
    backups += 1
  },
  install: async () => undefined,
}
const answer = async () => (await fetch(`http://127.0.0.1:${port}/`)).text()

async function writeRelease(at: string, version: string, isBroken: boolean): Promise<void> {
  await mkdir(join(at, 'packaging'), { recursive: true })
  await writeFile(join(at, 'package.json'), JSON.stringify({ version }))
  await writeFile(join(at, 'packaging/portal.cjs'), program(version, isBroken))
  await writeFile(join(at, 'packaging/release.pub'), formatPublicKeyFile(privateKey))
}

/** Packs a release. @returns the archive, next to its checksum and signature */
async function packRelease(version: string, { isBroken = false, key = privateKey } = {}): Promise<string> {
  const name = `portal-${version}`
  const made = join(folder, 'made', name)
  await writeRelease(made, version, isBroken)
  const file = join(folder, `${name}.tar.gz`)
  execFileSync('tar', ['-czf', file, '-C', join(folder, 'made'), name])
  const sum = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  await writeFile(`${file}.sha256`, `${sum}  ${name}.tar.gz\n`)
  await writeFile(`${file}.minisig`, await signFile(file, key, name))
  return file
}

const wishFor = (file: string, values: Partial<UpgradeOptions> = {}): UpgradeOptions => ({
  file,
  link: join(folder, 'portal'),
  dataDir: join(folder, 'data'),
  isUnsignedAccepted: false,
  service,
  isReady: async () => (await answer()) !== '',
  patienceMs: 3_000,
  tell: line => void lines.push(line),
  ...values,
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upgrade-'))
  port = await findFreePort()
  lines.length = 0
  backups = 0
  await writeRelease(join(folder, 'portal-1.0.0'), '1.0.0', false)
  await symlink(join(folder, 'portal-1.0.0'), join(folder, 'portal'))
  await mkdir(join(folder, 'data'))
  await service.start()
  await expect.poll(() => answer().catch(() => '')).toBe('1.0.0')
})
afterEach(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})
const readStarts = () => readFile(join(folder, 'data/starts'), 'utf8')

test('the next release serves the same data after a backup, and reports how to go back', async () => {
  await upgradeRelease(wishFor(await packRelease('2.0.0')))
  expect(await answer()).toBe('2.0.0')
  expect(await readStarts()).toBe('1.0.0\n2.0.0\n')
  expect(await readlink(join(folder, 'portal'))).toBe(join(folder, 'portal-2.0.0'))
  expect(backups).toBe(1)
  expect(lines.join('\n')).toMatch(
    /verified: portal-2\.0\.0[\s\S]*1\.0\.0 → 2\.0\.0: ready\. To go back: .*portal-1\.0\.0/,
  )
  expect((await readdir(folder)).filter(name => name.startsWith('data'))).toEqual(['data'])
})

test('a release that does not become ready is rolled back together with its data', async () => {
  const file = await packRelease('2.0.0', { isBroken: true })
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(join(folder, 'data'), 65_534, 65_534)
  await expect(upgradeRelease(wishFor(file))).rejects.toThrow('The upgrade to 2.0.0 failed, 1.0.0 serves as before')
  expect(await answer()).toBe('1.0.0')
  expect(await readStarts()).toBe('1.0.0\n1.0.0\n')
  expect(await readlink(join(folder, 'portal'))).toBe(join(folder, 'portal-1.0.0'))
  if (isRoot) expect(await stat(join(folder, 'data'))).toMatchObject({ uid: 65_534, gid: 65_534 })
  // Nothing remains that would block the next attempt.
  await upgradeRelease(wishFor(await packRelease('2.0.0')))
  expect(await answer()).toBe('2.0.0')
})

test('a failed start is rolled back immediately', async () => {
  const failing: ServiceManager = {
    ...service,
    async start() {
      if ((await readlink(join(folder, 'portal'))).endsWith('portal-2.0.0'))
        throw new Error('Job for portal.service failed')
      await service.start()
    },
  }
  const since = performance.now()
  const wish = wishFor(await packRelease('2.0.0', { isBroken: true }), { service: failing, patienceMs: 60_000 })
  await expect(upgradeRelease(wish)).rejects.toThrow('The upgrade to 2.0.0 failed, 1.0.0 serves as before')
  expect(performance.now() - since).toBeLessThan(30_000)
  expect(await answer()).toBe('1.0.0')
})

test.each<[string, (file: string) => Promise<unknown>, string]>([
  [
    'another key',
    async () => packRelease('2.0.0', { key: other }),
    'is not signed by the key of the installed release',
  ],
  ['a changed archive', file => writeFile(file, 'changed'), 'does not fit'],
  ['no signature', file => rm(`${file}.minisig`), 'cannot be verified'],
  [
    'a signature of another archive',
    async file => writeFile(`${file}.minisig`, await readFile(`${await packRelease('3.0.0')}.minisig`)),
    'is not signed',
  ],
])('%s: nothing is touched', async (_, change, reason) => {
  const file = await packRelease('2.0.0')
  await change(file)
  await expect(upgradeRelease(wishFor(file))).rejects.toThrow(reason)
  expect([await answer(), await readStarts(), backups]).toEqual(['1.0.0', '1.0.0\n', 0])
  expect(await readlink(join(folder, 'portal'))).toBe(join(folder, 'portal-1.0.0'))
})

test('a signature covers content and comment, and identifies its key', async () => {
  const file = join(folder, 'file')
  await writeFile(file, 'content')
  const signature = await signFile(file, privateKey, 'file 1')
  expect(await verifyFileSignature(file, signature, formatPublicKeyFile(privateKey))).toBe('file 1')
  expect(
    await verifyFileSignature(file, signature.replace('file 1', 'file 2'), formatPublicKeyFile(privateKey)),
  ).toBeNull()
  expect(await verifyFileSignature(file, signature, formatPublicKeyFile(other))).toBeNull()
  await writeFile(file, 'content ')
  expect(await verifyFileSignature(file, signature, formatPublicKeyFile(privateKey))).toBeNull()
})
