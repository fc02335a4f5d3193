// @module-tag extended
import { execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openEmbeddedPostgres } from '#server/platform/postgres/embedded.ts'
import { findFreePort } from '#server/test/free-port.ts'
import { packReleaseArchive } from '#server/test/release-archive.ts'
import { formatPublicKeyFile, signFile, verifyFileSignature } from './signature.ts'
import { type ServiceManager, type UpgradeOptions, undoUpgrade, upgradeRelease } from './upgrade.ts'

/** Called before each rename; the command is killed there if it never resolves. */
let beforeRename: (from: string) => Promise<void> = async () => {}
vi.mock('node:fs/promises', async original => {
  const real = await original<typeof import('node:fs/promises')>()
  return { ...real, rename: (from: string, to: string) => beforeRename(from).then(() => real.rename(from, to)) }
})

const { privateKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519').privateKey

/**
 * Creates a program that counts its starts in its database and then serves, or changes the data and ends. It opens no
 * database that another version has migrated.
 */
const program = (version: string, { isBroken = false, isMigrating = false }) => `#!/usr/bin/env node
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
const at = process.env.DATABASE
appendFileSync(at + '/starts', '${version}\\n')
if (existsSync(at + '/schema') && readFileSync(at + '/schema', 'utf8') !== '${version}') process.exit(1)
if (${isMigrating}) writeFileSync(at + '/schema', '${version}')
if (${isBroken}) process.exit(1)
require('node:http').createServer((request, response) => {
  if (request.method === 'POST') appendFileSync(at + '/bookings', request.url + '\\n')
  response.end('${version}')
}).listen(process.env.PORT, '127.0.0.1')
`

type ReleaseKind = Parameters<typeof program>[1]

let folder: string
let port: number
/** folder with the data; another one than the data folder if the database is external */
let database: string
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
    const env = { PATH: process.env.PATH ?? '', DATABASE: database, PORT: String(port) }
    const started = spawn(process.execPath, [join(folder, 'portal/packaging/portal.cjs')], { env, stdio: 'ignore' })
    running = started
    // Like Type=notify: resolves when the program accepts requests.
    while ((await answer().catch(() => '')) === '') {
      if (started.exitCode !== null) throw new Error('Job for portal.service failed')
      await sleep(20)
    }
  },
  async backUp() {
    backups += 1
  },
  install: async () => undefined,
}
const nextIsLinked = async () => (await readlink(join(folder, 'portal'))).endsWith('portal-2.0.0')
const book = async (name: string) => (await fetch(`http://127.0.0.1:${port}/${name}`, { method: 'POST' })).text()
const readBookings = (path = 'data/bookings') => readFile(join(folder, path), 'utf8')
const answer = async () => (await fetch(`http://127.0.0.1:${port}/`)).text()

async function writeRelease(at: string, version: string, kind: ReleaseKind): Promise<void> {
  await mkdir(join(at, 'packaging'), { recursive: true })
  await writeFile(join(at, 'package.json'), JSON.stringify({ version }))
  await writeFile(join(at, 'packaging/portal.cjs'), program(version, kind))
  await writeFile(join(at, 'packaging/release.pub'), formatPublicKeyFile(privateKey))
}

/** Packs a signed release. @returns the archive, next to its checksum and signature */
async function packRelease(
  version: string,
  { key = privateKey, ...kind }: ReleaseKind & { key?: typeof privateKey } = {},
): Promise<string> {
  const file = await packReleaseArchive(folder, version, at => writeRelease(at, version, kind))
  await writeFile(`${file}.minisig`, await signFile(file, key, `portal-${version}`))
  return file
}

const wishFor = (file: string, values: Partial<UpgradeOptions> = {}): UpgradeOptions => ({
  file,
  link: join(folder, 'portal'),
  dataDir: join(folder, 'data'),
  isDatabaseExternal: false,
  isUnsignedAccepted: false,
  service,
  isReady: async () => (await answer()) !== '',
  patienceMs: 30_000,
  tell: line => void lines.push(line),
  ...values,
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upgrade-'))
  port = await findFreePort()
  lines.length = 0
  backups = 0
  await writeRelease(join(folder, 'portal-1.0.0'), '1.0.0', {})
  await symlink(join(folder, 'portal-1.0.0'), join(folder, 'portal'))
  database = join(folder, 'data')
  await mkdir(database)
  await service.start()
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
  expect(await readdir(join(folder, 'data'))).toEqual(['starts'])
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

/** A program that the command runs fails half-way, as on a full disk. */
async function breakProgram(name: string): Promise<() => void> {
  const { PATH } = process.env
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(
    join(folder, 'bin', name),
    '#!/bin/sh\nfor last; do :; done\necho half > "$last/starts"\nyes "No space left on device" | head -999 >&2\nexit 1\n',
  )
  await chmod(join(folder, 'bin', name), 0o755)
  process.env.PATH = `${join(folder, 'bin')}:${PATH}`
  return () => {
    process.env.PATH = PATH
  }
}

/** Follows the command until a step of the service manager that never ends, as when the command is killed there. */
async function killAt(
  step: 'backUp' | 'stop' | 'start' | 'isReady',
  file: string,
  values: Partial<UpgradeOptions> = {},
): Promise<void> {
  let reached = () => {}
  const at = new Promise<void>(resolve => {
    reached = resolve
  })
  const hang = async () => {
    reached()
    await new Promise(() => {})
  }
  const isReady = async () => !(await nextIsLinked()) || hang()
  const killed = step === 'isReady' ? { isReady } : { service: { ...service, [step]: hang } }
  void upgradeRelease(wishFor(file, { ...values, ...(killed as Partial<UpgradeOptions>) }))
  await at
}

test('a copy that fails, as on a full disk: the previous release is started again with all data', async () => {
  const mend = await breakProgram('cp')
  await book('a')
  const failed = upgradeRelease(wishFor(await packRelease('2.0.0'))).finally(mend)
  await expect(failed).rejects.toThrow(
    /^The upgrade to 2\.0\.0 failed \(No space left.{0,50}\), 1\.0\.0 serves as before/,
  )
  expect([await answer(), await readBookings()]).toEqual(['1.0.0', '/a\n'])
  expect(await readdir(join(folder, 'data'))).toEqual(['bookings', 'starts'])
  await upgradeRelease(wishFor(await packRelease('2.0.0')))
  expect(await answer()).toBe('2.0.0')
})

test('too little space for the copy: the portal is not stopped', async () => {
  execFileSync('truncate', ['-s', '1M', join(folder, 'data/large')])
  const mend = await breakProgram('du')
  await writeFile(join(folder, 'bin/du'), `#!/bin/sh\necho "${Number.MAX_SAFE_INTEGER} total"\n`)
  const failed = upgradeRelease(wishFor(await packRelease('2.0.0'))).finally(mend)
  await expect(failed).rejects.toThrow(/did not begin, 1\.0\.0 was not stopped: the copy of .* needs .* MB, but only/)
  expect([await answer(), await readStarts(), backups]).toEqual(['1.0.0', '1.0.0\n', 0])
  await upgradeRelease(wishFor(await packRelease('2.0.0')))
})

test('files that vanish while the data is measured do not prevent the upgrade', async () => {
  const mend = await breakProgram('du')
  const lost = `du: cannot access '${folder}/data/outbox/1.eml.tmp': No such file or directory`
  await writeFile(join(folder, 'bin/du'), `#!/bin/sh\necho "${lost}" >&2\nprintf '4096\\ttotal\\n'\nexit 1\n`)
  await upgradeRelease(wishFor(await packRelease('2.0.0'))).finally(mend)
  expect(await answer()).toBe('2.0.0')
})

test.each(['backUp', 'stop', 'start', 'isReady'] as const)(
  'killed at %s, then repeated with a broken release: nothing acknowledged is lost',
  async step => {
    await book('a')
    await killAt(step, await packRelease('2.0.0'))
    await service.stop()
    await service.start()
    await book('b')
    // As the command advises.
    await rm(join(folder, 'portal'))
    await symlink(join(folder, 'portal-1.0.0'), join(folder, 'portal'))
    await rm(join(folder, 'portal-2.0.0'), { recursive: true })
    const file = await packRelease('2.0.0', { isBroken: true })
    if (step === 'start' || step === 'isReady') {
      await expect(upgradeRelease(wishFor(file))).rejects.toThrow('1.0.0 was not stopped: ')
      await rm(join(folder, 'data/before-2.0.0'), { recursive: true })
    }
    await expect(upgradeRelease(wishFor(file))).rejects.toThrow('1.0.0 serves as before')
    expect([await answer(), await readBookings()]).toEqual(['1.0.0', '/a\n/b\n'])
  },
)

test.each(['start', 'isReady'] as const)(
  'killed at %s: --undo goes back, and nothing acknowledged is lost',
  async step => {
    await book('a')
    await killAt(step, await packRelease('2.0.0'))
    await undoUpgrade(wishFor(''))
    expect([await answer(), await readBookings(), await readdir(join(folder, 'data'))]).toEqual([
      '1.0.0',
      '/a\n',
      ['after-2.0.0', 'bookings', 'starts'],
    ])
    await expect(undoUpgrade(wishFor(''))).rejects.toThrow('No upgrade was interrupted, and 1.0.0 serves')
  },
)

/** Lets the portal of a test use an external database. */
async function useExternalDatabase(): Promise<Partial<UpgradeOptions>> {
  await service.stop()
  database = join(folder, 'external')
  await mkdir(database)
  await service.start()
  await book('a')
  return { isDatabaseExternal: true }
}
const readExternal = async () => [await answer(), await readBookings('external/bookings')]

test.each([
  ['stop', {}],
  ['start', { isMigrating: true }],
  ['isReady', {}],
] as const)('external database, killed at %s (%o): --undo starts the previous release', async (step, kind) => {
  const external = await useExternalDatabase()
  await killAt(step, await packRelease('2.0.0', kind), external)
  if (step === 'stop') await service.stop()
  const isServing = await book('b').catch(() => '')
  await undoUpgrade(wishFor('', external))
  expect(lines.at(-1)).toMatch(/^1\.0\.0 serves/)
  expect(await readExternal()).toEqual(['1.0.0', isServing ? '/a\n/b\n' : '/a\n'])
  await expect(undoUpgrade(wishFor('', external))).rejects.toThrow('No upgrade was interrupted, and 1.0.0 serves')
  await upgradeRelease(wishFor(await packRelease('3.0.0'), external))
  expect((await readExternal())[0]).toBe('3.0.0')
})

test('external database that the new release has migrated: --undo reports that only the new one can serve', async () => {
  const external = await useExternalDatabase()
  await killAt('isReady', await packRelease('2.0.0', { isMigrating: true }), external)
  await book('b')
  await expect(undoUpgrade(wishFor('', external))).rejects.toThrow(
    /^1\.0\.0 does not get ready\. 2\.0\.0 serves, and nothing acknowledged is lost/,
  )
  expect(await readExternal()).toEqual(['2.0.0', '/a\n/b\n'])
})

test('external database, migrated by a release that then fails: both stay, and --undo starts the one that can', async () => {
  const external = await useExternalDatabase()
  const file = await packRelease('2.0.0', { isMigrating: true, isBroken: true })
  const undone = () => undoUpgrade(wishFor('', { ...external, patienceMs: 300 }))
  await expect(upgradeRelease(wishFor(file, { ...external, patienceMs: 300 }))).rejects.toThrow(
    /failed, and 1\.0\.0 does not answer either\. .*portal-2\.0\.0 is kept: remove the cause, then .*upgrade.* --undo/,
  )
  await expect(undone()).rejects.toThrow(/^1\.0\.0 does not get ready\. Nor does 2\.0\.0\. .* --undo again/)
  await writeRelease(join(folder, 'portal-2.0.0'), '2.0.0', { isMigrating: true })
  await expect(undone()).rejects.toThrow('2.0.0 serves, and nothing acknowledged is lost')
  expect(await readExternal()).toEqual(['2.0.0', '/a\n'])
})

test('a way back that cannot be completed names the reason, and completes when it is repeated', async () => {
  await book('a')
  await killAt('start', await packRelease('2.0.0'))
  const stop = async () => {
    throw Object.assign(new Error('Command failed'), { stderr: 'Failed to stop portal.service: timed out\n' })
  }
  await expect(undoUpgrade(wishFor('', { service: { ...service, stop } }))).rejects.toThrow(
    /^The way back was not completed \(Failed to stop portal\.service: timed out\): .*upgrade.* --undo again$/,
  )
  await undoUpgrade(wishFor(''))
  expect([await answer(), await readBookings()]).toEqual(['1.0.0', '/a\n'])
})

test('a failed upgrade that cannot bring the data back: --undo does it, as the last sentence says', async () => {
  await book('a')
  const stop = async () => {
    if (lines.some(line => line.startsWith('going back'))) throw new Error('Failed to stop portal.service')
    await service.stop()
  }
  const failed = upgradeRelease(
    wishFor(await packRelease('2.0.0', { isBroken: true }), { service: { ...service, stop } }),
  )
  await expect(failed).rejects.toThrow(/The data was not brought back from .*upgrade.* --undo does it/)
  await undoUpgrade(wishFor(''))
  expect([await answer(), await readStarts()]).toEqual(['1.0.0', '1.0.0\n1.0.0\n'])
})

test('a machine that stalls while a release gets ready: neither the upgrade nor --undo gives up', async () => {
  const patienceMs = 500
  const newStall = () => {
    let isStalled = false
    return async () => {
      if (!isStalled && lines.some(line => /^starting|^going back|^no data/.test(line))) {
        isStalled = true
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * patienceMs)
        throw new Error('The operation was aborted due to timeout')
      }
      return (await answer()) !== ''
    }
  }
  await upgradeRelease(wishFor(await packRelease('2.0.0'), { isReady: newStall(), patienceMs }))
  expect(await answer()).toBe('2.0.0')
  lines.length = 0
  await service.stop()
  await undoUpgrade(wishFor('', { isReady: newStall(), patienceMs }))
  expect(lines.at(-1)).toBe('2.0.0 serves.')
})

test('settings that name another address than the portal’s: the last sentence says so, and nothing is lost', async () => {
  await book('a')
  const wish = wishFor(await packRelease('2.0.0'), { isReady: async () => false, patienceMs: 300 })
  await expect(upgradeRelease(wish)).rejects.toThrow(
    '1.0.0 does not answer either, as before the upgrade: compare HOST and PORT',
  )
  expect([await answer(), await readBookings()]).toEqual(['1.0.0', '/a\n'])
})

test('without an installed release nothing is changed', async () => {
  const wish = wishFor(await packRelease('2.0.0'), { link: join(folder, 'absent') })
  await expect(upgradeRelease({ ...wish, isUnsignedAccepted: true })).rejects.toThrow(
    'is no link to an installed release',
  )
})

test('killed while the data was being copied: --undo starts the release again, and removes the half copy', async () => {
  await book('a')
  await killAt('stop', await packRelease('2.0.0'))
  await service.stop()
  await mkdir(join(folder, 'data/before-2.0.0.incomplete'))
  await undoUpgrade(wishFor(''))
  expect(lines.at(-1)).toBe('1.0.0 serves.')
  expect([await answer(), await readBookings(), await readdir(join(folder, 'data'))]).toEqual([
    '1.0.0',
    '/a\n',
    ['bookings', 'starts'],
  ])
})

test('killed while the copy of a successful upgrade was being removed: the next upgrade is not refused', async () => {
  const file = await packRelease('2.0.0')
  const reached = Promise.withResolvers<void>()
  beforeRename = async from => {
    if (!from.endsWith('before-2.0.0')) return
    beforeRename = async () => {}
    await rename(from, `${from}.incomplete`)
    reached.resolve()
    await new Promise(() => {})
  }
  void upgradeRelease(wishFor(file))
  await reached.promise
  await expect(undoUpgrade(wishFor(''))).rejects.toThrow('No upgrade was interrupted, and 2.0.0 serves')
  await upgradeRelease(wishFor(await packRelease('3.0.0')))
  expect((await readdir(join(folder, 'data'))).filter(name => name.startsWith('before-'))).toEqual([])
})

test('the way back is killed at each of its steps: --undo completes it, and nothing acknowledged is lost', async () => {
  await book('a')
  const data = join(folder, 'data')
  const file = await packRelease('2.0.0', { isBroken: true })
  let refused = 0
  for (let step = 1; ; step += 1) {
    await rm(join(folder, 'portal-2.0.0'), { recursive: true, force: true })
    let left = step
    const reached = Promise.withResolvers<'killed'>()
    beforeRename = async from => {
      // The way back begins when the copy has its name.
      if (!from.startsWith(data) || !lines.some(line => line.includes('does not get ready')) || --left > 0) return
      reached.resolve('killed')
      await new Promise(() => {})
    }
    const ended = upgradeRelease(wishFor(file)).catch(String)
    const outcome = await Promise.race([reached.promise, ended])
    beforeRename = async () => {}
    lines.length = 0
    if (outcome !== 'killed') {
      expect(outcome).toContain('1.0.0 serves as before')
      expect(step).toBeGreaterThanOrEqual(5)
      break
    }
    // No portal makes an empty database in the place of one that waits in the copy.
    const opened = openEmbeddedPostgres({ dataDir: data, role: 'tool', processLabel: 'test' })
    const refusal = await opened.then(({ stop }) => stop().then(() => ''), String)
    if (/interrupted: .*upgrade.* --undo/.test(refusal)) refused += 1
    else await rm(join(data, 'postgres'), { recursive: true, force: true })
    for (const name of await readdir(data))
      if (/^postgres\.log|^postgres-lib/.test(name)) await rm(join(data, name), { recursive: true })
    await undoUpgrade(wishFor(''))
    expect([await answer(), await readBookings()]).toEqual(['1.0.0', '/a\n'])
    await book(`b${step}`)
    expect(await readBookings()).toContain(`/b${step}\n`)
    await writeFile(join(data, 'bookings'), '/a\n')
    for (const name of await readdir(data))
      if (name.startsWith('after-')) await rm(join(data, name), { recursive: true })
    expect((await readdir(data)).sort()).toEqual(['bookings', 'starts'])
  }
  expect(refused).toBeGreaterThan(3)
  expect([await answer(), await readBookings()]).toEqual(['1.0.0', '/a\n'])
}, 120_000)

test('an incomplete copy of a killed command is not brought back', async () => {
  await mkdir(join(folder, 'data/before-2.0.0.incomplete'))
  await mkdir(join(folder, 'data.before-2.0.0'))
  await writeFile(join(folder, 'data/before-2.0.0.incomplete/bookings'), '/hal')
  await book('a')
  const failed = upgradeRelease(wishFor(await packRelease('2.0.0', { isBroken: true })))
  await expect(failed).rejects.toThrow('1.0.0 serves as before')
  expect([await answer(), await readBookings()]).toEqual(['1.0.0', '/a\n'])
})

test('a release that serves, but does not report ready: what it acknowledged is kept in the folder that is named', async () => {
  await book('a')
  const isReady = async () => {
    if (!(await nextIsLinked())) return (await answer()) === '1.0.0'
    await book('b')
    return false
  }
  for (const kept of ['after-2.0.0', 'after-2.0.0-2']) {
    const failed = upgradeRelease(wishFor(await packRelease('2.0.0'), { isReady, patienceMs: 1_500 }))
    await expect(failed).rejects.toThrow(
      `1.0.0 serves as before. What the new release wrote is in ${folder}/data/${kept}`,
    )
    expect([await answer(), await readBookings()]).toEqual(['1.0.0', '/a\n'])
    expect(await readBookings(`data/${kept}/bookings`)).toMatch(/^\/a\n\/b\n/)
  }
})

test.each(['the data folder', 'a file in it'])('%s is a symbolic link: the data is brought back', async which => {
  await book('a')
  const path = join(folder, which === 'a file in it' ? 'data/bookings' : 'data')
  await rename(path, join(folder, 'elsewhere'))
  await symlink(join(folder, 'elsewhere'), path)
  const file = await packRelease('2.0.0', { isBroken: true })
  await expect(upgradeRelease(wishFor(file))).rejects.toThrow('1.0.0 serves as before')
  expect([await answer(), await readStarts(), await readBookings()]).toEqual(['1.0.0', '1.0.0\n1.0.0\n', '/a\n'])
})

test('the units of the new release cannot be installed: the previous release is started again', async () => {
  const failing: ServiceManager = {
    ...service,
    async install() {
      if (await nextIsLinked()) throw new Error('ENOSPC: no space left on device')
    },
  }
  const failed = upgradeRelease(wishFor(await packRelease('2.0.0'), { service: failing }))
  await expect(failed).rejects.toThrow(/failed \(ENOSPC.*\), 1\.0\.0 serves as before/)
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
