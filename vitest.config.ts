import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { configDefaults, defineConfig, type TestUserConfig } from 'vitest/config'
import { sortByDatabase } from './scripts/test/databases.ts'

// `npm test` says so; a file that is run by hand runs on the embedded database alone.
const isOnEachDatabase = process.env.TEST_DATABASES === 'each'
const { external, externalOnly } = sortByDatabase(import.meta.dirname)

const server: TestUserConfig = {
  environment: 'node',
  // The files of a worker share what they import, which takes longer than most of their tests.
  isolate: false,
  globalSetup: './server/test/setup.ts',
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

const app: TestUserConfig = {
  setupFiles: './src/test/branding.ts',
  restoreMocks: true,
  // Loading every screen takes a busy machine longer than the usual five seconds.
  testTimeout: 30_000,
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Of a loaded machine: what is waited for comes, and how long it may take is said by a test itself.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: Math.max(2, availableParallelism()),
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        extends: true,
        test: {
          ...server,
          name: 'server',
          include: ['{server,contract,scripts,tools/structure}/**/*.test.ts', 'e2e/*.test.ts'],
          exclude: [...configDefaults.exclude, ...(isOnEachDatabase ? externalOnly : [])],
          provide: { databaseKind: 'embedded', templateUrl: '' },
        },
      },
      ...(isOnEachDatabase
        ? [
            {
              extends: true as const,
              test: {
                ...server,
                name: 'server over TCP',
                include: external,
                provide: { databaseKind: 'external' as const, templateUrl: '' },
              },
            },
          ]
        : []),
      // Most of what has no elements needs no page either, which takes longer to make than to test in.
      { extends: true, test: { ...app, name: 'app', include: ['src/**/*.test.ts'], environment: 'node' } },
      {
        extends: true,
        plugins: [react()],
        test: { ...app, name: 'app in a page', include: ['src/**/*.test.tsx'], environment: 'happy-dom' },
      },
    ],
  },
})
