import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'

/** Folder to which e-mails are written as files if no mail server is configured. */
export const mailFolderOf = (dataDir: string): string => join(dataDir, 'outbox')

const MAIL_FILE = /^(\d{8,})\.eml(\.\d+\.tmp)?$/
/** Age in ms after which a temporary file is assumed to be left over from a process that has exited. */
const DRAFT_MS = 3_600_000

const isMissing = (error: unknown) => errorFactsOf(error).code === 'ENOENT'

async function isAbandoned(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > DRAFT_MS
  } catch {
    // Another process has renamed or removed the file.
    return false
  }
}

/**
 * Removes the files of e-mails whose database rows have been deleted, and abandoned temporary files.
 * @returns number of removed files
 */
export async function sweepMailFolder(db: Queryable, dataDir: string): Promise<number> {
  const folder = mailFolderOf(dataDir)
  const names = await readdir(folder).catch(error => {
    if (isMissing(error)) return []
    throw error
  })
  const files = names.flatMap(name => {
    const [, id, draft] = MAIL_FILE.exec(name) ?? []
    return id ? [{ path: join(folder, name), id: Number(id), isDraft: draft !== undefined }] : []
  })
  const rows = await db.query<{ id: number }>(sql`
    select id from mails where id = any(${files.map(({ id }) => id)}::bigint[])`)
  const ids = new Set(rows.map(({ id }) => id))
  let count = 0
  for (const { path, id, isDraft } of files) {
    if (ids.has(id) && !(isDraft && (await isAbandoned(path)))) continue
    await rm(path, { force: true })
    count += 1
  }
  return count
}
