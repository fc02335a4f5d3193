import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { findJourneyBrowser } from './e2e/browsers.ts'
import type { EngineOptions } from './e2e/engines/driver.ts'
import { patience } from './e2e/patience.ts'

const executablePath = await findJourneyBrowser()

const ENGINES = /e2e[\\/]engines/
/** On a portal or a browser that no other file uses. */
const APART = /(?:connect-others|enter-the-desk|get-a-push)\.spec/
const SIZE = { width: 390, height: 844 }
const phone = { grepInvert: /@desktop/, use: { ...devices['Pixel 7'], viewport: SIZE, screen: SIZE } }

/**
 * The journeys run on a phone; those tagged @desktop on a wide screen instead. Those of e2e/engines run in three engines.
 * `npm test` leaves those tagged @extended to `npm run test:all`. None needs another before it, so that they spread over
 * all cores.
 */
export default defineConfig<EngineOptions>({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/template-fixture.ts',
  fullyParallel: true,
  // Half of the time of a journey is waiting.
  workers: 2 * Math.max(2, availableParallelism()),
  // On a build server a hiccup of the machine is tried once more and reported as flaky; here it shows at once.
  retries: process.env.CI ? 1 : 0,
  timeout: patience * 60_000,
  expect: { timeout: patience * 10_000 },
  reporter: 'list',
  use: {
    actionTimeout: patience * 15_000,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    // Recording costs a third of the processor time of all journeys: only what failed is recorded, when it is tried once more.
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    // First, because they take longest. They wait more than they work, and a worker more is a portal more.
    ...(['chromium', 'firefox', 'webkit'] as const).map(engineName => ({
      name: engineName,
      testDir: 'e2e/engines',
      // A journey that opens all three needs no second project; one that the phone walks too needs no other Chromium.
      grepInvert: engineName === 'chromium' ? /@not-chromium/ : /@mixed/,
      timeout: patience * 120_000,
      workers: 2,
      // Three browsers on the clock of a loaded machine: tried once more everywhere, and reported as flaky.
      retries: 1,
      use: { engineName },
    })),
    {
      name: 'desktop',
      testIgnore: ENGINES,
      grep: /@desktop/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 900 } },
    },
    // Among the others they would come last, and leave half of the cores idle at the end of a run.
    { ...phone, name: 'phone-apart', testIgnore: ENGINES, testMatch: APART },
    { ...phone, name: 'phone', testIgnore: [ENGINES, APART] },
  ],
})
