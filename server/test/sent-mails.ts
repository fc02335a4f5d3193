import { createMailSecretCache, type MailSecret } from '#server/features/accounts/mail-secret-service.ts'
import { type Database, sql } from '#server/platform/db/client.ts'
import type { MailKind } from '#server/platform/outbox/mail-kinds.ts'
import { deleteMessage, leaseDueMessages, markSent } from '#server/platform/outbox/outbox.ts'

/** Mail that was sent. Its payload includes the secrets in addition to the stored values. */
export type SentMail = {
  id: number
  webUserId: number | null
  kind: MailKind
  recipient: string
  language: string
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it wrote
  payload: any
}

const minted = new WeakMap<Database, Map<number, MailSecret>>()

/**
 * Marks all e-mails in the outbox as sent, as the sender does, without sending them. @returns all e-mails sent so far,
 * oldest first
 */
export async function sendMails(db: Database): Promise<SentMail[]> {
  const secrets = createMailSecretCache(db)
  const known = minted.get(db) ?? new Map<number, MailSecret>()
  minted.set(db, known)
  for (const mail of await leaseDueMessages(db, 'mail', { limit: 1000, leaseMs: 60_000 })) {
    const secret = await secrets.mint(mail)
    if (secret) known.set(mail.id, secret)
    if (secret) await markSent(db, [mail])
    else await deleteMessage(db, mail.id)
  }
  const rows = await db.query<SentMail>(sql`
    select id, web_user_id as "webUserId", kind, recipient, language, payload from mails order by id`)
  return rows.map(row => ({ ...row, payload: { ...row.payload, ...known.get(row.id) } }))
}
