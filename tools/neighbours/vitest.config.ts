import { defineConfig } from 'vitest/config'

/** Only run by `npm run test:neighbours`: needs the packages of this folder and programs from Debian. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    name: 'neighbours',
    include: ['tools/neighbours/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    // Tests of alarms mostly wait for scrapes.
    maxWorkers: 3,
    globalSetup: './server/test/setup.ts',
    testTimeout: 180_000,
    hookTimeout: 60_000,
    provide: { databaseKind: 'embedded', templateUrl: '' },
  },
})
