import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { none } from './counts.ts'
import { findPassedRun, storePassedRun } from './passed-run.ts'

test('only a run that passed on the same commit is not repeated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'passed-run-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'passed.json')
  const passed = { ...none, passed: 7 }
  expect(findPassedRun(file, 'a')).toBeNull()
  storePassedRun(passed, file, 'a')
  expect(findPassedRun(file, 'a')).toEqual(passed)
  expect(findPassedRun(file, 'b')).toBeNull()
  expect(findPassedRun(file, null)).toBeNull()
  storePassedRun({ ...passed, failed: 1 }, file, 'a')
  expect(findPassedRun(file, 'a')).toBeNull()
  await writeFile(file, '{"commit":"a"')
  expect(findPassedRun(file, 'a')).toBeNull()
})
