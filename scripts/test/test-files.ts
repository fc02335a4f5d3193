import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Matches test files that use a database from the test support. */
const DATABASE = /\b(?:(?:create|open)Test(?:Database|Server|Office)|createImportTest|openImport)\b/
/**
 * Matches test files that may depend on how the database is reached, or on its version: connections, migrations, locks,
 * faults.
 */
const ON_EACH = /^server\/platform\/db\/|at-once|faults/
/** Of these, what starts its own databases, and whose facts are e-mails. */
const ON_ONE = /(?:write-check|sender-faults)\.test/
/** Matches test files with tests that `npm test` leaves to `npm run test:all`. */
const EXTENDED = /@module-tag extended|\btags: 'extended'/

export type TestFiles = {
  /** files of contract, server and scripts that use no database from the test support */
  plain: string[]
  /** files that use a database from the test support */
  database: string[]
  /** of these, the ones that run on each kind of PostgreSQL */
  onEach: string[]
  /** files with tests tagged `extended` */
  extended: string[]
}

/**
 * Groups the test files that need no page. `npm test` runs those with a database over TCP on the oldest version of
 * PostgreSQL available, because what works there also works on our own. `npm run test:all` runs some of them on the
 * embedded database as well.
 * @returns paths relative to the project folder
 */
export function groupTestFiles(root: string): TestFiles {
  const patterns = ['{server,contract,scripts,tools/structure}/**/*.test.ts', 'e2e/*.test.ts']
  const files = patterns.flatMap(pattern => globSync(pattern, { cwd: root })).map(file => file.replaceAll('\\', '/'))
  const texts = new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]))
  const filesWith = (pattern: RegExp) => files.filter(file => pattern.test(texts.get(file) ?? ''))
  const database = filesWith(DATABASE).filter(file => file.startsWith('server/'))
  return {
    plain: files.filter(file => !database.includes(file)),
    database,
    onEach: database.filter(file => ON_EACH.test(file) && !ON_ONE.test(file)),
    extended: filesWith(EXTENDED),
  }
}
