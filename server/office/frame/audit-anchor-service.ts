import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLine } from '#server/platform/config/config.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { type DataFile, writeDataFile } from '#server/platform/process/data-files.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import {
  findLastAuditLogEntry,
  findUnanchoredEntry,
  isEntryInAuditLog,
  type LastAuditLogEntry,
} from './audit-log-repository.ts'

/**
 * File with the audit anchor: number and hash of the last audit log entry, stored outside the database so that a
 * truncated audit log can be detected.
 */
const ANCHOR_FILE: DataFile = 'record-head'

/**
 * Reads the audit anchor: number and hash of the last known audit log entry, stored outside the database.
 * @returns null if the file is missing or malformed
 * @throws Error if it cannot be read
 */
export async function readAuditAnchor(dataDir: string): Promise<LastAuditLogEntry | null> {
  const text = await readFile(join(dataDir, ANCHOR_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const [, number, hash] = /^(\d+) ([0-9a-f]{64})\s*$/.exec(text) ?? []
  return number && hash ? { number: Number(number), hash } : null
}

export const writeAuditAnchor = (dataDir: string, { number, hash }: LastAuditLogEntry): Promise<void> =>
  writeDataFile(dataDir, ANCHOR_FILE, `${number} ${hash}\n`)

/**
 * Updates the audit anchor to the number and hash of the current last entry of the audit log.
 * @throws Error if the audit log no longer contains the entry with the previous number and hash, or the file cannot be
 * replaced
 */
export async function saveAuditAnchor(db: Queryable, dataDir: string): Promise<void> {
  const anchor = await readAuditAnchor(dataDir)
  if (anchor && !(await isEntryInAuditLog(db, anchor)))
    throw new Error(`line ${anchor.number} of the audit log is missing or was changed: run ${commandLine('audit')}`)
  const head = await findLastAuditLogEntry(db)
  if (head && head.number !== anchor?.number) await writeAuditAnchor(dataDir, head)
}

/**
 * Creates a function that updates the audit anchor; call it after each new entry. A failure is logged and shown in
 * health checks and metrics, but never fails the request that wrote the entry.
 */
export function createAuditAnchor({
  db,
  config,
  log,
}: Pick<ServerContext, 'db' | 'config' | 'log'>): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last
      .then(() => saveAuditAnchor(db, config.dataDir))
      .catch(error => log.error({ err: error }, 'the audit log is not anchored outside its table'))
    return last
  }
}

/**
 * Updates the audit anchor after a command has written to the audit log. Prints a failure, because commands have no
 * logger.
 */
export const anchorAfterCommand = (db: Queryable, dataDir: string): Promise<void> =>
  saveAuditAnchor(db, dataDir).catch((error: Error) =>
    console.error(`Warning: the audit log is not anchored in ${dataDir}: ${error.message}`),
  )

/**
 * Whether the audit anchor (number and hash of the last audit log entry, stored outside the database) is readable,
 * matches the audit log, and covers all entries except those of the past few minutes.
 * @throws Error from the database
 */
export async function isAuditAnchorCurrent(db: Queryable, dataDir: string): Promise<boolean> {
  // An audit anchor that cannot be read is treated as outdated.
  const anchor = await readAuditAnchor(dataDir).catch(() => undefined)
  if (anchor === undefined || (anchor && !(await isEntryInAuditLog(db, anchor)))) return false
  return (await findUnanchoredEntry(db, anchor?.number ?? 0)) === null
}
