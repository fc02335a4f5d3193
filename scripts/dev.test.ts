import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findPort } from '../server/http/listen.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'portal-dev-'))
let child: ChildProcess
afterEach(async () => {
  if (child.exitCode === null && child.kill()) await once(child, 'exit')
  await rm(dataDir, { recursive: true, force: true })
})

test('npm run dev serves app and API at PORT and stops its database', {
  timeout: 120_000,
}, async () => {
  const { PATH = '', HOME = '' } = process.env
  const port = await findPort('127.0.0.1', 0)
  child = spawn(process.execPath, [join(import.meta.dirname, 'dev.ts')], {
    env: { PATH, HOME, DATA_DIR: dataDir, DEMO: 'off', PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout?.on('data', text => {
    output += text
  })
  const findUrl = () => /Werksport: (\S+)/.exec(output)?.[1]
  await expect.poll(findUrl, { timeout: 90_000 }).toBeDefined()
  const url = findUrl()
  expect(url).toBe(`http://127.0.0.1:${port}`)
  const get = (path: string) => fetch(`${url}${path}`, { headers: { Accept: 'text/html' } })
  for (const path of ['/', '/courses', '/src/main.tsx', '/api/health'])
    expect([path, (await get(path)).status]).toEqual([path, 200])
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})
