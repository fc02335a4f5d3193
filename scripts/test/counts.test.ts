import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { countPlaywright, countVitest, summarize } from './counts.ts'
import { makeTestFolder } from './folder.ts'
import { groupTestFiles } from './test-files.ts'

const vitest = (numFailedTests: number, testResults: object[] = []) =>
  JSON.stringify({ numPassedTests: 7, numFailedTests, numPendingTests: 1, numTodoTests: 1, testResults })

test('passed, failed and skipped tests are counted from the Vitest report', () => {
  expect(countVitest(vitest(0), 0)).toEqual({ passed: 7, failed: 0, skipped: 2, failures: [] })
  expect(countVitest(vitest(3), 1)).toEqual({ passed: 7, failed: 3, skipped: 2, failures: [] })
})

test('a file whose setup failed is counted in addition to failed tests, and each failure is listed with its reason', () => {
  const failed = {
    status: 'failed',
    fullName: 'it adds',
    failureMessages: ['expected 1 to be 2\n    at it.test.ts:2:43'],
  }
  const passed = { status: 'passed', fullName: 'it counts', failureMessages: [] }
  const ofTest = { name: resolve('it.test.ts'), status: 'failed', message: '', assertionResults: [passed, failed] }
  const ofFile = { name: resolve('server/no.test.ts'), status: 'failed', message: 'No database.', assertionResults: [] }
  expect(countVitest(vitest(1, [ofTest, ofFile]), 1)).toMatchObject({
    failed: 2,
    failures: [
      'it.test.ts › it adds\n    expected 1 to be 2\n        at it.test.ts:2:43',
      'server/no.test.ts\n    No database.',
    ],
  })
})

test('a run that fails without a failed test is counted as one failure', () => {
  expect(countVitest(vitest(0), 1)).toEqual({ passed: 7, failed: 1, skipped: 2, failures: [] })
  expect(countVitest(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0, failures: [] })
  expect(countPlaywright(null, 137)).toEqual({ passed: 0, failed: 1, skipped: 0, failures: [] })
})

test('a browser test that passes on its second attempt is counted as passed, one that never passes as failed', () => {
  const error = { message: 'Error: \u001b[31mexpected\u001b[39m\n\nExpected: 2' }
  const specs = [
    { file: 'a.spec.ts', line: 3, title: 'books', ok: true, tests: [{ results: [{ error }, {}] }] },
    { file: 'a.spec.ts', line: 9, title: 'cancels', ok: false, tests: [{ results: [{}, { error }] }] },
  ]
  const suites = [{ specs: [], suites: [{ specs }] }]
  const report = JSON.stringify({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 0 }, suites })
  const failures = ['a.spec.ts:9 › cancels\n    Error: expected\n    Expected: 2']
  expect(countPlaywright(report, 1)).toEqual({ passed: 6, failed: 1, skipped: 0, failures })
})

test('the last line mentions skipped tests only if there are any', () => {
  expect(summarize({ passed: 5, failed: 0, skipped: 0 })).toBe('5 passed, 0 failed')
  expect(summarize({ passed: 5, failed: 1, skipped: 2 })).toBe('5 passed, 1 failed, 2 skipped')
})

test('each test file is in one group, and those that depend on the kind of database run on each', () => {
  const { plain, database, onEach } = groupTestFiles(join(import.meta.dirname, '../..'))
  expect(plain.filter(file => database.includes(file))).toEqual([])
  const namesOf = (files: string[]) => files.map(file => file.split('/').slice(-2).join('/'))
  expect(namesOf(database)).toContain('inbox/routes.test.ts')
  expect(namesOf(database)).toContain('programme/people.test.ts')
  expect(namesOf(onEach)).toContain('db/client.test.ts')
  expect(namesOf(onEach)).not.toContain('inbox/routes.test.ts')
  expect(namesOf(plain)).toContain('postgres/embedded.test.ts')
})

test('TMPDIR takes precedence, files left behind by killed runs are deleted, and any user may write', async () => {
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
