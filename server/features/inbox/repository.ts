import type { InboxItem } from '#contract/inbox.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'

export type NewInboxItem = {
  webUserId: number
  /** in the person's language */
  title: string
  /** HTML: names and titles in it escaped by the caller (texts/format.ts) */
  text: string
  /** a file of kind `document`; empty: none */
  documentName?: string
}

/** Puts a message into a person's inbox: in the transaction of what it tells about. */
export async function insertInboxItem(tx: Queryable, item: NewInboxItem): Promise<void> {
  await tx.execute(sql`
    insert into inbox_items (web_user_id, title, text, document_name)
    values (${item.webUserId}, ${item.title}, ${item.text}, ${item.documentName ?? ''})`)
}

type ItemRow = Omit<InboxItem, 'created'> & { created: string }

/**
 * A person's messages, newest first, each as seen or not before this listing. The listing itself is what a message without a
 * document needs to be seen; one with a document waits for its download.
 */
export async function listInboxItems(db: Queryable, webUserId: number): Promise<InboxItem[]> {
  const rows = await db.query<ItemRow>(sql`
    with listed as (
      update inbox_items set seen_at = clock_timestamp()
      where web_user_id = ${webUserId} and seen_at is null and document_name = ''
    )
    select id, document_name as "documentName", created_at::timestamp as created, title, text, seen_at is not null as seen
    from inbox_items where web_user_id = ${webUserId} order by created_at desc, id desc`)
  return rows.map(row => ({ ...row, created: toDateTimeValue(row.created) }))
}

/** Whether a person has messages still to see: the session's `hasUnreadMessages`. */
export async function hasUnseenItems(db: Queryable, webUserId: number): Promise<boolean> {
  const { unseen } = await db.one<{ unseen: boolean }>(sql`
    select exists (select from inbox_items where web_user_id = ${webUserId} and seen_at is null) as unseen`)
  return unseen
}

export const findInboxItem = (
  db: Queryable,
  itemId: number,
): Promise<{ webUserId: number; documentName: string } | null> =>
  db.maybeOne(sql`
    select web_user_id as "webUserId", document_name as "documentName" from inbox_items where id = ${itemId}`)

export const updateSeen = (db: Queryable, itemId: number): Promise<number> =>
  db.execute(sql`update inbox_items set seen_at = clock_timestamp() where id = ${itemId} and seen_at is null`)

/** Documents go with the last message that names them. */
export const deleteUnnamedDocuments = (tx: Queryable): Promise<number> =>
  tx.execute(sql`
    delete from files f where kind = 'document'
      and not exists (select from inbox_items i where i.document_name = f.name)`)
