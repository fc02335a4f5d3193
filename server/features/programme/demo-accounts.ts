import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reassignToAnonymousAccount } from '#server/features/accounts/deletion-repository.ts'
import { promoteOrCloseWaitingList } from '#server/features/bookings/waiting-list-service.ts'
import { mayLogIn } from '#server/features/session/account-repository.ts'
import type { Config } from '#server/platform/config/config.ts'
import { commandLine } from '#server/platform/config/config.ts'
import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import { readCsv } from '#server/platform/files/read-csv.ts'

export const DEMO_PASSWORD = 'Demo-Sport-2026'

const ACCOUNTS = [
  ['employee@demo.example', 'Beschäftigte', 'employee'],
  ['pensioner@demo.example', 'im Ruhestand', 'pensioner'],
  ['insured@demo.example', 'BKK-versichert', 'health-insurance member'],
  ['external@demo.example', 'extern', 'external'],
  ['instructor@demo.example', 'Kursleitung', 'instructor'],
  ['desk@demo.example', 'Abteilung', 'department'],
] as const

export const demoFolder = join(import.meta.dirname, '../../../demo')

/** Reads the first column of a demo programme file: e-mail addresses or course numbers. */
async function readKeys(file: string): Promise<string[]> {
  const content = readCsv(await readFile(join(demoFolder, file)))
  if ('text' in content) throw new Error(`${file}:${content.line}: ${content.text.in('en')}`)
  return content.records.slice(1).flatMap(({ cells: [key] }) => key ?? [])
}

/**
 * Whether courses or people other than those of the demo were imported. Courses that were created at the desk do not
 * count, because trying the desk must not disable the demo.
 */
async function hasOtherProgramme(tx: Queryable, emails: string[]): Promise<boolean> {
  const numbers = await readKeys('courses.csv')
  const { isThere } = await tx.one<{ isThere: boolean }>(sql`
    select exists (select from office_record where kind in ('import', 'import-programme'))
        and exists (select from courses where number <> all(${numbers}))
      or exists (select from web_users where state = 'known' and email <> all(${emails})) as "isThere"`)
  return isThere
}

/**
 * Disables the demo accounts permanently as soon as others can reach the portal or it contains other data. See
 * docs/decisions/0006.
 * @returns a message for the operator; null if nothing changed
 */
export async function disableDemoAccounts(
  db: Database,
  { demoAccounts }: Pick<Config, 'demoAccounts'>,
): Promise<string | null> {
  const emails = await readKeys('users.csv')
  return db.transaction(async tx => {
    const { open, isUsable } = await tx.one<{ open: number; isUsable: boolean }>(sql`
      select count(*) filter (where state in ('claimed', 'proved', 'known'))::int as open,
        coalesce(bool_or(password_hash is not null or exists (select from office_rights r where r.web_user_id = u.id)), false) as "isUsable"
      from web_users u where email = any(${emails})`)
    if (open === 0 && !isUsable) return null
    const isOther = demoAccounts !== 'closed' && (await hasOtherProgramme(tx, emails))
    if (demoAccounts === 'open')
      return isOther && open > 0
        ? 'DEMO=on: the demo accounts, whose password everybody can read, are open beside other data.'
        : null
    if (demoAccounts === 'until-import' && !isOther) return null
    await tx.execute(sql`
      update web_users set locked_at = clock_timestamp()
      where email = any(${emails}) and state in ('claimed', 'proved', 'known')`)
    await revokeAccess(tx, emails)
    if (open === 0) return null
    const reason = isOther ? 'another programme was imported' : 'PUBLIC_URL is set'
    return `Closed ${open} demo accounts, whose password everybody can read: ${reason} (${commandLine('demo', '--remove')} deletes them).`
  })
}

/**
 * Revokes all access of the demo accounts: an account that is unlocked later has neither the published password nor
 * permissions. The hash of the imported passwords remains, so that importing the same file again does not restore them.
 */
async function revokeAccess(tx: Queryable, emails: string[]): Promise<void> {
  await tx.execute(sql`
    update web_users set password_hash = null, reset_password_hash = null, reset_expires_at = null where email = any(${emails})`)
  for (const table of ['office_rights', 'invited_rights', 'sessions', 'known_devices', 'passkeys', 'account_tokens'])
    await tx.execute(sql`
      delete from ${sql.raw(table)} t using web_users u where u.id = t.web_user_id and u.email = any(${emails})`)
}

/** Whether any account other than the demo accounts can log in, which requires an e-mail address. */
export async function hasOtherAccounts(db: Queryable): Promise<boolean> {
  const emails = await readKeys('users.csv')
  const { isThere } = await db.one<{ isThere: boolean }>(sql`
    select exists (select from web_users u where ${mayLogIn} and position('@' in u.email) > 0
      and u.email <> all(${emails})) as "isThere"`)
  return isThere
}

/**
 * Deletes the demo accounts. Their seats go to people on the waiting lists, and their attendance is anonymized.
 * @returns number of accounts
 */
export async function removeDemoAccounts(db: Database, region: string): Promise<number> {
  const emails = await readKeys('users.csv')
  return db.transaction(async tx => {
    const people = await tx.query<{ id: number }>(sql`
      select id from web_users where email = any(${emails}) order by id for update`)
    const ids = people.map(({ id }) => id)
    const courses = await tx.query<{ id: number }>(sql`
      select id from courses where id in (
        select course_id from bookings where web_user_id = any(${ids}) and cancelled_at is null)
      order by id for update`)
    await tx.execute(sql`
      with ended as (
        update bookings set cancelled_at = clock_timestamp() where web_user_id = any(${ids}) and cancelled_at is null
        returning course_id, is_passed_over
      ), freed as (select course_id, (count(*) filter (where not is_passed_over))::int as places from ended group by course_id)
      update courses c set taken = taken - places, revision = c.revision + 1 from freed where c.id = freed.course_id`)
    for (const { id } of courses) await promoteOrCloseWaitingList(tx, id, region)
    for (const id of ids) await reassignToAnonymousAccount(tx, id)
    await tx.execute(sql`delete from mails where web_user_id = any(${ids})`)
    return tx.execute(sql`delete from web_users where id = any(${ids})`)
  })
}

/** Lists the demo accounts for the operator at startup; null if they were removed. */
export async function describeDemoAccounts(db: Database): Promise<string | null> {
  const emails = ACCOUNTS.map(([email]) => email)
  const rows = await db.query<{ email: string }>(sql`
    select email from web_users where email = any(${emails}) and state in ('proved', 'known')`)
  if (rows.length === 0) return null
  const present = ACCOUNTS.filter(([email]) => rows.some(row => row.email === email))
  const lines = present.map(([email, german, english]) => `  ${email.padEnd(26)}${german} / ${english}`)
  return [`Demo-Konten / demo accounts, Passwort / password ${DEMO_PASSWORD}:`, ...lines].join('\n')
}
