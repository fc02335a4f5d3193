import { expect, test } from 'vitest'
import { countPlaywright, countVitest, summarize } from './counts.ts'

const vitest = (numFailedTests: number, testResults: object[] = []) =>
  JSON.stringify({ numPassedTests: 7, numFailedTests, numPendingTests: 1, numTodoTests: 1, testResults })

test('counts what vitest reports', () => {
  expect(countVitest(vitest(0), 0)).toEqual({ passed: 7, failed: 0, skipped: 2 })
  expect(countVitest(vitest(3), 1)).toEqual({ passed: 7, failed: 3, skipped: 2 })
})

test('a file whose setup failed counts beside the failed tests of others', () => {
  const ofTest = { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] }
  const ofFile = { status: 'failed', assertionResults: [{ status: 'skipped' }] }
  expect(countVitest(vitest(1, [ofTest, ofFile]), 1).failed).toBe(2)
})

test('a run that failed without a failed test counts as one failed', () => {
  expect(countVitest(vitest(0), 1)).toEqual({ passed: 7, failed: 1, skipped: 2 })
  expect(countVitest(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(countPlaywright(null, 137)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('a browser test that passed at its second try counts as passed, one that never did as failed', () => {
  const report = JSON.stringify({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 0 } })
  expect(countPlaywright(report, 1)).toEqual({ passed: 6, failed: 1, skipped: 0 })
})

test('the last line names skipped tests only where there are any', () => {
  expect(summarize({ passed: 5, failed: 0, skipped: 0 })).toBe('5 passed, 0 failed')
  expect(summarize({ passed: 5, failed: 1, skipped: 2 })).toBe('5 passed, 1 failed, 2 skipped')
})
