import { type Queryable, sql } from '#server/db/client.ts'

export type Upload = { name: string; mediaType: string; content: Buffer }

/** How much lies here until acts use it or it goes. */
export const countUploads = (db: Queryable): Promise<{ count: number; bytes: number }> =>
  db.one(sql`select count(*)::int as count, coalesce(sum(octet_length(content)), 0)::float8 as bytes from office_files`)

export const insertUpload = async (db: Queryable, right: string, upload: Upload): Promise<string> =>
  (
    await db.one<{ id: string }>(sql`
      insert into office_files ("right", name, media_type, content)
      values (${right}, ${upload.name}, ${upload.mediaType}, ${upload.content}) returning id`)
  ).id

/** Takes a file out: the act that uses it is the last to see it. */
export const takeUpload = (tx: Queryable, fileId: string): Promise<Upload | null> =>
  tx.maybeOne(sql`
    delete from office_files where id::text = ${fileId} returning name, media_type as "mediaType", content`)
