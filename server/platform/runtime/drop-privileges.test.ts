// @module-tag extended
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { completeInput } from '#contract/test/profiles.ts'
import { asNobody, canBeNobody, isRoot, isServerUp, readPostmasterPid } from '#server/test/cluster.ts'
import { BASIC_FOLDER, openTestFolder } from '#server/test/import-folder.ts'
import { listWorkers, type PortalProcess, startFile, startPortal, stopPortals } from '#server/test/portal.ts'
import { chooseUnprivilegedAccount } from './drop-privileges.ts'

const programme = await openTestFolder(BASIC_FOLDER)
const folders: string[] = []
afterEach(async () => {
  await stopPortals()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})
const makeDataDir = async (tail = '') => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-root-'))
  folders.push(folder)
  if (!tail) return folder
  for (const path of [folder, join(folder, 'open')]) {
    await mkdir(path, { recursive: true })
    await chmod(path, 0o711)
  }
  return join(folder, 'open', tail)
}

type Identity = { uids: number[]; gids: number[]; groups: number[]; capabilities: string }

async function identify(pid: number): Promise<Identity> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]?.trim() ?? ''
  const numbers = (name: string) => [...new Set(field(name).split(/\s+/).filter(Boolean).map(Number))]
  return { uids: numbers('Uid'), gids: numbers('Gid'), groups: numbers('Groups'), capabilities: field('CapEff') }
}

async function register(url: string, email: string) {
  const headers = { 'Content-Type': 'application/json', Cookie: 'XSRF-TOKEN=test', 'X-XSRF-TOKEN': 'test' }
  const body = JSON.stringify({ ...completeInput(2, 3), email })
  const response = await fetch(`${url}/api/webuser/register`, { method: 'PUT', headers, body })
  return (await response.json()) as { status: string }
}

const listMails = async (dataDir: string) =>
  (await readdir(join(dataDir, 'outbox'))).filter(name => name.endsWith('.eml'))

/**
 * Exercises what a portal does at run time: hashes passwords in a worker thread, writes e-mails to files, and restarts
 * a crashed database.
 */
async function expectWorking(portal: PortalProcess, dataDir: string, email: string) {
  const url = await portal.url()
  const before = (await listMails(dataDir)).length
  expect(await register(url, email)).toMatchObject({ status: 'Ok' })
  await expect.poll(() => listMails(dataDir), { timeout: 10_000 }).toHaveLength(before + 1)
  const killed = await readPostmasterPid(dataDir)
  process.kill(killed, 'SIGKILL')
  const isReplaced = async () => (await isServerUp(dataDir)) && (await readPostmasterPid(dataDir)) !== killed
  await expect.poll(isReplaced, { timeout: 20_000 }).toBe(true)
  await expect.poll(async () => (await fetch(`${url}/api/season`)).status, { timeout: 20_000 }).toBe(200)
}

/** Lists what is in DATA_DIR but does not belong to the account. */
async function listForeign(dataDir: string, uid: number): Promise<string[]> {
  const names = [
    '',
    'postgres.log',
    'record-head',
    'deleted-accounts',
    ...(await readdir(join(dataDir, 'outbox'))).map(name => join('outbox', name)),
  ]
  const owners = await Promise.all(names.map(async name => ({ name, owner: (await stat(join(dataDir, name))).uid })))
  return owners.filter(({ owner }) => owner !== uid).map(({ name }) => name)
}

test.runIf(isRoot).each([
  ['in a folder that root has closed', ''],
  ['below a path too long for a socket', 'long-'.repeat(25)],
])('a portal started as root serves as the account of its database, %s', { timeout: 120_000 }, async (_, tail) => {
  const dataDir = await makeDataDir(tail)
  // As left by an earlier version, which wrote files as root.
  await mkdir(join(dataDir, 'outbox'), { recursive: true, mode: 0o700 })
  await writeFile(join(dataDir, 'outbox/old.txt'), 'old', { mode: 0o600 })
  // Copied back as for a restore.
  await writeFile(join(dataDir, 'deleted-accounts'), '', { mode: 0o600 })

  const portal = startPortal({ DATA_DIR: dataDir })
  await portal.url()
  const { uid, gid } = await stat(join(dataDir, 'postgres'))
  expect(uid).not.toBe(0)
  const identity = { uids: [uid], gids: [gid], groups: [gid], capabilities: '0000000000000000' }
  expect(await identify(portal.pid)).toEqual(identity)
  await expectWorking(portal, dataDir, 'first@demo.example')

  // Commands run by root still work concurrently.
  const run = promisify(execFile)
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
  const { stdout } = await run(process.execPath, [startFile, 'import', programme.path], { env })
  expect(stdout).toMatch(/^courses\.csv +[1-9]/m)
  await expectWorking(portal, dataDir, 'second@demo.example')
  expect(await listForeign(dataDir, uid)).toEqual([])

  // The next portal connects to the database that a killed one left running.
  portal.child.kill('SIGKILL')
  await portal.ended
  const next = startPortal({ DATA_DIR: dataDir })
  await next.url()
  expect(await identify(next.pid)).toEqual(identity)
  await expectWorking(next, dataDir, 'third@demo.example')
  next.child.kill('SIGTERM')
  expect(await next.ended).toBe(0)
  expect(next.errors()).toBe('')
  expect(await isServerUp(dataDir)).toBe(false)
})

const firstOpenPort = Number(
  await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '1024'),
)
test.runIf(isRoot && firstOpenPort >= 1024)(
  'on a port below 1024, a portal that dropped root ends when all workers are lost',
  { timeout: 120_000 },
  async () => {
    const port = String(600 + Math.floor(Math.random() * 400))
    const portal = startPortal({ DATA_DIR: await makeDataDir(), PROCESSES: '2', PORT: port })
    await portal.url()
    expect((await identify(portal.pid)).uids).not.toContain(0)
    const workers = await listWorkers(portal)
    expect(workers).toHaveLength(2)
    for (const pid of workers) process.kill(pid, 'SIGKILL')
    expect(await portal.ended).toBe(1)
    expect(portal.errors() + portal.output()).toMatch(/is not allowed for this user/)
  },
)

test.runIf(canBeNobody)(
  'a portal started as an ordinary user keeps running as that user',
  { timeout: 90_000 },
  async () => {
    const dataDir = await makeDataDir()
    await chown(dataDir, 65534, 65534)
    const portal = startPortal({ DATA_DIR: dataDir }, asNobody.before)
    await portal.url()
    expect(await identify(portal.pid)).toMatchObject({ uids: [65534], gids: [65534] })
    await mkdir(join(dataDir, 'outbox'), { recursive: true })
    await chown(join(dataDir, 'outbox'), 65534, 65534)
    await expectWorking(portal, dataDir, 'somebody@demo.example')
    portal.child.kill('SIGTERM')
    expect(await portal.ended).toBe(0)
    expect(await isServerUp(dataDir)).toBe(false)
  },
)

test.runIf(canBeNobody)(
  'an unreadable file in DATA_DIR prevents the start with one line',
  { timeout: 60_000 },
  async () => {
    const dataDir = await makeDataDir()
    await writeFile(join(dataDir, 'record-head'), '', { mode: 0o600 })
    await chown(dataDir, 65534, 65534)
    const portal = startPortal({ DATA_DIR: dataDir }, asNobody.before)
    expect(await portal.ended).toBe(1)
    expect(portal.errors()).toBe(
      `${join(dataDir, 'record-head')} cannot be read by this user: give it to the owner of DATA_DIR (chown)\n`,
    )
  },
)

test.runIf(isRoot)('stays root and reports why if the account lacks access', { timeout: 90_000 }, async () => {
  const dataDir = await makeDataDir('data')
  // The folder has other content, so it is not changed; others cannot write to it.
  await mkdir(dataDir, { mode: 0o755 })
  await writeFile(join(dataDir, 'notes.txt'), '')
  const portal = startPortal({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  let output = ''
  portal.child.stdout?.on('data', chunk => {
    output += chunk
  })
  const url = await portal.url()
  expect((await identify(portal.pid)).uids).toEqual([0])
  await expect.poll(() => output).toContain('it keeps running as root: start it as an ordinary user')
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
})

test.runIf(isRoot)('stays root with an external database, and reports it', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
  await chooseUnprivilegedAccount(null, { dataDir: 'data', mails: null }, log)
  await sleep(0)
  expect(process.getuid?.()).toBe(0)
  expect(lines).toEqual([expect.stringContaining('start it as an ordinary user')])
})
