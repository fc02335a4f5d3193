import { createHash } from 'node:crypto'
import { checkPasswordStrength } from '#server/features/session/password-service.ts'
import { hashPassword, verifyPassword } from '#server/features/session/passwords.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { DEMO_PASSWORD } from '../demo-accounts.ts'

type Given = { email: string; password: string; givenName: string; familyName: string }
type Stored = { email: string; imported_password_hash: string | null }

/** Password hashes to write, and a new fingerprint if the set of passwords has changed. */
export type PasswordChanges = {
  changed: { email: string; hash: string; isWeak: boolean }[]
  fingerprint: string | null
}

const isDemo = (email: string, password: string) => password === DEMO_PASSWORD && email.endsWith('@demo.example')

/**
 * Hashes the passwords in users.csv concurrently before anything is written, so that no locks are held in the meantime.
 * Passwords that an earlier import has set are skipped, because the person may have changed them since. A single
 * fingerprint over all passwords detects changes, because verifying each password would take as long as hashing it. The
 * fingerprint is itself an argon2id hash, so that it does not help attackers. People with a weak password must choose
 * another one at their first login, except for the demo passwords, which are public anyway. See docs/decisions/0006.
 */
export async function hashImportedPasswords(
  tx: Queryable,
  given: Given[],
  onProgress: (text: string) => void,
): Promise<PasswordChanges> {
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
  // The demo password is public: its hash is made once for all demo accounts, which is most of the first start's work.
  const hasDemo = candidates.some(({ email, password }) => isDemo(email, password))
  const demoHash = hasDemo && (await hashPassword(DEMO_PASSWORD))
  const hashOf = async ({ email, password }: Given) =>
    (isDemo(email, password) && demoHash) || (await hashPassword(password))
  const changed = await Promise.all(
    candidates.map(async owner => {
      const { email, password } = owner
      const hash = hashes.get(email)
      const isSame = hash && (await verifyPassword(hash, password))
      const result = isSame ? [] : [{ email, hash: await hashOf(owner), isWeak: await judged(owner) }]
      onProgress(`passwords ${++done} of ${candidates.length}`)
      return result
    }),
  )
  return { changed: changed.flat(), fingerprint: isExistingSet ? null : await hashPassword(digest) }
}

/**
 * Creates a function that checks passwords one at a time, because the strength check runs in a single thread with a
 * bounded queue.
 */
function judgeInTurn(): (owner: Given) => Promise<boolean> {
  let last: Promise<unknown> = Promise.resolve()
  return owner => {
    const { email, password } = owner
    if (isDemo(email, password)) return Promise.resolve(false)
    const result = last.then(() => checkPasswordStrength(password, owner, { name: 'import' }))
    last = result
    return result.then(({ isSecure }) => !isSecure)
  }
}

/** Sets new passwords and ends the sessions of their owners. @returns their e-mail addresses */
export async function applyPasswordChanges(
  tx: Queryable,
  { changed, fingerprint }: PasswordChanges,
): Promise<string[]> {
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
