import { type Queryable, sql } from '#server/platform/db/client.ts'

export type Upload = { name: string; mediaType: string; content: Buffer }

export type UploadSize = { count: number; bytes: number }

/** Number of unused uploads, by one person or by everyone. */
export const countUploads = (db: Queryable, webUserId: number | null = null): Promise<UploadSize> =>
  db.one(sql`
    select count(*)::int as count, coalesce(sum(octet_length(content)), 0)::float8 as bytes from office_files
    where ${webUserId}::int is null or web_user_id = ${webUserId}`)

/** Serializes a person's uploads until the transaction ends, so that concurrent ones cannot exceed the quota. */
export const lockUploads = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${webUserId}`}, 0))`)

export const deleteOldUploads = (tx: Queryable, webUserId: number, minutes: number): Promise<number> =>
  tx.execute(sql`
    delete from office_files
    where web_user_id = ${webUserId} and created_at < clock_timestamp() - ${minutes} * interval '1 minute'`)

export const insertUpload = async (
  db: Queryable,
  { webUserId, right }: { webUserId: number; right: string },
  { name, mediaType, content }: Upload,
): Promise<string> =>
  (
    await db.one<{ id: string }>(sql`
      insert into office_files (web_user_id, "right", name, media_type, content)
      values (${webUserId}, ${right}, ${name}, ${mediaType}, ${content}) returning id`)
  ).id

/** Reads and deletes an upload, so that only one action can use it. */
export const consumeUpload = (tx: Queryable, fileId: string): Promise<Upload | null> =>
  tx.maybeOne(sql`
    delete from office_files where id::text = lower(${fileId}) returning name, media_type as "mediaType", content`)
