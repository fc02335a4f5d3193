// @module-tag extended
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAvailablePort } from '../server/platform/http/listen.ts'

const { PATH = '', HOME = '' } = process.env
const STARTED = /Werksport: (\S+)/g
let dataDir: string
let port: number
let child: ChildProcess
let output: string

/** The URLs that the server has printed so far, one for each start. */
const starts = () => [...output.matchAll(STARTED)].map(([, url]) => url)
const untilStarted = (count: number) => expect.poll(() => starts().length, { timeout: 90_000 }).toBe(count)

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portal-dev-'))
  port = await findAvailablePort('127.0.0.1', 0)
  output = ''
  child = spawn(process.execPath, [join(import.meta.dirname, 'dev.ts')], {
    env: { PATH, HOME, DATA_DIR: dataDir, DEMO: 'off', PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout?.on('data', text => {
    output += text
  })
  await untilStarted(1)
}, 120_000)
afterEach(async () => {
  if (child.exitCode === null && child.kill()) await once(child, 'exit')
  await rm(dataDir, { recursive: true, force: true })
})

const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { Accept: 'text/html' } })

test('npm run dev serves app and API at PORT and stops its database', { timeout: 120_000 }, async () => {
  expect(starts()).toEqual([`http://127.0.0.1:${port}`])
  for (const path of ['/', '/courses', '/src/main.tsx', '/api/health'])
    expect([path, (await get(path)).status]).toEqual([path, 200])
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})

/** Saves a file atomically, as sed -i, vim and JetBrains do: a new file (here with the same content) replaces it. */
async function saveAtomically(file: string): Promise<void> {
  await copyFile(file, `${file}~`)
  await rename(`${file}~`, file)
}

test('each atomic save of a server file restarts the server, which responds again', { timeout: 240_000 }, async () => {
  for (const count of [2, 3]) {
    await saveAtomically(join(import.meta.dirname, '../server/platform/http/listen.ts'))
    await untilStarted(count)
    expect((await get('/api/health')).status).toBe(200)
  }
})
