import { expect, test } from 'vitest'
import { sql } from '#server/platform/db/client.ts'
import { insertRow, insertWebUser } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'
import { findOrCreateLedgerAccounts } from './ledger-repository.ts'

const { db } = await openTestServer()

test('a person gets a ledger account, also if another account and its person have the same id', async () => {
  const [first, second] = [await insertWebUser(db), await insertWebUser(db)]
  await db.execute(sql`select setval(pg_get_serial_sequence('ledger_accounts', 'id'), ${first.id}, false)`)
  expect(await insertRow(db, 'ledger_accounts', { webUserId: first.id })).toMatchObject({ id: first.id })
  const accounts = await db.transaction(tx => findOrCreateLedgerAccounts(tx, [first.id, second.id]))
  expect([...accounts.keys()]).toEqual([first.id, second.id])
})
