import { deleteUnverifiedAccounts } from '#server/features/accounts/claim-repository.ts'
import { updatePricesOfVerifiedPeople } from '#server/features/money/price-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import type { ParsedFolder } from '../parse-folder.ts'
import { applyPasswordChanges, type PasswordChanges } from './passwords.ts'
import {
  type DbRow,
  type RowCounts,
  toDbRow,
  updatedColumns,
  upsertRows,
  upsertTable,
  VERSION_INCREMENT_SQL,
} from './upsert.ts'

/**
 * Upserts accounts, which are thereby confirmed by the department. New accounts without a password are sent one by
 * e-mail. Unverified registrations with the same e-mail address are deleted and replaced with a new account.
 */
export async function upsertAccounts(
  tx: Queryable,
  { users }: ParsedFolder,
  passwords: PasswordChanges,
): Promise<RowCounts> {
  await tx.execute(sql`select set_config('portal.actor', 'import', true)`)
  const updates = updatedColumns(users).filter(name => name !== 'email')
  const target = { table: 'web_users', key: ['email'], updates, onUpdate: VERSION_INCREMENT_SQL }
  const { now } = await tx.one<{ now: string }>(sql`select clock_timestamp()::text as now`)
  const emails = users.rows.flatMap(({ values: { email } }) => email ?? [])
  const phones = new Map((await listPhones(tx, emails)).map(({ email, ...own }) => [email, own]))
  const rows = users.rows.map(row => {
    const given: DbRow = { ...toDbRow(users, row), confirmed_at: now, known_at: now }
    // An empty cell does not delete a number that the person has entered.
    const own = Object.entries(phones.get(row.values.email ?? '') ?? {})
    return { ...given, ...Object.fromEntries(own.filter(([column]) => !given[column])) }
  })
  const created: string[] = []
  const updated = new Set<string>()
  // The loop repeats if one of the e-mail addresses is registered concurrently.
  do {
    await deleteUnverifiedAccounts(tx, emails)
    const written = await upsertRows(tx, target, rows)
    created.push(...written.created)
    for (const email of written.updated) updated.add(email)
  } while (await hasClaims(tx, emails))
  const named = await tx.query<{ id: number; email: string }>(sql`
    update web_users set known_at = clock_timestamp() where email = any(${emails}) and known_at is null returning id, email`)
  await updatePricesOfVerifiedPeople(
    tx,
    named.map(({ id }) => id),
  )
  const changed = await applyPasswordChanges(tx, passwords)

  const hasPassword = new Set(listImportedPasswords(users).map(({ email }) => email))
  const welcome = await tx.query<{ id: number }>(sql`
    update web_users set is_address_unproved = true
    where email = any(${created.filter(email => !hasPassword.has(email))}) returning id`)
  for (const { id } of welcome.toSorted((a, b) => a.id - b.id))
    await insertMail(tx, { webUserId: id, kind: 'welcome-import', payload: {} })
  const touched = new Set([...updated, ...named.map(({ email }) => email), ...changed])
  for (const email of created) touched.delete(email)
  const unchanged = users.rows.length - created.length - touched.size
  return { created: created.length, updated: touched.size, unchanged, removed: 0 }
}

const listPhones = (tx: Queryable, emails: string[]): Promise<({ email: string } & Record<string, string>)[]> =>
  tx.query(sql`select email, mobile_phone, private_phone, business_phone from web_users where email = any(${emails})`)

const hasClaims = async (tx: Queryable, emails: string[]) =>
  (await tx.query(sql`select from web_users where email = any(${emails}) and state = 'claimed' limit 1`)).length > 0

export const listImportedPasswords = ({
  rows,
}: ParsedFolder['users']): { email: string; password: string; givenName: string; familyName: string }[] =>
  rows.flatMap(({ values: { email = '', password, givenName = '', familyName = '' } }) =>
    password ? [{ email, password, givenName, familyName }] : [],
  )

/** Upserts inbox messages. Their read state is kept. */
export async function upsertInboxMessages(tx: Queryable, { messages }: ParsedFolder): Promise<RowCounts> {
  const emails = messages.rows.map(({ values: { email } }) => email)
  const users = await tx.query<{ id: number; email: string }>(sql`
    select id, email from web_users where email = any(${emails}) and state <> 'claimed'`)
  const ids = new Map(users.map(({ id, email }) => [email, id]))
  const rows = messages.rows.map(row => ({
    ...toDbRow(messages, row),
    web_user_id: ids.get(row.values.email ?? ''),
  }))
  return upsertTable(
    tx,
    messages,
    { table: 'inbox_items', key: ['web_user_id', 'created_at', 'title'], onUpdate: '' },
    rows,
  )
}
