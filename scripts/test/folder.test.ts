import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeTestFolder } from './folder.ts'

test('who sets TMPDIR has chosen; what a killed run left there goes, and any user may write', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'test-folders-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  vi.stubEnv('TMPDIR', parent)
  onTestFinished(() => void vi.unstubAllEnvs())
  const [ended, running] = ['portal-test-4194305-abc', `portal-test-${process.pid}-abc`]
  for (const name of [ended, running, 'mine']) await mkdir(join(parent, name))
  const { folder, isInMemory } = await makeTestFolder()
  expect(isInMemory).toBe(false)
  expect((await stat(folder)).mode & 0o7777).toBe(0o1777)
  expect((await readdir(parent)).map(name => join(parent, name)).sort()).toEqual(
    [folder, join(parent, running), join(parent, 'mine')].sort(),
  )
})
