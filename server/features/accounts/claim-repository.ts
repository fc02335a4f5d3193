import { YEAR_OF_BIRTH_UNSET } from '#contract/rules/profile-rules.ts'
import { ACCOUNT_STATES, type AccountState, type Language } from '#contract/values.ts'
import { type StoredProfile, UNCONVERTED_PROFILE_COLUMNS } from '#server/features/session/account-repository.ts'
import { nextAccountState } from '#server/features/session/rules.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { reassignToAnonymousAccount } from './deletion-repository.ts'

/** Account states in which an e-mail address is available for registration. */
const FREE_STATES = ACCOUNT_STATES.filter(state => nextAccountState(state, 'register') !== null)

/**
 * Deletes unconfirmed registrations for these e-mail addresses along with their links, so that the verified owner of an
 * e-mail address does not inherit their data.
 */
export async function deleteUnverifiedAccounts(tx: Queryable, emails: string[]): Promise<void> {
  const claims = await tx.query<{ id: number }>(sql`
    select id from web_users where email = any(${emails}) and state = 'claimed' order by id for update`)
  if (claims.length > 0)
    await deleteUnverifiedAccountsById(
      tx,
      claims.map(({ id }) => id),
    )
}

/** Deletes unconfirmed registrations and everything that refers to them. The rows must be locked. */
export async function deleteUnverifiedAccountsById(tx: Queryable, ids: number[]): Promise<void> {
  await tx.execute(sql`delete from mails where web_user_id = any(${ids}) and sent_at is null`)
  for (const id of await listBookers(tx, ids)) {
    await cancelBookings(tx, id)
    await reassignToAnonymousAccount(tx, id)
  }
  await tx.execute(sql`delete from web_users where id = any(${ids})`)
}

/**
 * Finds unconfirmed registrations that have bookings, which earlier versions permitted.
 * @returns ids of accounts with bookings or attendance
 */
const listBookers = async (tx: Queryable, ids: number[]): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      select distinct id from (
        select web_user_id as id from bookings where web_user_id = any(${ids})
        union all select web_user_id from attendances where web_user_id = any(${ids})
        union all select web_user_id from attendance_changes where web_user_id = any(${ids})) found order by id`)
  ).map(({ id }) => id)

/**
 * Cancels a person's bookings, which frees their seats. People on the waiting list are promoted with the next change to
 * the course.
 */
const cancelBookings = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`
    with ended as (
      update bookings set cancelled_at = clock_timestamp() where web_user_id = ${webUserId} and cancelled_at is null
      returning course_id, is_passed_over
    )
    update courses c set taken = taken - case when is_passed_over then 0 else 1 end, revision = c.revision + 1 from ended where c.id = ended.course_id`)

/**
 * Finds the account with this e-mail address and locks its row. An unconfirmed registration is deleted and reported as
 * not found. Call this before granting anything by e-mail address, so that an unconfirmed owner cannot receive it.
 */
export async function lockAccountByEmail(
  tx: Queryable,
  email: string,
): Promise<{ id: number; name: string; state: AccountState } | null> {
  await deleteUnverifiedAccounts(tx, [email])
  return tx.maybeOne(sql`
    select id, btrim(given_name || ' ' || family_name) as name, state from web_users
    where email = ${email} and deleted_at is null and state <> 'claimed' for no key update`)
}

/**
 * Registers a person, replacing an unverified account with the same e-mail address.
 * @param replacedHash password hash of the replaced account when it was read (optimistic lock)
 * @returns Changed if that account was modified concurrently
 */
export async function insertUnverifiedAccount(
  tx: Queryable,
  profile: StoredProfile,
  { passwordHash, language, replacedHash }: { passwordHash: string; language: Language; replacedHash: string | null },
): Promise<{ status: 'Ok'; id: number } | { status: 'Duplicate' | 'Changed' }> {
  const account = await tx.maybeOne<{ passwordHash: string | null; state: AccountState }>(sql`
    select password_hash as "passwordHash", state from web_users where email = ${profile.email} for update`)
  if (account && !FREE_STATES.includes(account.state)) return { status: 'Duplicate' }
  if (account && account.passwordHash !== replacedHash) return { status: 'Changed' }
  await deleteUnverifiedAccounts(tx, [profile.email])
  const inserted = await tx.maybeOne<{ id: number }>(sql`
    insert into web_users (email, password_hash, language, year_of_birth,
      ${sql.raw(UNCONVERTED_PROFILE_COLUMNS.map(([, column]) => column).join(', '))})
    values (${profile.email}, ${passwordHash}, ${language}, nullif(${profile.yearOfBirth}::int, ${YEAR_OF_BIRTH_UNSET}),
      ${sql.join(UNCONVERTED_PROFILE_COLUMNS.map(([field]) => sql`${profile[field]}`))})
    on conflict (email) do nothing
    returning id`)
  return inserted ? { status: 'Ok', id: inserted.id } : { status: 'Changed' }
}
