import type { InboxItem } from '#contract/endpoints/inbox.ts'
import type { FileReference } from '#server/features/files/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'

type ItemRow = Omit<InboxItem, 'created'> & { created: string }

/**
 * A person's messages, newest first, with their read state before this call. The call marks messages without a document
 * as read; a message with a document is marked when the document is downloaded.
 */
export async function listInboxMessages(db: Queryable, webUserId: number): Promise<InboxItem[]> {
  const rows = await db.query<ItemRow>(sql`
    with listed as (
      update inbox_items set seen_at = clock_timestamp()
      where web_user_id = ${webUserId} and seen_at is null and document_name = ''
    )
    select id, document_name as "documentName", created_at::timestamp as created, title, text, seen_at is not null as seen
    from inbox_items where web_user_id = ${webUserId} order by created_at desc, id desc`)
  return rows.map(row => ({ ...row, created: toDateTimeValue(row.created) }))
}

/** Whether a person has unread messages; returned as the session's `hasUnreadMessages`. */
export async function hasUnseenMessages(db: Queryable, webUserId: number): Promise<boolean> {
  const { unseen } = await db.one<{ unseen: boolean }>(sql`
    select exists (select from inbox_items where web_user_id = ${webUserId} and seen_at is null) as unseen`)
  return unseen
}

/**
 * Finds a message and its document. `document` is null if the message has none or if it is a certificate, which is
 * rendered from its code, or an invoice.
 */
export async function findInboxMessage(
  db: Queryable,
  itemId: number,
): Promise<{
  webUserId: number
  name: string
  document: FileReference | null
  certificateCode: string | null
  invoiceNumber: string | null
} | null> {
  type Row = {
    webUserId: number
    name: string
    mediaType: string | null
    hash: string | null
    code: string | null
    invoiceNumber: string | null
  }
  const row = await db.maybeOne<Row>(sql`
    select web_user_id as "webUserId", document_name as name, media_type as "mediaType", encode(sha256, 'hex') as hash,
      certificate_code as code, invoice_number as "invoiceNumber"
    from inbox_items i left join file_contents c on c.sha256 = i.document_sha256 where id = ${itemId}`)
  if (row === null) return null
  const { webUserId, name, mediaType, hash, code, invoiceNumber } = row
  return {
    webUserId,
    name,
    certificateCode: code,
    invoiceNumber,
    document: name && mediaType && hash ? { name, mediaType, hash } : null,
  }
}

export const updateMessageRead = (db: Queryable, itemId: number): Promise<number> =>
  db.execute(sql`update inbox_items set seen_at = clock_timestamp() where id = ${itemId} and seen_at is null`)
