import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'contract/*.test.ts', 'scripts/**/*.test.ts'],
          environment: 'node',
          globalSetup: './server/test/setup.ts',
          provide: { testDatabaseUrl: process.env.TEST_DATABASE_URL ?? '', templateUrl: '' },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'app',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: './src/test/branding.ts',
          restoreMocks: true,
          // Loading every screen takes a busy machine longer than the usual five seconds.
          testTimeout: 30_000,
        },
      },
    ],
  },
})
