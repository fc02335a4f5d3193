import type { Logger } from 'pino'
import { type Database, type Queryable, sql } from '#server/db/client.ts'
import { insertContent } from '#server/features/files/repository.ts'
import { cleanPicture } from '#server/import/pictures.ts'

const POINTERS = [
  ['photos', 'photo_sha256'],
  ['content_items', 'picture_sha256'],
  ['content_items', 'file_sha256'],
  ['instructors', 'picture_sha256'],
  ['categories', 'icon_sha256'],
] as const

/**
 * Removes metadata from pictures stored by versions that did not do so on import; safe to run on several servers.
 * @returns number of pictures
 */
export async function cleanStoredPictures(db: Database, log: Logger, stopping: AbortSignal): Promise<number> {
  let cleaned = 0
  while (!stopping.aborted && (await db.transaction(cleanNext))) cleaned += 1
  if (cleaned > 0) log.info({ cleaned }, 'metadata taken out of stored pictures')
  return cleaned
}

async function cleanNext(tx: Queryable): Promise<boolean> {
  const picture = await tx.maybeOne<{ sha256: Buffer; mediaType: string; content: Buffer }>(sql`
    select sha256, media_type as "mediaType", content from file_contents where not is_clean limit 1 for update skip locked`)
  if (picture === null) return false
  const { sha256, mediaType, content } = picture
  const clean = await cleanPicture(content)
  // Content that is not a picture has no metadata.
  if (clean === null || clean === content) {
    await tx.execute(sql`update file_contents set is_clean = true where sha256 = ${sha256}`)
    return true
  }
  const cleanSha256 = await insertContent(tx, mediaType, clean)
  await tx.execute(sql`update file_contents set is_clean = true where sha256 = ${cleanSha256}`)
  await tx.execute(sql`update file_sources set sha256 = ${cleanSha256} where sha256 = ${sha256}`)
  for (const [table, column] of POINTERS) {
    await tx.execute(sql`
      update ${sql.raw(table)} set ${sql.raw(column)} = ${cleanSha256} where ${sql.raw(column)} = ${sha256}`)
  }
  // The same content may also be a person's document, which must stay unchanged.
  await tx.execute(sql`update file_contents set is_clean = true where sha256 = ${sha256}`)
  return true
}
