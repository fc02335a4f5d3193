import { createHash } from 'node:crypto'
import { type Queryable, sql } from '#server/db/client.ts'
import { hashPassword, verifyPassword } from '#server/features/session/passwords.ts'

type Given = { email: string; password: string }
type Stored = { email: string; imported_password_hash: string | null }

/**
 * Gives people the passwords of users.csv, hashed side by side. A password that the import gave before is left alone: the person
 * may have chosen another since. One fingerprint over all of them tells whether any changed, since comparing takes as long as
 * hashing; it is an argon2id hash itself, so that it helps nobody to guess.
 * @returns the e-mail addresses of the people whose password changed
 */
export async function writePasswords(
  tx: Queryable,
  given: Given[],
  onProgress: (text: string) => void,
): Promise<string[]> {
  if (given.length === 0) return []
  const pairs = given.map(({ email, password }) => [email, password]).sort()
  const digest = createHash('sha256').update(JSON.stringify(pairs)).digest('hex')
  const { fingerprint } = await tx.one<{ fingerprint: string | null }>(sql`
    select passwords_fingerprint as fingerprint from programme`)
  const isKnownSet = fingerprint !== null && (await verifyPassword(fingerprint, digest))

  const stored = await tx.query<Stored>(sql`
    select email, imported_password_hash from web_users where email = any(${given.map(({ email }) => email)})`)
  const hashes = new Map(stored.map(({ email, imported_password_hash: hash }) => [email, hash]))
  const candidates = given.filter(({ email }) => !isKnownSet || hashes.get(email) === null)
  let done = 0
  const hashed = await Promise.all(
    candidates.map(async ({ email, password }) => {
      const hash = hashes.get(email) ?? null
      const isSame = hash !== null && (await verifyPassword(hash, password))
      const result = isSame ? [] : [{ email, hash: await hashPassword(password) }]
      onProgress(`passwords ${++done} of ${candidates.length}`)
      return result
    }),
  )
  const changed = hashed.flat()
  const emails = changed.map(({ email }) => email)
  await tx.execute(sql`
    update web_users u set password_hash = g.hash, imported_password_hash = g.hash, is_password_to_change = false,
      reset_password_hash = null, reset_expires_at = null
    from unnest(${emails}::text[], ${changed.map(({ hash }) => hash)}::text[]) as g (email, hash) where u.email = g.email`)
  await tx.execute(
    sql`delete from sessions where web_user_id in (select id from web_users where email = any(${emails}))`,
  )
  if (!isKnownSet) {
    await tx.execute(sql`update programme set passwords_fingerprint = ${await hashPassword(digest)}`)
  }
  return emails
}
