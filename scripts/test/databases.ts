import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Speaks to a database that it got from the test support. */
const NEAR = /\b(?:create|open)Test(?:Database|Server|Office)\b/
/** What may depend on the way to the database, or on its version: connections, migrations, locks, faults, and who gets the last place. */
const ON_EACH = /^server\/(?:db|features\/(?:bookings|attendance))\/|at-once|faults/
/** Of these, what starts its own databases, and whose facts are mails and prices. */
const ON_ONE = /(?:write-check|sender-faults|bookings\/(?:mails|prices|unverified-prices))\.test/

/**
 * The test files near the database, by the kind of PostgreSQL on which `npm test` runs them: all of them
 * on the oldest one that there is, over TCP, where what works also works on ours; some on the embedded one, too.
 * @returns paths from the project's folder
 */
export function sortByDatabase(root: string): { external: string[]; externalOnly: string[] } {
  const files = globSync('server/**/*.test.ts', { cwd: root }).map(file => file.replaceAll('\\', '/'))
  const external = files.filter(file => NEAR.test(readFileSync(join(root, file), 'utf8')))
  return { external, externalOnly: external.filter(file => !ON_EACH.test(file) || ON_ONE.test(file)) }
}
