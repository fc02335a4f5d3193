import {
  insertMailedLink,
  insertSubstituteLink,
  type MailedLinkPurpose,
} from '#server/features/accounts/token-repository.ts'
import { createMailedPassword, hashMailedPassword } from '#server/features/session/passwords.ts'
import { updateMailedPassword } from '#server/features/session/repository.ts'
import type { Database } from '#server/platform/db/client.ts'
import { createToken, hashToken } from '#server/platform/http/token.ts'
import type { MailKind, SecretMailKind } from '#server/platform/outbox/mail-kinds.ts'

/** Secret in an e-mail: `token` or `password`. */
export type MailSecret = Record<string, string>
type Mail = { id: number; kind: MailKind }
/** Generates the secret for a kind of e-mail and stores its hash for later verification. */
type Recipe = {
  make: () => MailSecret
  /**
   * stores the hash.
   * @returns false if the e-mail was withdrawn or its recipient deleted; the secret is then invalid
   */
  store: (db: Database, mailId: number, secret: MailSecret) => Promise<boolean>
}

const link = (purpose: MailedLinkPurpose): Recipe => ({
  make: () => ({ token: createToken() }),
  store: (db, mailId, { token = '' }) => insertMailedLink(db, { mailId, purpose, tokenHash: hashToken(token) }),
})

const password: Recipe = {
  make: () => ({ password: createMailedPassword() }),
  store: (db, mailId, { password: word = '' }) => updateMailedPassword(db, mailId, hashMailedPassword(word)),
}

const recipes: { [Kind in SecretMailKind]: Recipe } = {
  activation: link('activation'),
  'new-email': link('new-email'),
  'new-email-notice': link('undo'),
  'email-changed': link('undo'),
  'people-merged': link('merge'),
  'password-changed': link('undo'),
  'iban-changed': link('undo'),
  'new-device': link('undo'),
  'passkey-link': link('passkey'),
  'substitute-request': {
    make: () => ({ token: createToken() }),
    store: (db, mailId, { token = '' }) => insertSubstituteLink(db, mailId, hashToken(token)),
  },
  'password-reset': password,
  'welcome-import': password,
  invitation: password,
}

const hasSecret = (kind: MailKind): kind is SecretMailKind => kind in recipes

export type MailSecretCache = {
  /**
   * Creates the secret for an e-mail that is about to be sent, and stores only its hash. Retries by the same process
   * reuse the secret. Another process creates a new one, but a secret that may already have been sent remains valid.
   * @returns an empty object for a kind without a secret; null if the e-mail must no longer be sent
   */
  mint(mail: Mail): Promise<MailSecret | null>
  /** Removes the secret from memory once the e-mail has been sent or abandoned. */
  forget(mail: Pick<Mail, 'id'>): void
}

// See docs/decisions/0006.
/**
 * Creates the cache of mail secrets. A secret is generated at the first attempt to send an e-mail and cached until the
 * mail has been sent or abandoned.
 */
export function createMailSecretCache(db: Database): MailSecretCache {
  const secrets = new Map<number, MailSecret>()
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
