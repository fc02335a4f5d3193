export type Counts = { passed: number; failed: number; skipped: number }

export const none: Counts = { passed: 0, failed: 0, skipped: 0 }

export const add = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

export const summarize = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }

/**
 * The counts of a test run. A run that failed without a failed test (a file that does not load, a crash, no report at all)
 * counts as one failed.
 */
function counted(counts: Counts | null, exitCode: number): Counts {
  const certain = counts ?? none
  return exitCode !== 0 && certain.failed === 0 ? { ...certain, failed: 1 } : certain
}

/** A test file that failed as a whole, before or after its tests. */
const hasFailedAlone = ({ status, assertionResults }: VitestReport['testResults'][number]) =>
  status === 'failed' && assertionResults.every(test => test.status !== 'failed')

/** @param report the text of vitest's JSON report, null when there is none */
export function countVitest(report: string | null, exitCode: number): Counts {
  const result = report === null ? null : (JSON.parse(report) as VitestReport)
  const counts = result && {
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.testResults.filter(hasFailedAlone).length,
    skipped: result.numPendingTests + result.numTodoTests,
  }
  return counted(counts, report === null ? 1 : exitCode)
}

/** @param report the text of Playwright's JSON report, null when there is none */
export function countPlaywright(report: string | null, exitCode: number): Counts {
  const stats = report === null ? null : (JSON.parse(report) as PlaywrightReport).stats
  // A journey that passed at its second try, of three engines or on a build server, is named by the report as flaky.
  const counts = stats && { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
  return counted(counts, report === null ? 1 : exitCode)
}
