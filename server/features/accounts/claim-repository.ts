import { YEAR_OF_BIRTH_UNSET } from '#contract/profile-rules.ts'
import { ACCOUNT_STATES, type AccountState, type Language } from '#contract/values.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { PLAIN_COLUMNS, type StoredProfile } from '#server/features/session/account-repository.ts'
import { stepTo } from '#server/features/session/account-rules.ts'

/** What leaves an e-mail address to whoever registers it. */
const FREE_STATES = ACCOUNT_STATES.filter(state => stepTo(state, 'register') !== null)

/** Whoever proves an address, or is named by the department, begins anew: an unproved account there goes, with its links. */
export async function deleteClaims(tx: Queryable, emails: string[]): Promise<void> {
  await tx.execute(sql`
    delete from mails m using web_users u
    where u.id = m.web_user_id and u.email = any(${emails}) and u.state = 'claimed' and m.sent_at is null`)
  await tx.execute(sql`delete from web_users where email = any(${emails}) and state = 'claimed'`)
}

/**
 * Registers a person in place of the claim that was seen.
 * @param replacedHash of that claim @returns Changed when it is another by now
 */
export async function insertClaim(
  tx: Queryable,
  profile: StoredProfile,
  { passwordHash, language, replacedHash }: { passwordHash: string; language: Language; replacedHash: string | null },
): Promise<{ status: 'Ok'; id: number } | { status: 'Duplicate' | 'Changed' }> {
  const account = await tx.maybeOne<{ passwordHash: string | null; state: AccountState }>(sql`
    select password_hash as "passwordHash", state from web_users where email = ${profile.email} for update`)
  if (account && !FREE_STATES.includes(account.state)) return { status: 'Duplicate' }
  if (account && account.passwordHash !== replacedHash) return { status: 'Changed' }
  await deleteClaims(tx, [profile.email])
  const inserted = await tx.maybeOne<{ id: number }>(sql`
    insert into web_users (email, password_hash, language, year_of_birth,
      ${sql.raw(PLAIN_COLUMNS.map(([, column]) => column).join(', '))})
    values (${profile.email}, ${passwordHash}, ${language}, nullif(${profile.yearOfBirth}::int, ${YEAR_OF_BIRTH_UNSET}),
      ${sql.join(PLAIN_COLUMNS.map(([field]) => sql`${profile[field]}`))})
    on conflict (email) do nothing
    returning id`)
  return inserted ? { status: 'Ok', id: inserted.id } : { status: 'Changed' }
}
