import { createHash } from 'node:crypto'
import { type Queryable, sql } from '#server/db/client.ts'

/** What a row points at: the content of a picture or document, and the name that people know it by. */
export type FileRef = {
  name: string
  mediaType: string
  /** hexadecimal SHA-256 of the content */
  hash: string
}

export type StoredFile = FileRef & {
  /** null: the caller knows it */
  content: Buffer | null
}

// See docs/decisions/0001.
export const hashContent = (content: Uint8Array): Buffer => createHash('sha256').update(content).digest()

/**
 * Stores a content once. It lives as long as a row points at it: call this in the transaction that writes the row.
 * @returns its SHA-256
 */
export async function insertContent(tx: Queryable, mediaType: string, content: Buffer): Promise<Buffer> {
  const sha256 = hashContent(content)
  await tx.execute(sql`
    insert into file_contents (sha256, media_type, content) values (${sha256}, ${mediaType}, ${content})
    on conflict do nothing`)
  return sha256
}

/** @returns null when nothing points at it any more */
export async function findContent(db: Queryable, hash: string): Promise<Buffer | null> {
  const row = await db.maybeOne<{ content: Buffer }>(sql`
    select content from file_contents where sha256 = decode(${hash}, 'hex')`)
  return row?.content ?? null
}
