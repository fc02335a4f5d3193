import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const dataDir = await mkdtemp(join(tmpdir(), 'portal-dev-'))
let child: ChildProcess
afterEach(async () => {
  if (child.exitCode === null && child.kill()) await once(child, 'exit')
  await rm(dataDir, { recursive: true, force: true })
})

test('development serves page and interface from one address, and ends with its database', {
  timeout: 120_000,
}, async () => {
  const { PATH = '', HOME = '' } = process.env
  child = spawn(process.execPath, [join(import.meta.dirname, 'dev.ts')], {
    env: { PATH, HOME, DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout?.on('data', text => {
    said += text
  })
  const findUrl = () => /Werksport: (\S+)/.exec(said)?.[1]
  await expect.poll(findUrl, { timeout: 90_000 }).toBeDefined()
  const url = findUrl()
  const get = (path: string) => fetch(`${url}${path}`, { headers: { Accept: 'text/html' } })
  for (const path of ['/', '/courses', '/src/main.tsx', '/api/health'])
    expect([path, (await get(path)).status]).toEqual([path, 200])
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})
