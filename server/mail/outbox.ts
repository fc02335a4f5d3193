import { type Queryable, sql } from '#server/db/client.ts'
import type { MailKind, MailKinds } from './kinds.ts'

export type NewMail<Kind extends MailKind> = {
  webUserId: number
  kind: Kind
  payload: MailKinds[Kind]
  /** another address than the person's own */
  recipient?: string
}

/**
 * Puts a mail to a person into the outbox, in their language, in the transaction of what it tells about. The sender finds it
 * there; `context.wakeMailer()` after the commit only saves the wait.
 */
export async function insertMail<Kind extends MailKind>(
  tx: Queryable,
  { webUserId, kind, payload, recipient }: NewMail<Kind>,
): Promise<void> {
  await tx.execute(sql`
    insert into mails (web_user_id, recipient, language, kind, payload)
    select id, coalesce(${recipient ?? null}, email), language, ${kind}, ${payload}::jsonb
    from web_users where id = ${webUserId}`)
}
