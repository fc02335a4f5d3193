import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { configDefaults, defineConfig, type TestUserConfig } from 'vitest/config'
import { NearestFirst } from './scripts/test/nearest-first.ts'
import { groupTestFiles } from './scripts/test/test-files.ts'

/**
 * Part of the tests, as set by `scripts/test.ts`; otherwise everything, on the embedded database. `extended`: only the
 * tests with this tag; `embedded`: those that run on each kind of database; `changed`: like `commit`, but in one group,
 * with the tests next to the changes first.
 */
const part = process.env.TEST_PART as 'commit' | 'changed' | 'extended' | 'embedded' | undefined
const { plain, database, onEach, extended } = groupTestFiles(import.meta.dirname)
const ofPart = (files: string[]) => (part === 'extended' ? files.filter(file => extended.includes(file)) : files)
const cores = Math.max(2, availableParallelism())

const server: TestUserConfig = {
  environment: 'node',
  // The files of a worker share what they import, which takes longer than most of their tests.
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 60_000,
}
const plainServer: TestUserConfig = {
  ...server,
  name: 'server',
  include: ofPart(plain),
  // Most of their time, these wait for processes that start, stop or hang.
  ...(part !== 'changed' && { maxWorkers: 3 * cores, sequence: { groupOrder: 1 } }),
}
const serverWithDatabase = (databaseKind: 'embedded' | 'external', include: string[]): TestUserConfig => ({
  ...server,
  name: databaseKind === 'embedded' ? 'database' : 'database over TCP',
  include,
  globalSetup: './server/test/setup.ts',
  provide: { databaseKind, templateUrl: '' },
})

const app: TestUserConfig = {
  setupFiles: './src/test/branding.ts',
  restoreMocks: true,
  // Loading every screen takes a busy machine longer than the usual five seconds.
  testTimeout: 30_000,
}
const appProjects = [
  // Most of what has no elements needs no page either, which takes longer to make than to test in.
  { extends: true as const, test: { ...app, name: 'app', include: ['src/**/*.test.ts'], environment: 'node' } },
  {
    extends: true as const,
    plugins: [react()],
    test: { ...app, name: 'app in a page', include: ['src/**/*.test.tsx'], environment: 'happy-dom' },
  },
]

const projects = {
  all: [plainServer, serverWithDatabase('embedded', database)],
  commit: [plainServer, serverWithDatabase('external', database)],
  changed: [plainServer, serverWithDatabase('external', database)],
  extended: [plainServer, serverWithDatabase('external', ofPart(database))],
  embedded: [serverWithDatabase('embedded', onEach)],
}[part ?? 'all'].map(test => ({ extends: true as const, test }))

export default defineConfig({
  test: {
    pool: 'forks',
    // Long enough for a busy machine; how long something may take is up to the test itself.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: cores,
    // What the server reads is imported by no test: with `--changed`, all tests run after a change of it.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/{server,branding}/**/*.{json,sql,csv}'],
    sequence: { sequencer: NearestFirst },
    retry: process.env.CI ? 1 : 0,
    tags: [{ name: 'extended', description: 'runs in npm run test:all, not in npm test' }],
    projects: part === 'extended' || part === 'embedded' ? projects : [...projects, ...appProjects],
  },
})
