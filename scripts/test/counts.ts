import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** @property failures failed tests, each with the first lines of its error message */
export type Counts = { passed: number; failed: number; skipped: number; failures: string[] }

export const none: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] }

export const add = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...a.failures, ...b.failures],
})

export const summarize = ({ passed, failed, skipped }: Omit<Counts, 'failures'>): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null; tags: string[] }[]
  }[]
}
type PlaywrightSuite = {
  suites?: PlaywrightSuite[]
  specs: {
    file: string
    line: number
    title: string
    ok: boolean
    tests: { results: { error?: { message?: string } }[] }[]
  }[]
}
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: PlaywrightSuite[]
}

const SAID_LINES = 8
const nameFailure = (where: string, why = '') =>
  [where, ...stripVTControlCharacters(why).trim().split('\n').slice(0, SAID_LINES)].filter(Boolean).join('\n    ')

/**
 * Returns the counts of a test run. A run that failed without a failed test (because a file could not be loaded, the
 * run crashed, or there is no report) counts as one failure.
 */
function counted(counts: Counts | null, exitCode: number): Counts {
  const certain = counts ?? none
  return exitCode !== 0 && certain.failed === 0 ? { ...certain, failed: 1 } : certain
}

/** Whether a test file failed as a whole, before or after its tests. */
const hasFailedAlone = ({ status, assertionResults }: VitestReport['testResults'][number]) =>
  status === 'failed' && assertionResults.every(test => test.status !== 'failed')

const nameFailedTests = (file: VitestReport['testResults'][number]): string[] => {
  const path = relative(process.cwd(), file.name)
  if (hasFailedAlone(file)) return [nameFailure(path, file.message)]
  return file.assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => nameFailure(`${path} › ${fullName}`, failureMessages?.[0]))
}

const nameFailedJourneys = ({ suites = [], specs }: PlaywrightSuite): string[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) =>
      nameFailure(`${file}:${line} › ${title}`, tests.flatMap(({ results }) => results).at(-1)?.error?.message),
    ),
  ...suites.flatMap(nameFailedJourneys),
]

/**
 * @param report vitest's JSON report as text; null if there is none
 * @param isChosen whether tests with these tags were to run; vitest reports the others as skipped
 */
export function countVitest(
  report: string | null,
  exitCode: number,
  isChosen: (tags: string[]) => boolean = () => true,
): Counts {
  const result = report === null ? null : (JSON.parse(report) as VitestReport)
  const unchosen = result?.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags }) => status === 'skipped' && !isChosen(tags)).length
  const counts = result && {
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.testResults.filter(hasFailedAlone).length,
    skipped: result.numPendingTests + result.numTodoTests - (unchosen ?? 0),
    failures: result.testResults.flatMap(nameFailedTests),
  }
  return counted(counts, report === null ? 1 : exitCode)
}

/** @param report Playwright's JSON report as text; null if there is none */
export function countPlaywright(report: string | null, exitCode: number): Counts {
  const result = report === null ? null : (JSON.parse(report) as PlaywrightReport)
  // The report marks a journey that passed on its second attempt as flaky. This happens with three engines or on a
  // build server.
  const counts = result && {
    passed: result.stats.expected + result.stats.flaky,
    failed: result.stats.unexpected,
    skipped: result.stats.skipped,
    failures: result.suites.flatMap(nameFailedJourneys),
  }
  return counted(counts, report === null ? 1 : exitCode)
}
