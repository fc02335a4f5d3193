import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sortByDatabase } from './databases.ts'

test('every file near the database runs over TCP, and what hangs on the kind of database on the embedded one, too', () => {
  const { external, externalOnly } = sortByDatabase(join(import.meta.dirname, '../..'))
  expect(external).toContain('server/features/inbox/routes.test.ts')
  expect(externalOnly).toContain('server/features/inbox/routes.test.ts')
  for (const file of ['server/db/client.test.ts', 'server/features/bookings/service.test.ts']) {
    expect(external).toContain(file)
    expect(externalOnly).not.toContain(file)
  }
  expect(external).not.toContain('server/postgres/embedded.test.ts')
})
