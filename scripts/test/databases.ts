import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Matches test files that use a database from the test support. */
const NEAR = /\b(?:create|open)Test(?:Database|Server|Office)\b/
/**
 * Matches test files that may depend on how the database is reached, or on its version: connections, migrations, locks,
 * faults, and concurrent bookings of the last place.
 */
const ON_EACH = /^server\/(?:db|features\/(?:bookings|attendance))\/|at-once|faults/
/** Of these, what starts its own databases, and whose facts are e-mails and prices. */
const ON_ONE = /(?:write-check|sender-faults|bookings\/(?:mails|prices|unverified-prices))\.test/

/**
 * Groups the test files that use a database by the kind of PostgreSQL on which `npm test` runs them. All of them run
 * over TCP on the oldest version available, because what works there also works on our own. Some also run on the
 * embedded database.
 * @returns paths relative to the project folder
 */
export function sortByDatabase(root: string): { external: string[]; externalOnly: string[] } {
  const files = globSync('server/**/*.test.ts', { cwd: root }).map(file => file.replaceAll('\\', '/'))
  const external = files.filter(file => NEAR.test(readFileSync(join(root, file), 'utf8')))
  return { external, externalOnly: external.filter(file => !ON_EACH.test(file) || ON_ONE.test(file)) }
}
