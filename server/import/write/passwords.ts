import { createHash } from 'node:crypto'
import { type Queryable, sql } from '#server/db/client.ts'
import { judgePassword } from '#server/features/session/password-service.ts'
import { hashPassword, verifyPassword } from '#server/features/session/passwords.ts'
import { DEMO_PASSWORD } from '../demo-accounts.ts'

type Given = { email: string; password: string; givenName: string; familyName: string }
type Stored = { email: string; imported_password_hash: string | null }

/** What is to be written: hashes of new passwords, and the fingerprint where the set of passwords is another one. */
export type PasswordPlan = { changed: { email: string; hash: string; isWeak: boolean }[]; fingerprint: string | null }

/**
 * Hashes the passwords of users.csv side by side, before anything is written, so that nobody waits for it. A password that the
 * import gave before is left alone: the person may have chosen another since. One fingerprint over all of them tells whether any
 * changed, since comparing takes as long as hashing; it is an argon2id hash itself, so that it helps nobody to guess. Whoever gets one
 * that nobody could choose has to choose another at the first login; the demo's is known to be public.
 * See docs/decisions/0006.
 */
export async function planPasswords(
  tx: Queryable,
  given: Given[],
  onProgress: (text: string) => void,
): Promise<PasswordPlan> {
  if (given.length === 0) return { changed: [], fingerprint: null }
  const pairs = given.map(({ email, password }) => [email, password]).sort()
  const digest = createHash('sha256').update(JSON.stringify(pairs)).digest('hex')
  const { known } = await tx.one<{ known: string | null }>(sql`select passwords_fingerprint as known from programme`)
  const isExistingSet = known !== null && (await verifyPassword(known, digest))

  const stored = await tx.query<Stored>(sql`
    select email, imported_password_hash from web_users where email = any(${given.map(({ email }) => email)})`)
  const hashes = new Map(stored.map(({ email, imported_password_hash: hash }) => [email, hash]))
  const candidates = given.filter(({ email }) => !isExistingSet || !hashes.get(email))
  let done = 0
  const judged = judgeInTurn()
  const changed = await Promise.all(
    candidates.map(async owner => {
      const { email, password } = owner
      const hash = hashes.get(email)
      const isSame = hash && (await verifyPassword(hash, password))
      const result = isSame ? [] : [{ email, hash: await hashPassword(password), isWeak: await judged(owner) }]
      onProgress(`passwords ${++done} of ${candidates.length}`)
      return result
    }),
  )
  return { changed: changed.flat(), fingerprint: isExistingSet ? null : await hashPassword(digest) }
}

/** One after the other: the judge has a thread, and its queue an end. */
function judgeInTurn(): (owner: Given) => Promise<boolean> {
  let last: Promise<unknown> = Promise.resolve()
  return owner => {
    const { email, password } = owner
    if (password === DEMO_PASSWORD && email.endsWith('@demo.example')) return Promise.resolve(false)
    const result = last.then(() => judgePassword(password, owner, { name: 'import' }))
    last = result
    return result.then(({ isSecure }) => !isSecure)
  }
}

/** Gives people their new passwords and ends their sessions. @returns their e-mail addresses */
export async function writePasswords(tx: Queryable, { changed, fingerprint }: PasswordPlan): Promise<string[]> {
  const emails = changed.map(({ email }) => email)
  await tx.execute(sql`
    update web_users u set password_hash = g.hash, imported_password_hash = g.hash, is_password_to_change = g.is_weak,
      reset_password_hash = null, reset_expires_at = null
    from unnest(${emails}::text[], ${changed.map(({ hash }) => hash)}::text[],
      ${changed.map(({ isWeak }) => isWeak)}::boolean[]) as g (email, hash, is_weak) where u.email = g.email`)
  await tx.execute(
    sql`delete from sessions where web_user_id in (select id from web_users where email = any(${emails}))`,
  )
  if (fingerprint !== null) await tx.execute(sql`update programme set passwords_fingerprint = ${fingerprint}`)
  return emails
}
