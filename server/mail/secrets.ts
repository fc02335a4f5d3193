import type { Database } from '#server/db/client.ts'
import { insertMailedLink, type LinkPurpose } from '#server/features/accounts/token-repository.ts'
import { createMailedPassword, hashMailedPassword } from '#server/features/session/passwords.ts'
import { updateMailedPassword } from '#server/features/session/repository.ts'
import { createToken, hashToken } from '#server/http/token.ts'
import type { MailKind, SecretKind } from './kinds.ts'

/** What of a mail opens an account: `token` or `password`. */
export type Secret = Record<string, string>
type Mail = { id: number; kind: MailKind }
/** How a kind's secret is made, and how the database learns what it will be recognised by. */
type Recipe = {
  make: () => Secret
  /** @returns whether it counts from now on: not when the mail was withdrawn, or its person is gone */
  store: (db: Database, mailId: number, secret: Secret) => Promise<boolean>
}

const link = (purpose: LinkPurpose): Recipe => ({
  make: () => ({ token: createToken() }),
  store: (db, mailId, { token = '' }) => insertMailedLink(db, { mailId, purpose, tokenHash: hashToken(token) }),
})

const password: Recipe = {
  make: () => ({ password: createMailedPassword() }),
  store: (db, mailId, { password: word = '' }) => updateMailedPassword(db, mailId, hashMailedPassword(word)),
}

const recipes: { [Kind in SecretKind]: Recipe } = {
  activation: link('activation'),
  'new-email': link('new-email'),
  'new-email-notice': link('undo'),
  'email-changed': link('undo'),
  'password-changed': link('undo'),
  'new-device': link('undo'),
  'passkey-link': link('passkey'),
  'password-reset': password,
  'welcome-import': password,
  invitation: password,
}

const hasSecret = (kind: MailKind): kind is SecretKind => kind in recipes

export type Secrets = {
  /**
   * What the mail about to be sent opens the account with: made now, and only its hash is stored. Tried again by this process
   * it is the same; by another one it is a new one, and what was perhaps sent before works on beside it.
   * @returns nothing in it for a kind without a secret; null when the mail is not to be sent any more
   */
  mint(mail: Mail): Promise<Secret | null>
  /** The mail is out, or nobody tries it again. */
  forget(mail: Pick<Mail, 'id'>): void
}

// See docs/decisions/0006.
/** Makes what opens an account when its mail goes out, and knows it until the mail has gone. */
export function createSecrets(db: Database): Secrets {
  const secrets = new Map<number, Secret>()
  return {
    async mint({ id, kind }) {
      if (!hasSecret(kind)) return {}
      const secret = secrets.get(id) ?? recipes[kind].make()
      secrets.set(id, secret)
      if (await recipes[kind].store(db, id, secret)) return secret
      secrets.delete(id)
      return null
    },
    forget: ({ id }) => void secrets.delete(id),
  }
}
