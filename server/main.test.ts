// @module-tag extended
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from './test/database.ts'
import { startFaultProxy, targetOf, throughProxy } from './test/fault-proxy.ts'
import { startFile, startPortal, stopPortals } from './test/portal.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portal main '))
})
afterEach(stopPortals)
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const start = (settings: Record<string, string> = {}) => startPortal({ DATA_DIR: dataDir, ...settings })

async function startUntilReady(settings: Record<string, string> = {}) {
  const portal = start(settings)
  return { ...portal, url: await portal.url() }
}

/** Starts a portal that cannot start. @returns its output on standard error */
async function refusal(settings: Record<string, string>): Promise<string> {
  const portal = start(settings)
  expect(await portal.ended).toBe(1)
  return portal.errors()
}

const oneLine = (reason: RegExp) => new RegExp(`^[^\\n]*${reason.source}[^\\n]*\\n$`)

test('accepts requests when its URL is printed, and shuts down cleanly', { timeout: 90_000 }, async () => {
  const portal = await startUntilReady({ LOG_LEVEL: 'info' })
  expect((await fetch(`${portal.url}/api/health`)).status).toBe(200)
  await expect.poll(portal.startTimes).toMatchObject({
    ms: { load: expect.any(Number), database: expect.any(Number), listen: expect.any(Number) },
  })
  portal.child.kill('SIGTERM')
  expect(await portal.ended).toBe(0)
  expect(portal.errors()).toBe('')
})

test('a second signal ends a stop that waits for a request', { timeout: 90_000 }, async () => {
  const portal = await startUntilReady()
  const { hostname, port } = new URL(portal.url)
  const waiting = connect(Number(port), hostname)
  waiting.on('error', () => undefined)
  const pair = 'Cookie: XSRF-TOKEN=a\r\nX-XSRF-TOKEN: a\r\nContent-Type: application/json'
  waiting.write(`PUT /api/session HTTP/1.1\r\nHost: a\r\n${pair}\r\nContent-Length: 99\r\n\r\n{`)
  await sleep(300)
  portal.child.kill('SIGTERM')
  // The same signal twice is one Ctrl+C, which npm forwards.
  portal.child.kill('SIGTERM')
  await sleep(400)
  expect(portal.child.exitCode).toBeNull()
  const repeating = setInterval(() => portal.child.kill('SIGTERM'), 1_000)
  expect(await portal.ended.finally(() => clearInterval(repeating))).toBe(1)
  waiting.destroy()
  // The database that it left running is stopped by an orderly start and stop.
  await startUntilReady()
})

test('a second portal on the same DATA_DIR reports the first one', { timeout: 90_000 }, async () => {
  const portal = await startUntilReady()
  const message = await refusal({})
  expect(message).toMatch(oneLine(/DATA_DIR .* is in use by process/))
  expect(message).toContain(String(portal.pid))
  expect((await fetch(`${portal.url}/api/health`)).status).toBe(200)
})

test('a portal that was killed serves again after a restart', { timeout: 90_000 }, async () => {
  const portal = await startUntilReady()
  portal.child.kill('SIGKILL')
  await portal.ended
  const again = await startUntilReady()
  expect((await fetch(`${again.url}/api/health`)).status).toBe(200)
})

test('without its database, the portal responds with 503 and recovers when it returns', {
  timeout: 90_000,
}, async () => {
  const portal = await startUntilReady({ LOG_LEVEL: 'silent' })
  const pid = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  const control = join(dataDir, 'postgres/global/pg_control')
  // Without the file no new server starts, so the database stays unavailable until the file is back.
  await rename(control, `${control}.away`)
  process.kill(pid, 'SIGKILL')
  const statuses = new Set<number>()
  const ask = async () => {
    const { status } = await fetch(`${portal.url}/api/season`)
    statuses.add(status)
    return status
  }
  await expect.poll(ask, { timeout: 30_000 }).toBe(503)
  await rename(`${control}.away`, control)
  await expect.poll(ask, { timeout: 30_000 }).toBe(200)
  expect([...statuses].filter(status => status !== 200)).toEqual([503])
})

test('a stop during the startup stops the portal', { timeout: 90_000 }, async () => {
  const portal = start()
  await sleep(2_000)
  portal.child.kill('SIGINT')
  expect(await portal.ended).toBe(0)
  expect(portal.errors()).toBe('')
})

test('a stop while the code is being loaded stops the portal', () => {
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) {
      if (url.endsWith('/server/main.ts')) process.kill(process.pid, 'SIGTERM')
      return next(url, context)
    } })`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, startFile]
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
  const { status, signal } = spawnSync(process.execPath, args, { env, timeout: 20_000, killSignal: 'SIGKILL' })
  expect({ status, signal }).toEqual({ status: 0, signal: null })
})

test('a stop while the database is being created leaves no process and no incomplete cluster behind', {
  timeout: 90_000,
}, async () => {
  const folder = await mkdtemp(join(dataDir, 'stopped '))
  const portal = start({ DATA_DIR: folder })
  const files = () => readdir(folder, { recursive: true }).catch(() => [])
  await expect.poll(files, { interval: 2, timeout: 20_000 }).toContainEqual(expect.stringMatching(/new-.*\/base/))
  portal.child.kill('SIGTERM')
  expect(await portal.ended).toBe(0)
  expect((await readdir(folder)).filter(name => name.startsWith('postgres.new-'))).toEqual([])
  expect(await readdir(join(folder, 'postgres')).catch(() => [])).not.toContain('postmaster.pid')
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  expect(stdout).not.toContain(folder)
})

test('a portal in the background continues after its terminal is closed', { timeout: 90_000 }, async () => {
  const portal = await startUntilReady()
  portal.child.kill('SIGHUP')
  await sleep(300)
  expect((await fetch(`${portal.url}/api/health`)).status).toBe(200)
})

test('a portal in a terminal shuts down cleanly when the terminal is closed', { timeout: 90_000 }, async () => {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, DATA_DIR: dataDir, PORT: '0', DEMO: 'off' }
  const command = `"${process.execPath}" "${startFile}" serve --api-only`
  const terminal = spawn('script', ['-qfc', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  let text = ''
  terminal.stdout.on('data', chunk => {
    text += chunk
  })
  await expect.poll(() => text, { timeout: 60_000 }).toContain('http://')
  terminal.kill('SIGKILL')
  const isGone = () => readdir(join(dataDir, 'postgres')).then(names => !names.includes('postmaster.pid'))
  await expect.poll(isGone, { timeout: 20_000 }).toBe(true)
})

test('a port in use is reported, and the database is closed again', { timeout: 90_000 }, async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  expect(await refusal({ PORT: String(port) })).toMatch(oneLine(/PORT \d+ on 127\.0\.0\.1 is in use/))
  other.close()
})

test.each([['wrong settings', { PORT: 'eighty', DEMO: 'maybe' }, /Settings: PORT .*DEMO/]])(
  '%s are reported in one line',
  { timeout: 30_000 },
  async (_, settings, reason) => {
    const message = await refusal(settings)
    expect(message).toMatch(oneLine(reason))
    expect(message).not.toMatch(/Secret|eighty|maybe|\n {2,}at /)
  },
)

test('a database that is not there yet is reported and awaited; a stop ends the wait', {
  timeout: 90_000,
}, async () => {
  const database = await openTestDatabase()
  const proxy = await startFaultProxy(targetOf(database.url))
  onTestFinished(async () => {
    await stopPortals()
    await proxy.close()
    await database.close()
  })
  await proxy.be('refuse')
  const portal = start({ DATABASE_URL: throughProxy(database.url, proxy) })
  await expect
    .poll(portal.errors, { timeout: 30_000 })
    .toMatch(/^DATABASE_URL: .* The portal starts when it is there\.\n/)
  expect(portal.errors()).not.toContain(new URL(database.url).password || 'no password')
  await proxy.be('pass')
  expect((await fetch(`${await portal.url()}/api/health`)).status).toBe(200)

  const waiting = start({ DATABASE_URL: 'postgres://u:Secret@127.0.0.1:1/x' })
  await expect
    .poll(waiting.errors, { timeout: 30_000 })
    .toMatch(oneLine(/DATABASE_URL: nobody answers at 127\.0\.0\.1:1\./))
  waiting.child.kill('SIGTERM')
  expect(await waiting.ended).toBe(0)
})

test('a DATA_DIR that is a file and an unknown command are reported in one line', { timeout: 30_000 }, async () => {
  const file = join(dataDir, 'file')
  await writeFile(file, '')
  expect(await refusal({ DATA_DIR: file })).toMatch(oneLine(/is not a folder/))
  // With an external database, e-mails are still written to DATA_DIR.
  const elsewhere = { DATABASE_URL: 'postgres://u@127.0.0.1:1/x' }
  expect(await refusal({ DATA_DIR: file, ...elsewhere })).toMatch(oneLine(/is not a folder/))
  const { status, stderr } = spawnSync(process.execPath, [startFile, 'sevre'], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toMatch(oneLine(/Unknown command sevre: use serve, import, office/))
  expect(stderr).not.toContain('worker')
})

test.each([
  ['backup', '--help'],
  ['help', 'backup'],
])('%s %s explains this command only', (...args) => {
  const { status, stdout } = spawnSync(process.execPath, [startFile, ...args], { encoding: 'utf8' })
  expect(status).toBe(0)
  expect(stdout).toMatch(/^Usage:\nportal backup FILE\|FOLDER [^\n]*\n$/)
})

test('the installed command reads the settings of the service, and names commands as they are called there', {
  timeout: 60_000,
}, async () => {
  const environment = join(dataDir, 'portal.env')
  const secret = 'pa&s$(id)w;rd'
  await writeFile(
    environment,
    `# Settings\n\nDATABASE_URL="postgres://u:${encodeURIComponent(secret)}@127.0.0.1:1/x?a=1&b=$HOME"\nDATA_DIR=${dataDir}\n`,
  )
  const run = (...args: string[]) => {
    const { PATH = '' } = process.env
    const command = join(startFile, '../../packaging/portal-command')
    const env = { PATH, PORTAL_SETTINGS: environment, PORTAL_RELEASE: join(startFile, '../..') }
    return spawnSync('sh', [command, ...args], { encoding: 'utf8', env, cwd: dataDir })
  }
  expect(run('mails').stderr).toMatch(oneLine(/DATABASE_URL: nobody answers at 127\.0\.0\.1:1/))
  expect(run('restore')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage: portal restore FILE') })
  expect(run('move').stderr).not.toContain('npm')
})

test.each([['--help'], ['help'], ['-h']])('%s explains every command', (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [startFile, ...args], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const command of ['serve', 'import FOLDER', 'office add', 'backup FILE', 'restore FILE', 'upgrade FILE'])
    expect(stdout).toContain(`\n${command}`)
  expect(stdout).not.toContain('worker')
})
