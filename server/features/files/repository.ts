import { createHash } from 'node:crypto'
import { type Queryable, sql } from '#server/platform/db/client.ts'

/** Reference to stored content, with the file name shown to users. */
export type FileReference = {
  name: string
  mediaType: string
  /** hexadecimal SHA-256 of the content */
  hash: string
}

export type StoredFile = FileReference & {
  /** null: the client already has the content */
  content: Buffer | null
}

// Content is addressed by its hash. See docs/decisions/0001.
export const hashFileContent = (content: Uint8Array): Buffer => createHash('sha256').update(content).digest()

/**
 * Stores content once per hash. Call this in the transaction that writes the referencing row, because unreferenced
 * content is deleted.
 * @returns its SHA-256
 */
export async function insertFileContent(tx: Queryable, mediaType: string, content: Buffer): Promise<Buffer> {
  const sha256 = hashFileContent(content)
  await tx.execute(sql`
    insert into file_contents (sha256, media_type, content) values (${sha256}, ${mediaType}, ${content})
    on conflict do nothing`)
  return sha256
}

/**
 * Reads stored content.
 * @returns null if it is no longer referenced
 */
export async function findFileContent(db: Queryable, hash: string): Promise<Buffer | null> {
  const row = await db.maybeOne<{ content: Buffer }>(sql`
    select content from file_contents where sha256 = decode(${hash}, 'hex')`)
  return row?.content ?? null
}
